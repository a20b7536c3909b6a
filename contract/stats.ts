import { z } from 'zod';
import type { Contract } from './endpoint.ts';
import { flag, Id } from './field-types.ts';

const Sum = z.object({ doc_count: z.int(), media_size: z.int(), duration: z.int(), duration_str: z.string() });
/** Null for a group without videos. */
const Group = Sum.nullable();

export const VideoStats = Sum.extend({
  type_videos: Group,
  type_shorts: Group,
  type_streams: Group,
  active_true: Group,
  active_false: Group,
});
export type VideoStats = z.infer<typeof VideoStats>;

/** Counts of channels or playlists. */
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
  /** Pending items of known kind; `pending` includes the others. */
  pending_videos: z.int(),
  pending_shorts: z.int(),
  pending_streams: z.int(),
});

const WatchSum = z.object({ duration: z.int(), duration_str: z.string(), items: z.int() });
/** `progress` is the share of the total duration, 0 to 1. */
const WatchShare = WatchSum.extend({ progress: z.number().min(0).max(1) }).nullable();
export const WatchStats = z.object({ total: WatchSum, unwatched: WatchShare, watched: WatchShare });
export type WatchStats = z.infer<typeof WatchStats>;

/** Activity in an hour of the week. Monday is 1. */
export const HourOfWeek = z.object({
  weekday: z.int().min(1).max(7),
  hour: z.int().min(0).max(23),
  count: z.int(),
  duration: z.int(),
});
export type HourOfWeek = z.infer<typeof HourOfWeek>;
export const DayOfWatching = z.object({ date: z.iso.date(), count: z.int(), duration: z.int() });
export type DayOfWatching = z.infer<typeof DayOfWatching>;
/** Hours and days without activity are omitted. Videos marked as watched in bulk, in the same second, do not count. */
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

/** Videos archived on a day, UTC. Days without new videos are omitted. */
export const DayOfGrowth = z.object({ date: z.iso.date(), count: z.int(), media_size: z.int() });

/** Videos by height and codec. The height is a class (2160, 1440, 1080, 720, 480, 360, 240); for portrait videos that of the width. */
export const Quality = z.object({ height: z.int(), codec: z.string(), count: z.int(), media_size: z.int() });
export type Quality = z.infer<typeof Quality>;

/** Results of a site on a day, UTC. Failures caused by a single video, such as private ones, do not count. */
export const SiteHealth = z.object({
  site: z.string(),
  days: z.array(z.object({ date: z.iso.date(), archived: z.int(), blocked: z.int(), failed: z.int() })),
});
export type SiteHealth = z.infer<typeof SiteHealth>;

/** Events that may explain growth: a change of yt-dlp (`what` is the version) or a block by a site (`what` is the site). */
export const GrowthEvent = z.object({ date: z.iso.date(), kind: z.enum(['ytdlp', 'block']), what: z.string() });
export type GrowthEvent = z.infer<typeof GrowthEvent>;

/** Storage used by a channel. */
export const ChannelSize = z.object({ id: z.string(), name: z.string(), media_size: z.int(), count: z.int() });
export type ChannelSize = z.infer<typeof ChannelSize>;

export const Storage = z.object({
  /** Whether the media are in a bucket. */
  is_bucket: z.boolean(),
  /** Bytes on the file system of the media folder, or within the quota of the bucket; null if unknown or unlimited. */
  free: z.int().nullable(),
  total: z.int().nullable(),
  media_size: z.int(),
  /** Size of the trash in bytes. */
  trash_size: z.int(),
});
export type Storage = z.infer<typeof Storage>;

/** Suggestions of a kind: the 50 largest, with number and size of all. `key` identifies one that is hidden. */
const suggestionsOf = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.object({
    count: z.int(),
    media_size: z.int(),
    data: z.array(z.object({ key: z.string(), media_size: z.int(), ...shape })),
  });

