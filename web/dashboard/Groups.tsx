import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import type { VideoStats, WatchStats } from '#contract/stats.ts';
import { exactText, sizeText } from '#web/format/numbers.ts';
import { useConfig } from '#web/user/queries.ts';
import { DataTable, Figure } from './Figure.tsx';
import { channelStats, playlistStats, queueStats, videoStats, watchStats } from './queries.ts';
import { Stacked } from './Stacked.tsx';

type Sums = VideoStats['type_videos'];

/** A count; what is not known yet is not nought. */
const countOf = (count: number | undefined) => (count === undefined ? '–' : exactText(count));

function useSums() {
  const unit = useConfig()?.file_size_unit;
  return (name: string, sums: Sums) => [
    name,
    exactText(sums?.doc_count ?? 0),
    sizeText(sums?.media_size ?? 0, unit),
    sums && sums.doc_count > 0 ? sums.duration_str : '0',
  ];
}

/** What there is, in numbers. */
export function Overview() {
  const { t } = useLingui();
  const row = useSums();
  const query = useQuery(videoStats);
  const channels = useQuery(channelStats).data;
  const playlists = useQuery(playlistStats).data;
  const queue = useQuery(queueStats).data;
  const title = t`Overview`;
  return (
    <Figure
      title={title}
      query={query}
      height={240}
      render={(stats) => (
        <>
          <DataTable
            label={title}
            head={[t`Videos`, t`Count`, t`Size`, t`Duration`]}
            rows={[row(t`All`, stats), row(t`Active`, stats.active_true), row(t`Inactive`, stats.active_false)]}
          />
          <DataTable
            label={t`Channels, playlists and downloads`}
            head={[t`Beside them`, t`Count`]}
            rows={[
              [t`Channels`, countOf(channels?.doc_count)],
              [t`Playlists`, countOf(playlists?.doc_count)],
              [t`Pending downloads`, countOf(queue?.pending)],
            ]}
          />
        </>
      )}
    />
  );
}

/** Regular videos, shorts and streams. */
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
    <Figure
      title={t`Video Type`}
      query={query}
      height={120}
      render={(stats) => (
        <Stacked
          label={t`Video Type`}
          parts={parts(stats).map(([name, sums]) => ({
            name,
            value: sums?.doc_count ?? 0,
            says: exactText(sums?.doc_count ?? 0),
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

/** What is subscribed to, and what waits. */
export function Application() {
  const { t } = useLingui();
  const query = useQuery(channelStats);
  const playlists = useQuery(playlistStats).data;
  const queue = useQuery(queueStats).data;
  const title = t`Application`;
  return (
    <Figure
      title={title}
      query={query}
      height={200}
      render={(channels) => (
        <>
          <DataTable
            label={title}
            head={[t`Of`, t`All`, t`Subscribed`, t`Active`, t`Inactive`]}
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
            head={[t`Downloads`, t`Pending`, t`Videos`, t`Shorts`, t`Streams`]}
            rows={[
              [
                t`In the queue`,
                ...[queue?.pending, queue?.pending_videos, queue?.pending_shorts, queue?.pending_streams].map(countOf),
              ],
            ]}
          />
        </>
      )}
    />
  );
}

/** How much of it this person has seen. */
export function WatchProgress() {
  const { t } = useLingui();
  const query = useQuery(watchStats);
  const shares = (stats: WatchStats) =>
    [
      [t`Watched`, stats.watched],
      [t`Unwatched`, stats.unwatched],
    ] as [string, WatchStats['watched']][];
  const percent = (share: WatchStats['watched']) => `${Math.round((share?.progress ?? 0) * 100)} %`;
  const rows = (stats: WatchStats) =>
    shares(stats).map(([name, share]) => [
      name,
      exactText(share?.items ?? 0),
      exactText(share?.duration ?? 0),
      share?.duration_str ?? '0',
    ]);
  return (
    <Figure
      title={t`Watch Progress`}
      query={query}
      height={200}
      isEmpty={(stats) => stats.total.items === 0}
      emptyWords={t`There is nothing to watch yet.`}
      render={(stats) => (
        <>
          <Stacked
            label={t`Watch Progress`}
            parts={shares(stats).map(([name, share]) => ({ name, value: share?.duration ?? 0, says: percent(share) }))}
          />
          <DataTable label={t`Watched and unwatched`} head={[t`Of`, t`Videos`, t`Seconds`, t`Duration`]} rows={rows(stats)} />
        </>
      )}
    />
  );
}
