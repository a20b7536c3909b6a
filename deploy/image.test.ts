import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

// Builds the image content like the Dockerfile: from the files of its first stage, with the same command.

const root = join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const dockerfile = read('Dockerfile');
const copiedFiles = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, names]) => names!.split(' '));
const [check, start] = [...dockerfile.matchAll(/CMD (\[.+\])$/gm)].map(([, json]) => (JSON.parse(json!) as string[]).slice(1));
const [, script = '', outputFolder = ''] = /^RUN node (scripts\/\S+) (\S+)$/m.exec(dockerfile) ?? [];

const folder = mkdtempSync(join(tmpdir(), 'reelkeep-image-'));
const image = join(folder, 'image');
const data = join(folder, 'data');
const port = String(20_000 + Math.floor(Math.random() * 20_000));
const address = `http://127.0.0.1:${port}`;
const env = {
  PATH: process.env.PATH,
  HOME: folder,
  REELKEEP_DATA: data,
  REELKEEP_PORT: port,
  REELKEEP_USERNAME: 'demo',
  REELKEEP_PASSWORD: 'words of demo',
  REELKEEP_YTDLP: process.env.REELKEEP_YTDLP,
  REELKEEP_FFMPEG: process.env.REELKEEP_FFMPEG,
};
const run = (...args: string[]) => spawnSync(process.execPath, args, { cwd: image, env, encoding: 'utf8' });

const files = () =>
  readdirSync(image, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(image, join(entry.parentPath, entry.name)))
    .sort();

beforeAll(() => {
  // Otherwise npm would reinstall through the link and replace the packages of this checkout.
  const lock = createHash('sha256').update(read('package-lock.json')).digest('hex');
  expect(read('node_modules/.reelkeep'), 'the packages do not match the lock file; run: npm run setup').toContain(lock);
  const app = join(folder, 'app');
  mkdirSync(app);
  const isTest = (path: string) => /\.test\.tsx?$/.test(path);
  for (const path of copiedFiles) cpSync(join(root, path), join(app, path), { recursive: true, filter: (from) => !isTest(from) });
  symlinkSync(join(root, 'node_modules'), join(app, 'node_modules'));
  execFileSync(process.execPath, [script, image], { cwd: app, env, stdio: 'pipe' });
  // The image must work without it.
  rmSync(app, { recursive: true });
}, 240_000);
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }));

