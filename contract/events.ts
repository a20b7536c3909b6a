import type { Player } from './video.ts';

// What `GET /api/events/` tells, as server-sent events. Beside these: `changed` with the rooms ({"rooms": ["video"]}) of which
// what a page shows may no longer be true, and `notices` with the list that GET /api/notification/ answers.

/** `player`: where the caller themselves, on any of their devices, is in a video. */
export interface PlayerChange {
  youtube_id: string;
  player: Player;
}

/** `arrived`: a video came into the archive. */
export interface Arrival {
  youtube_id: string;
  title: string;
  channel_id: string;
  channel_name: string;
}
