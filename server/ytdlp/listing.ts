import { rm } from 'node:fs/promises';
import { z } from 'zod';
import { lines } from '../child/run.ts';
import { scratchFolder } from '../child/scratch.ts';
import { asYtdlpFailed } from './failure.ts';
import { asInfo, infoFields, liveOf, readJson, siteOf, type Live, type VideoInfo } from './info.ts';
import { openJar } from './jar.ts';
import { alwaysOptions, discreetly, extractorArguments, type Ytdlp } from './options.ts';
import { channelWireId } from './wire-id.ts';

/** One video that a listing names. */
export interface Entry {
  /** As yt-dlp calls it, lower case. */
  site: string;
  siteId: string;
  url: string;
  title: string | null;
  /** As on the wire. */
  channelId: string | null;
  channelName: string | null;
  durationSeconds: number | null;
  /** Epoch seconds. */
  publishedAt: number | null;
  /** The date was made from words like "3 weeks ago". */
  isDateGuessed: boolean;
  thumbnailUrl: string | null;
  live: Live;
  isMembersOnly: boolean;
  kind?: 'videos' | 'streams' | 'shorts';
  /** Of the listing, when the page is one. */
  playlist?: {
    id: string;
    title: string | null;
    description: string | null;
    channelId: string | null;
    channelName: string | null;
  };
}

export interface Where {
  lang: string | null;
  signal: AbortSignal;
}

// Everything that is asked of one page is one line. Longer than this is none of it.
const longestLine = 4_000_000;

/** What yt-dlp prints as JSON, line by line; it runs in an empty folder that goes when it is over. */
export async function* said(
  ytdlp: Ytdlp,
  args: string[],
  url: string,
  signal: AbortSignal,
  timeMs?: number,
): AsyncGenerator<string> {
  const cwd = await scratchFolder();
  const jar = await openJar(ytdlp.jar, url);
  try {
    const given = discreetly([...alwaysOptions(ytdlp), ...jar.options, ...args]);
    yield* lines(ytdlp.program.command, [...given.args, '--', url], {
      cwd,
      input: given.input,
      signal,
      lineLength: longestLine,
      beginnings: ['{'],
      ...(timeMs && { timeMs }),
    });
  } catch (error) {
    throw asYtdlpFailed(error);
  } finally {
    await jar.close();
    await rm(cwd, { recursive: true, force: true });
  }
}

const maybe = <T>(type: z.ZodType<T>) => type.nullable().catch(null);
const short = (max: number) =>
  maybe(z.string().max(max * 4)).transform((text) => text?.toWellFormed().replaceAll('\0', '').trim().slice(0, max) || null);

const RawEntry = z.object({
  id: z.string().min(1).max(2000),
  ie_key: short(100),
  extractor_key: short(100),
  url: short(4000),
  webpage_url: short(4000),
  title: short(1000),
  channel_id: short(200),
  channel: short(200),
  uploader_id: short(200),
  uploader: short(200),
  duration: maybe(z.number().min(0).max(10_000_000)),
  timestamp: maybe(z.number().min(0).max(4_102_444_800)),
  thumbnail: short(4000),
  thumbnails: maybe(z.array(z.object({ url: z.string().max(4000) }))),
  live_status: short(50),
  availability: short(50),
  playlist_id: short(200),
  playlist_title: short(1000),
  playlist_channel: short(200),
  playlist_channel_id: short(200),
  playlist_uploader: short(200),
  playlist_uploader_id: short(200),
});

const fields =
  'id,ie_key,extractor_key,url,webpage_url,title,channel_id,channel,uploader_id,uploader,duration,timestamp,thumbnail,thumbnails,live_status,availability,' +
  'playlist_id,playlist_title,playlist_channel,playlist_channel_id,playlist_uploader,playlist_uploader_id';

const isWeb = (url: string | null): url is string => url !== null && /^https?:\/\//i.test(url) && URL.canParse(url);

