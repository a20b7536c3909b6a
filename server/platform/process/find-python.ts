import { isAbsolute } from 'node:path';
import { findProgram } from './find-program.ts';
import { run } from './run.ts';

export interface Python {
  path: string;
  /** Such as `3.11.7`; empty if it does not say. */
  version: string;
}

// yt-dlp needs 3.11 or newer, while `python3` of older systems is 3.9 or 3.10.
const names = ['python3.15', 'python3.14', 'python3.13', 'python3.12', 'python3.11', 'python3'];

/**
 * Returns the newest Python interpreter on PATH, or null if there is none. A program there can be the shim of a version manager such as
 * pyenv: a script that does not run with another PATH, or not at all, so the interpreter is asked for its own path.
 */
export async function findPython(): Promise<Python | null> {
  const options = { cwd: '/', signal: new AbortController().signal, timeMs: 10_000 };
  for (const name of names) {
    const found = await findProgram(name);
    if (!found) continue;
    const ask = ['-I', '-S', '-c', 'import sys; print(sys.executable); print("%d.%d.%d" % sys.version_info[:3])'];
    const { stdout } = await run(found, ask, options).catch(() => ({ stdout: '' }));
    const [path = '', version = ''] = stdout.split('\n');
    if (isAbsolute(path)) return { path, version };
    if (name === 'python3') return { path: found, version };
  }
  return null;
}
