import { setTimeout as wait } from 'node:timers/promises';
import { message } from '#contract/messages.ts';
import { MessageError } from '../../platform/messages/message-error.ts';
import { limitedNode, pathFolder } from '../../platform/ytdlp/path-folder.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { toolsFolderOf, type Tools, type YtdlpPart } from '../../platform/context/tools.ts';
import { proveSolver, type SolverProof } from '../../platform/ytdlp/prove-solver.ts';
import {
  findPackages,
  provideImpersonation,
  providePythonPackages,
  provideSolver,
} from '../../platform/ytdlp/python-packages.ts';
import { whyNotDownloaded } from '../../platform/ytdlp/release.ts';
import { retryItemsFailedByYtdlp, retryItemsWaitingForImpersonation } from '../../archive/queue/retry-now.ts';
import { findInvalidFormats, type InvalidFormat } from '../../archive/sites/refuse-invalid-format.ts';
import { findUnknownClients } from '../../archive/sites/refuse-unknown-clients.ts';
import { readSettings } from '../../archive/settings/store.ts';

declare module '../../platform/context/app-state.ts' {
  interface AppState {
    /** Stored formats that yt-dlp cannot parse, found when it was installed, updated or started. */
    invalidFormats: InvalidFormat[];
  }
}

/** Lets a yt-dlp, by default the one in use, solve the challenges of a player. */
export async function proveYtdlp(app: ToolContext, signal: AbortSignal, program = app.tools.ytdlp): Promise<SolverProof> {
  if (!program) throw new MessageError(message('queue.no-ytdlp'));
  const { ffmpegFolder, packages } = app.tools;
  const folder = toolsFolderOf(app);
  return proveSolver({ program, node: limitedNode(folder), path: pathFolder(folder), ffmpegFolder, packages }, signal);
}
type ToolContext = Pick<AppContext, 'config' | 'tools'>;

/** Records what the yt-dlp in use shows of its parts. */
export async function proveUsedYtdlp(app: ToolContext, signal: AbortSignal): Promise<ProvenParts> {
  const { tools } = app;
  tools.solver = { ...(await proveYtdlp(app, signal)), version: tools.ytdlp!.version };
  return tools.solver;
}
type ProvenParts = NonNullable<Tools['solver']>;

/** Names of the Python modules of the parts, as yt-dlp lists them. */
export const modulesOfParts: Record<YtdlpPart, string> = {
  solver: 'yt_dlp_ejs',
  aes: 'Cryptodome',
  impersonation: 'curl_cffi',
};

const isManaged = (app: AppContext) => app.tools.ytdlp?.command.startsWith(toolsFolderOf(app)) === true;

/**
 * Returns the parts that yt-dlp lacks. None if it does not list them, as a version of 2025.04.30 without a solver, which needs none.
 */
function missingParts({ parts: { python, libraries }, wantedSolver }: ProvenParts) {
  if (python === null) return [];
  return (Object.keys(modulesOfParts) as YtdlpPart[]).filter(
    (part) => libraries[modulesOfParts[part]] === undefined || (part === 'solver' && wantedSolver !== null),
  );
}

/** Installs a part into the tools folder, or records why it cannot be. Returns whether it was installed. */
async function installPart(app: AppContext, part: YtdlpPart, signal: AbortSignal): Promise<boolean> {
  const { tools, log } = app;
  const folder = toolsFolderOf(app);
  const install = {
    solver: () => provideSolver(folder, tools.ytdlp!.version, signal),
    aes: () => providePythonPackages(folder, signal),
    impersonation: () => provideImpersonation(folder, signal),
  }[part];
  try {
    if (!(await install())) return false;
    log.info(`installed ${modulesOfParts[part]} for yt-dlp`);
    return true;
  } catch (error) {
    signal.throwIfAborted();
    tools.missingParts[part] = whyNotDownloaded(error).slice(0, 300);
    log.warn({ err: error }, `cannot install ${modulesOfParts[part]} for yt-dlp`);
    return false;
  }
}

/**
 * Returns whether a part is installed without being asked for. The solver of a yt-dlp that Reelkeep installed is part of it: if it is gone, the
 * installation is damaged, which is shown. A yt-dlp of the user gets only what YouTube needs.
 */
const isAutomatic = (app: AppContext, part: YtdlpPart) => (part === 'solver') !== isManaged(app);

/**
 * Installs the parts that yt-dlp lacks, all of them if a user asked for it, and proves it again then. Returns those that were installed.
 * @throws the reason of the signal
 */
async function installMissingParts(app: AppContext, proven: ProvenParts, signal: AbortSignal, isAskedFor: boolean) {
  const { tools } = app;
  tools.missingParts = {};
  const installed: YtdlpPart[] = [];
  for (const part of missingParts(proven))
    if ((isAskedFor || isAutomatic(app, part)) && (await installPart(app, part, signal))) installed.push(part);
  if (installed.length > 0) {
    tools.packages = await findPackages(toolsFolderOf(app));
    await proveUsedYtdlp(app, signal);
  }
  return installed;
}

/** Finds settings that yt-dlp does not know: formats, and clients of YouTube. */
async function checkStoredOptions(app: AppContext): Promise<void> {
  const { downloads } = await readSettings(app.db);
  app.state.invalidFormats = await findInvalidFormats(app);
  app.state.unknownClients = await findUnknownClients(app, downloads.player_client);
}

/**
 * Proves that yt-dlp solves the challenges of a player, installs the parts that it lacks, and retries what failed without them. `repairs`:
 * installs all of them, at the request of a user. `proof`: what was just found of this yt-dlp.
 * @throws the reason of the signal
 */
export async function checkYtdlp(
  app: AppContext,
  signal: AbortSignal,
  { repairs = false, proof }: { repairs?: boolean; proof?: SolverProof } = {},
): Promise<void> {
  const { tools } = app;
  if (!tools.ytdlp) return;
  const wasBroken = tools.solver?.seconds === null;
  if (proof) tools.solver = { ...proof, version: tools.ytdlp.version };
  const proven = proof && tools.solver ? tools.solver : await proveUsedYtdlp(app, signal);
  const installed = await installMissingParts(app, proven, signal, repairs);
  if (tools.solver?.seconds !== null && (installed.includes('solver') || wasBroken)) await retryItemsFailedByYtdlp(app);
  if (installed.includes('impersonation')) await retryItemsWaitingForImpersonation(app);
  await checkStoredOptions(app);
  app.announce('settings');
}

/** Returns whether yt-dlp was found to be incomplete. */
export const needsRepair = ({ solver }: Tools): boolean =>
  solver !== null && (solver.seconds === null || missingParts(solver).length > 0);

// The first seconds of a server belong to its users and to what was interrupted.
const afterStartMs = 15_000;

/** Checks yt-dlp some seconds after a start. */
export async function checkYtdlpAfterStart(app: AppContext, signal: AbortSignal): Promise<void> {
  await wait(afterStartMs, undefined, { signal, ref: false }).catch(() => undefined);
  if (!signal.aborted) await checkYtdlpInBackground(app, signal);
}

/** Checks yt-dlp daily. */
export const checkYtdlpInBackground = (app: AppContext, signal: AbortSignal): Promise<void> =>
  checkYtdlp(app, signal).catch((error: unknown) => {
    if (!signal.aborted) app.log.warn({ err: error }, 'cannot check yt-dlp');
  });