function readEntry(line: string, isDateGuessed: boolean): Entry | null {
  let json: unknown;
  try {
    json = JSON.parse(line);
  } catch {
    return null; // a word of yt-dlp's own
  }
  const read = RawEntry.safeParse(json);
  if (!read.success) return null;
  const raw = read.data;
  const url = [raw.url, raw.webpage_url].find(isWeb);
  if (!url) return null;
  const site = siteOf(raw.ie_key ?? raw.extractor_key ?? undefined);
  const channel = raw.channel_id ?? raw.uploader_id ?? raw.playlist_channel_id ?? raw.playlist_uploader_id;
  const playlistChannel = raw.playlist_channel_id ?? raw.playlist_uploader_id;
  const pictures = raw.thumbnails?.map((picture) => picture.url).filter(isWeb) ?? [];
  return {
    site,
    siteId: raw.id,
    url,
    title: raw.title,
    channelId: channel ? channelWireId(site, channel) : null,
    channelName: raw.channel ?? raw.uploader ?? raw.playlist_channel ?? raw.playlist_uploader,
    durationSeconds: raw.duration === null ? null : Math.round(raw.duration),
    publishedAt: raw.timestamp === null ? null : Math.floor(raw.timestamp),
    isDateGuessed,
    thumbnailUrl: isWeb(raw.thumbnail) ? raw.thumbnail : (pictures.at(-1) ?? null),
    live: liveOf(raw.live_status),
    isMembersOnly: raw.availability === 'subscriber_only',
    ...(url.includes('/shorts/') && { kind: 'shorts' as const }),
    ...(raw.playlist_id && {
      playlist: {
        id: raw.playlist_id,
        title: raw.playlist_title,
        channelId: playlistChannel ? channelWireId(site, playlistChannel) : null,
        channelName: raw.playlist_channel ?? raw.playlist_uploader,
        description: null,
      },
    }),
  };
}

interface Listing extends Where {
  /** Only so many of the first. */
  limit?: number;
  /** The first of these, counted from 1; what is before it is passed over. */
  from?: number;
  /** Guesses dates from words like "3 weeks ago", where the listing tells no others. */
  guessesDates?: boolean;
}

/**
 * The videos that a page lists, one by one as they come; a page that is one video lists itself. Throws YtdlpFailed when it
 * cannot be listed, and the signal's reason when that fires.
 */
export async function* listEntries(
  ytdlp: Ytdlp,
  url: string,
  { lang, signal, limit, from = 1, guessesDates = false }: Listing,
): AsyncGenerator<Entry> {
  const args = [
    '--flat-playlist',
    '--lazy-playlist',
    '--no-simulate',
    '--skip-download',
    '--quiet',
    '--no-warnings',
    ...(limit || from > 1 ? [`--playlist-items=${from > 1 ? from : ''}:${limit ?? ''}`] : []),
    ...(guessesDates ? ['--extractor-args=youtubetab:approximate_date'] : []),
    ...extractorArguments({ extractor_lang: lang }),
    `--print=%(.{${fields}})j`,
  ];
  for await (const line of said(ytdlp, args, url, signal)) {
    const entry = readEntry(line, guessesDates);
    if (entry) yield entry;
  }
}

const lookUpMs = 180_000;

/** What yt-dlp answers about the one video of a page, without fetching it. */
async function askAbout(ytdlp: Ytdlp, url: string, { lang, signal }: Where, what: string): Promise<unknown> {
  const args = ['--no-playlist', what, '--no-warnings', ...extractorArguments({ extractor_lang: lang }, ytdlp.poToken.token)];
  let last = '';
  for await (const line of said(ytdlp, args, url, signal, lookUpMs)) last = line;
  return readJson(last);
}

/** Everything a page tells of its one video, also in yt-dlp's own words. Throws YtdlpFailed when it has none. */
export async function lookUpWhole(ytdlp: Ytdlp, url: string, where: Where): Promise<{ info: VideoInfo; json: unknown }> {
  const json = await askAbout(ytdlp, url, where, '--dump-single-json');
  return { info: asInfo(json), json };
}

/** What we read of it, and no more: all of it may be many megabytes. Throws YtdlpFailed when the page has no video. */
export const lookUp = async (ytdlp: Ytdlp, url: string, where: Where): Promise<VideoInfo> =>
  asInfo(await askAbout(ytdlp, url, where, `--print=%(.{${infoFields}})j`));
