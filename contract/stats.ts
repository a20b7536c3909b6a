import { z } from 'zod';
import type { Contract } from './call.ts';

const Sum = z.object({ doc_count: z.int(), media_size: z.int(), duration: z.int(), duration_str: z.string() });
/** A group without a video is null. */
const Group = Sum.nullable();

export const VideoStats = Sum.extend({
  type_videos: Group,
  type_shorts: Group,
  type_streams: Group,
  active_true: Group,
  active_false: Group,
});
export type VideoStats = z.infer<typeof VideoStats>;

/** Of channels, and of playlists. */
export const SourceStats = z.object({
  doc_count: z.int(),
  active_true: z.int(),
  active_false: z.int(),
  subscribed_true: z.int(),
  subscribed_false: z.int(),
});

export const DownloadStats = z.object({
  pending: z.int(),
  ignore: z.int(),
  /** Pending ones whose kind is known; `pending` counts the others too. */
  pending_videos: z.int(),
  pending_shorts: z.int(),
  pending_streams: z.int(),
});

const WatchSum = z.object({ duration: z.int(), duration_str: z.string(), items: z.int() });
/** `progress` is the share of the duration of all videos, 0 to 1. */
const WatchShare = WatchSum.extend({ progress: z.number().min(0).max(1) }).nullable();
export const WatchStats = z.object({ total: WatchSum, unwatched: WatchShare, watched: WatchShare });
export type WatchStats = z.infer<typeof WatchStats>;

export const DayOfDownloads = z.object({ date: z.iso.date(), count: z.int(), media_size: z.int() });
export type DayOfDownloads = z.infer<typeof DayOfDownloads>;

export const BiggestChannel = z.object({
  id: z.string(),
  name: z.string(),
  doc_count: z.int(),
  duration: z.int(),
  duration_str: z.string(),
  media_size: z.int(),
});

export const statsCalls = {
  'GET /api/stats/video/': {
    may: 'user',
    does: 'How many videos there are, by kind and by whether their site still has them',
    reply: VideoStats,
  },
  'GET /api/stats/channel/': { may: 'user', does: 'How many channels there are', reply: SourceStats },
  'GET /api/stats/playlist/': { may: 'user', does: 'How many playlists there are', reply: SourceStats },
  'GET /api/stats/download/': { may: 'user', does: 'How much waits and is ignored', reply: DownloadStats },
  'GET /api/stats/watch/': { may: 'user', does: 'How much of it the caller has watched', reply: WatchStats },
  'GET /api/stats/downloadhist/': {
    may: 'user',
    does: 'Downloads of the last seven days, the newest first, in the time zone of the server',
    reply: z.array(DayOfDownloads),
  },
  'GET /api/stats/biggestchannels/': {
    may: 'user',
    does: 'The ten channels with the most videos, hours or bytes',
    query: z.object({ order: z.enum(['doc_count', 'duration', 'media_size']).default('doc_count') }),
    reply: z.array(BiggestChannel),
  },
} satisfies Contract;
