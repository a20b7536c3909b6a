import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

// Checks that docs/asvs.md is complete, names only existing paths and counts correctly.

const root = join(import.meta.dirname, '..');
const page = readFileSync(join(root, 'docs/asvs.md'), 'utf8');

/** Number of items of levels 1 and 2 in each chapter of ASVS 5.0.0. */
const items = [27, 11, 19, 10, 9, 35, 18, 7, 7, 29, 14, 9, 13, 9, 13, 16, 8];
const levelOneCount = 70;
const states = ['met', 'not ours', 'proxy', 'deviation', 'open'];

const rows = [...page.matchAll(/^\| (\d+)\.(\d+)\.(\d+) +\| ([12]) +\| (.+?) +\| ([a-z ]+?) +\| (.+?) +\|$/gm)].map(
  ([, chapter = '', section, item, level = '', requirement = '', state = '', where = '']) => ({
    number: `${chapter}.${section}.${item}`,
    chapter: Number(chapter),
    level: Number(level),
    requirement,
    state,
    where,
  }),
);
const pathsIn = (text: string) =>
  [...text.matchAll(/`([\w.-]+(?:\/[\w.-]+)+|[A-Z][a-z]+file|\.[a-z]+\.json)`/g)].map(([, path]) => path!);
const numbers = (state: string) => rows.filter((row) => row.state === state).map(({ number }) => number);
const listedUnder = (title: string) =>
  [...(page.split(`### ${title}\n`)[1]?.split(/\n##/)[0] ?? '').matchAll(/^- \*\*([\d.]+)\*\*/gm)].map(([, number]) => number);

describe('docs/asvs.md', () => {
  test('contains each item of levels 1 and 2 once', () => {
    expect(items.map((_, index) => rows.filter(({ chapter }) => chapter === index + 1).length)).toEqual(items);
    expect(rows.filter(({ level }) => level === 1)).toHaveLength(levelOneCount);
    expect(new Set(rows.map(({ number }) => number)).size).toBe(rows.length);
  });

  test('states the status of each item, and names a test for each met item', () => {
    expect(rows.filter(({ state }) => !states.includes(state))).toEqual([]);
    const met = rows.filter(({ state }) => state === 'met');
    expect(met.filter(({ where }) => !pathsIn(where).some((path) => path.endsWith('.test.ts')))).toEqual([]);
  });

  test('names paths that exist', () => {
    const paths = [...new Set(rows.flatMap(({ where }) => pathsIn(where)))];
    expect(paths.length).toBeGreaterThan(100);
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  test('counts items correctly, and lists open items and deviations', () => {
    const table = [...page.matchAll(/^\| (V\d+|all)\b.*?\| +(\d+(?: +\| +\d+)*) +\|$/gm)].map(([, name, figures = '']) => [
      name,
      ...figures.split('|').map(Number),
    ]);
    const countedIn = (selected: typeof rows) => [
      selected.length,
      ...states.map((state) => selected.filter((row) => row.state === state).length),
    ];
    expect(table).toEqual([
      ...items.map((_, index) => [`V${index + 1}`, ...countedIn(rows.filter(({ chapter }) => chapter === index + 1))]),
      ['all', ...countedIn(rows)],
    ]);
    expect(page).toContain(`${levelOneCount} items are of level 1, ${rows.length - levelOneCount} of level 2.`);
    expect(listedUnder('Open')).toEqual(numbers('open'));
    expect(listedUnder('Deviations')).toEqual(numbers('deviation'));
  });
});

test('every package in the lock file has a checksum and an https URL', () => {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { integrity?: string; resolved?: string }>;
  };
  const all = Object.entries(packages).filter(([name]) => name !== '');
  expect(all.length).toBeGreaterThan(100);
  expect(all.filter(([, { integrity }]) => !integrity?.startsWith('sha512-')).map(([name]) => name)).toEqual([]);
  const insecure = all.filter(([, { resolved }]) => resolved && !resolved.startsWith('https://'));
  expect(insecure.map(([name]) => name)).toEqual([]);
});
