import { rm } from 'node:fs/promises';
import { z } from 'zod';
import { lines } from '../process/run.ts';
import { createTempDir } from '../process/temp-dir.ts';
import { asYtdlpFailed, YtdlpFailed } from './failure.ts';
import { asInfo, infoFields, liveOf, readJson, siteOf, type Live, type VideoInfo } from './info.ts';
import { openCookieJar } from './cookie-jar.ts';
import { callOptions, extractorArguments, isForBrowsers, type Ytdlp } from './options.ts';
import { publicChannelId } from './public-id.ts';
import { parseSiteAddress } from './site-addresses.ts';

/** A video of a listing. */
export interface Entry {
  /** Extractor name of yt-dlp in lower case. */
  site: string;
  siteId: string;
  url: string;
  title: string | null;
  /** Public id. */
  channelId: string | null;
  channelName: string | null;
  durationSeconds: number | null;
  /** Epoch seconds. */
  publishedAt: number | null;
  /** The date was computed from a text such as "3 weeks ago". */
  isDateGuessed: boolean;
  thumbnailUrl: string | null;
  live: Live;
  /** When an announced stream or premiere starts, epoch seconds. */
  startsAt: number | null;
  isMembersOnly: boolean;
  kind?: 'videos' | 'streams' | 'shorts';
  /** The playlist, if the page is one. */
  playlist?: {
    id: string;
    title: string | null;
    channelId: string | null;
    channelName: string | null;
  };
}

export interface ListingSource {
  lang: string | null;
  signal: AbortSignal;
}

// The metadata of a page is a single line; longer ones are invalid.
const maxLine = 4_000_000;

/** Runs yt-dlp in a temporary folder and yields the lines of its JSON output. */
export async function* listingMessage(
  ytdlp: Ytdlp,
  options: string[],
  url: string,
  signal: AbortSignal,
  timeMs?: number,
): AsyncGenerator<string> {
  try {
    yield* listOnce(ytdlp, options, url, signal, timeMs);
  } catch (error) {
    if (!(error instanceof YtdlpFailed) || !isForBrowsers(ytdlp, url, error.failure)) throw error;
    yield* listOnce(ytdlp, options, url, signal, timeMs);
  }
}

