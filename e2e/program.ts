import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { misfitOf } from '#server/testing-answers.ts';

const root = join(import.meta.dirname, '..');

interface Wish {
  data: string;
  env?: Record<string, string>;
  /** What is run: the server, or what `npm start` runs, which brings everything first. */
  script?: 'bin/start.mjs';
  /** A program with its arguments that runs it, such as strace. */
  under?: string[];
}

const server = process.env.REELKEEP_TEST_SERVER ?? join(root, 'server/main.ts');
const flags = ['--max-semi-space-size=4', '--heap-growing-percent=35', '--disable-warning=ExperimentalWarning'];

/** The program itself, started as people start it, on a free port. */
export async function startProgram({ data, env = {}, script, under = [] }: Wish) {
  const asStarted = script ? [join(root, script)] : [...flags, server];
  const [command = '', ...args] = [...under, process.execPath, ...asStarted];
  const child = spawn(command, args, {
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      // With these and the flag above, bin/start.mjs keeps the memory small.
      MALLOC_MMAP_THRESHOLD_: '131072',
      MALLOC_ARENA_MAX: '2',
      REELKEEP_DATA: data,
      REELKEEP_HOST: '127.0.0.1',
      REELKEEP_PORT: '0',
      REELKEEP_USERNAME: 'demo',
      REELKEEP_PASSWORD: 'demo',
      REELKEEP_YTDLP: process.env.REELKEEP_YTDLP,
      REELKEEP_FFMPEG: process.env.REELKEEP_FFMPEG,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const words = { text: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (words.text += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (words.text += text));
  const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  return { child, words, ended };
}
export type Program = Awaited<ReturnType<typeof startProgram>>;

/** Waits until it says where it listens. Throws with its words when it does not. */
export async function addressOf({ words, ended, child }: Program): Promise<string> {
  let isOver = false;
  void ended.then(() => (isOver = true));
  for (let tries = 0; tries < 4800 && !isOver; tries++) {
    const port = /http:\/\/localhost:(\d+)/.exec(words.text)?.[1];
    if (port) return `http://127.0.0.1:${port}`;
    await wait(25);
  }
  child.kill('SIGKILL');
  throw new Error(`The program did not start:\n${words.text}`);
}

/** Somebody who speaks to it over the network, logged in. */
export async function aVisitor(address: string) {
  const answer = await fetch(`${address}/api/user/login/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'demo', password: 'demo' }),
  });
  if (answer.status !== 204) throw new Error(`Cannot log in: ${answer.status} ${await answer.text()}`);
  const cookies = answer.headers.getSetCookie().map((cookie) => cookie.split(';')[0]!);
  const token = cookies.find((cookie) => cookie.startsWith('csrftoken='))?.slice('csrftoken='.length) ?? '';
  const call = async (method: string, path: string, body?: object) => {
    const said = await fetch(address + path, {
      method,
      headers: { cookie: cookies.join('; '), 'x-csrftoken': token, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const json = said.status === 204 ? undefined : ((await said.json()) as unknown);
    const misfit = misfitOf({ method, path: path.split('?')[0] ?? '', status: said.status, body: json });
    if (misfit) throw new Error(misfit);
    return { status: said.status, json };
  };
  /** How many bytes of a file arrive. */
  const bytesOf = async (path: string) => {
    const said = await fetch(address + path, { headers: { cookie: cookies.join('; ') } });
    return said.status === 200 ? (await said.arrayBuffer()).byteLength : null;
  };
  return { call, bytesOf, headers: { cookie: cookies.join('; ') } };
}
export type Visitor = Awaited<ReturnType<typeof aVisitor>>;

/** A folder that goes when the test is over. */
export async function aFolder(): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'reelkeep-e2e-'));
  return { path, remove: () => rm(path, { recursive: true, force: true, maxRetries: 5 }) };
}

export const kill = (child: ChildProcess) => child.kill('SIGKILL');
