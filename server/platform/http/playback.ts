import type { AppContext } from '../context/app-context.ts';

// Players save their position every 10 to 15 seconds, and running file transfers are checked twice a minute.
const recentSeconds = 60;

/** Records that a video is being played. */
export const notePlayback = ({ state, now }: Pick<AppContext, 'state' | 'now'>) => void (state.playedAt = now());

/** Returns whether a video was played within the last minute. */
export const isPlaying = ({ state, now }: Pick<AppContext, 'state' | 'now'>) =>
  state.playedAt !== null && Math.abs(now() - state.playedAt) < recentSeconds;
