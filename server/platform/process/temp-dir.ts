import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Creates a private temporary folder, which the caller deletes. Its name contains the process id. */
export const createTempDir = () => mkdtemp(join(tmpdir(), `reelkeep-${process.pid}-`));

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'; // a process of another user is alive too
  }
}

/** Deletes a path if it is older than this process, which may be creating new ones. */
export async function removeIfOlder(path: string): Promise<void> {
  const found = await stat(path).catch(() => null);
  if (found && found.mtimeMs < performance.timeOrigin) await rm(path, { recursive: true, force: true });
}

/** Deletes older entries of a folder. */
export async function removeOlder(folder: string, isMeant: (name: string) => boolean = () => true): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) if (isMeant(name)) await removeIfOlder(join(folder, name));
}

/**
 * Deletes temporary folders of killed processes, which may contain cookies and tokens. In a container this process has the same
 * id as the one before it.
 */
export const removeLeftTempDirs = () =>
  removeOlder(tmpdir(), (name) => {
    const pid = Number(/^reelkeep-(\d+)-\w{6}$/.exec(name)?.[1]);
    return pid === process.pid || (pid > 0 && !isAlive(pid));
  });
