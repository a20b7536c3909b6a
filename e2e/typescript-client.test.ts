import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createUser, createVideo, testApp, type TestApp } from '#server/test-support/app.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..');

const consumer = `import { createClient, ReelkeepError, type Video } from '@reelkeep/client';
const archive = createClient({ url: process.env.REELKEEP_URL!, token: process.env.REELKEEP_TOKEN! });
const video: Video = await archive.call('GET /api/video/{id}/', { params: { id: 'harbour' } });
await archive.call('POST /api/watched/', { body: { id: video.youtube_id, is_watched: true } });
const missing = await archive.call('GET /api/video/{id}/', { params: { id: 'missing' } }).catch((error) => error);
console.log(video.title, missing instanceof ReelkeepError && missing.status);
`;

// The consumer is compiled before it runs, so that Node loads only what the package contains.
const types = 'declare const process: { env: Record<string, string | undefined> };\n';

let t: TestApp;
let folder: string;
beforeAll(async () => {
  t = await testApp();
  await createVideo(t.app.db, { id: 'harbour', title: 'Harbour at dusk' });
  folder = await mkdtemp(join(tmpdir(), 'reelkeep-client-'));
  await run('npm', ['pack', './clients/typescript', '--pack-destination', folder], { cwd: root });
  const [archive = ''] = await readdir(folder);
  await writeFile(join(folder, 'package.json'), '{"name":"consumer","private":true,"type":"module"}');
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${archive}`], { cwd: folder });
  await writeFile(join(folder, 'node.d.ts'), types);
});
afterAll(async () => {
  await t.close();
  await rm(folder, { recursive: true, force: true });
});

const compile = async (source: string, ...options: string[]) => {
  await writeFile(join(folder, 'consumer.ts'), source);
  const tsc = [join(root, 'node_modules/typescript/bin/tsc'), '--target', 'es2022', '--lib', 'es2022,dom', '--strict'];
  return run(process.execPath, [...tsc, ...options, 'node.d.ts', 'consumer.ts'], { cwd: folder }).then(
    () => '',
    (error: { stdout: string }) => error.stdout,
  );
};

test('the installed package calls a server', async () => {
  expect(await compile(consumer, '--module', 'nodenext')).toBe('');
  const user = await createUser(t);
  const { token } = (await user.call('POST', '/api/user/tokens/', { name: 'test', scopes: ['read', 'watch'] })).json<{
    token: string;
  }>();
  const url = await t.server.listen({ host: '127.0.0.1', port: 0 });
  const env = { ...process.env, REELKEEP_URL: url, REELKEEP_TOKEN: token };
  const { stdout } = await run(process.execPath, ['consumer.js'], { cwd: folder, env });
  expect(stdout).toBe('Harbour at dusk 404\n');
  expect((await user.call('GET', '/api/video/harbour/')).json()).toMatchObject({ player: { watched: true } });
});

test('the installed package has types for Node and for bundlers', async () => {
  const wrong = consumer.replace('video.title,', 'video.titel,');
  for (const options of [
    ['--module', 'nodenext'],
    ['--module', 'esnext', '--moduleResolution', 'bundler'],
  ]) {
    expect(await compile(consumer, '--noEmit', ...options)).toBe('');
    expect(await compile(wrong, '--noEmit', ...options)).toContain("Property 'titel' does not exist on type");
  }
});

test('the package contains no TypeScript sources', async () => {
  const installed = join(folder, 'node_modules/@reelkeep/client');
  const files = await readdir(installed, { recursive: true });
  expect(files.filter((name) => /(?<!\.d)\.ts$/.test(name))).toEqual([]);
  expect(JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'))).toMatchObject({ exports: './dist/index.js' });
});
