import { isAbsolute } from 'node:path';
import { findProgram } from './find-program.ts';
import { run } from './run.ts';

/**
 * Returns the path of the Python interpreter, or null if there is none. A `python3` on PATH can be the shim of a version manager
 * such as pyenv: a script that does not run with another PATH, so the interpreter is asked for its own path.
 */
export async function findPython(): Promise<string | null> {
  const found = await findProgram('python3');
  if (!found) return null;
  const options = { cwd: '/', signal: new AbortController().signal, timeMs: 10_000 };
  const { stdout } = await run(found, ['-I', '-S', '-c', 'import sys; print(sys.executable)'], options).catch(() => ({
    stdout: '',
  }));
  const path = stdout.trim();
  return isAbsolute(path) ? path : found;
}
