import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import type { Program } from './program.ts';

// Kills the program at an exact point of its work: with strace when it enters a system call, or without strace by polling the
// disk for the effect.

/** A point at which to kill the program, for both methods. */
export interface Point {
  name: string;
  /** System calls and a path argument; the process is killed before the call has any effect. */
  calls: string;
  path: string;
  /** Which of the calls; default: the first. */
  when?: number;
  /** Returns whether the point, or a later one, has been reached. Points without it need strace. */
  isReached?: () => boolean;
}

/** Whether strace is installed and may trace. */
export const hasStrace = spawnSync('strace', ['-o', '/dev/null', '-e', 'trace=link', '-f', '-b', 'execve', 'true']).status === 0;

/** Returns the strace command prefix that kills a program at a point. */
export const killCommandFor = ({ calls, path, when = 1 }: Point): string[] =>
  // Does not trace child processes: tests check that they survive the kill, and strace would slow them down.
  ['strace', '-f', '-b', 'execve', '-qqq', '-o', '/dev/null', '-P', path, '-e', `trace=${calls}`].concat(
    '-e',
    `inject=${calls}:signal=KILL:when=${when}`,
  );

/** Returns the process id of the server from its log, even if another program started it. */
export async function pidOf(program: Program): Promise<number> {
  for (let tries = 0; tries < 10_000; tries++) {
    const pid = /"pid":(\d+)/.exec(program.output.text)?.[1];
    if (pid) return Number(pid);
    await wait(10);
  }
  throw new Error(`The output contains no process id:\n${program.output.text}`);
}

/** Returns whether a process is running. Zombies are not. */
export function isAlive(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

/** Waits until a process has ended. Returns whether it ended in time. */
export async function isDeadWithin(pid: number, ms: number): Promise<boolean> {
  for (const until = performance.now() + ms; isAlive(pid);) {
    if (performance.now() > until) return false;
    await wait(10);
  }
  return true;
}

/** Kills a process as soon as `isReached` returns true. Returns whether that happened in time. */
export async function killWhenSeen(pid: number, isReached: () => boolean, ms: number): Promise<boolean> {
  for (const until = performance.now() + ms; isAlive(pid) && performance.now() < until;) {
    // Polls in batches, because the state may last only half a millisecond.
    for (let attempts = 0; attempts < 20; attempts++) {
      if (!isReached()) continue;
      process.kill(pid, 'SIGKILL');
      return isDeadWithin(pid, 5000);
    }
    await nextTurn();
  }
  return false;
}

/** Returns the processes whose HOME is at or below a folder: the children of a program with its data there. */
export function childrenIn(folder: string): number[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const home = /(?:^|\0)HOME=([^\0]*)/.exec(readFileSync(`/proc/${name}/environ`, 'utf8'))?.[1] ?? '';
      return (home === folder || home.startsWith(`${folder}/`)) && isAlive(Number(name)) ? [Number(name)] : [];
    } catch {
      return []; // ended, or owned by another user
    }
  });
}

/** Lists all files below a folder by relative path. */
export const listFiles = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
        .sort()
    : [];
