import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';

const graceMs = 5000;
const afterKillMs = 1000;
const lookEveryMs = 20;

function send(groupId: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-groupId, signal);
  } catch {
    return false; // nobody of the group is left
  }
}

// Orphans that nobody reaps (a container without an init) stay listed though dead; only /proc tells them apart.
async function hasLiving(groupId: number): Promise<boolean> {
  if (!send(groupId, 0)) return false;
  const everybody = await readdir('/proc').catch(() => []);
  const numbers = everybody.filter((name) => /^\d+$/.test(name));
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

/** Ends a process group: TERM at once, KILL after five seconds. Resolves when nobody of it lives. */
export async function endGroup(groupId: number): Promise<void> {
  if (!send(groupId, 'SIGTERM')) return;
  if (await isGone(groupId, graceMs)) return;
  send(groupId, 'SIGKILL');
  await isGone(groupId, afterKillMs);
}