/** What could be deleted. `media_size`: the bytes that become free, without subtitles and thumbnails. */
export const Suggestions = z.object({
  /** Videos with the same title and, within a second, the same length that are not protected, best copy first. `media_size`: of all others. */
  same_videos: suggestionsOf({
    /** All files have the same SHA-256. */
    identical: z.boolean(),
    videos: z.array(
      z.object({
        youtube_id: z.string(),
        title: z.string(),
        channel_name: z.string(),
        site: z.string(),
        /** Shorter side of the picture in pixels; 0 for sound only. */
        height: z.int(),
        duration: z.int(),
        media_size: z.int(),
      }),
    ),
  }),
  /** Channels of which no user has watched or begun a video: their videos that `cleanup=unopened&active=true&downloaded_to=…` lists. */
  unwatched_channels: suggestionsOf({ channel_id: z.string(), channel_name: z.string(), videos: z.int() }).extend({
    downloaded_to: z.iso.date(),
  }),
  /** All compatible copies; null if there are none. */
  copies: z.object({ key: z.string(), count: z.int(), media_size: z.int() }).nullable(),
});
export type Suggestions = z.infer<typeof Suggestions>;

export const statsCalls = {
  'GET /api/stats/growth/': {
    may: 'user',
    does: 'Get the archived videos per day, oldest first (Reelkeep)',
    reply: z.array(DayOfGrowth),
  },
  'GET /api/stats/quality/': { may: 'user', does: 'Count videos by height and codec (Reelkeep)', reply: z.array(Quality) },
  'GET /api/stats/incompatible/': {
    may: 'user',
    does: 'Count videos that some iPhones cannot play: fixed by remuxing to MP4 (`pack`), or only by another format (`fetch`) (Reelkeep)',
    reply: z.object({ remux: z.int(), redownload: z.int() }),
  },
  'GET /api/stats/health/': {
    may: 'user',
    does: 'Get the results of each site in the last 14 days, oldest first (Reelkeep)',
    reply: z.array(SiteHealth),
  },
  'GET /api/stats/events/': {
    may: 'user',
    does: 'List yt-dlp changes and blocks by sites, newest first (Reelkeep)',
    reply: z.array(GrowthEvent),
  },
  'GET /api/stats/shares/': {
    may: 'user',
    does: 'Get the storage used by the 60 largest channels, and by all others together (Reelkeep)',
    reply: z.object({
      channels: z.array(ChannelSize),
      others: z.object({ channels: z.int(), media_size: z.int(), count: z.int() }),
    }),
  },
  'GET /api/stats/storage/': { may: 'user', does: 'Get disk usage (Reelkeep)', reply: Storage },
  'GET /api/stats/suggestions/': {
    may: 'staff',
    does: 'List what could be deleted to free up space: the same video archived twice, channels that no user watches, compatible copies (Reelkeep)',
    reply: Suggestions,
  },
  'POST /api/stats/suggestions/hide/': {
    may: 'staff',
    does: 'Hide a suggestion for all staff until its bytes have doubled, for 90 days at most, or show it again (Reelkeep)',
    body: z.object({ key: Id, is_hidden: flag().default(true) }),
  },
  'GET /api/stats/video/': {
    may: 'user',
    does: 'Count videos by kind and availability',
    reply: VideoStats,
  },
  'GET /api/stats/channel/': { may: 'user', does: 'Count channels', reply: SourceStats },
  'GET /api/stats/playlist/': { may: 'user', does: 'Count playlists', reply: SourceStats },
  'GET /api/stats/download/': { may: 'user', does: 'Count pending and ignored downloads', reply: DownloadStats },
  'GET /api/stats/watch/': { may: 'user', does: "Get the caller's watch progress", reply: WatchStats },
  'GET /api/stats/hours/': {
    may: 'user',
    does: 'Get videos finished by the caller and downloads by hour of the week, and finished videos by day, for the last 53 weeks in the time zone of the server (Reelkeep)',
    reply: Hours,
  },
  'GET /api/stats/downloadhist/': {
    may: 'user',
    does: 'Get downloads per day of the last seven days, newest first, in the time zone of the server',
    reply: z.array(DayOfDownloads),
  },
  'GET /api/stats/biggestchannels/': {
    may: 'user',
    does: 'List the ten channels with the most videos, duration or bytes',
    query: z.object({ order: z.enum(['doc_count', 'duration', 'media_size']).default('doc_count') }),
    reply: z.array(BiggestChannel),
  },
} satisfies Contract;
