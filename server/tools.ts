import { join } from 'node:path';
import type { Archive } from './archive.ts';
import type { Gate } from './egress/gate.ts';
import { findFfmpeg, provideFfmpeg, wrapFfmpeg, type Ffmpeg } from './media/ffmpeg.ts';
import { currentSettings } from './settings/read.ts';
import { findPotPlugin, providePotPlugin } from './ytdlp/pot-plugin.ts';
import { findYtdlp, oldestUsed, provideYtdlp, type Program } from './ytdlp/program.ts';

/** The programs we run, as far as they are there, and the way out to the internet. */
export interface Tools {
  ytdlp: Program | null;
  /** One that is there, too old to be used. */
  tooOldYtdlp: Program | null;
  ffmpeg: Ffmpeg | null;
  /** ffmpeg and ffprobe as yt-dlp gets them. */
  ffmpegFolder: string | null;
  /** The plugin that asks a token provider, where it was brought. */
  pluginsFolder: string | null;
  /** Kept when yt-dlp is there, or could not be had: what is asked for while it is being fetched waits for that. */
  readonly ytdlpSought: PromiseWithResolvers<void>;
  readonly gate: Gate;
}

/** None is found yet. */
export const noTools = (gate: Gate): Tools => ({
  ytdlp: null,
  tooOldYtdlp: null,
  ffmpeg: null,
  ffmpegFolder: null,
  pluginsFolder: null,
  gate,
  ytdlpSought: Promise.withResolvers<void>(),
});

/** Where programs are that we brought. */
export const toolsFolderOf = ({ config }: Pick<Archive, 'config'>) => join(config.dataFolder, 'tools');

async function useFfmpeg(archive: Archive, found: Ffmpeg | null) {
  const { tools } = archive;
  if (found) tools.ffmpegFolder = await wrapFfmpeg(found, join(toolsFolderOf(archive), 'bounded'));
  tools.ffmpeg = found;
}

/** Looks for yt-dlp and ffmpeg where they were configured, where they were brought to, and on the path. */
export async function findTools(archive: Archive) {
  const { config, tools, log } = archive;
  const onTooOld = (program: Program) => {
    tools.tooOldYtdlp = program;
    log.warn(`${program.command} is yt-dlp ${program.version}, too old to be used; ${oldestUsed} or newer is needed`);
  };
  const [ytdlp, ffmpeg] = await Promise.all([
    findYtdlp(config.ytdlpPath, toolsFolderOf(archive), onTooOld),
    findFfmpeg(config.ffmpegPath),
  ]);
  tools.ytdlp = ytdlp;
  if (config.ytdlpPath && ytdlp?.command !== config.ytdlpPath && !tools.tooOldYtdlp)
    log.warn(
      `REELKEEP_YTDLP names ${config.ytdlpPath}, which is not there or does not run; ${ytdlp ? `${ytdlp.command} is used` : 'one of our own is brought'} instead`,
    );
  if (config.ffmpegPath && !ffmpeg)
    log.warn(
      `REELKEEP_FFMPEG names ${config.ffmpegPath}, which is not there or does not run (with its ffprobe), and nothing is used instead; correct it, or take it away`,
    );
  tools.pluginsFolder = await findPotPlugin(toolsFolderOf(archive));
  await useFfmpeg(archive, ffmpeg);
  if (tools.ytdlp) log.info(`yt-dlp ${tools.ytdlp.version}`);
  if (tools.ffmpeg) log.info(`ffmpeg ${tools.ffmpeg.version}`);
}

/** Brings the plugin for a token provider, where somebody has set the address of one. */
export async function bringPotPlugin(archive: Archive, signal: AbortSignal = new AbortController().signal): Promise<void> {
  const { tools, log } = archive;
  const { downloads } = await currentSettings(archive);
  if (!downloads.pot_provider_url || tools.pluginsFolder) return;
  try {
    tools.pluginsFolder = await providePotPlugin(toolsFolderOf(archive), signal);
    log.info('the plugin for the token provider is there');
  } catch (error) {
    log.warn({ err: error }, 'the plugin for the token provider could not be had');
  }
}

async function bringYtdlp(archive: Archive, signal: AbortSignal) {
  const { config, tools, log } = archive;
  if (tools.ytdlp) return;
  log.info('yt-dlp is not there; fetching it');
  tools.ytdlp = await provideYtdlp(toolsFolderOf(archive), {
    fetch: tools.gate.fetch,
    log,
    signal,
    // Where a path is named, what the machine has is not looked for.
    mayInstall: !config.ytdlpPath,
  });
}

/** Brings what was not found, in the background; what cannot be had is said once, and the queue waits. */
export async function bringTools(archive: Archive, signal: AbortSignal) {
  const { config, tools, log } = archive;
  try {
    await bringYtdlp(archive, signal).finally(() => tools.ytdlpSought.resolve());
    // One that was named is meant: what the machine has of its own would not be used.
    if (!tools.ffmpeg && !config.ffmpegPath && !signal.aborted) {
      log.info('ffmpeg is not there; installing it');
      await useFfmpeg(archive, await provideFfmpeg(toolsFolderOf(archive), log));
    }
  } catch (error) {
    if (!signal.aborted) log.warn({ err: error }, 'a program could not be brought');
  }
  if (signal.aborted) return;
  await bringPotPlugin(archive, signal);
  if (signal.aborted) return;
  if (!tools.ytdlp)
    log.warn(
      'yt-dlp could not be had. Install it (pip install --upgrade yt-dlp), or name it in REELKEEP_YTDLP, and start again.',
    );
  if (!tools.ffmpeg)
    log.warn('ffmpeg could not be had. Install it with your package manager, or name it in REELKEEP_FFMPEG, and start again.');
  archive.announce('download');
}
