import { message } from '#contract/messages.ts';
import { z } from 'zod';
import { cleanMusic, type MusicFields } from '../lib/music.ts';
import { YtdlpFailed } from './failure.ts';
import { soundOfDownload, type Sound } from './sounds.ts';
import { publicChannelId } from './public-id.ts';

// Metadata of sites is untrusted: every field has a limit, and invalid values count as missing.

const text = (max: number) =>
  z
    .string()
    // Databases reject lone surrogates and NUL characters.
    .transform((value) => value.toWellFormed().replaceAll('\0', '').trim().slice(0, max).toWellFormed())
    .transform((value) => value || null)
    .nullable()
    .catch(null);
const count = z
  .number()
  .refine((value) => Number.isFinite(value) && value >= 0)
  .transform((value) => Math.min(Math.round(value), Number.MAX_SAFE_INTEGER))
  .nullable()
  .catch(null);
const seconds = z
  .number()
  .refine((value) => Number.isFinite(value) && value >= 0 && value < 10_000_000)
  .nullable()
  .catch(null);
const words = (most: number, length: number) =>
  z
    .array(text(length))
    .catch([])
    .transform((list) => [...new Set(list.filter((word) => word !== null))].slice(0, most));
const link = z
  .string()
  .max(4000)
  .refine((value) => /^https?:\/\//i.test(value) && URL.canParse(value))
  .nullable()
  .catch(null);
const oneOf = <T>(item: z.ZodType<T>, most: number) =>
  z
    .array(item.nullable().catch(null))
    .catch([])
    .transform((list) => list.filter((one) => one !== null).slice(0, most));
const dimension = z.int().min(0).max(100_000).nullable().catch(null);

// 2001-01-01 to 2100-01-01; other dates of a site are wrong.
const epoch = z.number().refine((value) => value > 978_307_200 && value < 4_102_444_800);

const RawComment = z.object({
  id: z.string().min(1).max(200),
  parent: z.string().min(1).max(200).catch('root'),
  author: text(200),
  author_id: text(200),
  author_thumbnail: link,
  text: text(20_000),
  timestamp: epoch.transform(Math.floor).catch(0),
  like_count: count,
  is_favorited: z.boolean().catch(false),
  author_is_uploader: z.boolean().catch(false),
});

const Raw = z.object({
  id: z.string().min(1).max(2000),
  extractor_key: z.string().max(100).optional().catch(undefined),
  extractor: z.string().max(100).optional().catch(undefined),
  ie_key: z.string().max(100).optional().catch(undefined),
  title: text(1000),
  fulltitle: text(1000),
  description: text(50_000),
  channel_id: text(200),
  channel: text(200),
  channel_url: link,
  channel_follower_count: count,
  uploader_id: text(200),
  uploader: text(200),
  uploader_url: link,
  duration: seconds,
  timestamp: epoch.nullable().catch(null),
  release_timestamp: epoch.nullable().catch(null),
  upload_date: z
    .string()
    .regex(/^\d{8}$/)
    .nullable()
    .catch(null),
  width: dimension,
  height: dimension,
  view_count: count,
  like_count: count,
  tags: words(200, 200),
  categories: words(50, 200),
  artists: z.unknown().optional(),
  // Of older versions of yt-dlp: all artists in one text.
  artist: z.string().max(4000).nullable().catch(null),
  album: z.unknown().optional(),
  track: z.unknown().optional(),
  release_year: z.unknown().optional(),
  chapters: oneOf(z.object({ title: text(300), start_time: z.number().min(0), end_time: z.number().min(0) }), 1000),
  thumbnail: link,
  comments: oneOf(RawComment, 200_000),
  // As yt-dlp calls the chat of a stream.
  subtitles: z
    .object({ live_chat: z.array(z.unknown()).optional().catch(undefined) })
    .nullable()
    .catch(null),
  live_status: z.string().max(50).nullable().catch(null),
  is_live: z.boolean().nullable().catch(null),
  was_live: z.boolean().nullable().catch(null),
  webpage_url: link,
  original_url: link,
  acodec: z.string().max(100).nullable().catch(null),
  vcodec: z.string().max(100).nullable().catch(null),
  ext: z.string().max(10).nullable().catch(null),
  media_type: z.string().max(50).nullable().catch(null),
});

/** Fields for the output templates of yt-dlp; comments are only available with a download. */
export const infoFields = Object.keys(Raw.shape)
  .filter((name) => name !== 'comments' && name !== 'subtitles')
  .join(',');

export type Live = 'no' | 'live' | 'upcoming' | 'was';

export interface Comment {
  id: string;
  /** Id of the parent comment, or "root". */
  parent: string;
  author: string;
  authorId: string;
  authorThumbnail: string;
  text: string;
  /** Epoch seconds; 0 if unknown. */
  writtenAt: number;
  likeCount: number | null;
  isFavorited: boolean;
  isByUploader: boolean;
}

/** Validated metadata of a video. */
export interface VideoInfo {
  /** Extractor name of yt-dlp in lower case: `youtube`. */
  site: string;
  /** Id of the video at its site. */
  siteId: string;
  url: string;
  title: string;
  description: string | null;
  /** Public id; safe as a folder name. */
  channelId: string;
  channelName: string;
  channelUrl: string | null;
  channelFollowers: number | null;
  durationSeconds: number | null;
  /** Epoch seconds. */
  publishedAt: number | null;
  /** When a stream or premiere starts or has started, epoch seconds. */
  startsAt: number | null;
  kind: 'videos' | 'streams' | 'shorts';
  width: number | null;
  height: number | null;
  views: number | null;
  likes: number | null;
  tags: string[];
  categories: string[];
  /** Null if the site tells neither artist, nor album, nor track. */
  music: MusicFields | null;
  /** In order, in seconds. */
  chapters: { title: string; start: number; end: number }[];
  thumbnailUrl: string | null;
  comments: Comment[];
  /** The site has the chat of the stream or premiere. */
  hasChat: boolean;
  live: Live;
  /** Of the sound of the download. */
  sound: Sound;
  /** Whether the selected format has audio and video. */
  wantsAudio: boolean;
  wantsVideo: boolean;
}

export const siteOf = (key: string | undefined): string =>
  (key ?? 'generic')
    .split(':')[0]!
    .toLowerCase()
    .replace(/[^-a-z0-9_]/g, '')
    // Tabs, playlists and searches of YouTube have their own extractors; review pages and films of Vimeo have its ids.
    .replace(/^youtube.*/, 'youtube')
    .replace(/^vimeo(review|ondemand)$/, 'vimeo') || 'generic';

/** Converts `live_status` of yt-dlp. */
export function liveOf(status: string | null, isLive?: boolean | null): Live {
  if (status === 'is_live' || (status === null && isLive)) return 'live';
  if (status === 'is_upcoming') return 'upcoming';
  return status === 'was_live' || status === 'post_live' ? 'was' : 'no';
}

function dateOf({ timestamp, release_timestamp, upload_date }: z.output<typeof Raw>): number | null {
  const known = timestamp ?? release_timestamp;
  if (known !== null) return Math.floor(known);
  if (!upload_date) return null;
  const at = Date.UTC(Number(upload_date.slice(0, 4)), Number(upload_date.slice(4, 6)) - 1, Number(upload_date.slice(6))) / 1000;
  return epoch.safeParse(at).success ? at : null;
}

function kindOf(
  { webpage_url, original_url, media_type, width, height, duration, was_live }: z.output<typeof Raw>,
  live: Live,
): VideoInfo['kind'] {
  if (live !== 'no' || was_live) return 'streams';
  if (media_type === 'short' || [webpage_url, original_url].some((url) => url?.includes('/shorts/'))) return 'shorts';
  // Upright and at most 180 s long: a short, wherever it was found.
  return width !== null && height !== null && height > width && duration !== null && duration <= 180 ? 'shorts' : 'videos';
}

/** Returns the title, without the time of the lookup that yt-dlp appends to that of a running stream. */
function titleOf({ title, fulltitle, id }: z.output<typeof Raw>, live: Live): string {
  const found = title ?? fulltitle ?? id;
  return live === 'live' ? found.replace(/(?<=\S) \d{4}-\d\d-\d\d \d\d:\d\d$/, '') : found;
}

const unreadable = () =>
  new YtdlpFailed({
    kind: 'ytdlp',
    message: message('failure.invalid-metadata'),
  });

/**
 * Parses JSON output of yt-dlp.
 * @throws YtdlpFailed if it is incomplete or invalid
 */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw unreadable();
  }
}

