import { Trans } from '@lingui/react/macro';
import { useIsStaff } from '#web/api/account.ts';
import { BiggestChannels } from './BiggestChannels.tsx';
import styles from './Dashboard.module.css';
import { DownloadHistory } from './DownloadHistory.tsx';
import { Overview, VideoType, WatchProgress } from './Overview.tsx';
import { FreeUpSpace } from './FreeUpSpace.tsx';
import { Growth } from './Growth.tsx';
import { Headline } from './Headline.tsx';
import { ActivityHeatmap, WatchCalendar } from './ActivityHeatmap.tsx';
import { QualityGrid } from './QualityGrid.tsx';
import { SiteHealth } from './SiteHealth.tsx';
import { StorageUse } from './StorageUse.tsx';
import { Treemap } from './Treemap.tsx';

export function Dashboard() {
  const isStaff = useIsStaff();
  return (
    <div className={styles.page}>
      <h2 className={styles.title}>
        <Trans>Your archive</Trans>
      </h2>
      <Headline />
      <div className={styles.cards}>
        <Growth />
        <Overview />
        <VideoType />
        <StorageUse />
        <WatchProgress />
        <DownloadHistory />
        <ActivityHeatmap />
        <WatchCalendar />
        <SiteHealth />
        <BiggestChannels />
        <Treemap />
        {isStaff && <FreeUpSpace />}
        <QualityGrid />
      </div>
    </div>
  );
}
