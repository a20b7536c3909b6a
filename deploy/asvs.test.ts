import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

// docs/asvs.md goes through a standard: it must be whole, name what exists, and count right.

const root = join(import.meta.dirname, '..');
const page = readFileSync(join(root, 'docs/asvs.md'), 'utf8');

/** How many items of levels 1 and 2 each chapter of ASVS 5.0.0 has. */
const items = [27, 11, 19, 10, 9, 35, 18, 7, 7, 29, 14, 9, 13, 9, 13, 16, 8];
const ofLevelOne = 70;
const states = ['met', 'not ours', 'proxy', 'deviation', 'open'];

const rows = [...page.matchAll(/^\| (\d+)\.(\d+)\.(\d+) +\| ([12]) +\| (.+?) +\| ([a-z ]+?) +\| (.+?) +\|$/gm)].map(
  ([, chapter = '', section, item, level = '', asks = '', state = '', where = '']) => ({
    number: `${chapter}.${section}.${item}`,
    chapter: Number(chapter),
    level: Number(level),
    asks,
    state,
    where,
  }),
);
const pathsIn = (text: string) =>
  [...text.matchAll(/`([\w.-]+(?:\/[\w.-]+)+|[A-Z][a-z]+file|\.[a-z]+\.json)`/g)].map(([, path]) => path!);
const numbers = (state: string) => rows.filter((row) => row.state === state).map(({ number }) => number);
const listed = (title: string) =>
  [...(page.split(`### ${title}\n`)[1]?.split(/\n##/)[0] ?? '').matchAll(/^- \*\*([\d.]+)\*\*/gm)].map(([, number]) => number);

describe('docs/asvs.md', () => {
  test('has each item of levels 1 and 2 once, chapter by chapter', () => {
    expect(items.map((_, place) => rows.filter(({ chapter }) => chapter === place + 1).length)).toEqual(items);
    expect(rows.filter(({ level }) => level === 1)).toHaveLength(ofLevelOne);
    expect(new Set(rows.map(({ number }) => number)).size).toBe(rows.length);
  });

  test('says of each how it is, and of what is met by which test', () => {
    expect(rows.filter(({ state }) => !states.includes(state))).toEqual([]);
    const met = rows.filter(({ state }) => state === 'met');
    expect(met.filter(({ where }) => !pathsIn(where).some((path) => path.endsWith('.test.ts')))).toEqual([]);
  });

  test('names paths that exist', () => {
    const named = [...new Set(rows.flatMap(({ where }) => pathsIn(where)))];
    expect(named.length).toBeGreaterThan(100);
    expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  test('counts right, and lists what is open and what was decided otherwise', () => {
    const table = [...page.matchAll(/^\| (V\d+|all)\b.*?\| +(\d+(?: +\| +\d+)*) +\|$/gm)].map(([, name, figures = '']) => [
      name,
      ...figures.split('|').map(Number),
    ]);
    const countedIn = (some: typeof rows) => [
      some.length,
      ...states.map((state) => some.filter((row) => row.state === state).length),
    ];
    expect(table).toEqual([
      ...items.map((_, place) => [`V${place + 1}`, ...countedIn(rows.filter(({ chapter }) => chapter === place + 1))]),
      ['all', ...countedIn(rows)],
    ]);
    expect(page).toContain(`${ofLevelOne} items are of level 1, ${rows.length - ofLevelOne} of level 2.`);
    expect(listed('Open')).toEqual(numbers('open'));
    expect(listed('Deviations')).toEqual(numbers('deviation'));
  });
});

test('every package is listed with its sum, and comes by https', () => {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { integrity?: string; resolved?: string }>;
  };
  const all = Object.entries(packages).filter(([name]) => name !== '');
  expect(all.length).toBeGreaterThan(100);
  expect(all.filter(([, { integrity }]) => !integrity?.startsWith('sha512-')).map(([name]) => name)).toEqual([]);
  const elsewhere = all.filter(([, { resolved }]) => resolved && !resolved.startsWith('https://'));
  expect(elsewhere.map(([name]) => name)).toEqual([]);
});
