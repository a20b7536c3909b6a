import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { aptEnvironment, aptSteps } from '../process/apt.ts';
import { findProgram } from '../process/find-program.ts';
import { runDetached } from '../process/run-detached.ts';
import { ProcessError, run } from '../process/run.ts';
import { pathFolder, preparePathFolder } from './path-folder.ts';
import { folderFor, managedProgram, promote } from './managed-install.ts';
import { type Fetch, fetchFromPypi, fetchRelease, lacksDiskSpace, UntrustedRelease, whyNotDownloaded } from './release.ts';

/** A working yt-dlp. */
export interface Program {
  command: string;
  /** As reported by --version: 2026.10.26. */
  version: string;
  /** Whether it has options for JavaScript runtimes and remote components, which older versions do not have. */
  hasRuntimes: boolean;
}

/** Age after which an update is recommended: sites change, and a yt-dlp of two months ago usually fails for some of them. */
export const oldAfterDays = 60;

/** Returns the age of a version in days; its number is its release date. */
export function daysOld(version: string, now: number): number {
  const [year = 0, month = 1, date = 1] = version.split('.').map(Number);
  return Math.floor((now - Date.UTC(year, month - 1, date) / 1000) / 86_400);
}

interface Logger {
  info(message: string): void;
  warn(about: object, message: string): void;
}

/**
 * The oldest supported version: the oldest whose messages are known. Sites change, and versions of distributions (2023.03.04 in
 * Debian 12) fail for all of them, so that every video would look deleted.
 */
export const oldestUsed = '2025.04.30';
export const isTooOld = (version: string) => version < oldestUsed;

const never = new AbortController().signal;

// Options that older versions do not have.
const laterOptions = ['--no-js-runtimes', '--no-remote-components'];

/** Runs a program to find out whether it is yt-dlp, and its version and options. Null if it does not run with this PATH. */
export async function readVersion(command: string, path: string): Promise<Program | null> {
  const of = { cwd: '/', signal: never, timeMs: 60_000, env: { PATH: path } };
  const versionWith = async (options: string[]) => {
    const { stdout } = await run(command, ['--ignore-config', '--no-plugin-dirs', ...options, '--version'], of);
    return /^\d{4}\.\d{2}\.\d{2}\S*/.exec(stdout)?.[0];
  };
  try {
    // One start tells both: a start of yt-dlp takes 0.3 s of processor time, of its single file several times that.
    const version = await versionWith(laterOptions);
    return version === undefined ? null : { command, version, hasRuntimes: true };
  } catch (error) {
    if (!(error instanceof ProcessError) || error.reason !== 'exit') return null; // does not run: as if missing
  }
  const version = await versionWith([]).catch(() => undefined);
  return version === undefined ? null : { command, version, hasRuntimes: false };
}

/** Returns a function that tells whether a program is a yt-dlp that starts. */
export const startsIn = (toolsFolder: string) => async (command: string) =>
  (await readVersion(command, pathFolder(toolsFolder))) !== null;

/**
 * Finds yt-dlp at the configured path, in the tools folder, or (if none is configured) on PATH. Null if none runs. Versions that
 * are too old are reported and skipped.
 */
export async function findYtdlp(
  configured: string | undefined,
  toolsFolder: string,
  onTooOld?: (program: Program) => void,
): Promise<Program | null> {
  const managed = managedProgram(toolsFolder);
  const path = await preparePathFolder(toolsFolder);
  for (const candidate of configured ? [configured, managed] : [managed, 'yt-dlp']) {
    const command = await findProgram(candidate);
    const program = command && (await readVersion(command, path));
    if (program && !isTooOld(program.version)) return program;
    if (program) onTooOld?.(program);
  }
  return null;
}

/**
 * Installs the Debian package unless it is too old.
 * @throws the reason of a failure
 */
async function fromDebian(toolsFolder: string, signal: AbortSignal): Promise<void> {
  const [apt, cache] = [await findProgram('apt-get'), await findProgram('apt-cache')];
  if (!apt || !cache || process.getuid?.() !== 0) throw new Error('there is no apt-get, or we may not use it');
  const [update, install] = aptSteps('yt-dlp');
  const as = { outputPath: join(toolsFolder, 'install.log'), env: aptEnvironment };
  await runDetached(apt, update, as);
  const { stdout } = await run(cache, ['policy', 'yt-dlp'], { cwd: '/', signal, timeMs: 60_000 });
  const candidate = /^ *Candidate: (\d{4}\.\d{2}\.\d{2})/m.exec(stdout)?.[1];
  if (!candidate) throw new Error('there is none');
  if (isTooOld(candidate)) throw new Error(`${candidate} is too old; ${oldestUsed} or newer is needed`);
  signal.throwIfAborted();
  await runDetached(apt, install, as);
}

/**
 * Installs yt-dlp from its own release, PyPI or, if `mayInstall`, Debian. A release that fails verification is not replaced by
 * the unsigned package of PyPI.
 * @throws the reason of the signal, or an error that says why none works
 */
export async function installYtdlp(
  toolsFolder: string,
  {
    fetch,
    releaseKey,
    log,
    signal,
    mayInstall = true,
  }: { fetch: Fetch; releaseKey: string; log: Logger; signal: AbortSignal; mayInstall?: boolean },
): Promise<Program> {
  const folder = folderFor(toolsFolder, 'first');
  const release = { armoredKey: releaseKey, starts: startsIn(toolsFolder) };
  let isUntrusted = false;
  const failures: unknown[] = [];
  const sources: [name: string, bring: () => Promise<void>][] = [
    ['its official release', async () => promote(toolsFolder, await fetchRelease(fetch, 'latest', folder, release))],
    [
      'PyPI',
      async () => {
        if (isUntrusted) throw new Error('not tried, since the official release failed verification');
        await promote(toolsFolder, await fetchFromPypi(null, folder, signal));
      },
    ],
    ...(mayInstall ? [["Debian's packages", () => fromDebian(toolsFolder, signal)] as [string, () => Promise<void>]] : []),
  ];
  for (const [name, bring] of sources) {
    try {
      await mkdir(toolsFolder, { recursive: true });
      await bring();
      const program = await findYtdlp(undefined, toolsFolder);
      if (!program) throw new Error(`the installed program does not start, or is older than ${oldestUsed}`);
      log.info(`installed yt-dlp ${program.version} from ${name}`);
      return program;
    } catch (error) {
      isUntrusted ||= error instanceof UntrustedRelease;
      failures.push(error);
      if (!signal.aborted) log.warn({ reason: whyNotDownloaded(error) }, `cannot install yt-dlp from ${name}`);
    }
    signal.throwIfAborted();
  }
  throw new Error(whyNotDownloaded(failures.find(lacksDiskSpace) ?? failures[0]));
}
