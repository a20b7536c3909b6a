import { triggerStatements, watchTriggers, type Trigger, type TriggerGroup } from './triggers.ts';

// Videos per month of publication, and watched videos per user and month: a page in the middle of a long list starts at its month
// instead of reading everything before it.

/** Length of a month in seconds; months count from 1970. */
export const monthSeconds = 30 * 86_400;

// Both engines round toward zero, so month 0 lies on both sides of 1970.
const monthOf = (row: string) => `${row}.published_at / ${monthSeconds}`;

const addVideo = `insert into month_count (kind, month, videos) values (new.kind, ${monthOf('new')}, 1)
    on conflict (kind, month) do update set videos = month_count.videos + 1`;

const subtractVideo = `update month_count set videos = videos - 1 where kind = old.kind and month = ${monthOf('old')}`;

const addWatched = (from: string) => `insert into watch_month_count (account_id, kind, month, videos) select ${from}
    on conflict (account_id, kind, month) do update set videos = watch_month_count.videos + 1`;

const addOwn = addWatched(`new.account_id, kind, ${monthOf('video')}, 1 from video where id = new.video_id`);

const subtractOwn = `update watch_month_count set videos = videos - 1
    where account_id = old.account_id and (kind, month) in (select kind, ${monthOf('video')} from video where id = old.video_id)`;

const watchedByAccounts = `from watch where video_id = new.id and watched_at is not null`;

const triggers: Trigger[] = [
  { name: 'month_count_insert', event: 'after insert', table: 'video', statements: [addVideo] },
  { name: 'month_count_delete', event: 'after delete', table: 'video', statements: [subtractVideo] },
  {
    name: 'month_count_update',
    event: 'after update of kind, published_at',
    table: 'video',
    condition: 'old.kind <> new.kind or old.published_at <> new.published_at',
    statements: [
      subtractVideo,
      addVideo,
      `update watch_month_count set videos = videos - 1
        where kind = old.kind and month = ${monthOf('old')} and account_id in (select account_id ${watchedByAccounts})`,
      addWatched(`account_id, new.kind, ${monthOf('new')}, 1 ${watchedByAccounts}`),
    ],
  },
  // Watch states of a video are deleted before it: see counts.ts.
  ...watchTriggers('watch_month_count', addOwn, subtractOwn),
];

/** Videos and watched videos per month of publication. */
export const monthlyCounts: TriggerGroup = {
  name: 'monthly-counts',
  fill: () => [
    'delete from month_count',
    `insert into month_count (kind, month, videos) select kind, ${monthOf('video')}, count(*) from video group by 1, 2`,
    'delete from watch_month_count',
    `insert into watch_month_count (account_id, kind, month, videos)
      select account_id, kind, ${monthOf('video')}, count(*) from watch join video on video.id = watch.video_id
      where watched_at is not null group by 1, 2, 3`,
  ],
  triggers: (engine) => triggerStatements(engine, triggers),
};
