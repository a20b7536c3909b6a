import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { aptEnvironment, aptSteps } from '../process/apt.ts';
import { findProgram } from '../process/find-program.ts';
import { runDetached } from '../process/run-detached.ts';
import { run } from '../process/run.ts';

/** Absolute paths of ffmpeg and ffprobe. */
export interface Ffmpeg {
  ffmpeg: string;
  ffprobe: string;
  version: string;
  /** Its output for `-bsfs`, from which yt-dlp reads the version and features. */
  features: string;
}

interface Logger {
  info(text: string): void;
  warn(about: object, text: string): void;
}

const never = new AbortController().signal;

/** Finds ffmpeg and ffprobe at the configured path or on PATH. Null if one is missing or does not run. */
export async function findFfmpeg(configured?: string): Promise<Ffmpeg | null> {
  const ffmpeg = await findProgram(configured ?? 'ffmpeg');
  if (!ffmpeg) return null;
  const ffprobe = (await findProgram(join(dirname(ffmpeg), 'ffprobe'))) ?? (await findProgram('ffprobe'));
  if (!ffprobe) return null;
  try {
    const { stdout, stderr } = await run(ffmpeg, ['-bsfs'], { cwd: '/', signal: never, timeMs: 10_000 });
    return { ffmpeg, ffprobe, version: /version (\S+)/.exec(stderr)?.[1] ?? 'unknown', features: stderr + stdout };
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
 * Installs ffmpeg with the package manager of the system if the process runs as root, else returns null. The output of the
 * package manager is written to `install.log` in the folder.
 */
export async function installFfmpeg(folder: string, log: Logger): Promise<Ffmpeg | null> {
  if (process.getuid?.() !== 0) return null;
  for (const [name, ...steps] of installers) {
    const program = await findProgram(name);
    if (!program) continue;
    try {
      await mkdir(folder, { recursive: true });
      for (const args of steps)
        await runDetached(program, args, { outputPath: join(folder, 'install.log'), env: aptEnvironment });
      return await findFfmpeg();
    } catch (error) {
      log.warn({ reason: (error as Error).message }, `${name} could not install ffmpeg`);
    }
  }
  return null;
}

// Only files, and only formats and decoders that sites use. The other decoders of ffmpeg are the largest attack surface:
// CVE-2026-8461 was a heap write in MagicYUV, reached by creating a thumbnail.
const formats = 'mov,matroska,webm,mp3,ogg,flac,wav,aac,webvtt,srt';
const codecs =
  'h264,hevc,vp8,vp9,av1,libdav1d,libaom-av1,aac,mp3,mp3float,opus,libopus,vorbis,flac,alac,ac3,eac3,pcm_s16le,mov_text,webvtt,subrip,srt,ass,ssa,mjpeg,png,webp,libvpx-vp9';

const knownCodecs = new Set(codecs.split(','));
/** Whether the restricted ffmpeg decodes a codec, by its name in ffprobe. */
export const isDecodable = (codec: string): boolean => knownCodecs.has(codec);

/** Options that restrict an input of ffmpeg or ffprobe; they precede it. */
export const resourceLimits = (format: string = formats) => [
  '-protocol_whitelist',
  'file,pipe',
  '-format_whitelist',
  format,
  '-codec_whitelist',
  codecs,
];

/** Arguments for a media file as a restricted input: never a pattern, a protocol or an option. */
export const fromMedia = (path: string) => [...resourceLimits(), '-i', `file:${path}`];

// Additional formats that yt-dlp passes to ffmpeg: stream fragments, chapters and covers.
const ytdlpInputLimits = resourceLimits(`${formats},mpegts,flv,ffmetadata,jpeg_pipe,png_pipe,webp_pipe,image2`).join(' ');
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

// Every input of ffmpeg follows -i; ffprobe has a single input and accepts the options anywhere. Each yt-dlp asks ffmpeg for its
// features, whose start takes 0.1 s of processor time where it is linked with 200 libraries (Debian).
const wrappers = {
  ffmpeg: ({ ffmpeg, features }: Ffmpeg) => `#!/bin/sh
if [ "$*" = -bsfs ]; then
  printf '%s' ${quoted(features)}
  exit
fi
n=$#
while [ "$n" -gt 0 ]; do
  a=$1
  shift
  if [ "$a" = "-i" ]; then set -- "$@" ${ytdlpInputLimits} -i; else set -- "$@" "$a"; fi
  n=$((n - 1))
done
exec ${quoted(ffmpeg)} "$@"
`,
  ffprobe: ({ ffprobe }: Ffmpeg) => `#!/bin/sh
exec ${quoted(ffprobe)} ${ytdlpInputLimits} "$@"
`,
};

/**
 * Writes wrapper scripts for ffmpeg and ffprobe, which add the restrictions to every input, because yt-dlp calls both itself.
 * Returns the folder; existing scripts are kept.
 */
export async function wrapFfmpeg(programs: Ffmpeg, folder: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const name of ['ffmpeg', 'ffprobe'] as const) {
    const path = join(folder, name);
    const text = wrappers[name](programs);
    if ((await readFile(path, 'utf8').catch(() => '')) === text) continue;
    await writeFile(path, text);
    await chmod(path, 0o700);
  }
  return folder;
}

/** Deletes the wrapper scripts. */
export const removeWrappers = (folder: string) =>
  Promise.all(Object.keys(wrappers).map((name) => rm(join(folder, name), { force: true })));