describe('the image', () => {
  test('copies only the output of the build script, and runs as an unprivileged user', () => {
    expect(dockerfile).toMatch(new RegExp(`^COPY --from=build ${outputFolder} \\.$`, 'm'));
    expect([...dockerfile.matchAll(/^COPY --from/gm)]).toHaveLength(1);
    expect(dockerfile).toMatch(/^USER node$/m);
  });

  test('contains no tests, benchmarks, sources or build tools, and contains license notices', () => {
    const all = files();
    expect(all).toEqual(expect.arrayContaining(['LICENSE', 'THIRD-PARTY', 'dist/index.html', 'dist-server/main.mjs']));
    expect(readdirSync(image).sort()).toEqual([
      'LICENSE',
      'THIRD-PARTY',
      'dist',
      'dist-cli',
      'dist-server',
      'node_modules',
      'package.json',
      'scripts',
    ]);
    expect(all.filter((path) => /\.tsx?$|\.map$|\.po$|test-support|test-site|bench|bundle\.mjs|image\.mjs/.test(path))).toEqual(
      [],
    );
    expect(readdirSync(join(image, 'node_modules'))).toEqual(['swagger-ui-dist']);
    const code = all
      .filter((path) => /^(scripts|dist-).*js$/.test(path))
      .map((path) => readFileSync(join(image, path), 'utf8'))
      .join('\n');
    for (const tool of ['testApp', '@babel/core', 'vitest', 'playwright-core']) expect(code).not.toContain(tool);
    const notices = readFileSync(join(image, 'THIRD-PARTY'), 'utf8');
    for (const name of ['fastify, LICENSE', 'react, LICENSE', 'kysely, LICENSE']) expect(notices).toContain(name);
    expect(notices).not.toContain('\nvite, LICENSE');
    const totalBytes = all.reduce((bytes, path) => bytes + statSync(join(image, path)).size, 0);
    expect(totalBytes).toBeLessThan(25e6);
  });

  test('starts, passes its health check, and serves the app and the API documentation', async () => {
    const before = files();
    const program = spawn(process.execPath, start!, { cwd: image, env, stdio: 'pipe' });
    const ended = new Promise((resolve) => program.once('exit', resolve));
    try {
      let output = '';
      await new Promise((resolve, reject) => {
        program.stdout.on('data', (text) => /http:/.test((output += String(text))) && resolve(null));
        program.stderr.on('data', (text) => (output += String(text)));
        program.once('exit', () => reject(new Error(output)));
      });
      expect(await (await fetch(`${address}/livez`)).json()).toBe('OK');
      expect(run(...check!)).toMatchObject({ status: 0, stderr: '' });
      const page = await (await fetch(address)).text();
      const [, app] = /<script[^>]* src="([^"]+\.js)"/.exec(page)!;
      const response = await fetch(new URL(app!, `${address}/`));
      expect([response.status, response.headers.get('content-type')]).toEqual([200, expect.stringContaining('javascript')]);

      const login = await fetch(`${address}/api/user/login/`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ username: 'demo', password: 'words of demo' }),
      });
      const cookie = login.headers
        .getSetCookie()
        .map((one) => one.split(';')[0])
        .join('; ');
      for (const name of ['swagger-ui-bundle.js', 'swagger-ui.css'])
        expect((await fetch(`${address}/api/docs/${name}`, { headers: { cookie } })).status).toBe(200);

      const health = run('scripts/cli.mjs', 'health');
      expect(health.stdout).toMatch(/^✓ Program: it runs on this archive\.\n/);
      expect(health.stdout).toMatch(/^✓ Database/m);
      expect(run('scripts/cli.mjs', 'rotate-key').stdout).toContain('The running server uses the new key.');
    } finally {
      program.kill();
      await ended;
    }
    expect(run(...check!)).toMatchObject({ status: 1, stderr: expect.stringMatching(/ECONNREFUSED|fetch failed/) });
    expect(files()).toEqual(before);
  });

  test('runs every command, and reports commands that need a checkout', () => {
    const { bin, scripts } = JSON.parse(readFileSync(join(image, 'package.json'), 'utf8'));
    expect({ bin, scripts: Object.keys(scripts) }).toEqual({ bin: { reelkeep: 'scripts/cli.mjs' }, scripts: ['start', 'cli'] });
    const commands = [...run('scripts/cli.mjs').stdout.matchAll(/^ {2}([a-z-]+)/gm)].map(([, name]) => name!);
    expect(commands).toEqual(expect.arrayContaining(['start', 'backup', 'restore', 'reset-password', 'health']));
    expect(run('scripts/cli.mjs', 'bench')).toMatchObject({ status: 64, stderr: expect.stringContaining('Unknown command') });
    expect(run('scripts/cli.mjs', 'verify')).toMatchObject({ status: 0, stdout: 'Everything is as it should be.\n' });
    const backup = run('scripts/cli.mjs', 'backup');
    const name = /Wrote (\S+):/.exec(backup.stdout)?.[1];
    expect([backup.status, name]).toEqual([0, expect.stringMatching(/\.zip$/)]);
    expect(run('scripts/cli.mjs', 'restore', name!)).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('Backup restored.'),
    });
    expect(run('scripts/cli.mjs', 'user', 'list').stdout).toBe('demo, staff\n');
    for (const command of commands.filter((command) => command !== 'start')) {
      const { stdout, stderr } = run('scripts/cli.mjs', command, ...(command === 'user' ? ['list'] : []));
      expect(`${command}: ${stdout}${stderr}`).not.toMatch(/ERR_|Cannot find|SyntaxError|\n {4}at /);
    }
    expect(run('scripts/start.mjs', '--bench')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('--bench is for a checkout'),
    });
  });
});
