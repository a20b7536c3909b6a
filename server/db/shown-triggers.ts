import type { Engine } from './db.ts';
import { statementsFor, type Trigger } from './triggers.ts';

// Of each playlist the videos that are in the archive, each where it comes first: what a page of it is found in.

/** The rows of `playlist_shown` that some entries stand for. */
const shownOf = (entries: string) => `insert into playlist_shown (playlist_id, position, video_id)
    select playlist_id, min(position), video_id from playlist_entry
    where ${entries} and exists (select 1 from video where video.id = playlist_entry.video_id)
    group by playlist_id, video_id`;

const anew = (row: 'new' | 'old') => [
  `delete from playlist_shown where playlist_id = ${row}.playlist_id and video_id = ${row}.video_id`,
  shownOf(`playlist_id = ${row}.playlist_id and video_id = ${row}.video_id`),
];

const triggers: Trigger[] = [
  { name: 'entry_is_shown', when: 'after insert', table: 'playlist_entry', does: anew('new') },
  { name: 'entry_is_shown_no_more', when: 'after delete', table: 'playlist_entry', does: anew('old') },
  {
    name: 'entry_is_shown_elsewhere',
    when: 'after update of playlist_id, position, video_id',
    table: 'playlist_entry',
    does: [...anew('old'), ...anew('new')],
  },
  { name: 'video_is_shown', when: 'after insert', table: 'video', does: [shownOf('video_id = new.id')] },
  {
    name: 'video_is_shown_no_more',
    when: 'after delete',
    table: 'video',
    does: ['delete from playlist_shown where video_id = old.id'],
  },
];

/** The statements that fill `playlist_shown` and make the triggers which keep it true. */
export const shownStatements = (engine: Engine): string[] => [shownOf('true'), ...statementsFor(engine, triggers)];
