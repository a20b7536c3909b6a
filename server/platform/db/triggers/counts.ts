import { triggerStatements, watchTriggers, type Trigger, type TriggerGroup } from './triggers.ts';

// Counters maintained by the database, independent of the code that writes (docs/decisions/counters-by-triggers.md).

const addVideo = `insert into video_count (channel_id, kind, is_active, videos, size_bytes, duration_seconds)
    values (new.channel_id, new.kind, new.is_active, 1, new.size_bytes, new.duration_seconds)
    on conflict (channel_id, kind, is_active) do update set videos = video_count.videos + 1,
      size_bytes = video_count.size_bytes + excluded.size_bytes, duration_seconds = video_count.duration_seconds + excluded.duration_seconds`;

const subtractVideo = `update video_count set videos = videos - 1, size_bytes = size_bytes - old.size_bytes,
      duration_seconds = duration_seconds - old.duration_seconds
    where channel_id = old.channel_id and kind = old.kind and is_active = old.is_active`;

const addVideoKind = `insert into video_kind_count (kind, is_active, videos, size_bytes, duration_seconds)
    values (new.kind, new.is_active, 1, new.size_bytes, new.duration_seconds)
    on conflict (kind, is_active) do update set videos = video_kind_count.videos + 1,
      size_bytes = video_kind_count.size_bytes + excluded.size_bytes,
      duration_seconds = video_kind_count.duration_seconds + excluded.duration_seconds`;

const subtractVideoKind = `update video_kind_count set videos = videos - 1, size_bytes = size_bytes - old.size_bytes,
      duration_seconds = duration_seconds - old.duration_seconds where kind = old.kind and is_active = old.is_active`;

const addHeight = `insert into height_count (height, kind, videos) values (new.height, new.kind, 1)
    on conflict (height, kind) do update set videos = height_count.videos + 1`;

const subtractHeight = `update height_count set videos = videos - 1 where height = old.height and kind = old.kind`;

const addWatched = (from: string) => `insert into watch_count (account_id, channel_id, kind, videos, duration_seconds)
    select ${from}
    on conflict (account_id, channel_id, kind) do update set videos = watch_count.videos + 1,
      duration_seconds = watch_count.duration_seconds + excluded.duration_seconds`;

const addOwn = addWatched(`new.account_id, channel_id, kind, 1, duration_seconds from video where id = new.video_id`);

const subtractOwn = `update watch_count set videos = videos - 1,
      duration_seconds = duration_seconds - (select duration_seconds from video where id = old.video_id)
    where account_id = old.account_id
      and channel_id = (select channel_id from video where id = old.video_id)
      and kind = (select kind from video where id = old.video_id)`;

const addWatchedKind = (from: string) => `insert into watch_kind_count (account_id, kind, videos, duration_seconds)
    select ${from}
    on conflict (account_id, kind) do update set videos = watch_kind_count.videos + 1,
      duration_seconds = watch_kind_count.duration_seconds + excluded.duration_seconds`;

const addOwnKind = addWatchedKind(`new.account_id, kind, 1, duration_seconds from video where id = new.video_id`);

const subtractOwnKind = `update watch_kind_count set videos = videos - 1,
      duration_seconds = duration_seconds - (select duration_seconds from video where id = old.video_id)
    where account_id = old.account_id and kind = (select kind from video where id = old.video_id)`;

const accountsThatWatched = `select account_id from watch where video_id = new.id and watched_at is not null`;

const addItem = `insert into queue_count (status, channel_id, channel_name, kind, items)
    values (new.status, new.channel_id, new.channel_name, new.kind, 1)
    on conflict (channel_id, channel_name, status, kind) do update set items = queue_count.items + 1`;

const subtractItem = `update queue_count set items = items - 1
    where status = old.status and channel_id = old.channel_id and channel_name = old.channel_name and kind = old.kind`;

const addItemChannel = `insert into queue_channel_count (status, channel_id, channel_name, items)
    values (new.status, new.channel_id, new.channel_name, 1)
    on conflict (status, channel_id, channel_name) do update set items = queue_channel_count.items + 1`;

const subtractItemChannel = `update queue_channel_count set items = items - 1
    where status = old.status and channel_id = old.channel_id and channel_name = old.channel_name`;

const addItemStatus = `insert into queue_status_count (status, kind, failure, is_on_request, items)
    values (new.status, new.kind, coalesce(new.failure, ''), new.is_on_request, 1)
    on conflict (status, kind, failure, is_on_request) do update set items = queue_status_count.items + 1`;

const subtractItemStatus = `update queue_status_count set items = items - 1 where status = old.status and kind = old.kind
    and failure = coalesce(old.failure, '') and is_on_request = old.is_on_request`;

function sourceTriggers(table: 'channel' | 'playlist'): Trigger[] {
  const add = `insert into source_count (source, is_active, is_subscribed, sources)
      values ('${table}', new.is_active, new.is_subscribed, 1)
      on conflict (source, is_active, is_subscribed) do update set sources = source_count.sources + 1`;
  const subtract = `update source_count set sources = sources - 1
      where source = '${table}' and is_active = old.is_active and is_subscribed = old.is_subscribed`;
  return [
    { name: `source_count_${table}_insert`, event: 'after insert', table, statements: [add] },
    { name: `source_count_${table}_delete`, event: 'after delete', table, statements: [subtract] },
    {
      name: `source_count_${table}_update`,
      event: 'after update of is_active, is_subscribed',
      table,
      condition: 'old.is_active <> new.is_active or old.is_subscribed <> new.is_subscribed',
      statements: [subtract, add],
    },
  ];
}

