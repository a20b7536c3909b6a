import type { Engine } from './db.ts';
import { onWatched, statementsFor, type Trigger } from './triggers.ts';

// The database keeps its own counts, so that no writer can forget them.

const addVideo = (row: 'new' | 'old') => `insert into tally (channel_id, kind, is_active, videos, size_bytes, duration_seconds)
    values (${row}.channel_id, ${row}.kind, ${row}.is_active, 1, ${row}.size_bytes, ${row}.duration_seconds)
    on conflict (channel_id, kind, is_active) do update set videos = tally.videos + 1,
      size_bytes = tally.size_bytes + excluded.size_bytes, duration_seconds = tally.duration_seconds + excluded.duration_seconds`;

const dropVideo = `update tally set videos = videos - 1, size_bytes = size_bytes - old.size_bytes,
      duration_seconds = duration_seconds - old.duration_seconds
    where channel_id = old.channel_id and kind = old.kind and is_active = old.is_active`;

const addWatched = (from: string) => `insert into watch_tally (account_id, channel_id, kind, videos, duration_seconds)
    select ${from}
    on conflict (account_id, channel_id, kind) do update set videos = watch_tally.videos + 1,
      duration_seconds = watch_tally.duration_seconds + excluded.duration_seconds`;

const addOwn = addWatched(`new.account_id, channel_id, kind, 1, duration_seconds from video where id = new.video_id`);

const dropOwn = `update watch_tally set videos = videos - 1,
      duration_seconds = duration_seconds - (select duration_seconds from video where id = old.video_id)
    where account_id = old.account_id
      and channel_id = (select channel_id from video where id = old.video_id)
      and kind = (select kind from video where id = old.video_id)`;

const whoWatched = `select account_id from watch where video_id = new.id and watched_at is not null`;

const addItem = `insert into queue_tally (status, channel_id, channel_name, kind, items)
    values (new.status, new.channel_id, new.channel_name, new.kind, 1)
    on conflict (channel_id, channel_name, status, kind) do update set items = queue_tally.items + 1`;

const dropItem = `update queue_tally set items = items - 1
    where status = old.status and channel_id = old.channel_id and channel_name = old.channel_name and kind = old.kind`;

const triggers: Trigger[] = [
  { name: 'item_is_counted', when: 'after insert', table: 'download', does: [addItem] },
  { name: 'item_is_counted_out', when: 'after delete', table: 'download', does: [dropItem] },
  {
    name: 'item_is_counted_anew',
    when: 'after update of status, channel_id, channel_name, kind',
    table: 'download',
    only: `old.status <> new.status or old.channel_id <> new.channel_id or old.channel_name <> new.channel_name
      or old.kind <> new.kind`,
    does: [dropItem, addItem],
  },
  { name: 'video_is_counted', when: 'after insert', table: 'video', does: [addVideo('new')] },
  // First what people watched of it, while the video can still say how long it is; a foreign key would come too late.
  { name: 'video_is_let_go', when: 'before delete', table: 'video', does: ['delete from watch where video_id = old.id'] },
  { name: 'video_is_counted_out', when: 'after delete', table: 'video', does: [dropVideo] },
  {
    name: 'video_is_counted_anew',
    when: 'after update of channel_id, kind, is_active, size_bytes, duration_seconds',
    table: 'video',
    only: `old.channel_id <> new.channel_id or old.kind <> new.kind or old.is_active <> new.is_active
      or old.size_bytes <> new.size_bytes or old.duration_seconds <> new.duration_seconds`,
    does: [
      dropVideo,
      addVideo('new'),
      `update watch_tally set videos = videos - 1, duration_seconds = duration_seconds - old.duration_seconds
        where channel_id = old.channel_id and kind = old.kind and account_id in (${whoWatched})`,
      addWatched(
        `account_id, new.channel_id, new.kind, 1, new.duration_seconds from watch where video_id = new.id and watched_at is not null`,
      ),
    ],
  },
  ...onWatched(
    {
      inserted: 'watch_is_counted',
      begins: 'watch_begins_to_count',
      ends: 'watch_counts_no_more',
      deleted: 'watch_is_counted_out',
    },
    addOwn,
    dropOwn,
  ),
];

/** The statements that make the triggers which keep `tally`, `watch_tally` and `queue_tally` true. */
export const tallyTriggers = (engine: Engine): string[] => statementsFor(engine, triggers);
