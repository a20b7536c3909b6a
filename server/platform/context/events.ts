import type { ServerResponse } from 'node:http';
import type { Arrival, PlayerChange } from '#contract/events.ts';
import type { Notification } from '#contract/task.ts';

/** Topics announced to browsers: the first element of their query keys. */
export const topics = [
  'video',
  'channel',
  'playlist',
  'download',
  'task',
  'user',
  'settings',
  'trash',
  'list',
  'note',
  'clip',
  'tag',
  'view',
  'media-server',
  'migrate',
  'podcast',
  'share',
  'node',
] as const;
export type Topic = (typeof topics)[number];

/** A browser with an open event stream. */
export interface Listener {
  accountId: number;
  isStaff: boolean;
  response: ServerResponse;
  /** Returns whether its credentials are still valid. */
  isStillIn(): Promise<boolean>;
}

/** Sends events to all open browsers. contract/events.ts describes the events. */
export interface Events {
  announce(...topics: Topic[]): void;
  /** Announces a change of user data to all browsers of that user. */
  announceTo(accountId: number, ...topics: Topic[]): void;
  /** Announces a changed playback position or watched state of a user. */
  playerChanged(accountId: number, change: PlayerChange): void;
  arrived(video: Arrival): void;
  notices(notices: { forStaff: Notification[]; forOthers: Notification[] }): void;
  listen(listener: Listener): () => void;
  countOf(accountId: number): number;
  /** Closes the event streams of a user. Browsers that are still authorized reconnect. */
  dismiss(accountId: number): void;
  /** Closes the event streams of expired or revoked logins. Called with every heartbeat. */
  dismissEnded(): Promise<void>;
  /** Returns the number of open event streams. */
  count(): number;
  close(): void;
}
