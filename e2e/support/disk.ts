import { execFileSync, spawnSync } from 'node:child_process';
import { closeSync, openSync, rmSync, statSync, truncateSync, writeSync } from 'node:fs';
import { join } from 'node:path';

// A small disk for the program: a tmpfs in a private mount namespace that disappears with the process.

/** Whether this process may mount file systems; only root may. */
export const canMount = spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0;

/** Returns the command prefix that runs a program with a small disk mounted at an existing folder. */
export const withSmallDisk = (folder: string, megabytes: number): string[] => {
  const mount = `mount -t tmpfs -o size=${megabytes}m tmpfs '${folder}' && exec "$@"`;
  return ['unshare', '-m', 'sh', '-c', mount, 'sh'];
};

/** Returns a path inside the mount namespace of a process, as seen from outside. */
export const pathInNamespace = (pid: number, path: string) => join(`/proc/${pid}/root`, path);

/** Fills the disk of a folder completely, or except for `freeBytes`. Returns a function that frees the space. */
export function fill(folder: string, freeBytes = 0): () => void {
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
  if (freeBytes > 0) truncateSync(path, statSync(path).size - freeBytes);
  return () => rmSync(path);
}

/** Clears the retry delays of failed downloads in the database of a running program. */
export function clearRetryDelays(pid: number, databasePath: string) {
  // Runs inside its namespace, because SQLite resolves the real path of the database, which differs outside.
  const code = `
const db = new (require('node:sqlite').DatabaseSync)(${JSON.stringify(databasePath)}, { timeout: 10_000 });
db.exec('update download set retry_at = 1 where retry_at is not null');`;
  execFileSync('nsenter', ['-t', String(pid), '-m', '-r', process.execPath, '-e', code], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}
