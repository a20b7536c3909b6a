import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';

const graceMs = 5000;
const afterKillMs = 1000;
const lookEveryMs = 20;

function send(groupId: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-groupId, signal);
  } catch {
    return false; // the group is empty
  }
}

// Orphans that are not reaped (a container without an init process) stay in the group as zombies; only /proc shows that they are
// dead.
async function hasLiving(groupId: number): Promise<boolean> {
  if (!send(groupId, 0)) return false;
  const pids = await readdir('/proc').catch(() => []);
  const numbers = pids.filter((name) => /^\d+$/.test(name));
  if (numbers.length === 0) return true; // not Linux
  const states = await Promise.all(
    numbers.map(async (pid) => {
      const line = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
      const [state, , group] = line.slice(line.lastIndexOf(')') + 2).split(' ');
      return Number(group) === groupId && state !== 'Z' && state !== 'X';
    }),
  );
  return states.includes(true);
}

async function isGone(groupId: number, withinMs: number): Promise<boolean> {
  const until = performance.now() + withinMs;
  while (await hasLiving(groupId)) {
    if (performance.now() >= until) return false;
    await pause(lookEveryMs);
  }
  return true;
}

/** Kills a process group: SIGTERM, then SIGKILL after five seconds. Resolves when no process of it is alive. */
export async function killGroup(groupId: number): Promise<void> {
  if (!send(groupId, 'SIGTERM')) return;
  if (await isGone(groupId, graceMs)) return;
  send(groupId, 'SIGKILL');
  await isGone(groupId, afterKillMs);
}
