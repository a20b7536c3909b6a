import { spawn, type ChildProcess } from 'node:child_process';
import { chmod, copyFile, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { openapiMismatch } from '#server/test-support/assert-openapi.ts';
import { sqliteTemplate } from '#server/test-support/databases.ts';

const root = join(import.meta.dirname, '../..');

interface ProgramOptions {
  data: string;
  env?: Record<string, string>;
  /** The script of `npm start`, which installs everything first, instead of the server. */
  script?: 'scripts/start.mjs';
  /** A command that runs the program, such as strace. */
  under?: string[];
}

const server = process.env.REELKEEP_TEST_SERVER ?? join(root, 'server/main.ts');
const flags = ['--max-semi-space-size=4', '--heap-growing-percent=35', '--disable-warning=ExperimentalWarning'];

/** Copies an empty database with all tables into an empty data folder, which saves the migrations. */
async function prepareDatabase(data: string): Promise<void> {
  const entries = await readdir(data).catch(() => null);
  if (entries?.length !== 0) return;
  const path = join(data, 'reelkeep.db');
  await copyFile(await sqliteTemplate(), path);
  await chmod(path, 0o600);
}

/** Starts the program like a user does, on a free port. */
export async function startProgram({ data, env = {}, script, under = [] }: ProgramOptions) {
  if (!script && under.length === 0 && !env.REELKEEP_DATABASE) await prepareDatabase(data);
  const nodeArgs = script ? [join(root, script)] : [...flags, server];
  const [command = '', ...args] = [...under, process.execPath, ...nodeArgs];
  const child = spawn(command, args, {
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      TMPDIR: process.env.TMPDIR,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      // Same memory settings as scripts/start.mjs, together with the flag above.
      MALLOC_MMAP_THRESHOLD_: '131072',
      MALLOC_TRIM_THRESHOLD_: '32768',
      MALLOC_TOP_PAD_: '0',
      MALLOC_ARENA_MAX: '1',
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
  const output = { text: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output.text += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output.text += text));
  const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  return { child, output, ended };
}
export type Program = Awaited<ReturnType<typeof startProgram>>;

/** Waits until the program prints its URL, and returns it. @throws with its output if it exits before */
export async function addressOf({ output, ended, child }: Program): Promise<string> {
  let isOver = false;
  void ended.then(() => (isOver = true));
  for (let tries = 0; tries < 4800 && !isOver; tries++) {
    const port = /http:\/\/localhost:(\d+)/.exec(output.text)?.[1];
    if (port) return `http://127.0.0.1:${port}`;
    await wait(25);
  }
  child.kill('SIGKILL');
  throw new Error(`The program did not start:\n${output.text}`);
}

/** Logs in, and returns an API client that checks replies against the OpenAPI description. */
export async function logInToProgram(address: string) {
  const response = await fetch(`${address}/api/user/login/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'demo', password: 'demo' }),
  });
  if (response.status !== 204) throw new Error(`Cannot log in: ${response.status} ${await response.text()}`);
  const cookies = response.headers.getSetCookie().map((cookie) => cookie.split(';')[0]!);
  const token = cookies.find((cookie) => cookie.startsWith('csrftoken='))?.slice('csrftoken='.length) ?? '';
  const call = async (method: string, path: string, body?: object) => {
    const response = await fetch(address + path, {
      method,
      headers: { cookie: cookies.join('; '), 'x-csrftoken': token, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const json = response.status === 204 ? undefined : ((await response.json()) as unknown);
    const mismatch = openapiMismatch({ method, path: path.split('?')[0] ?? '', status: response.status, body: json });
    if (mismatch) throw new Error(mismatch);
    return { status: response.status, json };
  };
  /** Returns the size of a file as received; null if the request fails. */
  const bytesOf = async (path: string) => {
    const response = await fetch(address + path, { headers: { cookie: cookies.join('; ') } });
    return response.status === 200 ? (await response.arrayBuffer()).byteLength : null;
  };
  return { call, bytesOf, headers: { cookie: cookies.join('; ') } };
}
export type ApiClient = Awaited<ReturnType<typeof logInToProgram>>;

/** Creates a temporary folder. */
export async function createTempFolder(): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'reelkeep-e2e-'));
  return { path, remove: () => rm(path, { recursive: true, force: true, maxRetries: 5 }) };
}

export const kill = (child: ChildProcess) => child.kill('SIGKILL');
