import type { ExpressionBuilder } from 'kysely';
import type { Tables } from './tables.ts';

/** The user who reads a playlist. */
export interface Viewer {
  id: number;
  isStaff: boolean;
}

/** Condition: the playlist is shared, or the viewer is its owner. Staff also see private playlists without an owner. */
export const isVisibleTo =
  ({ id, isStaff }: Viewer) =>
  (w: ExpressionBuilder<Tables, 'playlist'>) =>
    w.or([
      w('playlist.isShared', '=', 1),
      w('playlist.ownerId', '=', id),
      ...(isStaff ? [w('playlist.ownerId', 'is', null)] : []),
    ]);
