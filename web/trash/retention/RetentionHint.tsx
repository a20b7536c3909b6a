import { Plural, Trans } from '@lingui/react/macro';
import { useTrashDays } from '#web/api/queries/trash.ts';

/** Note in delete dialogs: how long deleted videos can be restored. */
export function RetentionHint() {
  const days = useTrashDays();
  if (days === undefined) return null;
  return (
    <p>
      {days === 0 ? (
        <Trans>Videos no longer online can’t be downloaded again.</Trans>
      ) : (
        <Plural
          value={days}
          one="Deleted videos stay in the trash for # day and can be restored."
          other="Deleted videos stay in the trash for # days and can be restored."
        />
      )}
    </p>
  );
}
