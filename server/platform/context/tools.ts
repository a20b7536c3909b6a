import { message, type Message } from '#contract/messages.ts';
import { once } from 'node:events';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Config } from '../config/config.ts';
import type { ForwardProxy } from '../egress/forward-proxy.ts';
import type { Ffmpeg } from '../media/ffmpeg.ts';
import { ytdlpReleaseKey } from '../ytdlp/release-key.ts';
import type { Program } from '../ytdlp/find-ytdlp.ts';
import type { Ytdlp } from '../ytdlp/options.ts';
import type { SolverProof } from '../ytdlp/prove-solver.ts';

/** Python packages that complete yt-dlp. */
export type YtdlpPart = 'solver' | 'aes' | 'impersonation';

/** External programs and the forward proxy. */
export interface Tools {
  ytdlp: Program | null;
  /** Why no yt-dlp could be installed, if it was tried. */
  whyNoYtdlp?: string;
  /** An installed yt-dlp that is too old. */
  tooOldYtdlp: Program | null;
  ffmpeg: Ffmpeg | null;
  /** Folder with ffmpeg and ffprobe for yt-dlp. */
  ffmpegFolder: string | null;
  /** Folder of the plugin for a token provider, if installed. */
  pluginsFolder: string | null;
  /** Folders of Python packages that complete yt-dlp, if installed. */
  packages: Ytdlp['packages'];
  /** What yt-dlp has shown of its parts; null until it has been tried. */
  solver: (SolverProof & { version: string }) | null;
  /** Why a part could not be installed, by its name. */
  missingParts: Partial<Record<YtdlpPart, string>>;
  readonly browserHosts: Ytdlp['browserHosts'];
  /** Resolves when the programs have been looked for. Only then is one that is null missing: requests at the start wait for it. */
  readonly searched: PromiseWithResolvers<void>;
  /** Resolves when yt-dlp is installed or its installation failed. Tasks wait for it. */
  readonly ytdlpSought: PromiseWithResolvers<void>;
  /** As `ytdlpSought`, for ffmpeg. */
  readonly ffmpegSought: PromiseWithResolvers<void>;
  readonly proxy: ForwardProxy;
  /** OpenPGP key that signs yt-dlp releases; tests use their own. */
  releaseKey: string;
}

/** Initial state, before programs are searched. */
export const noTools = (proxy: ForwardProxy): Tools => ({
  ytdlp: null,
  tooOldYtdlp: null,
  ffmpeg: null,
  ffmpegFolder: null,
  pluginsFolder: null,
  packages: { solver: null, impersonation: null },
  solver: null,
  missingParts: {},
  browserHosts: new Set(),
  proxy,
  releaseKey: ytdlpReleaseKey,
  searched: Promise.withResolvers<void>(),
  ytdlpSought: Promise.withResolvers<void>(),
  ffmpegSought: Promise.withResolvers<void>(),
});

/** Folder of programs installed by Reelkeep. */
export const toolsFolderOf = ({ config }: { config: Config }) => join(config.dataFolder, 'tools');

/** Returns a program, or null if it is not installed. At the start of the server it waits until it has been looked for. */
export async function toolOf<Name extends ToolName>(tools: Tools, name: Name): Promise<Tools[Name]> {
  await tools.searched.promise;
  return tools[name];
}

export type ToolName = 'ytdlp' | 'ffmpeg';

/** Returns whether a program is installed or its installation failed. */
export const isSought = (tools: Tools, name: ToolName) =>
  Promise.race([tools[`${name}Sought`].promise.then(() => true), nextTurn(false)]);

/** Waits until these programs are installed or their installation failed. Calls `onWait` with a message only if it has to wait. */
export async function awaitTools(
  tools: Tools,
  names: readonly ToolName[],
  signal: AbortSignal,
  onWait: (waiting: Message) => void,
) {
  for (const name of names) {
    if (tools[name]) continue;
    if (await isSought(tools, name)) continue;
    onWait(message('queue.installing', { program: name === 'ytdlp' ? 'yt-dlp' : 'ffmpeg' }));
    await Promise.race([tools[`${name}Sought`].promise, once(signal, 'abort')]);
    signal.throwIfAborted();
  }
}
