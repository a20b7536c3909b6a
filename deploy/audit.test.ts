import { spawn } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';

// Runs `npm run audit` with the real npm and a local registry.

const root = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'reelkeep-weak-'));
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

interface Registry {
  /** Vulnerable packages with their severity; null for a registry without advisories. */
  vulnerable: Record<string, string> | null;
  node?: string;
}

async function runAudit({ vulnerable, node }: Registry) {
  const requestedPackages: string[] = [];
  const server = createServer(async (request, response) => {
    const chunks = (await request.toArray()) as Buffer[];
    const json = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (request.url?.includes('/advisories/bulk')) {
      if (!vulnerable) return json(405, {});
      const raw = Buffer.concat(chunks);
      const all = JSON.parse(String(request.headers['content-encoding'] === 'gzip' ? gunzipSync(raw) : raw)) as object;
      requestedPackages.push(...Object.keys(all));
      const advisory = (name: string, severity: string) => [
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
      return json(200, Object.fromEntries(Object.entries(vulnerable).map(([name, severity]) => advisory(name, severity))));
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
  const child = spawn(process.execPath, [join(root, 'scripts/audit.mjs')], { env });
  let output = '';
  child.stdout.on('data', (text) => (output += text));
  child.stderr.on('data', (text) => (output += text));
  const status = await new Promise<number | null>((resolve) => child.once('close', resolve));
  server.closeAllConnections();
  server.close();
  return { status, output, requestedPackages };
}

describe('known vulnerabilities', () => {
  test('are looked up for every package, and each part without any is reported', async () => {
    const { status, output, requestedPackages } = await runAudit({ vulnerable: {}, node: process.versions.node });
    expect(requestedPackages).toEqual(expect.arrayContaining(['fastify', 'react', 'vite', 'vitest']));
    expect([status, output]).toEqual([
      0,
      expect.stringMatching(/✓ Packages in the product \(\d+\).*\n✓ .* in build tools.*\n✓ .* in test tools/),
    ]);
    expect(output).toContain(`✓ Node ${process.versions.node}\n`);
    if (process.env.REELKEEP_YTDLP) expect(output).toMatch(/^[✓!] yt-dlp \d{4}\./m);
  });

  test('a severe one in the product exits with 1 and reports the package and the fix', async () => {
    const { status, output } = await runAudit({ vulnerable: { 'find-my-way': 'high' } });
    expect([status, output]).toEqual([
      1,
      expect.stringMatching(/^✗ find-my-way, in the product: high\n {4}Weak find-my-way \(https:/m),
    ]);
    expect(output).toMatch(/https:\/\/example\.org\/find-my-way\)\n {4}(npm |no fixed version)/);
    // Dependents of the package are not listed.
    expect(output).not.toContain('fastify');
  });

  test('a less severe one, or one outside the product, is reported and exits with 0', async () => {
    const { status, output } = await runAudit({ vulnerable: { kysely: 'moderate', vite: 'critical', 'axe-core': 'high' } });
    expect([status, output]).toEqual([0, expect.stringMatching(/^! kysely, in the product: moderate$/m)]);
    expect(output).toMatch(/^! vite, in build tools: critical$/m);
    expect(output).toMatch(/^! axe-core, in test tools: high$/m);
  });

  test('a registry without advisories reports nothing as checked and exits with 2', async () => {
    const { status, output } = await runAudit({ vulnerable: null });
    expect([status, output]).toEqual([2, expect.stringMatching(/^\? Packages: NOTHING WAS CHECKED\. .*405/m)]);
    expect(output).not.toContain('✓ Packages');
    expect(output).toContain('the newest version is unknown');
  });

  test('reports an outdated Node', async () => {
    const { output } = await runAudit({ vulnerable: {}, node: `${process.versions.node.split('.')[0]}.999.0` });
    expect(output).toMatch(/^! Node \S+: version \d+\.999\.0 is available\. Update it\.$/m);
  });
});

test('the product imports all dependencies except the listed build dependencies', () => {
  const list = /const building = \[([^\]]*)\]/.exec(readFileSync(join(root, 'scripts/production-packages.mjs'), 'utf8'))![1]!;
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
