import type { Archive } from '../archive.ts';
import { savePlaylist, type ListedPlaylist } from './store.ts';

/** Puts a playlist that was just listed into the archive, or brings it up to date. */
export async function saveListedPlaylist({ db, now, announce }: Archive, playlist: ListedPlaylist) {
  await savePlaylist(db, playlist, now());
  announce('playlist');
}

export type { ListedPlaylist } from './store.ts';
