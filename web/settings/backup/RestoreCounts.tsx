import { useLingui } from '@lingui/react/macro';
import type { RestoreEffects } from '#contract/backup.ts';
import { exactText } from '#web/format/numbers.ts';
import styles from './RestoreCounts.module.css';

interface Props {
  contents: RestoreEffects['contents'];
  /** The restore replaces the archive; otherwise it is added to it. */
  isReplaced: boolean;
  /** Number of deleted users that the restore brings back. */
  restoredUsers: number;
}

/** Number of videos, channels, playlists and users now, and after the restore or in the backup. */
export function RestoreCounts({ contents: { current, copy }, isReplaced, restoredUsers }: Props) {
  const { t } = useLingui();
  if (!copy) return null;
  const rows = [
    { name: t`Videos`, now: current.videos, after: copy.videos },
    { name: t`Channels`, now: current.channels, after: copy.channels },
    { name: t`Playlists`, now: current.playlists, after: copy.playlists },
    ...(isReplaced && current.users !== null
      ? [{ name: t`Users`, now: current.users, after: current.users + restoredUsers }]
      : []),
  ];
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col">
            <span className="hidden">{t`Type`}</span>
          </th>
          <th scope="col">{t`Now`}</th>
          <th scope="col">{isReplaced ? t`After the restore` : t`In the backup`}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, now, after }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td className="number">{exactText(now)}</td>
            <td className="number">{exactText(after)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
