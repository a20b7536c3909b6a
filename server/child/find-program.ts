import { access, constants, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';

/**
 * The absolute path of a program: an absolute path is taken as it is, a bare name is looked for on the PATH.
 * Null when there is no such executable file.
 */
export async function findProgram(program: string, path = process.env['PATH'] ?? ''): Promise<string | null> {
  const candidates = isAbsolute(program) ? [program] : path.split(delimiter).map((folder) => join(folder, program));
  for (const candidate of candidates) {
    if (!isAbsolute(candidate)) continue;
    if (await isExecutable(candidate)) return candidate;
  }
  return null;
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
