import { readFileSync } from 'node:fs';
import { mkdtemp, realpath, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ChildFailed, type ChildOptions, lines, run } from './run.ts';

let cwd: string;
beforeAll(async () => {
  cwd = await realpath(await mkdtemp(join(tmpdir(), 'child-')));
});
afterAll(() => rm(cwd, { recursive: true, force: true }));

const node = process.execPath;
const never = new AbortController().signal;
const script = (code: string, more: Partial<ChildOptions> = {}) => run(node, ['-e', code], { cwd, signal: never, ...more });

async function failed(running: Promise<unknown>): Promise<ChildFailed> {
  const error = await running.then(
    () => new Error('it went well'),
    (thrown: Error) => thrown,
  );
  if (!(error instanceof ChildFailed)) throw error;
  return error;
}

// A zombie is dead, whoever has not buried it.
const isAlive = (pid: number) => {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
};

describe('the surroundings of a child', () => {
  test('know nothing of our environment but what is listed', async () => {
    process.env['A_SECRET'] = 'canary';
    const { stdout } = await script('console.log(JSON.stringify([process.env, process.cwd()]))', { env: { OWN: '1' } });
    const [environment, folder] = JSON.parse(stdout) as [Record<string, string>, string];
    expect(environment).not.toHaveProperty('A_SECRET');
    expect(environment).toMatchObject({ LANG: 'C.UTF-8', HOME: cwd, OWN: '1' });
    expect(folder).toBe(cwd);
  });

  test('are a nice of ten and a process group of its own', async () => {
    const { stdout } = await script("const os=require('os');console.log(os.getPriority(), process.pid); setTimeout(()=>{},50)");
    const [priority, pid] = stdout.trim().split(' ').map(Number) as [number, number];
    expect(priority).toBe(10);
    expect(pid).not.toBe(process.pid);
  });

  test('keep the files it writes from everybody else', async () => {
    await script("require('fs').writeFileSync('secret', '')");
    expect((await stat(join(cwd, 'secret'))).mode & 0o777).toBe(0o600);
  });

  test('never see a shell: metacharacters arrive as they are', async () => {
    const { stdout } = await run(node, ['-p', 'process.argv[1]', '--', '$(touch x); `id` | cat'], { cwd, signal: never });
    expect(stdout).toBe('$(touch x); `id` | cat\n');
  });
});

describe('what a child is told', () => {
  const echo = "process.stdin.on('data', (d) => process.stdout.write(d))";
  test('arrives on stdin and ends there', async () => {
    expect((await script(echo, { input: 'one\n$(two)\n' })).stdout).toBe('one\n$(two)\n');
    expect((await script(`${echo}.on('end', () => console.log('over'))`, { input: '' })).stdout).toBe('over\n');
  });

  test('need not be read: one that ends without has ended well', async () => {
    expect((await script("console.log('done'); process.exit()", { input: 'x'.repeat(5_000_000) })).stdout).toBe('done\n');
  });
});

describe('what a child says', () => {
  test('comes line by line while it runs', async () => {
    const seen: string[] = [];
    for await (const line of lines(node, ['-e', "console.log('one'); setInterval(() => console.log('two'), 20)"], {
      cwd,
      signal: never,
    })) {
      seen.push(line);
      if (seen.length === 3) break;
    }
    expect(seen).toEqual(['one', 'two', 'two']);
  });

  test('is left out where a line is longer than the bound, and the rest is read', async () => {
    const code = "const piece='x'.repeat(1e6); for (let i=0;i<30;i++) process.stdout.write(piece); console.log('\\nafter')";
    expect((await script(code)).stdout).toBe('after\n');
  });

  test('is left out where it begins otherwise than what is waited for', async () => {
    const code = "console.log('{1}\\nbabble\\n[x] 2\\n {3}'); process.stdout.write('[4')";
    const seen = await Array.fromAsync(lines(node, ['-e', code], { cwd, signal: never, beginnings: ['{', '['] }));
    expect(seen).toEqual(['{1}', '[x] 2', '[4']);
  });

  test('on stderr is kept to its end when it fails', async () => {
    const error = await failed(
      script("for (let i=0;i<20000;i++) console.error('noise '+i); console.error('ERROR: last'); process.exitCode=3"),
    );
    expect(error).toMatchObject({ reason: 'exit', code: 3 });
    expect(error.lastWords.length).toBeLessThan(20_000);
    expect(error.lastWords.trim()).toMatch(/ERROR: last$/);
  });
});

describe('a child is ended', () => {
  test('when it says nothing for too long', async () => {
    expect(await failed(script('setInterval(() => {}, 1000)', { silenceMs: 300 }))).toMatchObject({ reason: 'silent' });
  });

  test('when it takes too long, however much it talks', async () => {
    const talk = script("setInterval(() => console.log('x'), 20)", { timeMs: 400, silenceMs: 5000 });
    expect(await failed(talk)).toMatchObject({ reason: 'time' });
  });

  test('not for the silence of a reader that is slow', async () => {
    const seen: string[] = [];
    for await (const line of lines(node, ['-e', "console.log('a'); console.log('b')"], { cwd, signal: never, silenceMs: 300 })) {
      await pause(500);
      seen.push(line);
    }
    expect(seen).toEqual(['a', 'b']);
  });

  test('with everything it started when the signal fires, within a second', async () => {
    const stop = new AbortController();
    const family =
      "const {spawn}=require('child_process'); const c=spawn('sleep',['60']); console.log(c.pid); setInterval(()=>{},1000)";
    const talk = lines(node, ['-e', family], { cwd, signal: stop.signal });
    const grandchild = Number((await talk.next()).value);
    expect(isAlive(grandchild)).toBe(true);
    const from = performance.now();
    stop.abort(new Error('enough'));
    await expect(talk.next()).rejects.toThrow('enough');
    expect(performance.now() - from).toBeLessThan(1000);
    expect(isAlive(grandchild)).toBe(false);
  });

  test('with a grandchild that outlives it', async () => {
    const family =
      "const {spawn}=require('child_process'); const c=spawn('sleep',['60'],{stdio:'inherit'}); console.log(c.pid); process.exit(0)";
    const { stdout } = await script(family);
    expect(isAlive(Number(stdout))).toBe(false);
  });

  test('by force when it does not listen to reason', async () => {
    const deaf = await failed(script("process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)", { timeMs: 300 }));
    expect(deaf).toMatchObject({ reason: 'time', signal: 'SIGKILL' });
  });
});

describe('a program that cannot be started', () => {
  test.each(['/nowhere/at/all', 'no-such-program-anywhere'])('%s is missing', async (program) => {
    expect(await failed(run(program, [], { cwd, signal: never }))).toMatchObject({ reason: 'missing' });
  });

  test('is not started when the signal already fired', async () => {
    await expect(run(node, ['-v'], { cwd, signal: AbortSignal.abort(new Error('before')) })).rejects.toThrow('before');
  });
});
