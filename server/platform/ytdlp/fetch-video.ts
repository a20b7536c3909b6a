import { message, type Message } from '#contract/messages.ts';
import { readdir, readFile, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { Settings } from '#contract/settings.ts';
import { lines, run } from '../process/run.ts';
import type { FailureKind } from '#contract/download.ts';
import { asYtdlpFailed, skippedFormatsOf, YtdlpFailed, type Failure } from './failure.ts';
import { openCookieJar } from './cookie-jar.ts';
import { asInfo, readJson, type VideoInfo } from './info.ts';
import {
  bypassesProxy,
  callOptions,
  detailOptions,
  downloadOptions,
  isForBrowsers,
  smallCopyOptions,
  soundOptions,
  type Choice,
  type Ytdlp,
} from './options.ts';
import { beginnings, readProgress, type Progress } from './progress.ts';
import type { OfferedSound } from './sounds.ts';

interface FetchOptions {
  url: string;
  /** Private to this download. Partial files of an earlier attempt are resumed. */
  folder: string;
  settings: Settings['downloads'];
  choice: Choice;
  signal: AbortSignal;
  onProgress(progress: Progress): void;
  onStage(stage: Message): void;
  /** How long a download may go on without output or a new byte, in milliseconds. Default: 90 seconds. */
  stallMs?: number;
}

// yt-dlp reconnects after 20 s of silence, five times. A download that still receives nothing must not keep its place in the
// queue.
const defaultStallMs = 90_000;

const stalled: Failure = {
  kind: 'network',
  message: message('failure.stalled'),
};

/**
 * Aborts with `stalled` when nothing happens for `stallMs`: before the transfer no line of output, during it no new byte.
 * Post-processing is not watched, since merging a large file takes long and prints nothing.
 */
function watchForStall(stallMs: number) {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let isTransferring = false;
  let lastBytes = -1;
  const disarm = () => clearTimeout(timer);
  const arm = () => {
    disarm();
    timer = setTimeout(() => controller.abort(new YtdlpFailed(stalled)), stallMs);
  };
  arm();
  return {
    signal: controller.signal,
    disarm,
    onProgress({ downloadedBytes, isFinished }: Progress) {
      isTransferring = true;
      if (isFinished) disarm();
      else if (downloadedBytes !== lastBytes) arm();
      lastBytes = isFinished ? -1 : downloadedBytes;
    },
    onLine(line: string) {
      if (!isTransferring || line.startsWith('[download] Destination')) arm();
    },
  };
}

/** Files that yt-dlp wrote to the folder. */
export interface FetchedVideo {
  info: VideoInfo;
  infoPath: string;
  mediaPath: string;
  thumbnailPath: string | null;
  subtitles: { lang: string; source: 'user' | 'auto'; name: string; path: string }[];
  /** Why formats were skipped, if what was left is of low quality. */
  limitedBy: FailureKind | null;
}

// Only files with these extensions are used.
const mediaEndings = new Set(['mp4', 'm4v', 'mkv', 'webm', 'mov', 'm4a', 'mp3', 'opus', 'ogg', 'flac', 'wav', 'aac']);
const pictureEndings = ['jpg', 'jpeg', 'png', 'webp'];

const stages: [pattern: RegExp, stage: Message][] = [
  [/^\[Merger\]/, message('download.merging')],
  [/^\[(Fixup\w*|VideoRemuxer|MoveFiles)\]/, message('download.postprocessing')],
  [/^\[(Metadata|EmbedThumbnail|ThumbnailsConvertor)\]/, message('download.embedding')],
  [/^\[info\] .*Downloading subtitles|^\[download\] .*\.(vtt|json3|srt)$/, message('download.subtitles')],
  [/Downloading comment/, message('download.comments')],
];

/** The files other than the media. */
export type FetchedDetails = Omit<FetchedVideo, 'mediaPath' | 'limitedBy'>;

interface Picture {
  width?: unknown;
  height?: unknown;
}

const shortSide = ({ width, height }: Picture) => {
  const sides = [width, height].filter((side) => typeof side === 'number');
  return sides.length > 0 ? Math.min(...sides) : 0;
};

// The site has at least this height of nearly all its videos, and yt-dlp does not say which formats it has skipped.
const lowHeight = 720;

/**
 * Returns whether a download is of low quality, and the best that was offered: a lower format that a user has chosen is not limited.
 */
function isLowAndBest(info: VideoInfo, json: unknown): boolean {
  const { formats } = json as { formats?: unknown };
  const height = shortSide(info);
  const isBest = !Array.isArray(formats) || formats.every((format: Picture | null) => shortSide(format ?? {}) <= height);
  return info.wantsVideo && height > 0 && height < lowHeight && isBest;
}

const infoEnding = '.info.json';

/** Collects the files other than media. Subtitle names are read from info.json. */
export async function collectDetails(folder: string): Promise<FetchedDetails & { stem: string; isLow: boolean }> {
  const names = await readdir(folder);
  const infoName = names.find((name) => name.endsWith(infoEnding));
  if (!infoName)
    throw new YtdlpFailed({
      kind: 'ytdlp',
      message: message('failure.no-info'),
    });
  const infoPath = join(folder, infoName);
  const json = readJson(await readFile(infoPath, 'utf8'));
  const stem = infoName.slice(0, -infoEnding.length);
  const endingOf = (name: string) => (name.startsWith(`${stem}.`) ? name.slice(stem.length + 1) : '');
  const picture = pictureEndings.map((extension) => `${stem}.${extension}`).find((name) => names.includes(name));

  const tracks = (key: string) =>
    ((json as Record<string, unknown>)[key] ?? {}) as Record<string, { name?: unknown }[] | undefined>;
  const [manual, automatic] = [tracks('subtitles'), tracks('automatic_captions')];
  const endings = new Set(names.map(endingOf));
  const subtitles = names.flatMap((name): FetchedVideo['subtitles'] => {
    const found = /^([A-Za-z0-9-]{1,35})\.(json3|vtt|srt)$/.exec(endingOf(name));
    if (!found) return [];
    const key = found[1]!;
    // Automatic captions in the original language exist under both names.
    const lang = key.replace(/-orig$/, '');
    if (lang !== key && endings.has(`${lang}.${found[2]}`)) return [];
    const source = manual[key] ? 'user' : 'auto';
    const track = (manual[key] ?? automatic[lang] ?? automatic[key])?.[0]?.name;
    return [{ lang, source, name: typeof track === 'string' && track ? track.slice(0, 100) : lang, path: join(folder, name) }];
  });
  const info = asInfo(json);
  return {
    info,
    isLow: isLowAndBest(info, json),
    infoPath,
    stem,
    thumbnailPath: picture ? join(folder, picture) : null,
    subtitles,
  };
}

/** Collects all files. Of several media files the largest is used. */
async function collectFiles(folder: string, stderr: string): Promise<FetchedVideo> {
  const { stem, isLow, ...details } = await collectDetails(folder);
  const media = (await readdir(folder)).filter(
    (name) => name.startsWith(`${stem}.`) && mediaEndings.has(name.slice(stem.length + 1)),
  );
  if (media.length === 0) throw new YtdlpFailed({ kind: 'incomplete', message: message('failure.no-file') });
  const sizes = await Promise.all(media.map(async (name) => ({ name, size: (await stat(join(folder, name))).size })));
  sizes.sort((a, b) => b.size - a.size);
  return { ...details, limitedBy: isLow ? skippedFormatsOf(stderr) : null, mediaPath: join(folder, sizes[0]!.name) };
}

/** Calls yt-dlp, and once more as a browser if the host admits only browsers. */
async function againAsBrowser<T>(ytdlp: Ytdlp, url: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof YtdlpFailed) || !isForBrowsers(ytdlp, url, error.failure)) throw error;
    return call();
  }
}

