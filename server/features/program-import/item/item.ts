import type { SomeOverwrites } from '#contract/channel.ts';
import type { Message } from '#contract/messages.ts';
import type { ProgramImportTake } from '#contract/program-import.ts';
import type { OwnRules } from '../../../archive/queue/filter-rules.ts';
import { storableText } from '../../../platform/lib/untrusted.ts';
import { siteOf } from '../../../platform/ytdlp/info.ts';
import { publicId } from '../../../platform/ytdlp/public-id.ts';

// What the readers of all programs yield. Values come from untrusted files: the functions here bound them.

/** A video as another program knows it. */
export interface ForeignVideo {
  /** Public id. */
  id: string;
  site: string;
  siteId: string;
  /** Empty if unknown. */
  url: string;
  title: string;
  channelId: string;
  channelName: string;
  kind: 'videos' | 'streams' | 'shorts' | 'unknown';
  durationSeconds: number | null;
  publishedAt: number | null;
}

export interface SourceOptions {
  rules: OwnRules;
  overwrites: SomeOverwrites;
  /** New uploads are downloaded (true) or only listed (false); null: as in the settings. */
  autoStart: boolean | null;
}

/** A channel or playlist to subscribe to. */
export interface Subscription {
  what: 'subscription';
  kind: 'channel' | 'playlist';
  /** Null if only the site knows it. */
  id: string | null;
  url: string;
  name: string;
  /** Rules and formats; null if the program has none. */
  options: SourceOptions | null;
}

/** A video file, with the metadata that the program stored. */
export interface MediaFile {
  what: 'media';
  video: ForeignVideo;
  /** Path as the program stored it. */
  path: string;
  downloadedAt: number | null;
  description: string | null;
  /** Path of its info JSON, perhaps gzipped, in the data of the program. */
  infoPath: string | null;
}

export type Item =
  | Subscription
  | MediaFile
  | { what: 'queue' | 'ignored' | 'have'; video: ForeignVideo }
  | { what: 'watched'; video: ForeignVideo; watchedAt: number | null; positionSeconds: number | null }
  | {
      what: 'list';
      name: string;
      description: string | null;
      entries: { videoId: string; title: string; uploader: string | null }[];
    }
  | { what: 'problem' | 'note'; subject: string; why: Message; take?: ProgramImportTake };

const videoId = /^[-\w]{11}$/;
const channelId = /^UC[-\w]{22}$/;

export const isVideoId = (text: unknown): text is string => typeof text === 'string' && videoId.test(text);
export const isChannelId = (text: unknown): text is string => typeof text === 'string' && channelId.test(text);

/** Returns a bounded text that databases accept, trimmed; null for blank and other values. */
export const textOf = (value: unknown, most = 2000): string | null => storableText(value, most)?.trim() ?? null;

/** Returns a finite number of at most ten digits; null for other values. */
export function numberOf(value: unknown): number | null {
  if (value === null || value === undefined || value === '' || typeof value === 'boolean') return null;
  const number = Number(value);
  return Number.isFinite(number) && Math.abs(number) < 1e10 ? number : null;
}

/** Returns a whole number of at least one; null for other values. */
export const countOf = (value: unknown): number | null => {
  const number = numberOf(value);
  return number !== null && number >= 1 ? Math.min(Math.floor(number), 100_000_000) : null;
};

const earliest = 978_307_200; // 2001; older and future times are wrong
const latest = 4_102_444_800;

/** Parses a time to epoch seconds: seconds, milliseconds or a date, without a zone in UTC. Null for anything else. */
export function timeOf(value: unknown): number | null {
  const number =
    typeof value === 'string' && !/^\d+(\.\d+)?$/.test(value.trim()) ? parseDate(value) : Number(value ?? Number.NaN);
  const seconds = number > 1e11 ? number / 1000 : number;
  return seconds > earliest && seconds < latest ? Math.floor(seconds) : null;
}

