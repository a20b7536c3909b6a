import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { aptEnvironment, aptSteps } from '../child/apt.ts';
import { findProgram } from '../child/find-program.ts';
import { letRun } from '../child/let-run.ts';
import { run } from '../child/run.ts';
import { folderFor, managedProgram, promote } from './managed.ts';
import { fetchFromPypi, fetchRelease } from './release.ts';

/** A yt-dlp that runs here. */
export interface Program {
  command: string;
  /** As it says itself: 2026.10.26. */
  version: string;
  /** The long options it knows; none where it is too old to be used. */
  options: ReadonlySet<string>;
}

/** Sites change, and a yt-dlp of two months ago mostly stumbles over one of them. */
export const oldAfterDays = 60;

/** How many days ago a version came out, which is what it is called by. */
export function daysOld(version: string, now: number): number {
  const [year = 0, month = 1, date = 1] = version.split('.').map(Number);
  return Math.floor((now - Date.UTC(year, month - 1, date) / 1000) / 86_400);
}

interface Words {
  info(words: string): void;
  warn(about: object, words: string): void;
}

/**
 * The oldest that is used: the oldest whose words we know. Sites change, and what systems carry (2023.03.04 in Debian 12)
 * gets nothing from them any more, which would look as if every video were gone.
 */
export const oldestUsed = '2025.04.30';
export const isTooOld = (version: string) => version < oldestUsed;

const never = new AbortController().signal;

/** Asks a program whether it is yt-dlp, and which; null when it does not run. */
export async function askProgram(command: string): Promise<Program | null> {
  try {
    const of = { cwd: '/', signal: never, timeMs: 60_000 };
    const { stdout } = await run(command, ['--ignore-config', '--no-plugin-dirs', '--version'], of);
    const version = /^\d{4}\.\d{2}\.\d{2}\S*/.exec(stdout)?.[0];
    if (!version) return null;
    // Those say their version whatever they are asked beside it, and know not all that we ask.
    if (isTooOld(version)) return { command, version, options: new Set() };
    const help = await run(command, ['--ignore-config', '--no-plugin-dirs', '--help'], of);
    return { command, version, options: new Set(help.stdout.match(/--[a-z][a-z0-9-]+/g) ?? []) };
  } catch {
    return null; // it is there but does not run: as good as not there
  }
}

/**
 * Finds yt-dlp: the configured path, the one brought earlier, or (where none is configured) the PATH. Null when none of them
 * runs; one that is too old is told, and passed over.
 */
export async function findYtdlp(
  configured: string | undefined,
  toolsFolder: string,
  onTooOld?: (program: Program) => void,
): Promise<Program | null> {
  const managed = managedProgram(toolsFolder);
  for (const candidate of configured ? [configured, managed] : [managed, 'yt-dlp']) {
    const command = await findProgram(candidate);
    const program = command && (await askProgram(command));
    if (program && !isTooOld(program.version)) return program;
    if (program) onTooOld?.(program);
  }
  return null;
}

type Fetch = (url: string, init?: { maxBytes?: number; timeMs?: number }) => Promise<Response>;

/** Installs Debian's package, unless that is too old to be of use. Throws why not. */
async function fromDebian(toolsFolder: string, signal: AbortSignal): Promise<void> {
  const [apt, cache] = [await findProgram('apt-get'), await findProgram('apt-cache')];
  if (!apt || !cache || process.getuid?.() !== 0) throw new Error('there is no apt-get, or we may not use it');
  const [update, install] = aptSteps('yt-dlp');
  const as = { outputPath: join(toolsFolder, 'install.log'), env: aptEnvironment };
  await letRun(apt, update, as);
  const { stdout } = await run(cache, ['policy', 'yt-dlp'], { cwd: '/', signal, timeMs: 60_000 });
  const candidate = /^ *Candidate: (\d{4}\.\d{2}\.\d{2})/m.exec(stdout)?.[1];
  if (!candidate) throw new Error('there is none');
  if (isTooOld(candidate)) throw new Error(`${candidate} is too old; ${oldestUsed} or newer is needed`);
  signal.throwIfAborted();
  await letRun(apt, install, as);
}

/**
 * Brings yt-dlp from wherever it can be had: its own release, PyPI, and where it `mayInstall`, Debian. Null when from nowhere; throws the signal's
 * reason when that fires, nothing else.
 */
export async function provideYtdlp(
  toolsFolder: string,
  { fetch, log, signal, mayInstall = true }: { fetch: Fetch; log: Words; signal: AbortSignal; mayInstall?: boolean },
): Promise<Program | null> {
  const folder = folderFor(toolsFolder, 'first');
  const ways: [name: string, bring: () => Promise<void>][] = [
    ['its official release', async () => promote(toolsFolder, await fetchRelease(fetch, 'latest', folder))],
    ['PyPI', async () => promote(toolsFolder, await fetchFromPypi(null, folder, signal))],
    ...(mayInstall ? [["Debian's packages", () => fromDebian(toolsFolder, signal)] as [string, () => Promise<void>]] : []),
  ];
  for (const [name, bring] of ways) {
    try {
      await mkdir(toolsFolder, { recursive: true });
      await bring();
      const program = await findYtdlp(undefined, toolsFolder);
      if (program) {
        log.info(`yt-dlp ${program.version} from ${name}`);
        return program;
      }
    } catch (error) {
      if (!signal.aborted) log.warn({ reason: (error as Error).message }, `yt-dlp could not be had from ${name}`);
    }
    signal.throwIfAborted();
  }
  return null;
}
