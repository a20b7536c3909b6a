import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { aptEnvironment, aptSteps } from '../child/apt.ts';
import { findProgram } from '../child/find-program.ts';
import { letRun } from '../child/let-run.ts';
import { run } from '../child/run.ts';

/** ffmpeg and its ffprobe, by their absolute paths. */
export interface Ffmpeg {
  ffmpeg: string;
  ffprobe: string;
  version: string;
}

interface Words {
  info(words: string): void;
  warn(about: object, words: string): void;
}

const never = new AbortController().signal;

/** Finds ffmpeg with its ffprobe: the configured path, else the PATH. Null when either is missing or does not run. */
export async function findFfmpeg(configured?: string): Promise<Ffmpeg | null> {
  const ffmpeg = await findProgram(configured ?? 'ffmpeg');
  if (!ffmpeg) return null;
  const ffprobe = (await findProgram(join(dirname(ffmpeg), 'ffprobe'))) ?? (await findProgram('ffprobe'));
  if (!ffprobe) return null;
  try {
    const { stdout } = await run(ffmpeg, ['-hide_banner', '-version'], { cwd: '/', signal: never, timeMs: 10_000 });
    return { ffmpeg, ffprobe, version: /version (\S+)/.exec(stdout)?.[1] ?? 'unknown' };
  } catch {
    return null;
  }
}

const installers: [program: string, ...steps: string[][]][] = [
  ['apt-get', ...aptSteps('ffmpeg')],
  ['apk', ['add', 'ffmpeg']],
  ['dnf', ['install', '-y', 'ffmpeg-free']],
];

/**
 * Installs ffmpeg with the system's package manager, where we are root; null when that is not possible. What the package
 * manager says goes to `install.log` in the folder.
 */
export async function provideFfmpeg(folder: string, log: Words): Promise<Ffmpeg | null> {
  if (process.getuid?.() !== 0) return null;
  for (const [name, ...steps] of installers) {
    const program = await findProgram(name);
    if (!program) continue;
    try {
      await mkdir(folder, { recursive: true });
      for (const args of steps) await letRun(program, args, { outputPath: join(folder, 'install.log'), env: aptEnvironment });
      return await findFfmpeg();
    } catch (error) {
      log.warn({ reason: (error as Error).message }, `${name} could not install ffmpeg`);
    }
  }
  return null;
}

// Nothing but files, and only formats and decoders that the sites really send. ffmpeg's other decoders are the largest
// attack surface there is here: CVE-2026-8461 was a heap write in MagicYUV, reached by making a thumbnail.
const formats = 'mov,matroska,webm,mp3,ogg,flac,wav,aac,webvtt,srt';
const codecs =
  'h264,hevc,vp8,vp9,av1,libdav1d,libaom-av1,aac,mp3,mp3float,opus,libopus,vorbis,flac,alac,ac3,eac3,pcm_s16le,mov_text,webvtt,subrip,srt,ass,ssa,mjpeg,png,webp,libvpx-vp9';

/** The bounds that stand before every input of ffmpeg and ffprobe. */
export const bounds = (format: string = formats) => [
  '-protocol_whitelist',
  'file,pipe',
  '-format_whitelist',
  format,
  '-codec_whitelist',
  codecs,
];

/** A media file as an input, with its bounds: never a pattern, a protocol or an option. */
export const fromMedia = (path: string) => [...bounds(), '-i', `file:${path}`];

// What yt-dlp itself hands to ffmpeg, beside media: what it fetched of a stream, chapters to embed, and a cover.
const handed = bounds(`${formats},mpegts,flv,ffmetadata,jpeg_pipe,png_pipe,webp_pipe,image2`).join(' ');
const quoted = (path: string) => `'${path.replaceAll("'", "'\\''")}'`;

// Every input of ffmpeg follows -i; ffprobe has one, and takes its bounds anywhere.
const wrappers = {
  ffmpeg: (path: string) => `#!/bin/sh
n=$#
while [ "$n" -gt 0 ]; do
  a=$1
  shift
  if [ "$a" = "-i" ]; then set -- "$@" ${handed} -i; else set -- "$@" "$a"; fi
  n=$((n - 1))
done
exec ${quoted(path)} "$@"
`,
  ffprobe: (path: string) => `#!/bin/sh
exec ${quoted(path)} ${handed} "$@"
`,
};

/**
 * yt-dlp calls ffmpeg by itself, to merge and to embed. It is given this folder instead, in which both programs are
 * small scripts that put the bounds before every input. Answers the folder; writes it once.
 */
export async function wrapFfmpeg(programs: Ffmpeg, folder: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const name of ['ffmpeg', 'ffprobe'] as const) {
    const path = join(folder, name);
    const text = wrappers[name](programs[name]);
    if ((await readFile(path, 'utf8').catch(() => '')) === text) continue;
    await writeFile(path, text);
    await chmod(path, 0o700);
  }
  return folder;
}
