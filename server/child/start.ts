import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { constants, setPriority } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { isMainThread } from 'node:worker_threads';
import { ChildFailed } from './child-failed.ts';
import { childEnvironment } from './environment.ts';
import { findProgram } from './find-program.ts';

/** Hard bounds of the kernel for one child (prlimit of util-linux; without it they do not apply). */
export interface Limits {
  memoryBytes?: number;
  fileBytes?: number;
  cpuSeconds?: number;
}

export interface Surroundings {
  /** A private folder: working directory and home of the child. */
  cwd: string;
  env?: Record<string, string>;
  limits?: Limits;
  /** What it reads on stdin; nothing unless told. */
  input?: string;
}

const wrappers = Promise.all([findProgram('ionice'), findProgram('prlimit')]);

interface Started {
  child: ChildProcessByStdio<Writable | null, Readable, Readable>;
  groupId: number;
  /** How it ended, once it ended and both outputs are closed. */
  closed: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

/** Starts a program in a process group of its own, last in line for processor and disk, first to go when memory ends. */
export async function start(program: string, args: string[], { cwd, env, limits, input }: Surroundings): Promise<Started> {
  const path = await findProgram(program, env?.['PATH']);
  if (!path) throw new ChildFailed(program, { reason: 'missing' });
  const [ionice, prlimit] = await wrappers;
  const command = [
    ...(prlimit && limits ? [prlimit, ...limitOptions(limits)] : []),
    ...(ionice ? [ionice, '-t', '-c3'] : []),
    path,
    ...args,
  ];
  const child = privately(
    () =>
      spawn(command[0] as string, command.slice(1), {
        cwd,
        env: childEnvironment(cwd, env),
        detached: true,
        shell: false,
        stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      }) as ChildProcessByStdio<Writable | null, Readable, Readable>,
  );
  if (!child.pid) {
    const error = await new Promise<Error>((resolve) => child.once('error', resolve));
    throw new ChildFailed(program, { reason: 'missing', lastWords: error.message });
  }
  yieldFirst(child.pid);
  // A child that ends without having read everything is no failure of ours; how it ended says what it was.
  child.stdin?.on('error', () => undefined).end(input);
  child.on('error', () => undefined); // a signal that could not be sent; how it ended is told by `closed`
  return {
    child,
    groupId: child.pid,
    closed: new Promise((resolve) => child.once('close', (code, signal) => resolve({ code, signal }))),
  };
}

function limitOptions(limits: Limits): string[] {
  return [
    limits.memoryBytes && `--as=${limits.memoryBytes}`,
    limits.fileBytes && `--fsize=${limits.fileBytes}`,
    limits.cpuSeconds && `--cpu=${limits.cpuSeconds}`,
  ].filter((option) => typeof option === 'string');
}

// spawn() knows no umask: the child inherits ours of the instant it is forked, and forking is synchronous.
function privately<T>(fork: () => T): T {
  if (!isMainThread) return fork();
  const before = process.umask(0o077);
  try {
    return fork();
  } finally {
    process.umask(before);
  }
}

function yieldFirst(pid: number) {
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // already over
  }
  writeFile(`/proc/${pid}/oom_score_adj`, '500').catch(() => undefined);
}
