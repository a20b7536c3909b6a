import type { Engine } from './db.ts';
import { onWatched, statementsFor, type Trigger } from './triggers.ts';

// How many videos were published in each month, and how many of them each person has watched: a page from the middle of a
// long list begins with its month, and does not go through all that comes before it.

/** What counts as a month: so many seconds, since 1970. */
export const monthSeconds = 30 * 86_400;

// Both engines divide toward zero: the month 0 lies on both sides of 1970.
const monthOf = (row: string) => `${row}.published_at / ${monthSeconds}`;

const addVideo = `insert into month_tally (kind, month, videos) values (new.kind, ${monthOf('new')}, 1)
    on conflict (kind, month) do update set videos = month_tally.videos + 1`;

const dropVideo = `update month_tally set videos = videos - 1 where kind = old.kind and month = ${monthOf('old')}`;

const addWatched = (from: string) => `insert into watch_month_tally (account_id, kind, month, videos) select ${from}
    on conflict (account_id, kind, month) do update set videos = watch_month_tally.videos + 1`;

const addOwn = addWatched(`new.account_id, kind, ${monthOf('video')}, 1 from video where id = new.video_id`);

const dropOwn = `update watch_month_tally set videos = videos - 1
    where account_id = old.account_id and (kind, month) in (select kind, ${monthOf('video')} from video where id = old.video_id)`;

const whoWatched = `from watch where video_id = new.id and watched_at is not null`;

const triggers: Trigger[] = [
  { name: 'video_is_counted_to_its_month', when: 'after insert', table: 'video', does: [addVideo] },
  { name: 'video_is_counted_out_of_its_month', when: 'after delete', table: 'video', does: [dropVideo] },
  {
    name: 'video_is_of_another_month',
    when: 'after update of kind, published_at',
    table: 'video',
    only: 'old.kind <> new.kind or old.published_at <> new.published_at',
    does: [
      dropVideo,
      addVideo,
      `update watch_month_tally set videos = videos - 1
        where kind = old.kind and month = ${monthOf('old')} and account_id in (select account_id ${whoWatched})`,
      addWatched(`account_id, new.kind, ${monthOf('new')}, 1 ${whoWatched}`),
    ],
  },
  // What a video takes with it when it goes is let go before it: tally-triggers.ts.
  ...onWatched(
    {
      inserted: 'watch_is_counted_to_its_month',
      begins: 'watch_begins_to_count_in_its_month',
      ends: 'watch_counts_no_more_in_its_month',
      deleted: 'watch_is_counted_out_of_its_month',
    },
    addOwn,
    dropOwn,
  ),
];

/** The statements that fill `month_tally` and `watch_month_tally` and make the triggers which keep them true. */
export const monthStatements = (engine: Engine): string[] => [
  `insert into month_tally (kind, month, videos) select kind, ${monthOf('video')}, count(*) from video group by 1, 2`,
  `insert into watch_month_tally (account_id, kind, month, videos)
    select account_id, kind, ${monthOf('video')}, count(*) from watch join video on video.id = watch.video_id
    where watched_at is not null group by 1, 2, 3`,
  ...statementsFor(engine, triggers),
];
