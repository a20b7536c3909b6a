import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { findPython } from '../process/find-python.ts';
import { run } from '../process/run.ts';
import { createTempDir } from '../process/temp-dir.ts';

// PIP_ variables are passed, because the package index depends on the configuration of the machine.
const pipSettings = () =>
  Object.fromEntries(Object.entries(process.env).filter(([name, value]) => name.startsWith('PIP_') && value)) as Record<
    string,
    string
  >;

// Only wheels: the installation of a source package runs its code.
const always = ['install', '--quiet', '--only-binary=:all:'];

/**
 * Runs `pip install` with a target folder. Returns its output and the path of the Python interpreter.
 * @throws the reason of a failure
 */
async function pip(
  args: string[],
  folder: string,
  { signal, minutes = 5 }: { signal: AbortSignal; minutes?: number },
): Promise<{ python: string; stdout: string }> {
  const python = (await findPython())?.path;
  if (!python) throw new Error('there is no python3');
  const env = { HOME: process.env.HOME ?? '/', PIP_DISABLE_PIP_VERSION_CHECK: '1', ...pipSettings() };
  const { stdout } = await run(python, ['-m', 'pip', ...always, '--target', folder, ...args], {
    cwd: '/',
    signal,
    timeMs: minutes * 60_000,
    keep: 20_000_000,
    env,
  });
  return { python, stdout };
}

/** A version of a package with the SHA-256 of its allowed files. */
export interface PinnedPackage {
  name: string;
  version: string;
  sha256: string[];
}

const Report = z.object({
  install: z.array(
    z.object({
      download_info: z.object({ archive_info: z.object({ hashes: z.object({ sha256: z.string().regex(/^[0-9a-f]{64}$/) }) }) }),
      metadata: z.object({ name: z.string().regex(/^[\w.-]+$/), version: z.string().regex(/^[\w.!+-]+$/) }),
    }),
  ),
});

/**
 * Returns the packages of a requirement with all their dependencies, and the checksums that the index has recorded for them. Downloads
 * at most their metadata.
 * @throws the reason of a failure, also if the index has no checksum of a file
 */
export async function resolvePackages(requirement: string, signal: AbortSignal): Promise<PinnedPackage[]> {
  const scratch = await createTempDir();
  try {
    const { stdout } = await pip(['--dry-run', '--ignore-installed', '--report', '-', requirement], scratch, { signal });
    return Report.parse(JSON.parse(stdout)).install.map(({ download_info: { archive_info: app }, metadata }) => ({
      ...metadata,
      sha256: [app.hashes.sha256],
    }));
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/**
 * Installs exactly these versions without further dependencies, within `minutes` (5). Returns the path of the Python interpreter.
 * @throws also if a checksum differs
 */
export async function installPinned(
  packages: PinnedPackage[],
  folder: string,
  signal: AbortSignal,
  minutes?: number,
): Promise<string> {
  const scratch = await createTempDir();
  try {
    const requirements = join(scratch, 'requirements.txt');
    const line = ({ name, version, sha256 }: PinnedPackage) =>
      `${name}==${version} ${sha256.map((sum) => `--hash=sha256:${sum}`).join(' ')}\n`;
    await writeFile(requirements, packages.map(line).join(''));
    return (await pip(['--no-deps', '--require-hashes', '-r', requirements], folder, { signal, ...(minutes && { minutes }) }))
      .python;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
