import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, test } from 'vitest';

// What may lean on what (docs/architecture.md), how long a file may be, and where the engines may be told apart.

const parts = ['contract', 'server', 'web', 'standin', 'e2e', 'bench'];
const files = parts.flatMap((part) => globSync(`${part}/**/*.{ts,tsx}`));

const isTest = (path: string) => /\.test\.tsx?$|^server\/testing(-\w+)?\.ts$/.test(path);

interface Import {
  from: string;
  to: string;
  isType: boolean;
}

/** The imports of one file that lead to our own files. */
function importsOf(path: string, text: string): Import[] {
  const found = text.matchAll(/^\s*(?:import|export)\s+(type\s+)?(?:[^'";]*?\sfrom\s+)?'([^']+)'|\bimport\(\s*'([^']+)'/gm);
  return [...found].flatMap(([, type, fixed, late]) => {
    const name = fixed ?? late ?? '';
    if (name.startsWith('#')) return { from: path, to: name.slice(1), isType: type !== undefined };
    if (name.startsWith('.')) return { from: path, to: normalize(join(dirname(path), name)), isType: type !== undefined };
    return [];
  });
}

/** `server/video`, `web/ui`, `contract`; files beside the rooms are rooms of one file: `server/config.ts`. */
const roomOf = (path: string) => {
  const [part = '', room = ''] = path.split('/');
  return part === 'server' || part === 'web' ? `${part}/${room}` : part;
};

// Rooms that lean on nothing but each other, and the ones they may lean on.
const leaves: Record<string, string[]> = {
  'server/db': [],
  'server/child': [],
  'server/egress': [],
  'server/media': ['server/child'],
  'server/ytdlp': ['server/child', 'server/media'],
};
// Rooms of the browser that any app could have.
const ofEveryApp = ['web/ui', 'web/theme'];
const base = [
  'server/db',
  'server/archive.ts',
  'server/below.ts',
  'server/decoded.ts',
  'server/config.ts',
  'server/meter.ts',
  'server/networks.ts',
  'server/tools.ts',
  'server/time-text.ts',
  'server/fold-text.ts',
  'server/seal.ts',
  'server/version.ts',
];

/** Why an import is not allowed; null when it is. */
function objection({ from, to, isType }: Import): string | null {
  const [part, target] = [from.split('/')[0], to.split('/')[0]];
  const [room, targetRoom] = [roomOf(from), roomOf(to)];
  if (room === targetRoom) return null;
  if (part === 'contract') return 'the contract leans on nothing of ours';
  if (part === 'web') {
    if (target === 'contract')
      return isType || to === 'contract/settings.ts' ? null : 'only types of the contract reach the browser';
    if (target !== 'web') return 'the web app leans on the contract alone';
    if (ofEveryApp.includes(room)) return ofEveryApp.includes(targetRoom) ? null : 'parts know nothing of the product';
    if (room === 'web/api') return 'the calls lean on the contract alone';
    return null;
  }
  if (part === 'standin') return target === 'standin' ? null : 'the stand-in stands alone';
  if (part === 'e2e' || part === 'bench') return null;
  if (part !== 'server') return null;
  if (target === 'contract')
    return room === 'server/db' || room === 'server/child' || room === 'server/egress' || room === 'server/media'
      ? 'a leaf leans on nothing of ours'
      : null;
  if (target !== 'server') return 'the server leans on the contract and on itself';
  const leaf = leaves[room];
  if (leaf) return leaf.includes(targetRoom) ? null : `${room} may lean on ${leaf.join(', ') || 'nothing of ours'}`;
  if (to === 'server/rooms.ts')
    return ['server/main.ts', 'server/open-archive.ts'].includes(from) ? null : 'only the program itself knows all rooms';
  if (room === 'server/http') return base.includes(targetRoom) || isType ? null : 'http leans on db and the archive';
  if (room === 'server/task')
    return [...base, 'server/http'].includes(targetRoom) || isType ? null : 'tasks lean on db and the archive';
  const isOwnRoom = /^server\/\w+\.ts$/.test(from);
  if (!isOwnRoom && /\/(store|shape|routes)\.ts$/.test(to)) return "other rooms' verbs, never their store, shape or routes";
  return null;
}

const everyImport = files.filter((path) => !isTest(path)).flatMap((path) => importsOf(path, readFileSync(path, 'utf8')));

describe('arrows', () => {
  test('nothing leans where it may not', () => {
    expect(everyImport.length).toBeGreaterThan(200);
    expect(everyImport.flatMap((one) => (objection(one) ? [`${one.from} → ${one.to}: ${objection(one)}`] : []))).toEqual([]);
  });

  test('there are no circles between files', () => {
    const next = new Map<string, string[]>();
    for (const { from, to, isType } of everyImport) if (!isType) next.set(from, [...(next.get(from) ?? []), to]);
    const done = new Set<string>();
    const circles: string[] = [];
    const walk = (path: string, trail: string[]) => {
      if (trail.includes(path)) circles.push([...trail.slice(trail.indexOf(path)), path].join(' → '));
      if (trail.includes(path) || done.has(path)) return;
      for (const to of next.get(path) ?? []) walk(to, [...trail, path]);
      done.add(path);
    };
    for (const path of next.keys()) walk(path, []);
    expect(circles).toEqual([]);
  });

  test.each([
    ['contract/video.ts', "import { x } from '#server/config.ts';"],
    ['web/home/Home.tsx', "import { Video } from '#contract/video.ts';"],
    ['web/home/Home.tsx', "const late = await import('#server/config.ts');"],
    ['web/ui/Button.tsx', "import { videos } from '#web/video/queries.ts';"],
    ['web/theme/theme.ts', "import { useConfig } from '#web/user/queries.ts';"],
    ['server/ytdlp/listing.ts', "import { x } from '../db/db.ts';"],
    ['server/egress/gate.ts', "import type { Config } from '../config.ts';"],
    ['server/download/routes.ts', "import { findVideo } from '../video/store.ts';"],
    ['server/video/routes.ts', "export { routes } from '../rooms.ts';"],
    ['standin/site.ts', "import { now } from '#server/time-text.ts';"],
    ['server/http/app.ts', "import {\n  one,\n  two,\n} from '../video/store.ts';"],
  ])('the check objects to %s: %s', (path, text) => {
    expect(importsOf(path, text).map(objection)).toEqual([expect.any(String)]);
  });

  test.each([
    ['web/home/Home.tsx', "import type { Video } from '#contract/video.ts';"],
    ['web/settings/Form.tsx', "import { settings } from '#contract/settings.ts';"],
    ['server/download/routes.ts', "import { knownVideoIds } from '../video/known.ts';"],
  ])('and not to %s: %s', (path, text) => expect(importsOf(path, text).map(objection)).toEqual([null]));
});

describe('sizes', () => {
  const longest = 300;
  const lengthOf = (path: string) => readFileSync(path, 'utf8').split('\n').length - 1;

  test('no file needs a second sitting', () => {
    const lengths = files.map((path) => ({ path, lines: lengthOf(path) })).sort((a, b) => a.lines - b.lines);
    const at = (share: number) => lengths[Math.floor((lengths.length - 1) * share)]!.lines;
    console.log(`${lengths.length} files: median ${at(0.5)} lines, nine in ten below ${at(0.9)}, the longest ${at(1)}`);
    expect(lengths.filter(({ lines }) => lines > longest)).toEqual([]);
    expect(at(0.5)).toBeLessThanOrEqual(80);
  });

  test('no room is called after nothing', () => {
    expect(files.filter((path) => /(^|\/)(utils?|helpers?|common|misc|manager|base)(\/|\.tsx?$)/i.test(path))).toEqual([]);
  });
});

// Where the two databases may be told apart.
const tellsEngines = new Set([
  'server/db/db.ts',
  'server/db/migrate.ts',
  'server/download/store.ts',
  'server/download/free-all.ts',
  'server/task/store.ts',
  'server/task/runner.ts',
  'server/backup/write.ts', // says in the manifest which it was
  'server/search/given.ts',
  'server/search/index-write.ts',
  'server/search/store.ts',
  'server/search/merge-names.ts',
]);

test('only the rooms named here know which database is below', () => {
  const knowing = files.filter(
    (path) => !isTest(path) && /\b(db|tx)\.engine\b|engine: 'postgres'/.test(readFileSync(path, 'utf8')),
  );
  expect(knowing.filter((path) => !tellsEngines.has(path) && !path.startsWith('server/db/'))).toEqual([]);
  for (const path of tellsEngines) expect(existsSync(path), path).toBe(true);
});
