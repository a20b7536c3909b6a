import type { Player } from './video.ts';

// Server-sent events of `GET /api/events/`. Others are `changed`, with the topics ({"topics": ["video"]}) that clients must load
// again, and `notices`, with the response of `GET /api/notification/`.

/** `player`: new watch state of the caller, from any of their devices. */
export interface PlayerChange {
  youtube_id: string;
  player: Player;
}

/** `arrived`: a video was archived. */
export interface Arrival {
  youtube_id: string;
  title: string;
  channel_id: string;
  channel_name: string;
}
