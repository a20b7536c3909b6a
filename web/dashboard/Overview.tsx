import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import type { VideoStats, WatchStats } from '#contract/stats.ts';
import { exactText, lengthText, percentText, sizeText } from '#web/format/numbers.ts';
import { useConfig } from '#web/api/account.ts';
import { DataTable, ChartCard } from './ChartCard.tsx';
import { channelStats, playlistStats, queueStats, videoStats, watchStats } from '#web/api/queries/stats.ts';
import { StackedBar } from './StackedBar.tsx';
import styles from './Dashboard.module.css';

type Sums = VideoStats['type_videos'];

/** Formats a count; a dash while it is loading. */
const countOf = (count: number | undefined) => (count === undefined ? '–' : exactText(count));

function useSums() {
  const unit = useConfig()?.file_size_unit;
  return (name: string, sums: Sums) => [
    name,
    exactText(sums?.doc_count ?? 0),
    sizeText(sums?.media_size ?? 0, unit),
    lengthText(sums?.duration ?? 0),
  ];
}

/** Channels, playlists and queued downloads. */
function Application() {
  const { t } = useLingui();
  const channels = useQuery(channelStats).data;
  const playlists = useQuery(playlistStats).data;
  const queue = useQuery(queueStats).data;
  return (
    <>
      <DataTable
        label={t`Application`}
        head={[t`Application`, t`All`, t`Subscribed`, t`Active`, t`Inactive`]}
        rows={(
          [
            [t`Channels`, channels],
            [t`Playlists`, playlists],
          ] as const
        ).map(([name, stats]) => [
          name,
          countOf(stats?.doc_count),
          countOf(stats?.subscribed_true),
          countOf(stats?.active_true),
          countOf(stats?.active_false),
        ])}
      />
      <DataTable
        label={t`Downloads`}
        head={[t`Downloads`, t`All`, t`Videos`, t`Shorts`, t`Streams`]}
        rows={[
          [
            t`Pending downloads`,
            ...[queue?.pending, queue?.pending_videos, queue?.pending_shorts, queue?.pending_streams].map(countOf),
          ],
        ]}
      />
    </>
  );
}

/** Numbers of videos, channels, playlists and queued downloads. */
export function Overview() {
  const { t } = useLingui();
  const row = useSums();
  const query = useQuery(videoStats);
  const title = t`Overview`;
  return (
    <ChartCard
      title={title}
      isWide
      query={query}
      height={240}
      render={(stats) => (
        <div className={styles.twoColumns}>
          <DataTable
            label={title}
            head={[t`Videos`, t`Count`, t`Size`, t`Duration`]}
            rows={[row(t`All`, stats), row(t`Active`, stats.active_true), row(t`Inactive`, stats.active_false)]}
          />
          <div className={styles.stacked}>
            <Application />
          </div>
        </div>
      )}
    />
  );
}

export function VideoType() {
  const { t } = useLingui();
  const row = useSums();
  const query = useQuery(videoStats);
  const parts = (stats: VideoStats) =>
    [
      [t`Regular`, stats.type_videos],
      [t`Shorts`, stats.type_shorts],
      [t`Streams`, stats.type_streams],
    ] as [string, Sums][];
  return (
    <ChartCard
      title={t`Video type`}
      query={query}
      height={120}
      isEmpty={(stats) => stats.doc_count === 0}
      render={(stats) => (
        <StackedBar
          label={t`Video type`}
          parts={parts(stats).map(([name, sums]) => ({
            name,
            value: sums?.doc_count ?? 0,
            valueText: exactText(sums?.doc_count ?? 0),
          }))}
        />
      )}
      table={(stats) => ({
        head: [t`Kind`, t`Videos`, t`Size`, t`Duration`],
        rows: parts(stats).map(([name, sums]) => row(name, sums)),
      })}
    />
  );
}

/** Share of videos the user has watched. */
export function WatchProgress() {
  const { t } = useLingui();
  const query = useQuery(watchStats);
  const shares = (stats: WatchStats) =>
    [
      [t`Watched`, stats.watched],
      [t`Unwatched`, stats.unwatched],
    ] as [string, WatchStats['watched']][];
  const rows = (stats: WatchStats) =>
    shares(stats).map(([name, share]) => [
      name,
      exactText(share?.items ?? 0),
      exactText(share?.duration ?? 0),
      lengthText(share?.duration ?? 0),
    ]);
  return (
    <ChartCard
      title={t`Watch progress`}
      query={query}
      height={200}
      isEmpty={(stats) => stats.total.items === 0}
      render={(stats) => (
        <>
          <StackedBar
            label={t`Watch progress`}
            parts={shares(stats).map(([name, share]) => ({
              name,
              value: share?.duration ?? 0,
              valueText: percentText(share?.progress ?? 0),
            }))}
          />
          <DataTable label={t`Watched and unwatched`} head={[t`Type`, t`Videos`, t`Seconds`, t`Duration`]} rows={rows(stats)} />
        </>
      )}
    />
  );
}
