import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as breathe, setTimeout as wait } from 'node:timers/promises';
import type { Program } from './program.ts';

// The program killed at an exact point of its work: by strace as it enters a system call, or, where there is no strace, by
// whoever watches the disk and sees that the point is reached.

/** Where to kill, told in both ways. */
export interface Point {
  name: string;
  /** System calls, and the path that one of them is given: the kill comes before the call does anything. */
  calls: string;
  path: string;
  /** At the how manieth of them; the first unless told. */
  when?: number;
  /** Whether the point, or a later one, can be seen to be reached; points without it are strace's alone. */
  isSeen?: () => boolean;
}

/** Whether strace is there and may trace here. */
export const hasStrace = spawnSync('strace', ['-o', '/dev/null', '-e', 'trace=link', '-f', '-b', 'execve', 'true']).status === 0;

/** The command that runs a program so that it is killed there. */
export const killedBefore = ({ calls, path, when = 1 }: Point): string[] =>
  // Without its children: they are what a kill leaves, and strace would slow them down.
  ['strace', '-f', '-b', 'execve', '-qqq', '-o', '/dev/null', '-P', path, '-e', `trace=${calls}`].concat(
    '-e',
    `inject=${calls}:signal=KILL:when=${when}`,
  );

/** The process id of the server itself, whatever runs it. It says so when it listens. */
export async function pidOf(program: Program): Promise<number> {
  for (let tries = 0; tries < 10_000; tries++) {
    const pid = /"pid":(\d+)/.exec(program.words.text)?.[1];
    if (pid) return Number(pid);
    await wait(10);
  }
  throw new Error(`It does not say which process it is:\n${program.words.text}`);
}

/** Whether a process lives. One that is dead and not yet buried does not. */
export function isAlive(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

/** Waits until a process is dead; answers whether it died in time. */
export async function isDeadWithin(pid: number, ms: number): Promise<boolean> {
  for (const until = performance.now() + ms; isAlive(pid);) {
    if (performance.now() > until) return false;
    await wait(10);
  }
  return true;
}

/** Kills a process at the instant at which the point can be seen; answers whether it came to that. */
export async function killWhenSeen(pid: number, isSeen: () => boolean, ms: number): Promise<boolean> {
  for (const until = performance.now() + ms; isAlive(pid) && performance.now() < until;) {
    // Looked at many times a breath: what is waited for may last half a millisecond.
    for (let looks = 0; looks < 20; looks++) {
      if (!isSeen()) continue;
      process.kill(pid, 'SIGKILL');
      return isDeadWithin(pid, 5000);
    }
    await breathe();
  }
  return false;
}

/** Everything alive that was started with a home at or below a folder: the children of a program whose data are there. */
export function childrenIn(folder: string): number[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const home = /(?:^|\0)HOME=([^\0]*)/.exec(readFileSync(`/proc/${name}/environ`, 'utf8'))?.[1] ?? '';
      return (home === folder || home.startsWith(`${folder}/`)) && isAlive(Number(name)) ? [Number(name)] : [];
    } catch {
      return []; // over, or somebody else's
    }
  });
}

/** Every file below a folder, by its path in there. */
export const filesBelow = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
        .sort()
    : [];
