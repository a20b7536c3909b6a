import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

// What an image has, made as the Dockerfile makes it: of the files that its first stage is given, by the line that it runs.

const root = join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const dockerfile = read('Dockerfile');
const given = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, names]) => names!.split(' '));
const [check, start] = [...dockerfile.matchAll(/CMD (\[.+\])$/gm)].map(([, json]) => (JSON.parse(json!) as string[]).slice(1));
const [, script = '', into = ''] = /^RUN node (bin\/\S+) (\S+)$/m.exec(dockerfile) ?? [];

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
  // Else npm would install anew in the folder below, through the link, and take ours away.
  const lock = createHash('sha256').update(read('package-lock.json')).digest('hex');
  expect(read('node_modules/.reelkeep'), 'the packages are of another lock file: npm run setup').toContain(lock);
  const app = join(folder, 'app');
  mkdirSync(app);
  const isTest = (path: string) => /\.test\.tsx?$/.test(path);
  for (const path of given) cpSync(join(root, path), join(app, path), { recursive: true, filter: (from) => !isTest(from) });
  symlinkSync(join(root, 'node_modules'), join(app, 'node_modules'));
  execFileSync(process.execPath, [script, image], { cwd: app, env, stdio: 'pipe' });
  // Nothing of it is needed any more.
  rmSync(app, { recursive: true });
}, 240_000);
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }));

describe('the image', () => {
  test('has what the script made, and no other file of ours', () => {
    expect(dockerfile).toMatch(new RegExp(`^COPY --from=build ${into} \\.$`, 'm'));
    expect([...dockerfile.matchAll(/^COPY --from/gm)]).toHaveLength(1);
    expect(dockerfile).toMatch(/^USER node$/m);
  });

  test('has no test, stand-in, bench, source or build tool in it, and says whose work it is', () => {
    const all = files();
    expect(all).toEqual(expect.arrayContaining(['LICENSE', 'THIRD-PARTY', 'dist/index.html', 'dist-server/main.mjs']));
    expect(readdirSync(image).sort()).toEqual([
      'LICENSE',
      'THIRD-PARTY',
      'bin',
      'dist',
      'dist-console',
      'dist-server',
      'node_modules',
      'package.json',
    ]);
    expect(all.filter((path) => /\.tsx?$|\.map$|\.po$|testing|standin|bench|bundle\.mjs|image\.mjs/.test(path))).toEqual([]);
    expect(readdirSync(join(image, 'node_modules'))).toEqual(['swagger-ui-dist']);
    const code = all
      .filter((path) => /^(bin|dist-).*js$/.test(path))
      .map((path) => readFileSync(join(image, path), 'utf8'))
      .join('\n');
    for (const tool of ['testArchive', '@babel/core', 'vitest', 'playwright-core']) expect(code).not.toContain(tool);
    const notices = readFileSync(join(image, 'THIRD-PARTY'), 'utf8');
    for (const name of ['fastify, LICENSE', 'react, LICENSE', 'kysely, LICENSE']) expect(notices).toContain(name);
    expect(notices).not.toContain('\nvite, LICENSE');
    const sum = all.reduce((bytes, path) => bytes + statSync(join(image, path)).size, 0);
    expect(sum).toBeLessThan(25e6);
  });

  test('starts from that alone, is found healthy, and has its pages and those of the API', async () => {
    const before = files();
    const program = spawn(process.execPath, start!, { cwd: image, env, stdio: 'pipe' });
    const ended = new Promise((resolve) => program.once('exit', resolve));
    try {
      let said = '';
      await new Promise((resolve, reject) => {
        program.stdout.on('data', (words) => /http:/.test((said += String(words))) && resolve(null));
        program.stderr.on('data', (words) => (said += String(words)));
        program.once('exit', () => reject(new Error(said)));
      });
      expect(await (await fetch(`${address}/livez`)).json()).toBe('OK');
      expect(run(...check!)).toMatchObject({ status: 0, stderr: '' });
      const page = await (await fetch(address)).text();
      const [, app] = /<script[^>]* src="([^"]+\.js)"/.exec(page)!;
      const answer = await fetch(new URL(app!, `${address}/`));
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, expect.stringContaining('javascript')]);

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

      const doctor = run('bin/start.mjs', '--doctor');
      expect(doctor.stdout).toMatch(/^✓ Program: it runs on this archive\.\n/);
      expect(doctor.stdout).toMatch(/^✓ Database/m);
      expect(run('bin/start.mjs', '--new-key').stdout).toContain('The program goes on with it.');
    } finally {
      program.kill();
      await ended;
    }
    expect(run(...check!)).toMatchObject({ status: 1, stderr: expect.stringMatching(/ECONNREFUSED|fetch failed/) });
    expect(files()).toEqual(before);
  });

  test('has every command of the console, and says of others that they are for a checkout', () => {
    const { scripts } = JSON.parse(readFileSync(join(image, 'package.json'), 'utf8')) as { scripts: Record<string, string> };
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(['start', 'healthcheck', 'backup', 'restore', 'reset-password']));
    expect(run('bin/start.mjs', '--verify')).toMatchObject({ status: 0, stdout: 'Everything is as it should be.\n' });
    const backup = run('bin/start.mjs', '--backup');
    const name = /Wrote (\S+):/.exec(backup.stdout)?.[1];
    expect([backup.status, name]).toEqual([0, expect.stringMatching(/\.zip$/)]);
    expect(run('bin/start.mjs', '--restore', name!)).toMatchObject({ status: 0, stdout: expect.stringContaining('completed') });
    expect(run('bin/start.mjs', '--user', 'list').stdout).toBe('demo, staff\n');
    for (const one of Object.keys(scripts).filter((script) => !['start', 'healthcheck'].includes(script))) {
      const { stdout, stderr } = run('bin/start.mjs', `--${one}`, ...(one === 'user' ? ['list'] : []));
      expect(`${one}: ${stdout}${stderr}`).not.toMatch(/ERR_|Cannot find|SyntaxError|\n {4}at /);
    }
    expect(run('bin/start.mjs', '--bench')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('--bench is for a checkout'),
    });
  });
});
