import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

/**
 * Locks a file, or all files of a folder, in memory until `unlock` is called, because some systems (DAMON of Linux, on many rented
 * machines) reclaim unused page cache after seconds. Uses vmtouch (Debian package). Returns null with a message if it is missing
 * or not permitted.
 */
export async function lockInMemory(path: string, folder: string): Promise<{ unlock(): Promise<void> } | null> {
  const pidFile = join(folder, 'vmtouch.pid');
  // vmtouch daemonizes and exits when all pages are locked.
  const child = spawn('vmtouch', ['-dwl', '-P', pidFile, path], { stdio: 'ignore' });
  const hasLocked = await new Promise((resolve) =>
    child.once('error', () => resolve(false)).once('exit', (code) => resolve(code === 0)),
  );
  if (!hasLocked) {
    console.log(`${path} could not be locked in memory by vmtouch, so the system may evict it from the page cache.`);
    return null;
  }
  const pid = Number(await readFile(pidFile, 'utf8'));
  let isLocked = true;
  const end = () => {
    if (isLocked && existsSync(`/proc/${pid}`)) process.kill(pid);
    isLocked = false;
  };
  process.once('exit', end);
  return {
    async unlock() {
      end();
      await wait(500);
    },
  };
}
