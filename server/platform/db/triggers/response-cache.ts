import { snakeCaseNames } from '../schema/snake-case.ts';
import { channelColumns, columnsWith, videoColumns } from '../schema/tables.ts';
import { triggerStatements, type Trigger, type TriggerGroup } from './triggers.ts';

// Serialized JSON is cached in the database (docs/decisions/serialized-video-cache.md). These triggers delete it in the
// transaction that changes its source rows, and queue it for serialization.

/** Columns of `video` and `channel` that affect the serialized JSON. */
const columns = {
  video: columnsWith(videoColumns, 'value', 'join'),
  channel: columnsWith(channelColumns, 'value', 'join'),
};

type Kind = keyof typeof columns | 'playlist';

/** Queues an existing row for serialization. */
const enqueue = (kind: Kind, id: string) => `insert into serialization_pending (kind, id)
    select '${kind}', ${kind}.id from ${kind} where ${kind}.id = ${id} on conflict do nothing`;
const invalidate = (kind: Kind, id: string) => [`delete from serialized_${kind} where ${kind}_id = ${id}`, enqueue(kind, id)];
const dequeue = (kind: Kind, id: string) => `delete from serialization_pending where kind = '${kind}' and id = ${id}`;

const insertAndDeleteTriggers = (kind: Kind): Trigger[] => [
  { name: `response_cache_${kind}_insert`, event: 'after insert', table: kind, statements: [enqueue(kind, 'new.id')] },
  { name: `response_cache_${kind}_delete`, event: 'after delete', table: kind, statements: [dequeue(kind, 'old.id')] },
  {
    name: `response_cache_${kind}_serialized`,
    event: 'after insert',
    table: `serialized_${kind}`,
    statements: [dequeue(kind, `new.${kind}_id`)],
  },
  {
    name: `response_cache_${kind}_reserialized`,
    event: 'after update',
    table: `serialized_${kind}`,
    statements: [dequeue(kind, `new.${kind}_id`)],
  },
];

const rowTriggers = (kind: keyof typeof columns): Trigger[] => [
  ...insertAndDeleteTriggers(kind),
  {
    name: `response_cache_${kind}_update`,
    event: `after update of ${columns[kind].map((name) => snakeCaseNames.toSnakeCase(name)).join(', ')}`,
    table: kind,
    statements: invalidate(kind, 'new.id'),
  },
];

/** Triggers for rows that belong to a video; `updateEvent` restricts the update event to relevant columns. */
const partTriggers = (table: string, updateEvent = 'after update'): Trigger[] => [
  { name: `response_cache_video_${table}_insert`, event: 'after insert', table, statements: invalidate('video', 'new.video_id') },
  {
    name: `response_cache_video_${table}_update`,
    event: updateEvent,
    table,
    statements: [...invalidate('video', 'old.video_id'), ...invalidate('video', 'new.video_id')],
  },
  { name: `response_cache_video_${table}_delete`, event: 'after delete', table, statements: invalidate('video', 'old.video_id') },
];

/** Serialized entries of a playlist contain whether they are archived. */
const entryTriggers = (table: string): Trigger[] => [
  {
    name: `response_cache_playlist_${table}_insert`,
    event: 'after insert',
    table,
    statements: invalidate('playlist', 'new.playlist_id'),
  },
  {
    name: `response_cache_playlist_${table}_update`,
    event: 'after update',
    table,
    statements: [...invalidate('playlist', 'old.playlist_id'), ...invalidate('playlist', 'new.playlist_id')],
  },
  {
    name: `response_cache_playlist_${table}_delete`,
    event: 'after delete',
    table,
    statements: invalidate('playlist', 'old.playlist_id'),
  },
];

/** Serialized videos contain the playlists that all users see. */
const sharingTrigger: Trigger = {
  name: 'response_cache_video_playlist_update',
  event: 'after update of is_shared',
  table: 'playlist',
  condition: 'old.is_shared <> new.is_shared',
  statements: [
    'delete from serialized_video where video_id in (select video_id from playlist_entry where playlist_id = new.id)',
    `insert into serialization_pending (kind, id)
      select 'video', video.id from video where video.id in (select video_id from playlist_entry where playlist_id = new.id)
      on conflict do nothing`,
  ],
};

const triggers: Trigger[] = [
  ...rowTriggers('video'),
  ...rowTriggers('channel'),
  ...insertAndDeleteTriggers('playlist'),
  ...partTriggers('stream'),
  ...partTriggers('subtitle'),
  ...partTriggers('storyboard'),
  ...partTriggers('generated_chapters'),
  ...partTriggers('chat', 'after update of path, source, messages, is_complete'),
  ...partTriggers('playlist_entry', 'after update of playlist_id, video_id'),
  sharingTrigger,
  ...entryTriggers('playlist_entry'),
  ...entryTriggers('playlist_video'),
];

const kinds: Kind[] = ['video', 'channel', 'playlist'];

/** Serialized JSON, and the queue of what has to be serialized. */
export const responseCache: TriggerGroup = {
  name: 'response-cache',
  fill: () => kinds.flatMap((kind) => [`delete from serialized_${kind}`, enqueue(kind, `${kind}.id`)]),
  triggers: (engine) => triggerStatements(engine, triggers),
};