/**
 * Like `readInfo`, but with an error for users.
 * @throws YtdlpFailed if it is not the metadata of one video
 */
export function asInfo(json: unknown): VideoInfo {
  try {
    return readInfo(json);
  } catch {
    throw unreadable();
  }
}

/**
 * Parses the metadata of a video.
 * @throws if it is not the metadata of one video
 */
export function readInfo(json: unknown): VideoInfo {
  const raw = Raw.parse(json);
  const site = siteOf(raw.extractor_key ?? raw.ie_key ?? raw.extractor);
  const live = liveOf(raw.live_status, raw.is_live);
  const uploader = raw.channel_id ?? raw.uploader_id ?? raw.uploader ?? raw.channel ?? 'unknown';
  return {
    site,
    siteId: raw.id,
    url: raw.webpage_url ?? raw.original_url ?? '',
    title: titleOf(raw, live),
    description: raw.description,
    channelId: publicChannelId(site, uploader),
    channelName:
      raw.channel ?? raw.uploader ?? raw.uploader_id ?? (raw.webpage_url ? new URL(raw.webpage_url).hostname : 'Unknown'),
    channelUrl: raw.channel_url ?? raw.uploader_url,
    channelFollowers: raw.channel_follower_count,
    durationSeconds: raw.duration,
    publishedAt: dateOf(raw),
    startsAt: raw.release_timestamp === null ? null : Math.floor(raw.release_timestamp),
    kind: kindOf(raw, live),
    width: raw.width,
    height: raw.height,
    views: raw.view_count,
    likes: raw.like_count,
    tags: raw.tags,
    categories: raw.categories,
    music: cleanMusic({
      artists: raw.artists ?? raw.artist?.split(', '),
      album: raw.album,
      track: raw.track,
      year: raw.release_year,
    }),
    chapters: raw.chapters
      .filter((chapter) => chapter.end_time > chapter.start_time)
      .sort((a, b) => a.start_time - b.start_time)
      .map(({ title, start_time, end_time }) => ({ title: title ?? '', start: start_time, end: end_time })),
    thumbnailUrl: raw.thumbnail,
    comments: raw.comments.flatMap(({ text, ...comment }) => (text === null ? [] : [commentOf(comment, text)])),
    live,
    hasChat: raw.subtitles?.live_chat !== undefined,
    sound: soundOfDownload(json),
    wantsAudio: raw.acodec !== null && raw.acodec !== 'none',
    wantsVideo: raw.vcodec !== null && raw.vcodec !== 'none',
  };
}

const commentOf = (raw: Omit<z.output<typeof RawComment>, 'text'>, text: string): Comment => ({
  id: raw.id,
  parent: raw.parent,
  author: raw.author ?? '',
  authorId: raw.author_id ?? '',
  authorThumbnail: raw.author_thumbnail ?? '',
  text,
  writtenAt: raw.timestamp,
  likeCount: raw.like_count,
  isFavorited: raw.is_favorited,
  isByUploader: raw.author_is_uploader,
});
