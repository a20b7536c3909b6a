import { execFileSync, spawnSync } from 'node:child_process';
import { closeSync, openSync, rmSync, statSync, truncateSync, writeSync } from 'node:fs';
import { join } from 'node:path';

// A small disk of its own for the program: a tmpfs in a mount namespace that nobody else sees and that goes with it.

/** Whether we may mount here; only root may. */
export const mayMount = spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0;

/** The command that runs a program with a small disk at a folder that is there. */
export const withSmallDisk = (folder: string, megabytes: number): string[] => {
  const mount = `mount -t tmpfs -o size=${megabytes}m tmpfs '${folder}' && exec "$@"`;
  return ['unshare', '-m', 'sh', '-c', mount, 'sh'];
};

/** A path as the process sees it, from outside of its namespace. */
export const seenBy = (pid: number, path: string) => join(`/proc/${pid}/root`, path);

/** Fills the disk below a folder to the last byte, or but for some. Answers what makes the room again. */
export function fill(folder: string, butBytes = 0): () => void {
  const path = join(folder, 'ballast');
  const file = openSync(path, 'w');
  try {
    for (const size of [1_000_000, 4096, 1]) {
      const block = Buffer.alloc(size, 1);
      for (;;) {
        try {
          if (writeSync(file, block) < size) break;
        } catch {
          break; // full
        }
      }
    }
  } finally {
    closeSync(file);
  }
  if (butBytes > 0) truncateSync(path, statSync(path).size - butBytes);
  return () => rmSync(path);
}

/** Says in the database of a program that runs that everything which failed may be tried again now. */
export function letTryAgain(pid: number, databasePath: string) {
  // From within its namespace: SQLite finds out where a path really leads, and ours leads elsewhere.
  const code = `
const db = new (require('node:sqlite').DatabaseSync)(${JSON.stringify(databasePath)}, { timeout: 10_000 });
db.exec('update download set retry_at = 1 where retry_at is not null');`;
  execFileSync('nsenter', ['-t', String(pid), '-m', '-r', process.execPath, '-e', code], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}
