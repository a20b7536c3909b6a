import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, realpath, rm, stat } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ProcessError, type ChildOptions, lines, run } from './run.ts';

let cwd: string;
beforeAll(async () => {
  cwd = await realpath(await mkdtemp(join(tmpdir(), 'child-')));
});
afterAll(() => rm(cwd, { recursive: true, force: true }));

const node = process.execPath;
// Containers often forbid it.
const canUnshare = spawnSync('unshare', ['--user', '--map-current-user', '--net', 'true']).status === 0;
const noAbort = new AbortController().signal;
const script = (code: string, options: Partial<ChildOptions> = {}) =>
  run(node, ['-e', code], { cwd, signal: noAbort, ...options });

async function failed(running: Promise<unknown>): Promise<ProcessError> {
  const error = await running.then(
    () => new Error('it went well'),
    (thrown: Error) => thrown,
  );
  if (!(error instanceof ProcessError)) throw error;
  return error;
}

// A zombie counts as dead.
const isAlive = (pid: number) => {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
};

describe('environment of a child', () => {
  test('contains only the allowed variables', async () => {
    process.env['A_SECRET'] = 'canary';
    const { stdout } = await script('console.log(JSON.stringify([process.env, process.cwd()]))', { env: { OWN: '1' } });
    const [environment, folder] = JSON.parse(stdout) as [Record<string, string>, string];
    expect(environment).not.toHaveProperty('A_SECRET');
    expect(environment).toMatchObject({ LANG: 'C.UTF-8', HOME: cwd, OWN: '1' });
    expect(folder).toBe(cwd);
  });

  test('has a nice value of 10 and its own process group', async () => {
    const { stdout } = await script("const os=require('os');console.log(os.getPriority(), process.pid); setTimeout(()=>{},50)");
    const [priority, pid] = stdout.trim().split(' ').map(Number) as [number, number];
    expect(priority).toBe(10);
    expect(pid).not.toBe(process.pid);
  });

  test.runIf(existsSync('/usr/bin/chrt'))('gets only idle processor time if that is asked for', async () => {
    const { stdout } = await run('chrt', ['-p', '0'], { cwd, signal: new AbortController().signal, isIdle: true });
    expect(stdout).toContain('SCHED_IDLE');
  });

  test.runIf(canUnshare)('has no network if it is to be offline', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const code = `require('net').connect(${port}, '127.0.0.1').on('connect', () => process.exit(0)).on('error', () => process.exit(3))`;
    await script(code);
    const { code: status } = await failed(script(code, { isOffline: true }));
    expect(status).toBe(3);
    server.close();
  });

  test('creates files with mode 600', async () => {
    await script("require('fs').writeFileSync('secret', '')");
    expect((await stat(join(cwd, 'secret'))).mode & 0o777).toBe(0o600);
  });

  test('does not use a shell', async () => {
    const { stdout } = await run(node, ['-p', 'process.argv[1]', '--', '$(touch x); `id` | cat'], { cwd, signal: noAbort });
    expect(stdout).toBe('$(touch x); `id` | cat\n');
  });
});

describe('stdin of a child', () => {
  const echo = "process.stdin.on('data', (d) => process.stdout.write(d))";
  test('is passed and closed', async () => {
    expect((await script(echo, { input: 'one\n$(two)\n' })).stdout).toBe('one\n$(two)\n');
    expect((await script(`${echo}.on('end', () => console.log('over'))`, { input: '' })).stdout).toBe('over\n');
  });

  test('does not have to be read', async () => {
    expect((await script("console.log('done'); process.exit()", { input: 'x'.repeat(5_000_000) })).stdout).toBe('done\n');
  });
});

