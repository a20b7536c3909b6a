import { findProgram } from '../child/find-program.ts';
import { run } from '../child/run.ts';

// As pip is set up on this machine: where it finds packages is the machine's business.
const pipSettings = () =>
  Object.fromEntries(Object.entries(process.env).filter(([name, value]) => name.startsWith('PIP_') && value)) as Record<
    string,
    string
  >;

/** Installs a package from PyPI into a folder of its own. Answers the Python that can run it; throws why it cannot be had. */
export async function installWithPip(
  what: string,
  folder: string,
  { options = [], signal }: { options?: string[]; signal: AbortSignal },
): Promise<string> {
  const python = await findProgram('python3');
  if (!python) throw new Error('there is no python3');
  const env = { HOME: process.env.HOME ?? '/', PIP_DISABLE_PIP_VERSION_CHECK: '1', ...pipSettings() };
  await run(python, ['-m', 'pip', 'install', '--quiet', ...options, '--target', folder, what], {
    cwd: '/',
    signal,
    timeMs: 300_000,
    env,
  });
  return python;
}
