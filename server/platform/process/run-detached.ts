import { spawn } from 'node:child_process';
import { open, readFile } from 'node:fs/promises';
import { ProcessError } from './process-error.ts';
import { childEnvironment } from './env.ts';

/**
 * Runs a program that must not be interrupted, such as a package manager: it survives this process and writes its output to a
 * file.
 * @throws ProcessError with the end of that file if it fails
 */
export async function runDetached(
  program: string,
  args: string[],
  { outputPath, env }: { outputPath: string; env?: Record<string, string> },
): Promise<void> {
  const output = await open(outputPath, 'w', 0o600);
  try {
    const child = spawn(program, args, {
      cwd: '/',
      env: childEnvironment('/', env),
      detached: true,
      shell: false,
      stdio: ['ignore', output.fd, output.fd],
    });
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('exit', resolve);
      child.once('error', () => reject(new ProcessError(program, { reason: 'missing' })));
    });
    if (code !== 0)
      throw new ProcessError(program, { reason: 'exit', code, lastWords: (await readFile(outputPath, 'utf8')).slice(-16_000) });
  } finally {
    await output.close();
  }
}