const maxWarnings = 100_000;

type DetailOptions = Pick<FetchOptions, 'url' | 'folder' | 'settings' | 'signal'>;

/**
 * Downloads info.json, thumbnail, subtitles and comments of a video without its media.
 * @throws YtdlpFailed, or the reason of the signal
 */
export const fetchDetails = (ytdlp: Ytdlp, options: DetailOptions): Promise<FetchedDetails> =>
  againAsBrowser(ytdlp, options.url, () => fetchDetailsOnce(ytdlp, options));

async function fetchDetailsOnce(ytdlp: Ytdlp, { url, folder, settings, signal }: DetailOptions) {
  const jar = await openCookieJar(ytdlp.jar, url);
  const preferences = detailOptions(settings, ytdlp.poToken);
  let isSuccess = false;
  try {
    const { args, input, env } = callOptions(ytdlp, url, [...jar.options, ...preferences, `--paths=${folder}`]);
    await run(ytdlp.program.command, args, { cwd: folder, signal, input, env, onStderr: jar.onStderr });
    isSuccess = true;
  } catch (error) {
    throw asYtdlpFailed(error);
  } finally {
    await jar.close(isSuccess);
  }
  return collectDetails(folder);
}

/** Failure of a video that is live or has just ended. */
export const isStillDownloading: Failure = {
  kind: 'not-yet',
  message: message('failure.live'),
  againInSeconds: 3600,
};

const bypassesProxyFailure: Failure = {
  kind: 'refused',
  message: message('failure.protocol'),
};

