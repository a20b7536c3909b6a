import { type ChildProcessByStdio, execFile, spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { constants, setPriority } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { isMainThread } from 'node:worker_threads';
import { ProcessError } from './process-error.ts';
import { childEnvironment } from './env.ts';
import { findProgram } from './find-program.ts';

/** Kernel limits for one child, set with prlimit of util-linux if available. */
export interface Limits {
  memoryBytes?: number;
  /** Heap and private anonymous mappings, for programs that reserve more addresses than they use. */
  dataBytes?: number;
  fileBytes?: number;
  cpuSeconds?: number;
}

export interface SpawnEnvironment {
  /** A private folder: working directory and HOME of the child. */
  cwd: string;
  env?: Record<string, string>;
  limits?: Limits;
  /** Uses only idle CPU time. */
  isIdle?: boolean;
  /** Has no network, where the kernel lets this account create namespaces; containers often do not. */
  isOffline?: boolean;
  /** Content for stdin; empty by default. */
  input?: string;
  /** Leaves stdin open for the caller to write to. */
  hasOpenInput?: boolean;
}

const wrappers = Promise.all([findProgram('ionice'), findProgram('prlimit'), findProgram('chrt')]);

let offlineWrapper: Promise<string[]> | undefined;

/** Returns the command that starts another one in a separate network namespace, without interfaces; empty if that is not allowed. */
async function findOfflineWrapper(): Promise<string[]> {
  const [unshare, nothing] = await Promise.all([findProgram('unshare'), findProgram('true')]);
  if (!unshare || !nothing) return [];
  const command = [unshare, '--user', '--map-current-user', '--net', '--'];
  return new Promise((resolve) => {
    execFile(unshare, [...command.slice(1), nothing], (error) => resolve(error ? [] : command));
  });
}

interface Started {
  child: ChildProcessByStdio<Writable | null, Readable, Readable>;
  groupId: number;
  /** Exit status, after both outputs are closed. */
  closed: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

/** Starts a program in its own process group with low CPU and disk priority, preferred by the OOM killer. */
export async function startProcess(
  program: string,
  args: string[],
  { cwd, env, limits, isIdle, isOffline, input, hasOpenInput = false }: SpawnEnvironment,
): Promise<Started> {
  const path = await findProgram(program, env?.['PATH']);
  if (!path) throw new ProcessError(program, { reason: 'missing' });
  const [ionice, prlimit, chrt] = await wrappers;
  const command = [
    ...(isOffline ? await (offlineWrapper ??= findOfflineWrapper()) : []),
    ...(prlimit && limits ? [prlimit, ...limitOptions(limits)] : []),
    ...(ionice ? [ionice, '-t', '-c3'] : []),
    ...(chrt && isIdle ? [chrt, '-i', '0'] : []),
    path,
    ...args,
  ];
  const child = withPrivateUmask(
    () =>
      spawn(command[0] as string, command.slice(1), {
        cwd,
        env: childEnvironment(cwd, env),
        detached: true,
        shell: false,
        stdio: [input === undefined && !hasOpenInput ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      }) as ChildProcessByStdio<Writable | null, Readable, Readable>,
  );
  if (!child.pid) {
    const error = await new Promise<Error>((resolve) => child.once('error', resolve));
    throw new ProcessError(program, { reason: 'missing', lastWords: error.message });
  }
  lowerPriority(child.pid, isIdle);
  // A child that does not read all of stdin is no error; its exit status decides.
  child.stdin?.on('error', () => undefined);
  if (!hasOpenInput) child.stdin?.end(input);
  child.on('error', () => undefined); // a signal could not be sent; `closed` reports the exit
  return {
    child,
    groupId: child.pid,
    closed: new Promise((resolve) => child.once('close', (code, signal) => resolve({ code, signal }))),
  };
}

function limitOptions(limits: Limits): string[] {
  return [
    limits.memoryBytes && `--as=${limits.memoryBytes}`,
    limits.dataBytes && `--data=${limits.dataBytes}`,
    limits.fileBytes && `--fsize=${limits.fileBytes}`,
    limits.cpuSeconds && `--cpu=${limits.cpuSeconds}`,
  ].filter((option) => typeof option === 'string');
}

// spawn() has no umask option: the child inherits it when it is forked, which is synchronous.
function withPrivateUmask<T>(fork: () => T): T {
  if (!isMainThread) return fork();
  const before = process.umask(0o077);
  try {
    return fork();
  } finally {
    process.umask(before);
  }
}

function lowerPriority(pid: number, isIdle = false) {
  const { PRIORITY_LOW: lowest, PRIORITY_BELOW_NORMAL: low } = constants.priority;
  try {
    setPriority(pid, isIdle ? lowest : low);
  } catch {
    // already ended
  }
  writeFile(`/proc/${pid}/oom_score_adj`, '500').catch(() => undefined);
}
