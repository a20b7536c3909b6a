import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

/**
 * Keeps a file, or all files of a folder, in the system's memory until `letGo` is called: "warm" is what a machine keeps that has nothing
 * better to do with its memory, and some give it back after seconds (DAMON of Linux, on many rented machines). By vmtouch as Debian packages it;
 * answers null, and says so, where that is not there or may not.
 */
export async function holdInMemory(path: string, folder: string): Promise<{ letGo(): Promise<void> } | null> {
  const pidFile = join(folder, 'vmtouch.pid');
  // It begins another that stays, and ends when all is there.
  const child = spawn('vmtouch', ['-dwl', '-P', pidFile, path], { stdio: 'ignore' });
  const isHeldNow = await new Promise((resolve) =>
    child.once('error', () => resolve(false)).once('exit', (code) => resolve(code === 0)),
  );
  if (!isHeldNow) {
    console.log(`${path} is not held in memory by vmtouch: what the system keeps of it is its own affair.`);
    return null;
  }
  const pid = Number(await readFile(pidFile, 'utf8'));
  let isHeld = true;
  const end = () => {
    if (isHeld && existsSync(`/proc/${pid}`)) process.kill(pid);
    isHeld = false;
  };
  process.once('exit', end);
  return {
    async letGo() {
      end();
      await wait(500);
    },
  };
}
