import type { Engine } from './db.ts';
import { onWatched, statementsFor, type Trigger } from './triggers.ts';

// How many videos each person has watched in which second, and how long those are together: statistics ask in which hours somebody
// watches, and leave out what was marked together.

const add = `insert into watch_time_tally (account_id, watched_at, videos, duration_seconds)
    select new.account_id, new.watched_at, 1, duration_seconds from video where id = new.video_id
    on conflict (account_id, watched_at) do update set videos = watch_time_tally.videos + 1,
      duration_seconds = watch_time_tally.duration_seconds + excluded.duration_seconds`;

const then = 'account_id = old.account_id and watched_at = old.watched_at';
const drop = `update watch_time_tally set videos = videos - 1,
      duration_seconds = duration_seconds - (select duration_seconds from video where id = old.video_id) where ${then};
    delete from watch_time_tally where ${then} and videos = 0`;

const triggers: Trigger[] = [
  ...onWatched(
    {
      inserted: 'watch_is_counted_to_its_time',
      begins: 'watch_begins_to_count_at_its_time',
      ends: 'watch_counts_no_more_at_its_time',
      deleted: 'watch_is_counted_out_of_its_time',
    },
    add,
    drop,
  ),
  {
    name: 'watch_is_of_another_time',
    when: 'after update of watched_at',
    table: 'watch',
    only: 'old.watched_at is not null and new.watched_at is not null and old.watched_at <> new.watched_at',
    does: [drop, add],
  },
  {
    name: 'what_was_watched_is_of_another_length',
    when: 'after update of duration_seconds',
    table: 'video',
    only: 'old.duration_seconds <> new.duration_seconds',
    does: [
      `update watch_time_tally set duration_seconds = duration_seconds + (new.duration_seconds - old.duration_seconds)
        where (account_id, watched_at) in
          (select account_id, watched_at from watch where video_id = new.id and watched_at is not null)`,
    ],
  },
];

/** The statements that fill `watch_time_tally` and make the triggers which keep it true. */
export const watchTimeStatements = (engine: Engine): string[] => [
  `insert into watch_time_tally (account_id, watched_at, videos, duration_seconds)
    select account_id, watched_at, count(*), sum(duration_seconds) from watch join video on video.id = watch.video_id
    where watched_at is not null group by 1, 2`,
  ...statementsFor(engine, triggers),
];
