import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Settings } from '#contract/settings.ts';
import { lines, run } from '../child/run.ts';
import { asYtdlpFailed, YtdlpFailed, type Failure } from './failure.ts';
import { openJar } from './jar.ts';
import { asInfo, readJson, type VideoInfo } from './info.ts';
import { alwaysOptions, detailOptions, discreetly, downloadOptions, type Choice, type Ytdlp } from './options.ts';
import { beginnings, readProgress, type Progress } from './progress.ts';

interface Wish {
  url: string;
  /** Private to this download; what an earlier try left there is gone on with. */
  folder: string;
  settings: Settings['downloads'];
  choice: Choice;
  signal: AbortSignal;
  onProgress(progress: Progress): void;
  onStage(stage: string): void;
  /** How long yt-dlp may say nothing; see ChildOptions. */
  silenceMs?: number;
}

/** What yt-dlp left in the folder. */
export interface Fetched {
  info: VideoInfo;
  infoPath: string;
  mediaPath: string;
  thumbnailPath: string | null;
  subtitles: { lang: string; source: 'user' | 'auto'; name: string; path: string }[];
}

// Only these are taken from the folder, whatever else was put there.
const mediaEndings = new Set(['mp4', 'm4v', 'mkv', 'webm', 'mov', 'm4a', 'mp3', 'opus', 'ogg', 'flac', 'wav', 'aac']);
const pictureEndings = ['jpg', 'jpeg', 'png', 'webp'];

const stages: [pattern: RegExp, stage: string][] = [
  [/^\[Merger\]/, 'Putting picture and sound together.'],
  [/^\[(Fixup\w*|VideoRemuxer|MoveFiles)\]/, 'Putting it in order.'],
  [/^\[(Metadata|EmbedThumbnail|ThumbnailsConvertor)\]/, 'Embedding what belongs to it.'],
  [/^\[info\] .*Downloading subtitles|^\[download\] .*\.(vtt|json3)$/, 'Fetching subtitles.'],
  [/Downloading comment/, 'Fetching comments.'],
];

const infoEnding = '.info.json';

/** Reads what is in the folder beside media. The names of the tracks are in the information that came along. */
async function takeDetails(folder: string): Promise<Omit<Fetched, 'mediaPath'> & { stem: string }> {
  const names = await readdir(folder);
  const infoName = names.find((name) => name.endsWith(infoEnding));
  if (!infoName)
    throw new YtdlpFailed({
      kind: 'ytdlp',
      message: 'yt-dlp ended without saying anything of the video. A newer one may mend it.',
    });
  const infoPath = join(folder, infoName);
  const json = readJson(await readFile(infoPath, 'utf8'));
  const stem = infoName.slice(0, -infoEnding.length);
  const endingOf = (name: string) => (name.startsWith(`${stem}.`) ? name.slice(stem.length + 1) : '');
  const picture = pictureEndings.map((ending) => `${stem}.${ending}`).find((name) => names.includes(name));

  const tracks = (key: string) =>
    ((json as Record<string, unknown>)[key] ?? {}) as Record<string, { name?: unknown }[] | undefined>;
  const [written, automatic] = [tracks('subtitles'), tracks('automatic_captions')];
  const subtitles = names.flatMap((name): Fetched['subtitles'] => {
    const found = /^([A-Za-z0-9-]{1,35})\.(json3|vtt)$/.exec(endingOf(name));
    if (!found) return [];
    const lang = found[1]!;
    const source = written[lang] ? 'user' : 'auto';
    const track = (written[lang] ?? automatic[lang])?.[0]?.name;
    return [{ lang, source, name: typeof track === 'string' && track ? track.slice(0, 100) : lang, path: join(folder, name) }];
  });
  return {
    info: asInfo(json),
    infoPath,
    stem,
    thumbnailPath: picture ? join(folder, picture) : null,
    subtitles,
  };
}

/** The same with the media: of several files the largest. */
async function takeStock(folder: string): Promise<Fetched> {
  const { stem, ...details } = await takeDetails(folder);
  const media = (await readdir(folder)).filter(
    (name) => name.startsWith(`${stem}.`) && mediaEndings.has(name.slice(stem.length + 1)),
  );
  if (media.length === 0) throw new YtdlpFailed({ kind: 'incomplete', message: 'No file arrived. Try again.' });
  const sizes = await Promise.all(media.map(async (name) => ({ name, size: (await stat(join(folder, name))).size })));
  sizes.sort((a, b) => b.size - a.size);
  return { ...details, mediaPath: join(folder, sizes[0]!.name) };
}

/**
 * Fetches all that belongs to a video but its media: information, picture, subtitles, comments. Throws YtdlpFailed, or the
 * signal's reason.
 */
export async function fetchDetails(
  ytdlp: Ytdlp,
  { url, folder, settings, signal }: Pick<Wish, 'url' | 'folder' | 'settings' | 'signal'>,
): Promise<Omit<Fetched, 'mediaPath'>> {
  const jar = await openJar(ytdlp.jar, url);
  const wishes = detailOptions(settings, ytdlp.poToken.token);
  try {
    const { args, input } = discreetly([...alwaysOptions(ytdlp), ...jar.options, ...wishes, `--paths=${folder}`]);
    await run(ytdlp.program.command, [...args, '--', url], { cwd: folder, signal, input });
  } catch (error) {
    throw asYtdlpFailed(error);
  } finally {
    await jar.close();
  }
  return takeDetails(folder);
}

/** What is said of a video that is live, or has just been. */
export const stillOn: Failure = {
  kind: 'not-yet',
  message: 'It is live, or has only just ended. It is fetched when it is over.',
  againInSeconds: 3600,
};

/**
 * Fetches one video with all that belongs to it into its folder, in one run of yt-dlp. Throws YtdlpFailed, or the signal's
 * reason; what was fetched by then stays in the folder.
 */
export async function fetchVideo(
  ytdlp: Ytdlp,
  { url, folder, settings, choice, signal, onProgress, onStage, silenceMs }: Wish,
): Promise<Fetched> {
  const jar = await openJar(ytdlp.jar, url);
  const wishes = downloadOptions(settings, choice, ytdlp.poToken.token);
  const { args, input } = discreetly([...alwaysOptions(ytdlp), ...jar.options, ...wishes, `--paths=${folder}`]);
  let isLeftOut = false;
  try {
    for await (const line of lines(ytdlp.program.command, [...args, '--', url], {
      cwd: folder,
      signal,
      input,
      beginnings,
      ...(silenceMs && { silenceMs }),
    })) {
      const progress = readProgress(line);
      if (progress) onProgress(progress);
      else {
        isLeftOut ||= /does not pass filter/.test(line);
        const stage = stages.find(([pattern]) => pattern.test(line))?.[1];
        if (stage) onStage(stage);
      }
    }
  } catch (error) {
    throw asYtdlpFailed(error);
  } finally {
    await jar.close();
  }
  if (isLeftOut) throw new YtdlpFailed(stillOn);
  const fetched = await takeStock(folder);
  return choice.audioOnly ? { ...fetched, info: { ...fetched.info, wantsVideo: false } } : fetched;
}
