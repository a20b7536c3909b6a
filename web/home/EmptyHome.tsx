import { Trans, useLingui } from '@lingui/react/macro';
import { IconMovie } from '@tabler/icons-react';
import { Link } from 'react-router';
import { useIsStaff } from '#web/api/account.ts';
import { AddVideos } from '#web/first-run/AddVideos.tsx';
import { EmptyState } from '#web/ui/Callout.tsx';
import styles from './EmptyHome.module.css';

/** Home page of an archive without videos: the ways to fill it. */
export function EmptyHome() {
  const { t } = useLingui();
  const isStaff = useIsStaff();
  if (!isStaff)
    return (
      <EmptyState isPage icon={<IconMovie />} title={t`Your archive is empty`}>
        <Trans>Videos appear here once an administrator adds them.</Trans>
      </EmptyState>
    );
  return (
    <div className={styles.page}>
      <header>
        <h1>
          <Trans>Your archive is empty</Trans>
        </h1>
        <p>
          <Trans>
            Videos show up here as soon as they are downloaded. Follow them on the <Link to="/downloads/">Downloads page</Link>.
          </Trans>
        </p>
      </header>
      <AddVideos />
      <p>
        <Trans>
          Quality, subtitles and automatic downloads: <Link to="/first-run/">set up your archive</Link>.
        </Trans>
      </p>
    </div>
  );
}