function parseDate(text: string): number {
  const plain = text.trim().slice(0, 40);
  const [, year, month, day] = /^(\d{4})-?(\d\d)-?(\d\d)$/.exec(plain) ?? [];
  if (year) return Date.parse(`${year}-${month}-${day}T00:00:00Z`) / 1000;
  if (!/^\d{4}-\d\d-\d\d[ T]\d\d:\d\d/.test(plain)) return Date.parse(plain) / 1000;
  const zoned = /(Z|UTC|[+-]\d\d:?\d\d)$/i.test(plain) ? plain : `${plain}Z`;
  return Date.parse(zoned.replace(' ', 'T').replace(/ ?UTC$/i, 'Z')) / 1000;
}

/** Creates a video of YouTube. */
export const youtubeVideo = (id: string, values: Partial<ForeignVideo> = {}): ForeignVideo => ({
  id,
  site: 'youtube',
  siteId: id,
  url: `https://www.youtube.com/watch?v=${id}`,
  title: id,
  channelId: '',
  channelName: '',
  kind: 'unknown',
  durationSeconds: null,
  publishedAt: null,
  ...values,
});

/** Creates a video of any site from the extractor name of yt-dlp. Null if the id is empty or not plausible. */
export function videoOf(extractor: string, siteId: string, values: Partial<ForeignVideo> = {}): ForeignVideo | null {
  const site = siteOf(extractor);
  if (site === 'youtube') return isVideoId(siteId) ? youtubeVideo(siteId, values) : null;
  if (!/^[\w:.-]{1,60}$/.test(extractor) || siteId === '' || siteId.length > 300) return null;
  return { ...youtubeVideo(siteId), id: publicId(site, siteId), site, siteId, url: '', ...values };
}

const watch =
  /^https?:\/\/(?:(?:www|m|music)\.)?youtube(?:-nocookie)?\.com\/(?:watch\?(?:[^#]*&)?v=|shorts\/|live\/|embed\/)([-\w]{11})(?![-\w])/i;

/** Returns the video id of a URL of YouTube, or of a path such as LibreTube's; null if there is none. */
export function idOfUrl(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > 2000) return null;
  const url = /^\/(watch|channel|shorts)/.test(value) ? `https://www.youtube.com${value}` : value;
  return watch.exec(url)?.[1] ?? /^https?:\/\/youtu\.be\/([-\w]{11})(?![-\w])/i.exec(url)?.[1] ?? null;
}

/** Returns the channel id in a URL; null if there is none. */
export const channelIdOfUrl = (value: unknown): string | null =>
  (typeof value === 'string' && /(?:\/channel\/|[?&]channel_id=)(UC[-\w]{22})(?![-\w])/.exec(value.slice(0, 2000))?.[1]) || null;

/** Returns the playlist id in a URL; null if there is none. */
export const playlistIdOfUrl = (value: unknown): string | null =>
  (typeof value === 'string' && /[?&](?:list|playlist_id)=([-\w]{2,60})(?![-\w])/.exec(value.slice(0, 2000))?.[1]) || null;

/** Creates a subscription to a channel from its id or URL; null if it has neither. */
export function channelSubscription(
  source: { id?: unknown; url?: unknown; name?: unknown },
  options: SourceOptions | null = null,
): Subscription | null {
  const id = isChannelId(source.id) ? source.id : channelIdOfUrl(source.url);
  const url = id ? `https://www.youtube.com/channel/${id}` : textOf(source.url);
  if (!url || !/^https?:\/\/[^\s]+$/i.test(url)) return null;
  return { what: 'subscription', kind: 'channel', id, url, name: textOf(source.name, 500) ?? id ?? url, options };
}

/** Creates a subscription to a playlist of YouTube; null without an id. */
export function playlistSubscription(
  source: { id?: unknown; url?: unknown; name?: unknown },
  options: SourceOptions | null = null,
): Subscription | null {
  const given = textOf(source.id, 100);
  const id = given && /^[-\w]{2,60}$/.test(given) ? given : playlistIdOfUrl(source.url);
  if (!id) return null;
  const url = `https://www.youtube.com/playlist?list=${id}`;
  return { what: 'subscription', kind: 'playlist', id, url, name: textOf(source.name, 500) ?? id, options };
}
