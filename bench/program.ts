import { spawn, type ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { addressOf, startProgram, type Program } from '../e2e/program.ts';

const root = join(import.meta.dirname, '..');

/** The program on `data`, with how long it took until it answered, in milliseconds. */
export async function timedStart(data: string, env: Record<string, string> = {}) {
  const began = performance.now();
  const program = await startProgram({ data, env: { REELKEEP_LOG: 'warn', ...env }, script: 'bin/start.mjs' });
  const address = await addressOf(program);
  await answered(address);
  return { program, address, milliseconds: performance.now() - began };
}

async function answered(address: string) {
  while (!(await fetch(`${address}/api/health/`).catch(() => null))?.ok) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** How long `npm start` takes until it answers on a machine where everything is there already, in milliseconds. */
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
    child.stdout.setEncoding('utf8').on('data', (words: string) => {
      text += words;
      const found = /http:\/\/localhost:(\d+)/.exec(text)?.[1];
      if (found) resolve(found);
    });
    child.once('exit', () => reject(new Error(`npm start ended:\n${text}`)));
  });
  await answered(`http://127.0.0.1:${port}`);
  const took = performance.now() - began;
  await ended(child, () => process.kill(-child.pid!, 'SIGTERM'));
  return took;
}

const ended = (child: ChildProcess, end: () => void) =>
  new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    end();
  });

export const stop = ({ child }: Program) => ended(child, () => child.kill('SIGTERM'));

/** Resident memory of the server alone, without yt-dlp and ffmpeg, in MiB; null where there is no /proc. */
export async function residentMib({ child }: Program): Promise<number | null> {
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '');
  const kib = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
  return kib ? Number(kib) / 1024 : null;
}

/**
 * Waits until the server has no children: after each start one of them reads the whole database, to see whether it is damaged, which is
 * seconds of a large one. Where there is no /proc it waits two seconds.
 */
export async function untilAtRest({ child }: Program): Promise<void> {
  const children = () => readFile(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').catch(() => '');
  // It begins when what an earlier run left has been put right, and programs are looked for.
  for (let quietTimes = 0; quietTimes < 10; await wait(200)) quietTimes = (await children()).trim() === '' ? quietTimes + 1 : 0;
}