/**
 * Downloads a video with all related files in one run of yt-dlp. Partial files stay in the folder.
 * @throws YtdlpFailed, or the reason of the signal
 */
export const fetchVideo = (ytdlp: Ytdlp, options: FetchOptions): Promise<FetchedVideo> =>
  againAsBrowser(ytdlp, options.url, () => fetchVideoOnce(ytdlp, options));

export interface TransferOptions extends Omit<FetchOptions, 'settings' | 'choice'> {
  options: string[];
  infoPath?: string;
  /** yt-dlp is ended at such a line of its output. */
  until?: RegExp;
  /** Called with other lines than progress. */
  onLine?(line: string): void;
}

/** Downloads media with yt-dlp into a folder. Returns its warnings. */
export async function transfer(
  ytdlp: Ytdlp,
  { url, folder, options, infoPath, until, signal, onProgress, onStage, onLine, stallMs = defaultStallMs }: TransferOptions,
): Promise<string> {
  const jar = await openCookieJar(ytdlp.jar, url);
  const { args, input, env } = callOptions(ytdlp, url, [...jar.options, ...options, `--paths=${folder}`], infoPath);
  let isSuccess = false;
  let isLeftOut = false;
  let isPastProxy = false;
  let stderr = '';
  const stall = watchForStall(stallMs);
  try {
    for await (const line of lines(ytdlp.program.command, args, {
      cwd: folder,
      signal: AbortSignal.any([signal, stall.signal]),
      input,
      env,
      beginnings,
      onStderr(text) {
        jar.onStderr(text);
        stderr = (stderr + text).slice(-maxWarnings);
      },
    })) {
      const progress = readProgress(line);
      if (progress) {
        stall.onProgress(progress);
        onProgress(progress);
      } else {
        stall.onLine(line);
        onLine?.(line);
        if (until?.test(line)) break;
        isPastProxy ||= bypassesProxy.test(line);
        isLeftOut ||= /does not pass filter/.test(line);
        const stage = stages.find(([pattern]) => pattern.test(line))?.[1];
        if (stage) onStage(stage);
      }
    }
    isSuccess = true;
  } catch (error) {
    throw isPastProxy ? new YtdlpFailed(bypassesProxyFailure) : asYtdlpFailed(error);
  } finally {
    stall.disarm();
    await jar.close(isSuccess);
  }
  if (isLeftOut) throw new YtdlpFailed(isStillDownloading);
  return stderr;
}

async function fetchVideoOnce(ytdlp: Ytdlp, { settings, choice, ...fetching }: FetchOptions): Promise<FetchedVideo> {
  const options = downloadOptions(settings, choice, ytdlp.poToken);
  const warnings = await transfer(ytdlp, { ...fetching, options });
  const fetched = await collectFiles(fetching.folder, warnings);
  return choice.audioOnly ? { ...fetched, limitedBy: null, info: { ...fetched.info, wantsVideo: false } } : fetched;
}

/**
 * Downloads one sound track of a video next to it. Returns its path.
 * @throws YtdlpFailed, or the reason of the signal
 */
export async function fetchSound(
  ytdlp: Ytdlp,
  { settings, sound, ...fetching }: Omit<FetchOptions, 'choice'> & { infoPath: string; sound: OfferedSound },
): Promise<string> {
  const options = soundOptions(settings, sound, ytdlp.poToken);
  await againAsBrowser(ytdlp, fetching.url, () => transfer(ytdlp, { ...fetching, options }));
  const names = await readdir(fetching.folder);
  const name = names.find((one) => one.startsWith(`sound-${sound.formatId}.`) && mediaEndings.has(extname(one).slice(1)));
  if (!name) throw new YtdlpFailed({ kind: 'incomplete', message: message('failure.no-file') });
  return join(fetching.folder, name);
}

/**
 * Downloads a copy of a video as H.264 and AAC. Returns its path.
 * @throws YtdlpFailed, or the reason of the signal
 */
export async function fetchSmallCopy(
  ytdlp: Ytdlp,
  {
    settings,
    height,
    hasSound,
    ...fetching
  }: Omit<FetchOptions, 'choice'> & { infoPath?: string; height: number; hasSound: boolean },
): Promise<string> {
  const options = smallCopyOptions(settings, { height, hasSound }, ytdlp.poToken);
  await againAsBrowser(ytdlp, fetching.url, () => transfer(ytdlp, { ...fetching, options }));
  const names = await readdir(fetching.folder);
  const name = names.find((one) => one.startsWith('small.') && mediaEndings.has(extname(one).slice(1)));
  if (!name) throw new YtdlpFailed({ kind: 'incomplete', message: message('failure.no-file') });
  return join(fetching.folder, name);
}
