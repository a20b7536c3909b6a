import { mkdir } from 'node:fs/promises';
import { findProgram } from '../child/find-program.ts';
import { run } from '../child/run.ts';
import { folderFor, managedProgram, promote } from './managed.ts';
import { fetchFromPypi, fetchRelease } from './release.ts';

/** A yt-dlp that runs here. */
export interface Program {
  command: string;
  /** As it says itself: 2026.10.26. */
  version: string;
  /** The long options it knows. */
  options: ReadonlySet<string>;
}

interface Words {
  info(words: string): void;
  warn(about: object, words: string): void;
}

const never = new AbortController().signal;

/** Asks a program whether it is yt-dlp, and which; null when it does not run. */
export async function askProgram(command: string): Promise<Program | null> {
  try {
    const of = { cwd: '/', signal: never, timeMs: 60_000 };
    const { stdout } = await run(command, ['--ignore-config', '--no-plugin-dirs', '--version'], of);
    const help = await run(command, ['--ignore-config', '--no-plugin-dirs', '--help'], of);
    const version = /^\d{4}\.\d{2}\.\d{2}\S*/.exec(stdout)?.[0];
    return version ? { command, version, options: new Set(help.stdout.match(/--[a-z][a-z0-9-]+/g) ?? []) } : null;
  } catch {
    return null; // it is there but does not run: as good as not there
  }
}

/** Finds yt-dlp: the configured path, the one brought earlier, the PATH. Null when none of them runs. */
export async function findYtdlp(configured: string | undefined, toolsFolder: string): Promise<Program | null> {
  for (const candidate of configured ? [configured] : [managedProgram(toolsFolder), 'yt-dlp']) {
    const command = await findProgram(candidate);
    const program = command && (await askProgram(command));
    if (program) return program;
  }
  return null;
}

type Fetch = (url: string, init?: { maxBytes?: number; timeMs?: number }) => Promise<Response>;

async function fromDebian(): Promise<void> {
  const apt = await findProgram('apt-get');
  if (!apt || process.getuid?.() !== 0) throw new Error('there is no apt-get, or we may not use it');
  await run(apt, ['install', '-y', '--no-install-recommends', 'yt-dlp'], {
    cwd: '/',
    signal: never,
    timeMs: 600_000,
    env: { DEBIAN_FRONTEND: 'noninteractive' },
  });
}

/** Brings yt-dlp from wherever it can be had: its own release, PyPI, Debian. Null when from nowhere; never throws. */
export async function provideYtdlp(toolsFolder: string, fetch: Fetch, log: Words): Promise<Program | null> {
  const folder = folderFor(toolsFolder, 'first');
  const ways: [name: string, bring: () => Promise<void>][] = [
    ['its official release', async () => promote(toolsFolder, await fetchRelease(fetch, 'latest', folder))],
    ['PyPI', async () => promote(toolsFolder, await fetchFromPypi(null, folder))],
    ["Debian's packages", fromDebian],
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
      log.warn({ reason: (error as Error).message }, `yt-dlp could not be had from ${name}`);
    }
  }
  return null;
}
