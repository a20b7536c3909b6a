import { triggerStatements, type Trigger, type TriggerGroup } from './triggers.ts';

// Changes that library views show are queued for each view in the transaction that makes them (docs/decisions/library-views.md).
// Without views the statements insert nothing.

type Kind = 'video' | 'group';

const insert = (kind: Kind, id: string, from: string) => `insert into view_pending (view_number, kind, id)
    select library_view.number, '${kind}', ${id} from ${from}
    on conflict (view_number, kind, id) do update set version = view_pending.version + 1`;

const enqueue = (kind: Kind, id: string, condition = 'true') => insert(kind, id, `library_view where ${condition}`);

/** Columns of a video that names, NFO files and links depend on. */
const videoColumns = [
  'title',
  'description',
  'channel_id',
  'kind',
  'published_at',
  'duration_seconds',
  'sha256',
  'media_path',
  'width',
  'height',
  'tags',
  'categories',
  'chapters',
  'sponsorblock',
  'refreshed_at', // also set when the thumbnail was downloaded again
  // conditions of smart lists
  'is_active',
  'is_protected',
  'damage',
  'size_bytes',
];

const ofVideo = (table: string, condition?: string): Trigger[] =>
  (['insert', 'delete'] as const).map((event) => ({
    name: `view_queue_${table}_${event}`,
    event: `after ${event}`,
    table,
    statements: [enqueue('video', `${event === 'insert' ? 'new' : 'old'}.video_id`, condition)],
  }));

/** Smart lists filter by them; names and NFO files do not contain them. */
const listsOnly = `library_view.content_type = 'smart-list'`;

/** Videos that get or lose a private tag. */
const tagged = (event: 'insert' | 'delete'): Trigger => {
  const row = event === 'insert' ? 'new' : 'old';
  return {
    name: `view_queue_tag_${event}`,
    event: `after ${event}`,
    table: 'person_tag_target',
    statements: [
      insert(
        'video',
        'video.id',
        `library_view, video where ${listsOnly}
          and ((${row}.kind = 'video' and video.id = ${row}.id) or (${row}.kind = 'channel' and video.channel_id = ${row}.id))`,
      ),
    ],
  };
};

const watched = (row: 'new' | 'old') =>
  enqueue('video', `${row}.video_id`, `library_view.person_id = ${row}.account_id or ${listsOnly}`);

// Channels with the same name get their ids appended, so a name that is no longer in use affects the others.
const channelVideos = insert(
  'video',
  'video.id',
  `library_view, video where video.channel_id in (
    select channel.id from channel where channel.id = new.id or channel.sort_name in (old.sort_name, new.sort_name))`,
);
const playlistVideos = insert(
  'video',
  'playlist_video.video_id',
  'library_view, playlist_video where playlist_video.playlist_id = new.id',
);

const triggers: Trigger[] = [
  {
    // A restored view: its videos may have changed since the backup.
    name: 'view_queue_view_insert',
    event: 'after insert',
    table: 'library_view',
    condition: 'new.built_at is not null',
    statements: [insert('video', 'video.id', 'library_view, video where library_view.number = new.number')],
  },
  { name: 'view_queue_video_insert', event: 'after insert', table: 'video', statements: [enqueue('video', 'new.id')] },
  {
    name: 'view_queue_video_update',
    event: `after update of ${videoColumns.join(', ')}`,
    table: 'video',
    statements: [enqueue('video', 'new.id')],
  },
  { name: 'view_queue_video_delete', event: 'after delete', table: 'video', statements: [enqueue('video', 'old.id')] },
  {
    name: 'view_queue_channel_name',
    event: 'after update of name',
    table: 'channel',
    condition: 'old.name <> new.name',
    statements: [channelVideos],
  },
  {
    name: 'view_queue_channel_update',
    event: 'after update of name, description, tags, refreshed_at, has_thumb, has_banner, has_tvart',
    table: 'channel',
    statements: [enqueue('group', `'channel:' || new.id`)],
  },
  {
    name: 'view_queue_playlist_name',
    event: 'after update of name',
    table: 'playlist',
    condition: 'old.name <> new.name',
    statements: [playlistVideos],
  },
  {
    name: 'view_queue_playlist_update',
    event: 'after update of name, description, refreshed_at, has_thumb',
    table: 'playlist',
    statements: [enqueue('group', `'playlist:' || new.id`)],
  },
  {
    // Views show private playlists only to those who chose them.
    name: 'view_queue_playlist_sharing',
    event: 'after update of is_shared, owner_id',
    table: 'playlist',
    statements: [playlistVideos],
  },
  ...ofVideo('subtitle', `library_view.subtitles <> 'none' or ${listsOnly}`),
  {
    name: 'view_queue_subtitle_update',
    event: 'after update',
    table: 'subtitle',
    statements: [enqueue('video', 'new.video_id', `library_view.subtitles <> 'none'`)],
  },
  ...ofVideo('playlist_video'),
  {
    name: 'view_queue_playlist_video_update',
    event: 'after update',
    table: 'playlist_video',
    statements: [enqueue('video', 'old.video_id'), enqueue('video', 'new.video_id')],
  },
  ...ofVideo('facet', listsOnly),
  ...ofVideo('incompatible_video', listsOnly),
  tagged('insert'),
  tagged('delete'),
  {
    // Views contain watch states only while the user agrees.
    name: 'view_queue_consent',
    event: 'after update of shares_watch_state',
    table: 'account',
    condition: 'old.shares_watch_state <> new.shares_watch_state',
    statements: [
      insert(
        'video',
        'video.id',
        `library_view, video where library_view.person_id = new.id and video.id in (
          select owner from view_file where view_file.view_number = library_view.number and view_file.part = 'media')`,
      ),
    ],
  },
  { name: 'view_queue_watch_insert', event: 'after insert', table: 'watch', statements: [watched('new')] },
  { name: 'view_queue_watch_update', event: 'after update', table: 'watch', statements: [watched('new')] },
  { name: 'view_queue_watch_delete', event: 'after delete', table: 'watch', statements: [watched('old')] },
];

/** Changes to apply to library views; everything when the group is created. */
export const viewQueue: TriggerGroup = {
  name: 'view-queue',
  fill: () => [
    insert('video', 'video.id', 'library_view, video where true'),
    insert(
      'video',
      'view_file.owner',
      `library_view join view_file on view_file.view_number = library_view.number
      where view_file.part = 'media'`,
    ),
  ],
  triggers: (engine) => triggerStatements(engine, triggers),
};
