import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

// What each page loads before its first paint, from the build of the web app: the app, the modules of the page and all that they import
// statically, and the German texts of both. Compressed with gzip, in kB.

interface Chunk {
  file: string;
  imports?: string[];
}

const dist = join(import.meta.dirname, 'dist');
const hasBuild = existsSync(join(dist, '.vite/manifest.json'));
const read = (path: string) => (hasBuild ? readFileSync(join(dist, path), 'utf8') : '');
const manifest: Record<string, Chunk> = JSON.parse(read('.vite/manifest.json') || '{}');

const kilobytes = (file: string) => readFileSync(join(dist, `${file}.gz`)).length / 1000;

function filesOf(key: string, known = new Set<string>()): Set<string> {
  const chunk = manifest[key];
  if (!chunk) throw new Error(`The build has no module ${key}.`);
  if (known.has(chunk.file)) return known;
  known.add(chunk.file);
  for (const one of chunk.imports ?? []) filesOf(one, known);
  return known;
}

const filesOfApp = [...read('index.html').matchAll(/(?:src|href)="\.\/(assets\/[^"]+\.js)"/g)].map(([, file]) => file!);

/** Files of a page, largest first: what to look at when it is too heavy. */
const filesOfPage = (modules: string[]) =>
  [...modules.reduce((known, module) => filesOf(module, known), new Set(filesOfApp))]
    .map((file): [string, number] => [file, kilobytes(file)])
    .toSorted((a, b) => b[1] - a[1]);
const sum = (files: [string, number][]) => files.reduce((total, [, size]) => total + size, 0);
const listOf = (files: [string, number][]) =>
  files
    .slice(0, 12)
    .map(([file, size]) => `${size.toFixed(1)} kB ${file}`)
    .join('\n');

const settings = 'settings/Settings.tsx';
const pages = [
  { page: 'Home', budget: 155, modules: [] },
  { page: 'video', budget: 244, modules: ['video/page/VideoPage.tsx', 'player/Player.tsx'] },
  { page: 'dashboard', budget: 201, modules: [settings, 'dashboard/Dashboard.tsx'] },
  { page: 'downloads', budget: 185, modules: ['downloads/Downloads.tsx'] },
  { page: 'settings of the archive', budget: 197, modules: [settings, 'settings/archive/ApplicationPage.tsx'] },
  { page: 'tasks', budget: 189, modules: [settings, 'settings/tasks/Tasks.tsx'] },
  { page: 'health', budget: 185, modules: [settings, 'settings/health/Health.tsx'] },
];

describe.runIf(hasBuild)('the first paint', () => {
  test.each(pages)('of the $page page loads at most $budget kB of scripts', ({ budget, modules }) => {
    const files = filesOfPage(modules);
    expect(sum(files), listOf(files)).toBeLessThanOrEqual(budget);
  });

  test.each(pages)('of the $page page loads at most 12 kB more in German', ({ modules }) => {
    const keys = ['main.tsx', ...modules].map((module) => `../virtual:texts/web/${module}`);
    const texts = Object.keys(manifest).filter((key) => keys.includes(key.split('?')[0]!));
    expect(texts.length).toBeGreaterThan(modules.length);
    const files = texts.map((key): [string, number] => [manifest[key]!.file, kilobytes(manifest[key]!.file)]);
    expect(sum(files), listOf(files)).toBeLessThanOrEqual(12);
  });

  test('of a share link loads nothing of the app', () => {
    expect(filesOfPage([]).length).toBeGreaterThan(2);
    const shared = filesOf('shared.html');
    expect([...shared].filter((file) => /\/(begin|libraries)-/.test(file))).toEqual([]);
  });
});
