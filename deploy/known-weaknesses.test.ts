import { spawn } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';

// `npm run known-weaknesses` with the real npm, and a registry of our own that it asks.

const root = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'reelkeep-weak-'));
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

interface Registry {
  /** The packages that it knows to be weak, with how severe that is; null answers as one that keeps no such list. */
  weak: Record<string, string> | null;
  node?: string;
}

async function ask({ weak, node }: Registry) {
  const asked: string[] = [];
  const server = createServer(async (request, response) => {
    const pieces = (await request.toArray()) as Buffer[];
    const json = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (request.url?.includes('/advisories/bulk')) {
      if (!weak) return json(405, {});
      const raw = Buffer.concat(pieces);
      const all = JSON.parse(String(request.headers['content-encoding'] === 'gzip' ? gunzipSync(raw) : raw)) as object;
      asked.push(...Object.keys(all));
      const one = (name: string, severity: string) => [
        name,
        [
          {
            id: 1,
            url: `https://example.org/${name}`,
            title: `Weak ${name}`,
            severity,
            vulnerable_versions: '*',
            cwe: [],
            cvss: {},
          },
        ],
      ];
      return json(200, Object.fromEntries(Object.entries(weak).map(([name, severity]) => one(name, severity))));
    }
    const name = decodeURIComponent(request.url?.slice(1) ?? '');
    if (!node || !name.startsWith('node-')) return json(404, {});
    return json(200, { name, 'dist-tags': { latest: node }, versions: { [node]: { name, version: node } } });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    REELKEEP_DATA: join(folder, 'data'),
    REELKEEP_YTDLP: process.env.REELKEEP_YTDLP,
    npm_config_registry: `http://127.0.0.1:${port}/`,
    npm_config_cache: join(folder, 'cache'),
    npm_config_fetch_retries: '0',
  };
  const child = spawn(process.execPath, [join(root, 'bin/known-weaknesses.mjs')], { env });
  let said = '';
  child.stdout.on('data', (text) => (said += text));
  child.stderr.on('data', (text) => (said += text));
  const status = await new Promise<number | null>((resolve) => child.once('close', resolve));
  server.closeAllConnections();
  server.close();
  return { status, said, asked };
}

describe('known weaknesses', () => {
  test('are asked for of every package, and that there are none is said of each part', async () => {
    const { status, said, asked } = await ask({ weak: {}, node: process.versions.node });
    expect(asked).toEqual(expect.arrayContaining(['fastify', 'react', 'vite', 'vitest']));
    expect([status, said]).toEqual([
      0,
      expect.stringMatching(/✓ Packages in the product \(\d+\).*\n✓ .* builds it.*\n✓ .* tests it/),
    ]);
    expect(said).toContain(`✓ Node ${process.versions.node}\n`);
    if (process.env.REELKEEP_YTDLP) expect(said).toMatch(/^[✓!] yt-dlp \d{4}\./m);
  });

  test('a severe one in the product ends with 1, and says what, where and what to do', async () => {
    const { status, said } = await ask({ weak: { 'find-my-way': 'high' } });
    expect([status, said]).toEqual([
      1,
      expect.stringMatching(/^✗ find-my-way, in the product: high\n {4}Weak find-my-way \(https:/m),
    ]);
    expect(said).toMatch(/https:\/\/example\.org\/find-my-way\)\n {4}(npm |there is no version)/);
    // Named for itself alone, not for those that need it.
    expect(said).not.toContain('fastify');
  });

  test('one that is less severe, or not in the product, is told and ends with 0', async () => {
    const { status, said } = await ask({ weak: { kysely: 'moderate', vite: 'critical', 'axe-core': 'high' } });
    expect([status, said]).toEqual([0, expect.stringMatching(/^! kysely, in the product: moderate$/m)]);
    expect(said).toMatch(/^! vite, in what builds it: critical$/m);
    expect(said).toMatch(/^! axe-core, in what tests it: high$/m);
  });

  test('where nobody answers that, nothing is called good, and it ends with 2', async () => {
    const { status, said } = await ask({ weak: null });
    expect([status, said]).toEqual([2, expect.stringMatching(/^\? Packages: NOTHING WAS CHECKED\. .*405/m)]);
    expect(said).not.toContain('✓ Packages');
    expect(said).toContain('which is the newest could not be asked');
  });

  test('a Node that is not the newest is told', async () => {
    const { said } = await ask({ weak: {}, node: `${process.versions.node.split('.')[0]}.999.0` });
    expect(said).toMatch(/^! Node \S+: there is \d+\.999\.0\. Update it\.$/m);
  });
});

test('what is said to be for building alone is nowhere in the product, and everything else is', () => {
  const list = /const building = \[([^\]]*)\]/.exec(readFileSync(join(root, 'bin/product.mjs'), 'utf8'))![1]!;
  const building = [...list.matchAll(/'([^']+)'/g)].map(([, name]) => name!);
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { dependencies: object };
  const sources = globSync(['server/**/*.ts', 'contract/**/*.ts', 'web/**/*.{ts,tsx}', 'web/**/*.css'], { cwd: root })
    .filter((path) => !/\.test\.tsx?$/.test(path))
    .map((path) => readFileSync(join(root, path), 'utf8'))
    .join('\n');
  const isUsed = (name: string) => new RegExp(`['"\`(]${name}(/[^'"]*)?['"\`$]`).test(sources);
  expect(
    Object.keys(dependencies)
      .filter((name) => !isUsed(name))
      .sort(),
  ).toEqual(building.sort());
});
