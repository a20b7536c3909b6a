import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';

const maxWaitMs = 1000;

async function processesWithHome(home: string): Promise<number[]> {
  const everybody = await readdir('/proc').catch(() => []);
  const found = await Promise.all(
    everybody
      .filter((name) => /^\d+$/.test(name))
      .map(async (pid) => {
        // Empty for dead processes; not readable for those of other users.
        const environment = await readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '');
        return environment.split('\0').includes(`HOME=${home}`) ? [Number(pid)] : [];
      }),
  );
  return found.flat();
}

/**
 * Kills all processes whose HOME is this folder and that survived their parent: killing this process kills none of its children.
 * Returns their number. Does nothing without /proc.
 */
export async function killOrphans(home: string): Promise<number> {
  const homeBytes = Buffer.from(home).toString('latin1');
  const orphans = await processesWithHome(homeBytes);
  for (const pid of orphans) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // already ended
    }
  }
  const until = performance.now() + maxWaitMs;
  while (orphans.length > 0 && (await processesWithHome(homeBytes)).length > 0 && performance.now() < until) await pause(20);
  return orphans.length;
}