const triggers: Trigger[] = [
  { name: 'queue_count_insert', event: 'after insert', table: 'download', statements: [addItem, addItemChannel, addItemStatus] },
  {
    name: 'queue_count_delete',
    event: 'after delete',
    table: 'download',
    statements: [subtractItem, subtractItemChannel, subtractItemStatus],
  },
  {
    name: 'queue_count_update',
    event: 'after update of status, channel_id, channel_name, kind',
    table: 'download',
    condition: `old.status <> new.status or old.channel_id <> new.channel_id or old.channel_name <> new.channel_name
      or old.kind <> new.kind`,
    statements: [subtractItem, addItem],
  },
  {
    name: 'queue_channel_count_update',
    event: 'after update of status, channel_id, channel_name',
    table: 'download',
    condition: 'old.status <> new.status or old.channel_id <> new.channel_id or old.channel_name <> new.channel_name',
    statements: [subtractItemChannel, addItemChannel],
  },
  {
    name: 'queue_status_count_update',
    event: 'after update of status, kind, failure, is_on_request',
    table: 'download',
    condition: `old.status <> new.status or old.kind <> new.kind or old.is_on_request <> new.is_on_request
      or coalesce(old.failure, '') <> coalesce(new.failure, '')`,
    statements: [subtractItemStatus, addItemStatus],
  },
  { name: 'video_count_insert', event: 'after insert', table: 'video', statements: [addVideo, addVideoKind, addHeight] },
  // Watch states are deleted before the video row, because its duration is needed; a foreign key would run later.
  {
    name: 'video_delete_watch',
    event: 'before delete',
    table: 'video',
    statements: ['delete from watch where video_id = old.id'],
  },
  {
    name: 'video_count_delete',
    event: 'after delete',
    table: 'video',
    statements: [subtractVideo, subtractVideoKind, subtractHeight],
  },
  {
    name: 'video_count_update',
    event: 'after update of channel_id, kind, is_active, size_bytes, duration_seconds',
    table: 'video',
    condition: `old.channel_id <> new.channel_id or old.kind <> new.kind or old.is_active <> new.is_active
      or old.size_bytes <> new.size_bytes or old.duration_seconds <> new.duration_seconds`,
    statements: [
      subtractVideo,
      addVideo,
      subtractVideoKind,
      addVideoKind,
      `update watch_count set videos = videos - 1, duration_seconds = duration_seconds - old.duration_seconds
        where channel_id = old.channel_id and kind = old.kind and account_id in (${accountsThatWatched})`,
      `update watch_kind_count set videos = videos - 1, duration_seconds = duration_seconds - old.duration_seconds
        where kind = old.kind and account_id in (${accountsThatWatched})`,
      addWatched(
        `account_id, new.channel_id, new.kind, 1, new.duration_seconds from watch where video_id = new.id and watched_at is not null`,
      ),
      addWatchedKind(
        `account_id, new.kind, 1, new.duration_seconds from watch where video_id = new.id and watched_at is not null`,
      ),
    ],
  },
  {
    name: 'height_count_update',
    event: 'after update of height, kind',
    table: 'video',
    condition: 'old.height <> new.height or old.kind <> new.kind',
    statements: [subtractHeight, addHeight],
  },
  ...watchTriggers('watch_count', `${addOwn}; ${addOwnKind}`, `${subtractOwn}; ${subtractOwnKind}`),
  ...sourceTriggers('channel'),
  ...sourceTriggers('playlist'),
];

/** Videos per channel, kind and height, watched videos per user, channels and playlists, queue items per channel and status. */
export const counts: TriggerGroup = {
  name: 'counts',
  fill: () => [
    'delete from video_count',
    `insert into video_count (channel_id, kind, is_active, videos, size_bytes, duration_seconds)
      select channel_id, kind, is_active, count(*), sum(size_bytes), sum(duration_seconds) from video group by 1, 2, 3`,
    'delete from video_kind_count',
    `insert into video_kind_count (kind, is_active, videos, size_bytes, duration_seconds)
      select kind, is_active, sum(videos), sum(size_bytes), sum(duration_seconds) from video_count group by 1, 2`,
    'delete from height_count',
    'insert into height_count (height, kind, videos) select height, kind, count(*) from video group by 1, 2',
    'delete from watch_count',
    `insert into watch_count (account_id, channel_id, kind, videos, duration_seconds)
      select account_id, channel_id, kind, count(*), sum(duration_seconds) from watch join video on video.id = watch.video_id
      where watched_at is not null group by 1, 2, 3`,
    'delete from watch_kind_count',
    `insert into watch_kind_count (account_id, kind, videos, duration_seconds)
      select account_id, kind, sum(videos), sum(duration_seconds) from watch_count group by 1, 2`,
    'delete from source_count',
    ...['channel', 'playlist'].map(
      (source) => `insert into source_count (source, is_active, is_subscribed, sources)
        select '${source}', is_active, is_subscribed, count(*) from ${source} group by 2, 3`,
    ),
    'delete from queue_count',
    `insert into queue_count (status, channel_id, channel_name, kind, items)
      select status, channel_id, channel_name, kind, count(*) from download group by 1, 2, 3, 4`,
    'delete from queue_channel_count',
    `insert into queue_channel_count (status, channel_id, channel_name, items)
      select status, channel_id, channel_name, sum(items) from queue_count group by 1, 2, 3`,
    'delete from queue_status_count',
    `insert into queue_status_count (status, kind, failure, is_on_request, items)
      select status, kind, coalesce(failure, ''), is_on_request, count(*) from download group by 1, 2, 3, 4`,
  ],
  triggers: (engine) => triggerStatements(engine, triggers),
};
