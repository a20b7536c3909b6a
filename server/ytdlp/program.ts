import { createHash } from 'node:crypto';
import { chmod, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findProgram } from '../child/find-program.ts';
import { run } from '../child/run.ts';
import { installWithPip } from './pip.ts';

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

async function ask(command: string): Promise<Program | null> {
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

const managed = (toolsFolder: string) => join(toolsFolder, 'yt-dlp');

/** Finds yt-dlp: the configured path, the one brought earlier, the PATH. Null when none of them runs. */
export async function findYtdlp(configured: string | undefined, toolsFolder: string): Promise<Program | null> {
  for (const candidate of configured ? [configured] : [managed(toolsFolder), 'yt-dlp']) {
    const command = await findProgram(candidate);
    const program = command && (await ask(command));
    if (program) return program;
  }
  return null;
}

type Fetch = (url: string, init?: { maxBytes?: number; timeMs?: number }) => Promise<Response>;

const release = 'https://github.com/yt-dlp/yt-dlp/releases/latest/download';

/** The official release, checked against its published sums, written beside and renamed. */
async function fromRelease(toolsFolder: string, fetch: Fetch): Promise<void> {
  const whole = async (name: string) => {
    const answer = await fetch(`${release}/${name}`, { maxBytes: 60_000_000, timeMs: 300_000 });
    if (!answer.ok) throw new Error(`${release}/${name} answered ${answer.status}`);
    return Buffer.from(await answer.arrayBuffer());
  };
  const [sums, program] = [await whole('SHA2-256SUMS'), await whole('yt-dlp')];
  const published = /^([0-9a-f]{64})\s+\*?yt-dlp$/m.exec(sums.toString('utf8'))?.[1];
  if (published !== createHash('sha256').update(program).digest('hex'))
    throw new Error('the sum of yt-dlp is not the published one');
  const beside = `${managed(toolsFolder)}.part`;
  await writeFile(beside, program);
  await chmod(beside, 0o755);
  await rename(beside, managed(toolsFolder));
}

/** From PyPI, as pip is set up on this machine. */
async function fromPypi(toolsFolder: string): Promise<void> {
  const packages = join(toolsFolder, 'yt-dlp-packages');
  await rm(`${packages}.part`, { recursive: true, force: true });
  const python = await installWithPip('yt-dlp', `${packages}.part`);
  await rm(packages, { recursive: true, force: true });
  await rename(`${packages}.part`, packages);
  const quoted = (path: string) => `'${path.replaceAll("'", "'\\''")}'`;
  await writeFile(
    `${managed(toolsFolder)}.part`,
    `#!/bin/sh\nPYTHONPATH=${quoted(packages)} exec ${quoted(python)} -m yt_dlp "$@"\n`,
  );
  await chmod(`${managed(toolsFolder)}.part`, 0o755);
  await rename(`${managed(toolsFolder)}.part`, managed(toolsFolder));
}

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
  const ways: [name: string, bring: () => Promise<void>][] = [
    ['its official release', () => fromRelease(toolsFolder, fetch)],
    ['PyPI', () => fromPypi(toolsFolder)],
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
