import { access, constants, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';

/** Returns the absolute path of a program, searching PATH for a bare name. Null if there is no such executable. */
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
