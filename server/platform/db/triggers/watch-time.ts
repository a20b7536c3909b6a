import { triggerStatements, watchTriggers, type Trigger, type TriggerGroup } from './triggers.ts';

// Number and duration of videos per user and second in which they were watched: statistics group them by hour and exclude bulk
// changes.

const add = `insert into watch_time_count (account_id, watched_at, videos, duration_seconds)
    select new.account_id, new.watched_at, 1, duration_seconds from video where id = new.video_id
    on conflict (account_id, watched_at) do update set videos = watch_time_count.videos + 1,
      duration_seconds = watch_time_count.duration_seconds + excluded.duration_seconds`;

const ofOldRow = 'account_id = old.account_id and watched_at = old.watched_at';
const subtract = `update watch_time_count set videos = videos - 1,
      duration_seconds = duration_seconds - (select duration_seconds from video where id = old.video_id) where ${ofOldRow};
    delete from watch_time_count where ${ofOldRow} and videos = 0`;

const triggers: Trigger[] = [
  ...watchTriggers('watch_time_count', add, subtract),
  {
    name: 'watch_time_count_update',
    event: 'after update of watched_at',
    table: 'watch',
    condition: 'old.watched_at is not null and new.watched_at is not null and old.watched_at <> new.watched_at',
    statements: [subtract, add],
  },
  {
    name: 'watch_time_count_duration',
    event: 'after update of duration_seconds',
    table: 'video',
    condition: 'old.duration_seconds <> new.duration_seconds',
    statements: [
      `update watch_time_count set duration_seconds = duration_seconds + (new.duration_seconds - old.duration_seconds)
        where (account_id, watched_at) in
          (select account_id, watched_at from watch where video_id = new.id and watched_at is not null)`,
    ],
  },
];

/** Watched videos per user and second. */
export const watchTime: TriggerGroup = {
  name: 'watch-time',
  fill: () => [
    'delete from watch_time_count',
    `insert into watch_time_count (account_id, watched_at, videos, duration_seconds)
      select account_id, watched_at, count(*), sum(duration_seconds) from watch join video on video.id = watch.video_id
      where watched_at is not null group by 1, 2`,
  ],
  triggers: (engine) => triggerStatements(engine, triggers),
};
