import type { AppContext } from '../../platform/context/app-context.ts';
import { findFfmpeg, installFfmpeg, removeWrappers, wrapFfmpeg, type Ffmpeg } from '../../platform/media/ffmpeg.ts';
import { message } from '#contract/messages.ts';
import { MessageError } from '../../platform/messages/message-error.ts';
import { readPoTokenSettings } from '../settings/po-tokens.ts';
import { findPackages } from '../../platform/ytdlp/python-packages.ts';
import { toolsFolderOf } from '../../platform/context/tools.ts';
import { pathFolder } from '../../platform/ytdlp/path-folder.ts';
import { findPotPlugin, providePotPlugin } from '../../platform/ytdlp/pot-plugin.ts';
import { findYtdlp, oldestUsed, installYtdlp, type Program } from '../../platform/ytdlp/find-ytdlp.ts';

async function useFfmpeg(app: AppContext, found: Ffmpeg | null) {
  const { tools } = app;
  const folder = pathFolder(toolsFolderOf(app));
  if (found) tools.ffmpegFolder = await wrapFfmpeg(found, folder);
  else await removeWrappers(folder);
  tools.ffmpeg = found;
}

/** Looks for yt-dlp and ffmpeg at the configured paths, in the tools folder and on PATH. */
export async function findTools(app: AppContext) {
  try {
    await lookForTools(app);
  } finally {
    app.tools.searched.resolve();
  }
}

async function lookForTools(app: AppContext) {
  const { config, tools, log } = app;
  const onTooOld = (program: Program) => {
    tools.tooOldYtdlp = program;
    log.warn(`${program.command} is yt-dlp ${program.version}, too old to be used; ${oldestUsed} or newer is needed`);
  };
  const [ytdlp, ffmpeg] = await Promise.all([
    findYtdlp(config.ytdlpPath, toolsFolderOf(app), onTooOld),
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
  tools.packages = await findPackages(toolsFolderOf(app));
  tools.pluginsFolder = await findPotPlugin(toolsFolderOf(app));
  await useFfmpeg(app, ffmpeg);
  if (tools.ytdlp) log.info(`yt-dlp ${tools.ytdlp.version}`);
  if (tools.ffmpeg) log.info(`ffmpeg ${tools.ffmpeg.version}`);
}

declare module '../../platform/context/app-state.ts' {
  interface AppState {
    /** The last installation of the yt-dlp plugin for PO tokens. */
    potPlugin: { installed: Promise<void>; at: number; isRunning: boolean; ending: AbortController } | null;
  }
}

// Without a connection to the package index each attempt takes minutes.
const retryPluginSeconds = 600;

/**
 * Installs the yt-dlp plugin for PO tokens unless it is installed. Concurrent calls share an installation; after a failure it is
 * tried again ten minutes later, or at once if `isRetry` is set.
 * @throws MessageError
 */
export function installPotPlugin(app: AppContext, { isRetry = false } = {}): Promise<void> {
  const { tools, state, now } = app;
  if (tools.pluginsFolder) return Promise.resolve();
  const { potPlugin } = state;
  const isRecent = potPlugin !== null && now() < potPlugin.at + retryPluginSeconds;
  if (potPlugin && (potPlugin.isRunning || (isRecent && !isRetry))) return potPlugin.installed;
  const attempt = { installed: Promise.resolve(), at: now(), isRunning: true, ending: new AbortController() };
  attempt.installed = installPlugin(app, attempt.ending.signal).finally(() => (attempt.isRunning = false));
  state.potPlugin = attempt;
  return attempt.installed;
}

/** Installs the plugin as `installPotPlugin` does, and logs a failure. */
export const tryToInstallPotPlugin = (app: AppContext): Promise<void> =>
  installPotPlugin(app).catch((error: Error) => {
    if (!app.state.potPlugin?.ending.signal.aborted) app.log.warn(error.message);
  });

async function installPlugin(app: AppContext, signal: AbortSignal): Promise<void> {
  const { tools, log } = app;
  try {
    tools.pluginsFolder = await providePotPlugin(toolsFolderOf(app), signal);
    log.info('installed the yt-dlp plugin for PO tokens');
  } catch (error) {
    // The address of a package index may contain a password.
    const reason = (error as Error).message.replace(/\/\/[^\s/@]*@/g, '//').replace(/\.?$/, '.');
    throw new MessageError(message('pot.plugin', { reason }));
  }
}

async function installMissingYtdlp(app: AppContext, signal: AbortSignal) {
  const { config, tools, log } = app;
  if (tools.ytdlp) return;
  log.info('yt-dlp not found; downloading it');
  try {
    tools.ytdlp = await installYtdlp(toolsFolderOf(app), {
      fetch: tools.proxy.fetch,
      releaseKey: tools.releaseKey,
      log,
      signal,
      // With a configured path no other yt-dlp of the machine is used.
      mayInstall: !config.ytdlpPath,
    });
  } catch (error) {
    signal.throwIfAborted();
    tools.whyNoYtdlp = (error as Error).message;
  }
}

/** Installs missing programs in the background. Failures are logged once; the queue then waits. */
export async function installMissingTools(app: AppContext, signal: AbortSignal) {
  const { config, tools, log } = app;
  try {
    await installMissingYtdlp(app, signal).finally(() => tools.ytdlpSought.resolve());
    // With a configured path no other ffmpeg of the machine is used.
    if (!tools.ffmpeg && !config.ffmpegPath && !signal.aborted) {
      log.info('ffmpeg not found; installing it');
      await useFfmpeg(app, await installFfmpeg(toolsFolderOf(app), log));
    }
  } catch (error) {
    if (!signal.aborted) log.warn({ err: error }, 'cannot install a program');
  }
  tools.ffmpegSought.resolve();
  if (signal.aborted) return;
  const { po_tokens } = await readPoTokenSettings(app);
  if (po_tokens === 'provider' || po_tokens === 'always') await tryToInstallPotPlugin(app);
  if (signal.aborted) return;
  if (!tools.ytdlp)
    log.warn(
      { why: tools.whyNoYtdlp },
      'yt-dlp could not be installed. Install it (pip install --upgrade "yt-dlp[default]"), or set REELKEEP_YTDLP to its path, then restart.',
    );
  if (!tools.ffmpeg)
    log.warn(
      'ffmpeg could not be installed. Install it with your package manager, or set REELKEEP_FFMPEG to its path, then restart.',
    );
  app.announce('download');
}
