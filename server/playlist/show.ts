import type { Playlist } from '#contract/playlist.ts';
import type { Db } from '../db/db.ts';
import { shapePlaylist } from './shape.ts';
import { findPlaylists } from './store.ts';

/** Playlists as the API shows them, in the order of the ids; those that do not exist are left out. */
export const showPlaylists = async (db: Db, ids: string[]): Promise<Playlist[]> =>
  (await findPlaylists(db, ids)).map(shapePlaylist);