async function* listOnce(
  ytdlp: Ytdlp,
  options: string[],
  url: string,
  signal: AbortSignal,
  timeMs?: number,
): AsyncGenerator<string> {
  const cwd = await createTempDir();
  const jar = await openCookieJar(ytdlp.jar, url);
  let isSuccess = false;
  try {
    const { args, input, env } = callOptions(ytdlp, url, [...jar.options, ...options]);
    yield* lines(ytdlp.program.command, args, {
      cwd,
      input,
      env,
      signal,
      lineLength: maxLine,
      beginnings: ['{'],
      onStderr: jar.onStderr,
      ...(timeMs && { timeMs }),
    });
    isSuccess = true;
  } catch (error) {
    throw asYtdlpFailed(error);
  } finally {
    await jar.close(isSuccess);
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
  release_timestamp: maybe(z.number().min(0).max(4_102_444_800)),
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
  'id,ie_key,extractor_key,url,webpage_url,title,channel_id,channel,uploader_id,uploader,duration,timestamp,thumbnail,thumbnails,release_timestamp,live_status,availability,' +
  'playlist_id,playlist_title,playlist_channel,playlist_channel_id,playlist_uploader,playlist_uploader_id';

const isWeb = (url: string | null): url is string => url !== null && /^https?:\/\//i.test(url) && URL.canParse(url);

function readEntry(line: string, isDateGuessed: boolean): Entry | null {
  let json: unknown;
  try {
    json = JSON.parse(line);
  } catch {
    return null; // other output of yt-dlp
  }
  const read = RawEntry.safeParse(json);
  if (!read.success) return null;
  const raw = read.data;
  const url = [raw.url, raw.webpage_url].find(isWeb);
  if (!url) return null;
  const site = siteOf(raw.ie_key ?? raw.extractor_key ?? undefined);
  const address = parseSiteAddress(new URL(url));
  const channel = raw.channel_id ?? raw.uploader_id ?? raw.playlist_channel_id ?? raw.playlist_uploader_id;
  const playlistChannel = raw.playlist_channel_id ?? raw.playlist_uploader_id;
  const pictures = raw.thumbnails?.map((picture) => picture.url).filter(isWeb) ?? [];
  return {
    site,
    // All parts of a Bilibili video are listed with the same id.
    siteId: (address?.site === site && address.siteId) || raw.id,
    url,
    title: raw.title,
    channelId: channel ? publicChannelId(site, channel) : null,
    channelName: raw.channel ?? raw.uploader ?? raw.playlist_channel ?? raw.playlist_uploader,
    durationSeconds: raw.duration === null ? null : Math.round(raw.duration),
    publishedAt: raw.timestamp === null ? null : Math.floor(raw.timestamp),
    isDateGuessed,
    thumbnailUrl: isWeb(raw.thumbnail) ? raw.thumbnail : (pictures.at(-1) ?? null),
    live: liveOf(raw.live_status),
    startsAt: raw.release_timestamp === null ? null : Math.floor(raw.release_timestamp),
    isMembersOnly: raw.availability === 'subscriber_only',
    ...(url.includes('/shorts/') && { kind: 'shorts' as const }),
    ...(raw.playlist_id && {
      playlist: {
        id: raw.playlist_id,
        title: raw.playlist_title,
        channelId: playlistChannel ? publicChannelId(site, playlistChannel) : null,
        channelName: raw.playlist_channel ?? raw.playlist_uploader,
      },
    }),
  };
}

interface Listing extends ListingSource {
  /** Maximum number of entries. */
  limit?: number;
  /** First entry, counted from 1. */
  from?: number;
  /** Estimates dates from texts such as "3 weeks ago" if the listing has no others. */
  guessesDates?: boolean;
  /** Receives the description of the playlist, if it has one, after its entries. */
  onDescription?: (description: string) => void;
}

const About = z.object({
  playlist_description: z.string().transform((text) => text.toWellFormed().replaceAll('\0', '').trim().slice(0, 20_000)),
});

/**
 * Yields the videos of a page as they arrive. A page with a single video yields that one.
 * @throws YtdlpFailed if it cannot be listed; the reason of the signal when that fires
 */
export async function* listEntries(
  ytdlp: Ytdlp,
  url: string,
  { lang, signal, limit, from = 1, guessesDates = false, onDescription }: Listing,
): AsyncGenerator<Entry> {
  const args = [
    '--flat-playlist',
    '--lazy-playlist',
    '--no-simulate',
    '--skip-download',
    '--quiet',
    ...(limit || from > 1 ? [`--playlist-items=${from > 1 ? from : ''}:${limit ?? ''}`] : []),
    ...(guessesDates ? ['--extractor-args=youtubetab:approximate_date'] : []),
    ...extractorArguments({ extractor_lang: lang }),
    `--print=%(.{${fields}})j`,
    // Known only to the playlist itself, which is printed last.
    ...(onDescription ? ['--print=playlist:{"playlist_description":%(description)j}'] : []),
  ];
  for await (const line of listingMessage(ytdlp, args, url, signal)) {
    const about = onDescription && line.startsWith('{"playlist_description":') ? About.safeParse(readJson(line)) : undefined;
    if (about?.data?.playlist_description) onDescription!(about.data.playlist_description);
    const entry = about ? null : readEntry(line, guessesDates);
    if (entry) yield entry;
  }
}

const lookUpMs = 180_000;

/** Loads metadata of the single video of a page without downloading it. */
async function askAbout(ytdlp: Ytdlp, url: string, { lang, signal }: ListingSource, ...what: string[]): Promise<unknown> {
  const preferences = { extractor_lang: lang, player_client: ytdlp.playerClient };
  const args = ['--no-playlist', ...what, ...extractorArguments(preferences, ytdlp.poToken)];
  let last = '';
  for await (const line of listingMessage(ytdlp, args, url, signal, lookUpMs)) last = line;
  return readJson(last);
}

/**
 * Loads all metadata of the single video of a page, also in the format of yt-dlp.
 * @throws YtdlpFailed if there is none
 */
export async function lookUpFully(ytdlp: Ytdlp, url: string, where: ListingSource): Promise<{ info: VideoInfo; json: unknown }> {
  const json = await askAbout(ytdlp, url, where, '--dump-single-json');
  return { info: asInfo(json), json };
}

const printInfo = `--print=%(.{${infoFields}})j`;

/**
 * Loads only the required metadata, because all of it may be many megabytes.
 * @throws YtdlpFailed if the page has no video
 */
export async function lookUp(ytdlp: Ytdlp, url: string, where: ListingSource): Promise<VideoInfo> {
  try {
    return asInfo(await askAbout(ytdlp, url, where, printInfo));
  } catch (problem) {
    if (!(problem instanceof YtdlpFailed) || problem.failure.kind !== 'not-yet') throw problem;
    const info = asInfo(await askAbout(ytdlp, url, where, printInfo, '--ignore-no-formats-error'));
    if (info.live !== 'upcoming') throw problem;
    return info;
  }
}
