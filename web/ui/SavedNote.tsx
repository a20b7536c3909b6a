import { Trans, useLingui } from '@lingui/react/macro';
import { IconCheck } from '@tabler/icons-react';
import styles from './Field.module.css';

/** Next to the label of a field that saves itself: that it was saved, and a button that saves the value from before. */
export function SavedNote({ label, isSaved, onUndo }: { label: string; isSaved: boolean; onUndo?: (() => void) | null }) {
  const { t } = useLingui();
  return (
    <span className={styles.note} role="status">
      {isSaved && (
        <>
          <IconCheck aria-hidden /> <Trans>Saved</Trans>
          {onUndo && (
            <button type="button" aria-label={t`Undo: ${label}`} onClick={onUndo}>
              <Trans>Undo</Trans>
            </button>
          )}
        </>
      )}
    </span>
  );
}
