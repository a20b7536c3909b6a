import type { Engine } from './db.ts';
import { statementsFor, type Trigger } from './triggers.ts';

// What is sent of a video and of its channel is kept as it was written (migration 0033). As soon as something changes of which it was written
// it is gone, in the same transaction, and it is noted that it is wanted anew.

/** What is written of a table's rows: each column that is in it, or that says what is. */
const written = {
  video: [
    'channel_id',
    'title',
    'description',
    'kind',
    'url',
    'published_at',
    'downloaded_at',
    'refreshed_at',
    'is_active',
    'duration_seconds',
    'size_bytes',
    'media_path',
    'categories',
    'tags',
    'chapters',
    'sponsorblock',
    'view_count',
    'like_count',
    'dislike_count',
    'average_rating',
    'comment_count',
    'is_kept',
    'damage',
    'sha256',
  ],
  channel: [
    'name',
    'description',
    'tags',
    'tabs',
    'subscriber_count',
    'is_active',
    'is_subscribed',
    'has_thumb',
    'has_banner',
    'has_tvart',
    'overwrites',
    'refreshed_at',
  ],
} as const;

type Kind = keyof typeof written | 'playlist';

/** Notes that it is to be written, where it is there. */
const want = (kind: Kind, id: string) => `insert into writing_wanted (kind, id)
    select '${kind}', ${kind}.id from ${kind} where ${kind}.id = ${id} on conflict do nothing`;
const anew = (kind: Kind, id: string) => [`delete from written_${kind} where ${kind}_id = ${id}`, want(kind, id)];
const isWritten = (kind: Kind, id: string) => `delete from writing_wanted where kind = '${kind}' and id = ${id}`;

const ofComingAndGoing = (kind: Kind): Trigger[] => [
  { name: `${kind}_is_to_be_written`, when: 'after insert', table: kind, does: [want(kind, 'new.id')] },
  { name: `${kind}_is_not_to_be_written`, when: 'after delete', table: kind, does: [isWritten(kind, 'old.id')] },
  { name: `${kind}_is_written`, when: 'after insert', table: `written_${kind}`, does: [isWritten(kind, `new.${kind}_id`)] },
  { name: `${kind}_is_written_over`, when: 'after update', table: `written_${kind}`, does: [isWritten(kind, `new.${kind}_id`)] },
];

const ofOneItself = (kind: keyof typeof written): Trigger[] => [
  ...ofComingAndGoing(kind),
  {
    name: `${kind}_is_to_be_written_anew`,
    when: `after update of ${written[kind].join(', ')}`,
    table: kind,
    does: anew(kind, 'new.id'),
  },
];

/** Of rows that belong to a video; `changes`: where not each column of theirs is in it. */
const ofParts = (table: string, changes = 'after update'): Trigger[] => [
  { name: `${table}_comes_into_video`, when: 'after insert', table, does: anew('video', 'new.video_id') },
  {
    name: `${table}_changes_in_video`,
    when: changes,
    table,
    does: [...anew('video', 'old.video_id'), ...anew('video', 'new.video_id')],
  },
  { name: `${table}_leaves_video`, when: 'after delete', table, does: anew('video', 'old.video_id') },
];

const triggers: Trigger[] = [
  ...ofOneItself('video'),
  ...ofOneItself('channel'),
  ...ofParts('stream'),
  ...ofParts('subtitle'),
  ...ofParts('storyboard'),
  ...ofParts('playlist_entry', 'after update of playlist_id, video_id'),
];

/** The statements that note all there is as to be written, and make the triggers which keep what is written true. */
export const writtenStatements = (engine: Engine): string[] => [
  ...(['video', 'channel'] as const).map((kind) => want(kind, `${kind}.id`)),
  ...statementsFor(engine, triggers),
];

/** Of a playlist its entries are written, and which of them are archived. */
const ofEntries = (table: string): Trigger[] => [
  { name: `${table}_comes_into_playlist`, when: 'after insert', table, does: anew('playlist', 'new.playlist_id') },
  {
    name: `${table}_changes_in_playlist`,
    when: 'after update',
    table,
    does: [...anew('playlist', 'old.playlist_id'), ...anew('playlist', 'new.playlist_id')],
  },
  { name: `${table}_leaves_playlist`, when: 'after delete', table, does: anew('playlist', 'old.playlist_id') },
];

/** The same for playlists (migration 0035). */
export const writtenPlaylistStatements = (engine: Engine): string[] => [
  want('playlist', 'playlist.id'),
  ...statementsFor(engine, [...ofComingAndGoing('playlist'), ...ofEntries('playlist_entry'), ...ofEntries('playlist_shown')]),
];
