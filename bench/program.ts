import { spawn, type ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { addressOf, startProgram, type Program } from '../e2e/support/program.ts';

const root = join(import.meta.dirname, '..');

const children = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});
/** Ends a child with this process, also after an error: it would keep the output open, and the command would seem to hang. */
export const endWithThis = (child: ChildProcess) => children.add(child);

/** Starts the server on `data`. Returns it with the time until its first response, in milliseconds. */
export async function timedStart(data: string, env: Record<string, string> = {}) {
  const began = performance.now();
  const program = await startProgram({ data, env: { REELKEEP_LOG: 'warn', ...env }, script: 'scripts/start.mjs' });
  endWithThis(program.child);
  const address = await addressOf(program);
  await waitForHealth(address);
  return { program, address, milliseconds: performance.now() - began };
}

async function waitForHealth(address: string) {
  while (!(await fetch(`${address}/api/health/`).catch(() => null))?.ok) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** Returns the time of `npm start` until the first response, in milliseconds, on a machine where everything is installed. */
export async function timedNpmStart(data: string): Promise<number> {
  const began = performance.now();
  const child = spawn('npm', ['start', '--silent'], {
    cwd: root,
    env: { ...process.env, REELKEEP_DATA: data, REELKEEP_PORT: '0', REELKEEP_HOST: '127.0.0.1', REELKEEP_PASSWORD: 'bench' },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  const port = await new Promise<string>((resolve, reject) => {
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      const found = /http:\/\/localhost:(\d+)/.exec(text)?.[1];
      if (found) resolve(found);
    });
    child.once('exit', () => reject(new Error(`npm start ended:\n${text}`)));
  });
  await waitForHealth(`http://127.0.0.1:${port}`);
  const took = performance.now() - began;
  await waitForExit(child, () => process.kill(-child.pid!, 'SIGTERM'));
  // npm ends before the server, whose lock the next start would meet.
  while (isAlive(-child.pid!)) await wait(20);
  return took;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

const waitForExit = (child: ChildProcess, end: () => void) =>
  new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    end();
  });

export const stop = ({ child }: Program) => waitForExit(child, () => child.kill('SIGTERM'));

/** Returns the resident memory of the server without yt-dlp and ffmpeg, in MiB; null without /proc. */
export async function residentMib({ child }: Program): Promise<number | null> {
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '');
  const kib = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
  return kib ? Number(kib) / 1024 : null;
}

/**
 * Waits until the server has no child processes: after each start, one checks tables of the database for damage for up to ten
 * seconds. Without /proc it waits two seconds.
 */
export async function waitUntilIdle({ child }: Program): Promise<void> {
  const children = () => readFile(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').catch(() => '');
  // The check starts after the startup recovery and the search for programs.
  for (let quietTimes = 0; quietTimes < 10; await wait(200)) quietTimes = (await children()).trim() === '' ? quietTimes + 1 : 0;
}
