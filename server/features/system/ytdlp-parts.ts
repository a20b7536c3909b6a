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
export async function proveYtdlp(archive: ToolContext, signal: AbortSignal, program = archive.tools.ytdlp): Promise<SolverProof> {
  if (!program) throw new MessageError(message('queue.no-ytdlp'));
  const { ffmpegFolder, packages } = archive.tools;
  const folder = toolsFolderOf(archive);
  return proveSolver({ program, node: limitedNode(folder), path: pathFolder(folder), ffmpegFolder, packages }, signal);
}
type ToolContext = Pick<AppContext, 'config' | 'tools'>;

/** Records what the yt-dlp in use shows of its parts. */
export async function proveUsedYtdlp(archive: ToolContext, signal: AbortSignal): Promise<ProvenParts> {
  const { tools } = archive;
  tools.solver = { ...(await proveYtdlp(archive, signal)), version: tools.ytdlp!.version };
  return tools.solver;
}
type ProvenParts = NonNullable<Tools['solver']>;

/** Names of the Python modules of the parts, as yt-dlp lists them. */
export const modulesOfParts: Record<YtdlpPart, string> = {
  solver: 'yt_dlp_ejs',
  aes: 'Cryptodome',
  impersonation: 'curl_cffi',
};

const isManaged = (archive: AppContext) => archive.tools.ytdlp?.command.startsWith(toolsFolderOf(archive)) === true;

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
async function installPart(archive: AppContext, part: YtdlpPart, signal: AbortSignal): Promise<boolean> {
  const { tools, log } = archive;
  const folder = toolsFolderOf(archive);
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
const isAutomatic = (archive: AppContext, part: YtdlpPart) => (part === 'solver') !== isManaged(archive);

/**
 * Installs the parts that yt-dlp lacks, all of them if a user asked for it, and proves it again then. Returns those that were installed.
 * @throws the reason of the signal
 */
async function installMissingParts(archive: AppContext, proven: ProvenParts, signal: AbortSignal, isAskedFor: boolean) {
  const { tools } = archive;
  tools.missingParts = {};
  const installed: YtdlpPart[] = [];
  for (const part of missingParts(proven))
    if ((isAskedFor || isAutomatic(archive, part)) && (await installPart(archive, part, signal))) installed.push(part);
  if (installed.length > 0) {
    tools.packages = await findPackages(toolsFolderOf(archive));
    await proveUsedYtdlp(archive, signal);
  }
  return installed;
}

/** Finds settings that yt-dlp does not know: formats, and clients of YouTube. */
async function checkStoredOptions(archive: AppContext): Promise<void> {
  const { downloads } = await readSettings(archive.db);
  archive.state.invalidFormats = await findInvalidFormats(archive);
  archive.state.unknownClients = await findUnknownClients(archive, downloads.player_client);
}

/**
 * Proves that yt-dlp solves the challenges of a player, installs the parts that it lacks, and retries what failed without them. `repairs`:
 * installs all of them, at the request of a user. `proof`: what was just found of this yt-dlp.
 * @throws the reason of the signal
 */
export async function checkYtdlp(
  archive: AppContext,
  signal: AbortSignal,
  { repairs = false, proof }: { repairs?: boolean; proof?: SolverProof } = {},
): Promise<void> {
  const { tools } = archive;
  if (!tools.ytdlp) return;
  const wasBroken = tools.solver?.seconds === null;
  if (proof) tools.solver = { ...proof, version: tools.ytdlp.version };
  const proven = proof && tools.solver ? tools.solver : await proveUsedYtdlp(archive, signal);
  const installed = await installMissingParts(archive, proven, signal, repairs);
  if (tools.solver?.seconds !== null && (installed.includes('solver') || wasBroken)) await retryItemsFailedByYtdlp(archive);
  if (installed.includes('impersonation')) await retryItemsWaitingForImpersonation(archive);
  await checkStoredOptions(archive);
  archive.announce('settings');
}

/** Returns whether yt-dlp was found to be incomplete. */
export const needsRepair = ({ solver }: Tools): boolean =>
  solver !== null && (solver.seconds === null || missingParts(solver).length > 0);

// The first seconds of a server belong to its users and to what was interrupted.
const afterStartMs = 15_000;

/** Checks yt-dlp some seconds after a start. */
export async function checkYtdlpAfterStart(archive: AppContext, signal: AbortSignal): Promise<void> {
  await wait(afterStartMs, undefined, { signal, ref: false }).catch(() => undefined);
  if (!signal.aborted) await checkYtdlpInBackground(archive, signal);
}

/** Checks yt-dlp daily. */
export const checkYtdlpInBackground = (archive: AppContext, signal: AbortSignal): Promise<void> =>
  checkYtdlp(archive, signal).catch((error: unknown) => {
    if (!signal.aborted) archive.log.warn({ err: error }, 'cannot check yt-dlp');
  });
