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

/** What happens in an hour of the week; the week begins on Monday, which is 1. */
export const HourOfWeek = z.object({
  weekday: z.int().min(1).max(7),
  hour: z.int().min(0).max(23),
  count: z.int(),
  duration: z.int(),
});
export type HourOfWeek = z.infer<typeof HourOfWeek>;
export const DayOfWatching = z.object({ date: z.iso.date(), count: z.int(), duration: z.int() });
export type DayOfWatching = z.infer<typeof DayOfWatching>;
/** What did not happen is left out. What was marked as watched together in one second counts as not watched then. */
export const Hours = z.object({
  watched: z.array(HourOfWeek),
  downloaded: z.array(HourOfWeek.omit({ duration: true })),
  days: z.array(DayOfWatching),
});
export type Hours = z.infer<typeof Hours>;

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

/** How much came on a day, UTC; days on which nothing came are left out. */
export const DayOfGrowth = z.object({ date: z.iso.date(), count: z.int(), media_size: z.int() });

/** How many videos have a height and a codec. The height is a class: 2160, 1440, 1080, 720, 480, 360, 240; of upright ones their width. */
export const Quality = z.object({ height: z.int(), codec: z.string(), count: z.int(), media_size: z.int() });
export type Quality = z.infer<typeof Quality>;

/** How a site answered on a day, UTC. A failure is what did not work and should have; what a site says of one video is none. */
export const SiteHealth = z.object({
  site: z.string(),
  days: z.array(z.object({ date: z.iso.date(), archived: z.int(), blocked: z.int(), failed: z.int() })),
});
export type SiteHealth = z.infer<typeof SiteHealth>;

/** What may explain how the archive grew: another yt-dlp (`what` is its version), or a site that turned us away (`what` is the site). */
export const GrowthEvent = z.object({ date: z.iso.date(), kind: z.enum(['ytdlp', 'block']), what: z.string() });
export type GrowthEvent = z.infer<typeof GrowthEvent>;

/** What each channel takes up, the largest first. */
export const Share = z.object({ id: z.string(), name: z.string(), media_size: z.int(), count: z.int() });
export type Share = z.infer<typeof Share>;

export const Storage = z.object({
  /** On the file system of the media folder; null when it cannot be asked. */
  free: z.int().nullable(),
  total: z.int().nullable(),
  media_size: z.int(),
  /** Of videos that were deleted and can be put back. */
  bin_size: z.int(),
  /** When a task failed last; null when none is known. */
  last_problem: z.int().nullable(),
});
export type Storage = z.infer<typeof Storage>;

export const statsCalls = {
  'GET /api/stats/growth/': {
    may: 'user',
    does: 'What came on each day since the beginning, the oldest first',
    reply: z.array(DayOfGrowth),
  },
  'GET /api/stats/quality/': { may: 'user', does: 'How many videos there are by height and codec', reply: z.array(Quality) },
  'GET /api/stats/awkward/': {
    may: 'user',
    does: 'How many videos not every iPhone plays: packed anew as MP4 they would (`pack`), or only in another format (`fetch`)',
    reply: z.object({ pack: z.int(), fetch: z.int() }),
  },
  'GET /api/stats/health/': {
    may: 'user',
    does: 'How each site answered in the last fourteen days, the oldest first',
    reply: z.array(SiteHealth),
  },
  'GET /api/stats/events/': {
    may: 'user',
    does: 'When yt-dlp was changed and when sites turned us away, the newest first',
    reply: z.array(GrowthEvent),
  },
  'GET /api/stats/shares/': {
    may: 'user',
    does: 'What the sixty largest channels take up, and all others together',
    reply: z.object({ channels: z.array(Share), others: z.object({ channels: z.int(), media_size: z.int(), count: z.int() }) }),
  },
  'GET /api/stats/storage/': { may: 'user', does: 'How full the disk is', reply: Storage },
  'GET /api/stats/video/': {
    may: 'user',
    does: 'How many videos there are, by kind and by whether their site still has them',
    reply: VideoStats,
  },
  'GET /api/stats/channel/': { may: 'user', does: 'How many channels there are', reply: SourceStats },
  'GET /api/stats/playlist/': { may: 'user', does: 'How many playlists there are', reply: SourceStats },
  'GET /api/stats/download/': { may: 'user', does: 'How much waits and is ignored', reply: DownloadStats },
  'GET /api/stats/watch/': { may: 'user', does: 'How much of it the caller has watched', reply: WatchStats },
  'GET /api/stats/hours/': {
    may: 'user',
    does: 'Ours: in which hours of the week the caller finishes videos and downloads come, and what they finished on each day, in the last 53 weeks and the time zone of the server',
    reply: Hours,
  },
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
