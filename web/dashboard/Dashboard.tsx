import { Trans } from '@lingui/react/macro';
import { BiggestChannels } from './BiggestChannels.tsx';
import styles from './Dashboard.module.css';
import { DownloadHistory } from './DownloadHistory.tsx';
import { Application, Overview, VideoType, WatchProgress } from './Groups.tsx';
import { Growth } from './Growth.tsx';
import { Headline } from './Headline.tsx';
import { HoursOfWeek, WatchedDays } from './Hours.tsx';
import { QualityGrid } from './QualityGrid.tsx';
import { SiteHealth } from './SiteHealth.tsx';
import { StorageUse } from './StorageUse.tsx';
import { Treemap } from './Treemap.tsx';

/** What there is, how it came to be, and where it goes. */
export function Dashboard() {
  return (
    <div className={styles.page}>
      <h2 className={styles.title}>
        <Trans>Your Archive</Trans>
      </h2>
      <Headline />
      <div className={styles.figures}>
        <Growth />
        <Overview />
        <Application />
        <VideoType />
        <StorageUse />
        <WatchProgress />
        <DownloadHistory />
        <HoursOfWeek />
        <WatchedDays />
        <SiteHealth />
        <BiggestChannels />
        <Treemap />
        <QualityGrid />
      </div>
    </div>
  );
}
