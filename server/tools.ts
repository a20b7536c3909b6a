import { join } from 'node:path';
import type { Archive } from './archive.ts';
import type { Gate } from './egress/gate.ts';
import { findFfmpeg, provideFfmpeg, wrapFfmpeg, type Ffmpeg } from './media/ffmpeg.ts';
import { findYtdlp, provideYtdlp, type Program } from './ytdlp/program.ts';

/** The programs we run, as far as they are there, and the way out to the internet. */
export interface Tools {
  ytdlp: Program | null;
  ffmpeg: Ffmpeg | null;
  /** ffmpeg and ffprobe as yt-dlp gets them. */
  ffmpegFolder: string | null;
  readonly gate: Gate;
}

const toolsFolder = ({ config }: Pick<Archive, 'config'>) => join(config.dataFolder, 'tools');

async function useFfmpeg(archive: Archive, found: Ffmpeg | null) {
  const { tools } = archive;
  if (found) tools.ffmpegFolder = await wrapFfmpeg(found, join(toolsFolder(archive), 'bounded'));
  tools.ffmpeg = found;
}

/** Looks for yt-dlp and ffmpeg where they were configured, where they were brought to, and on the path. */
export async function findTools(archive: Archive) {
  const { config, tools, log } = archive;
  const [ytdlp, ffmpeg] = await Promise.all([findYtdlp(config.ytdlpPath, toolsFolder(archive)), findFfmpeg(config.ffmpegPath)]);
  tools.ytdlp = ytdlp;
  await useFfmpeg(archive, ffmpeg);
  if (tools.ytdlp) log.info(`yt-dlp ${tools.ytdlp.version}`);
  if (tools.ffmpeg) log.info(`ffmpeg ${tools.ffmpeg.version}`);
}

/** Brings what was not found, in the background; what cannot be had is said once, and the queue waits. */
export async function bringTools(archive: Archive, signal: AbortSignal) {
  const { tools, log } = archive;
  try {
    if (!tools.ytdlp) {
      log.info('yt-dlp is not there; fetching it');
      tools.ytdlp = await provideYtdlp(toolsFolder(archive), tools.gate.fetch, log);
    }
    if (!tools.ffmpeg && !signal.aborted) {
      log.info('ffmpeg is not there; installing it');
      await useFfmpeg(archive, await provideFfmpeg(toolsFolder(archive), log));
    }
  } catch (error) {
    log.warn({ err: error }, 'a program could not be brought');
  }
  if (signal.aborted) return;
  if (!tools.ytdlp)
    log.warn('yt-dlp could not be had. Install it (pip install yt-dlp), or name it in REELKEEP_YTDLP, and start again.');
  if (!tools.ffmpeg)
    log.warn('ffmpeg could not be had. Install it with your package manager, or name it in REELKEEP_FFMPEG, and start again.');
  archive.announce('download');
}
