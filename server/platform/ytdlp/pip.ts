import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findPython } from '../process/find-python.ts';
import { run } from '../process/run.ts';
import { createTempDir } from '../process/temp-dir.ts';

// PIP_ variables are passed, because the package index depends on the configuration of the machine.
const pipSettings = () =>
  Object.fromEntries(Object.entries(process.env).filter(([name, value]) => name.startsWith('PIP_') && value)) as Record<
    string,
    string
  >;

/**
 * Installs packages from PyPI into a folder. Returns the path of the Python interpreter.
 * @throws the reason of a failure
 */
export async function installWithPip(
  what: string[],
  folder: string,
  { options = [], signal }: { options?: string[]; signal: AbortSignal },
): Promise<string> {
  const python = await findPython();
  if (!python) throw new Error('there is no python3');
  const env = { HOME: process.env.HOME ?? '/', PIP_DISABLE_PIP_VERSION_CHECK: '1', ...pipSettings() };
  await run(python, ['-m', 'pip', 'install', '--quiet', ...options, '--target', folder, ...what], {
    cwd: '/',
    signal,
    timeMs: 300_000,
    env,
  });
  return python;
}

/** A version of a package with the SHA-256 of its allowed files. */
export interface PinnedPackage {
  name: string;
  version: string;
  sha256: string[];
}

/**
 * Installs exactly this version without dependencies.
 * @throws also if the checksum differs
 */
export async function installPinned(
  { name, version, sha256 }: PinnedPackage,
  folder: string,
  signal: AbortSignal,
): Promise<void> {
  const scratch = await createTempDir();
  try {
    const requirements = join(scratch, 'requirements.txt');
    await writeFile(requirements, `${name}==${version} ${sha256.map((sum) => `--hash=sha256:${sum}`).join(' ')}\n`);
    const options = ['--no-deps', '--only-binary=:all:', '--require-hashes', '-r', requirements];
    await installWithPip([], folder, { options, signal });
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
