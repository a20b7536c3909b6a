import { triggerStatements, type Trigger, type TriggerGroup } from './triggers.ts';

// Archived videos of each playlist at their first position, from which pages are read.

/** Returns the SQL that inserts the rows of `playlist_video` for entries. */
const insertVisible = (entries: string) => `insert into playlist_video (playlist_id, position, video_id)
    select playlist_id, min(position), video_id from playlist_entry
    where ${entries} and exists (select 1 from video where video.id = playlist_entry.video_id)
    group by playlist_id, video_id`;

const refresh = (row: 'new' | 'old') => [
  `delete from playlist_video where playlist_id = ${row}.playlist_id and video_id = ${row}.video_id`,
  insertVisible(`playlist_id = ${row}.playlist_id and video_id = ${row}.video_id`),
];

const triggers: Trigger[] = [
  { name: 'playlist_visibility_entry_insert', event: 'after insert', table: 'playlist_entry', statements: refresh('new') },
  { name: 'playlist_visibility_entry_delete', event: 'after delete', table: 'playlist_entry', statements: refresh('old') },
  {
    name: 'playlist_visibility_entry_update',
    event: 'after update of playlist_id, position, video_id',
    table: 'playlist_entry',
    statements: [...refresh('old'), ...refresh('new')],
  },
  {
    name: 'playlist_visibility_video_insert',
    event: 'after insert',
    table: 'video',
    statements: [insertVisible('video_id = new.id')],
  },
  {
    name: 'playlist_visibility_video_delete',
    event: 'after delete',
    table: 'video',
    statements: ['delete from playlist_video where video_id = old.id'],
  },
];

/** Archived videos of playlists. */
export const playlistVisibility: TriggerGroup = {
  name: 'playlist-visibility',
  fill: () => ['delete from playlist_video', insertVisible('true')],
  triggers: (engine) => triggerStatements(engine, triggers),
};
