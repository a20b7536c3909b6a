import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, test } from 'vitest';

// Enforces the layers of docs/architecture.md: imports between folders, and the files that may depend on the database engine.

const parts = ['contract', 'server', 'web', 'test-site', 'e2e', 'bench'];
const files = parts.flatMap((part) => globSync(`${part}/**/*.{ts,tsx}`));

const isTest = (path: string) => /\.test\.tsx?$|^server\/test-support\//.test(path);

interface Import {
  from: string;
  to: string;
  isType: boolean;
}

/** Returns the imports of a file that lead to files of this repository. */
function importsOf(path: string, text: string): Import[] {
  const found = text.matchAll(/^\s*(?:import|export)\s+(type\s+)?(?:[^'";]*?\sfrom\s+)?'([^']+)'|\bimport\(\s*'([^']+)'/gm);
  return [...found].flatMap(([, type, fixed, dynamic]) => {
    const name = fixed ?? dynamic ?? '';
    if (name.startsWith('#')) return { from: path, to: name.slice(1), isType: type !== undefined };
    if (name.startsWith('.')) return { from: path, to: normalize(join(dirname(path), name)), isType: type !== undefined };
    return [];
  });
}

// The layers of the server, lowest first. A layer imports only itself and lower ones.
const layers = [['platform'], ['archive'], ['features'], ['app', 'cli'], ['main.ts']];
const layerOf = (path: string) => layers.findIndex((names) => names.includes(path.split('/')[1]!));

// Folders that import each other only downwards, highest first.
const order = {
  features: [
    'mcp',
    'system',
    'program-import',
    'backup',
    'stats',
    'home',
    'resolve',
    'share',
    'podcast',
    'media-server',
    'view',
    'smart-list',
    'album',
    'clip',
    'note',
    'speech',
    'settings',
    'channel',
    'library',
    'video',
    'chapters',
    'search',
    'meaning',
    'playlist',
    'subscription',
    'download',
    'trash',
    'tag',
    'user',
    'notify',
    'playback',
    'hls',
    'rendition',
    'files',
  ],
  archive: [
    'security',
    'cookies',
    'publish',
    'queue',
    'video-json',
    'video',
    'channel',
    'playlist',
    'queries',
    'chat',
    'storage',
    'sites',
    'binaries',
    'settings',
    'outbox',
  ],
  platform: [
    'tasks',
    'http',
    'context',
    'pot',
    'ytdlp',
    'security',
    'observability',
    'media',
    'storage',
    'config',
    'db',
    'process',
    'files',
    'egress',
    'messages',
    'lib',
  ],
  // Files of web/ itself are above all of its folders.
  web: [
    'shared',
    'shell',
    'home',
    'channel',
    'downloads',
    'search',
    'shorts',
    'settings',
    'dashboard',
    'first-run',
    'footer',
    'tray',
    'user',
    'playlist',
    'album',
    'add',
    'smart-list',
    'rules',
    'runs',
    'video',
    'note',
    'clip',
    'tag',
    'add-to-playlist',
    'offline',
    'player',
    'settings-pages',
    'sharing',
    'smart-list-form',
    'subscription',
    'trash',
    'setting-fields',
    'storyboard',
    'tasks',
    'confirm',
    'community',
    'api',
    'theme',
    'i18n',
    'format',
    'ui',
  ],
};

// Parts of the web app that must not depend on product code.
const webBasics = ['ui', 'theme'];

/** Returns why a folder may not import another of the same part or layer. */
function orderViolation(where: keyof typeof order, folder: string, target: string): string | null {
  const folders = order[where];
  const [position, targetPosition] = [folders.indexOf(folder), folders.indexOf(target)];
  if (position < 0 || targetPosition < 0) return `${position < 0 ? folder : target} is not in the order of ${where}`;
  return targetPosition > position ? null : `${folder} is below ${target}`;
}

const plainData = new Set([
  'contract/settings.ts',
  'contract/hls-heights.ts',
  'contract/chat.ts',
  'contract/moment-kinds.ts',
  'contract/messages/events.ts',
  'contract/messages/search.ts',
]);

/** Returns why an import is not allowed; null if it is allowed. */
function violation({ from, to, isType }: Import): string | null {
  const [part, second = '', third = ''] = from.split('/');
  const [targetPart, targetSecond = '', targetThird = ''] = to.split('/');
  if (part === 'e2e' || part === 'bench') return null;
  if (part === targetPart && part !== 'server' && part !== 'web') return null;
  if (part === 'contract' || part === 'test-site') return `${part} imports nothing else of this repository`;
  if (part === 'web') {
    if (targetPart === 'contract')
      return isType || plainData.has(to) ? null : 'the web app imports only types and plain data of the contract';
    if (targetPart !== 'web') return 'the web app imports only the contract and itself';
    if (second === targetSecond || /\.tsx?$/.test(second)) return null;
    return webBasics.includes(second) && ![...webBasics, 'format', 'i18n'].includes(targetSecond)
      ? `${second} may not import product code`
      : orderViolation('web', second, targetSecond);
  }
  if (targetPart === 'contract') return null;
  if (targetPart !== 'server') return 'the server imports only the contract and itself';
  const [layer, targetLayer] = [layerOf(from), layerOf(to)];
  if (layer < 0 || targetLayer < 0) return 'a folder outside the layers';
  if (targetLayer > layer) return `${second} may not import ${targetSecond}`;
  return second === targetSecond && third !== targetThird && second in order
    ? orderViolation(second as keyof typeof order, third, targetThird)
    : null;
}

const everyImport = files.filter((path) => !isTest(path)).flatMap((path) => importsOf(path, readFileSync(path, 'utf8')));

/** Returns the cycles of a graph, each as a path that ends at its start. */
function cyclesOf(edges: { from: string; to: string }[]): string[] {
  const next = new Map<string, Set<string>>();
  for (const { from, to } of edges) if (from !== to) next.set(from, (next.get(from) ?? new Set()).add(to));
  const done = new Set<string>();
  const cycles: string[] = [];
  const walk = (node: string, trail: string[]) => {
    if (trail.includes(node)) cycles.push([...trail.slice(trail.indexOf(node)), node].join(' → '));
    if (trail.includes(node) || done.has(node)) return;
    for (const to of next.get(node) ?? []) walk(to, [...trail, node]);
    done.add(node);
  };
  for (const node of next.keys()) walk(node, []);
  return cycles;
}

describe('imports', () => {
  test('follow the layers', () => {
    expect(everyImport.length).toBeGreaterThan(200);
    expect(everyImport.flatMap((one) => (violation(one) ? [`${one.from} → ${one.to}: ${violation(one)}`] : []))).toEqual([]);
  });

  test('form no cycles between folders, types included', () => {
    const appImports = everyImport.filter(({ from, to }) => /^(server|web)\//.test(from) && /^(server|web)\//.test(to));
    expect(cyclesOf(appImports.map(({ from, to }) => ({ from: dirname(from), to: dirname(to) })))).toEqual([]);
  });

  test('form no cycles between files', () => {
    expect(cyclesOf(everyImport.filter(({ isType }) => !isType))).toEqual([]);
  });

  test('a cycle is detected', () => {
    const edges = [
      { from: 'a', to: 'b' },
      { from: 'b', to: 'c' },
      { from: 'c', to: 'a' },
    ];
    expect(cyclesOf(edges)).toEqual(['a → b → c → a']);
    expect(cyclesOf(edges.slice(0, 2))).toEqual([]);
  });

  test.each([
    ['contract/video.ts', "import { x } from '#server/main.ts';"],
    ['web/home/Home.tsx', "import { Video } from '#contract/video.ts';"],
    ['web/home/Home.tsx', "const late = await import('#server/main.ts');"],
    ['web/ui/Button.tsx', "import { videos } from '#web/video/queries.ts';"],
    ['web/player/Player.tsx', "import { x } from '#web/video/x.ts';"],
    ['web/api/call.ts', "import type { X } from '#web/user/x.ts';"],
    ['web/elsewhere/x.ts', "import { x } from '#web/api/call.ts';"],
    ['server/platform/db/db.ts', "import type { X } from '../../archive/queue/items.ts';"],
    ['server/archive/queue/items.ts', "import { routes } from '../../features/video/routes.ts';"],
    ['server/features/video/routes.ts', "export { routes } from '../../app/registry.ts';"],
    ['server/features/notify/routes.ts', "import { x } from '../video/routes.ts';"],
    ['server/platform/lib/batch.ts', "import { x } from '../db/db.ts';"],
    ['server/elsewhere/x.ts', "import { x } from '../platform/db/db.ts';"],
    ['test-site/site.ts', "import { now } from '#server/platform/lib/format-time.ts';"],
    ['server/platform/http/route.ts', "import {\n  one,\n  two,\n} from '../tasks/store.ts';"],
  ])('rejects %s: %s', (path, text) => {
    expect(importsOf(path, text).map(violation)).toEqual([expect.any(String)]);
  });

  test.each([
    ['web/home/Home.tsx', "import type { Video } from '#contract/video.ts';"],
    ['web/main.tsx', "import { x } from '#web/shell/x.ts';"],
    ['web/settings/Form.tsx', "import { settings } from '#contract/settings.ts';"],
    ['server/features/video/routes.ts', "import { x } from '../search/query/similar.ts';"],
    ['server/app/registry.ts', "import { x } from '../features/video/routes.ts';"],
  ])('allows %s: %s', (path, text) => expect(importsOf(path, text).map(violation)).toEqual([null]));
});

test('no folder or file has a generic name', () => {
  expect(files.filter((path) => /(^|\/)(utils?|helpers?|common|misc|manager|base)(\/|\.tsx?$)/i.test(path))).toEqual([]);
});

// Files outside server/platform/db that may depend on the database engine.
const engineFiles = new Set([
  'server/platform/tasks/store.ts',
  'server/archive/queue/claims.ts',
  'server/features/backup/create-backup.ts', // the manifest contains the engine
  'server/features/search/index/index-write.ts',
  'server/features/search/index/store.ts',
  'server/features/search/index/merge-fts-segments.ts',
]);

test('only the files named here depend on the database engine', () => {
  const found = files.filter(
    (path) => !isTest(path) && /\b(db|tx)\.engine\b|engine: 'postgres'/.test(readFileSync(path, 'utf8')),
  );
  expect(found.filter((path) => !engineFiles.has(path) && !path.startsWith('server/platform/db/'))).toEqual([]);
  for (const path of engineFiles) expect(existsSync(path), path).toBe(true);
});

test('routes contain no SQL', () => {
  const routeFiles = files.filter((path) => /^server\/.*routes\.ts$/.test(path));
  expect(routeFiles.length).toBeGreaterThan(30);
  const sql = /\b(selectFrom|insertInto|updateTable|deleteFrom)\(|\bsql[`<.]/;
  expect(routeFiles.filter((path) => sql.test(readFileSync(path, 'utf8')))).toEqual([]);
});

/** Files and packages that a file loads at once, also through others: neither types nor `import()`. */
function loadedBy(entry: string): Set<string> {
  const loaded = new Set([entry]);
  for (const path of loaded) {
    if (!existsSync(path)) continue; // a package
    const fixed = readFileSync(path, 'utf8').matchAll(/^(?:import|export)\s+(?!type\s)(?:[^'";]*?\sfrom\s+)?'([^']+)'/gm);
    for (const [, name = ''] of fixed)
      loaded.add(name.startsWith('#') ? name.slice(1) : name.startsWith('.') ? normalize(join(dirname(path), name)) : name);
  }
  return loaded;
}

test('the server starts without what few archives use', () => {
  const loaded = loadedBy('server/main.ts');
  expect([...loaded]).toEqual(expect.arrayContaining(['fastify', 'kysely', 'server/features/video/routes.ts']));
  const onDemand = [
    ...['backup', 'mcp', 'media-server', 'notify', 'program-import', 'view'].map((name) => `server/features/${name}/routes.ts`),
    'server/features/backup/create-backup.ts',
    'server/features/backup/restore/restore.ts',
    'server/features/program-import/run-import.ts',
    'server/features/share/m3u-routes.ts',
    'server/app/join-nodes.ts',
    'server/platform/http/openapi/openapi.ts',
    'server/platform/storage/s3-store.ts',
    '@aws-sdk/client-s3',
    '@modelcontextprotocol/sdk',
    'ldapts',
    'nodemailer',
    'openid-client',
    'openpgp',
    'pg',
    'undici',
    'yauzl',
    'yazl',
  ];
  expect([...loaded].filter((name) => onDemand.some((one) => name === one || name.startsWith(`${one}/`)))).toEqual([]);
});

test('threads that read the database load neither zod nor Fastify', () => {
  const loaded = loadedBy('server/app/query-worker.ts');
  expect(['zod', 'fastify', 'kysely'].filter((name) => loaded.has(name))).toEqual(['kysely']);
});
