import { Trans, useLingui } from '@lingui/react/macro';
import { IconDatabaseImport, IconFolderDown, IconLink, IconTransfer } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useNavigate } from 'react-router';
import { AddBox } from '#web/add/AddBox.tsx';
import styles from './FirstRun.module.css';

/** A card whose button opens a page. */
function OtherWay({ icon, title, children, onOpen }: { icon: ReactNode; title: string; children: ReactNode; onOpen(): void }) {
  return (
    <div className={styles.way}>
      {icon}
      <div>
        <h3>
          <button type="button" onClick={onOpen}>
            {title}
          </button>
        </h3>
        <p>{children}</p>
      </div>
    </div>
  );
}

/** The ways to fill an archive. `before` runs first, and prevents the step if it throws. */
export function AddVideos({ before }: { before?: () => Promise<unknown> }) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const open = async (path: string) => {
    try {
      await before?.();
    } catch {
      return; // the caller reports it
    }
    await navigate(path);
  };
  return (
    <div className={styles.ways}>
      <section className={styles.paste} aria-labelledby="add-paste">
        <h3 id="add-paste">
          <IconLink aria-hidden /> {t`Paste a link`}
        </h3>
        <AddBox {...(before && { before })} />
      </section>
      <OtherWay
        icon={<IconFolderDown aria-hidden />}
        title={t`Import video files`}
        onOpen={() => void open('/settings/actions/#import')}
      >
        <Trans>A folder of video files, also of TubeArchivist, Ganymede, MeTube, TubeSync or ytdl-sub.</Trans>
      </OtherWay>
      <OtherWay
        icon={<IconTransfer aria-hidden />}
        title={t`Import from another program`}
        onOpen={() => void open('/settings/actions/migrate/')}
      >
        <Trans>Subscriptions, rules, lists and watch history of Pinchflat, Google Takeout, NewPipe and others.</Trans>
      </OtherWay>
      <OtherWay
        icon={<IconDatabaseImport aria-hidden />}
        title={t`Restore a backup`}
        onOpen={() => void open('/settings/actions/#backups')}
      >
        <Trans>A ZIP backup of Reelkeep or TubeArchivist.</Trans>
      </OtherWay>
    </div>
  );
}
