import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';

const atMostMs = 1000;

async function homedAt(home: string): Promise<number[]> {
  const everybody = await readdir('/proc').catch(() => []);
  const found = await Promise.all(
    everybody
      .filter((name) => /^\d+$/.test(name))
      .map(async (pid) => {
        // Empty for the dead, refused for those of other people.
        const environment = await readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '');
        return environment.split('\0').includes(`HOME=${home}`) ? [Number(pid)] : [];
      }),
  );
  return found.flat();
}

/**
 * Ends everything that was started with this private folder as its home and outlived whoever started it: a kill of this
 * program reaches none of its children. Answers how many there were. Does nothing where there is no /proc.
 */
export async function endOrphans(home: string): Promise<number> {
  const inBytes = Buffer.from(home).toString('latin1');
  const orphans = await homedAt(inBytes);
  for (const pid of orphans) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // it went by itself
    }
  }
  const until = performance.now() + atMostMs;
  while (orphans.length > 0 && (await homedAt(inBytes)).length > 0 && performance.now() < until) await pause(20);
  return orphans.length;
}