describe('output of a child', () => {
  test('is returned line by line while it runs', async () => {
    const received: string[] = [];
    for await (const line of lines(node, ['-e', "console.log('one'); setInterval(() => console.log('two'), 20)"], {
      cwd,
      signal: noAbort,
    })) {
      received.push(line);
      if (received.length === 3) break;
    }
    expect(received).toEqual(['one', 'two', 'two']);
  });

  test('drops lines that are too long', async () => {
    const code = "const piece='x'.repeat(1e6); for (let i=0;i<30;i++) process.stdout.write(piece); console.log('\\nafter')";
    expect((await script(code)).stdout).toBe('after\n');
  });

  test('drops lines with another beginning', async () => {
    const code = "console.log('{1}\\nbabble\\n[x] 2\\n {3}'); process.stdout.write('[4')";
    const received = await Array.fromAsync(lines(node, ['-e', code], { cwd, signal: noAbort, beginnings: ['{', '['] }));
    expect(received).toEqual(['{1}', '[x] 2', '[4']);
  });

  test('keeps the end of stderr in the error', async () => {
    const error = await failed(
      script("for (let i=0;i<20000;i++) console.error('noise '+i); console.error('ERROR: last'); process.exitCode=3"),
    );
    expect(error).toMatchObject({ reason: 'exit', code: 3 });
    expect(error.lastWords.length).toBeLessThan(20_000);
    expect(error.lastWords.trim()).toMatch(/ERROR: last$/);
  });
});

describe('kills a child', () => {
  test('without output for too long', async () => {
    expect(await failed(script('setInterval(() => {}, 1000)', { silenceMs: 300 }))).toMatchObject({ reason: 'silent' });
  });

  test('after the total timeout, in spite of output', async () => {
    const running = script("setInterval(() => console.log('x'), 20)", { timeMs: 400, silenceMs: 5000 });
    expect(await failed(running)).toMatchObject({ reason: 'time' });
  });

  test('not because of a slow reader', async () => {
    const received: string[] = [];
    for await (const line of lines('/bin/sh', ['-c', 'echo a; echo b'], { cwd, signal: noAbort, silenceMs: 1000 })) {
      await pause(1200);
      received.push(line);
    }
    expect(received).toEqual(['a', 'b']);
  });

  test('with its process group when the signal fires', async () => {
    const stop = new AbortController();
    const parentScript =
      "const {spawn}=require('child_process'); const c=spawn('sleep',['60']); console.log(c.pid); setInterval(()=>{},1000)";
    const running = lines(node, ['-e', parentScript], { cwd, signal: stop.signal });
    const grandchild = Number((await running.next()).value);
    expect(isAlive(grandchild)).toBe(true);
    const from = performance.now();
    stop.abort(new Error('enough'));
    await expect(running.next()).rejects.toThrow('enough');
    expect(performance.now() - from).toBeLessThan(30_000); // half of the duration without a stop
    expect(isAlive(grandchild)).toBe(false);
  });

  test('with a grandchild that survives it', async () => {
    const parentScript =
      "const {spawn}=require('child_process'); const c=spawn('sleep',['60'],{stdio:'inherit'}); console.log(c.pid); process.exit(0)";
    const { stdout } = await script(parentScript);
    expect(isAlive(Number(stdout))).toBe(false);
  });

  test('with SIGKILL if it ignores SIGTERM', async () => {
    // A shell, because it ignores the signal within milliseconds also on a busy machine.
    const child = run('/bin/sh', ['-c', "trap '' TERM; while :; do sleep 1; done"], { cwd, signal: noAbort, timeMs: 1000 });
    expect(await failed(child)).toMatchObject({ reason: 'time', signal: 'SIGKILL' });
  });
});

describe('a program that cannot be started', () => {
  test.each(['/nowhere/at/all', 'no-such-program-anywhere'])('%s is missing', async (program) => {
    expect(await failed(run(program, [], { cwd, signal: noAbort }))).toMatchObject({ reason: 'missing' });
  });

  test('is not started if the signal has already fired', async () => {
    await expect(run(node, ['-v'], { cwd, signal: AbortSignal.abort(new Error('before')) })).rejects.toThrow('before');
  });
});
