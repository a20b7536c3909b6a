import { spawn } from 'node:child_process';
import { open, readFile } from 'node:fs/promises';
import { ChildFailed } from './child-failed.ts';
import { childEnvironment } from './environment.ts';

/**
 * Runs a program that must not be ended half-way, such as a package manager: it goes on when we end, and nothing of ours
 * can break its output, which goes to a file. Throws ChildFailed, with the end of that file, when it ends with an error.
 */
export async function letRun(
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
      child.once('error', () => reject(new ChildFailed(program, { reason: 'missing' })));
    });
    if (code !== 0)
      throw new ChildFailed(program, { reason: 'exit', code, lastWords: (await readFile(outputPath, 'utf8')).slice(-16_000) });
  } finally {
    await output.close();
  }
}
