import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A private folder for one piece of work, which removes it. Its name says which process made it. */
export const scratchFolder = () => mkdtemp(join(tmpdir(), `reelkeep-${process.pid}-`));

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'; // somebody else's lives too
  }
}

/** Removes what is older than this program, which makes others already. */
export async function removeIfOlder(path: string): Promise<void> {
  const found = await stat(path).catch(() => null);
  if (found && found.mtimeMs < performance.timeOrigin) await rm(path, { recursive: true, force: true });
}

/** The same for what stands in a folder. */
export async function removeOlder(folder: string, isMeant: (name: string) => boolean = () => true): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) if (isMeant(name)) await removeIfOlder(join(folder, name));
}

/**
 * Removes the folders that killed programs left, with cookies and tokens in them. In a container this program has the number that
 * the one before it had.
 */
export const removeLeftScratch = () =>
  removeOlder(tmpdir(), (name) => {
    const pid = Number(/^reelkeep-(\d+)-\w{6}$/.exec(name)?.[1]);
    return pid === process.pid || (pid > 0 && !isAlive(pid));
  });
