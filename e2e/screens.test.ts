import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

// docs/screens.md says where each sentence of the screens is done and what shows it: both must be there.

const page = readFileSync('docs/screens.md', 'utf8');
const files = globSync('{web,server,e2e}/**/*.{ts,tsx}').map((path) => path.replaceAll('\\', '/'));
const named = /\*\*(\w+)\*\* (?:is )?`(browser[\w-]*\.test\.ts)`/g;
const tests = new Map([...page.matchAll(named)].map(([, name = '', file = '']) => [name, readFileSync(`e2e/${file}`, 'utf8')]));
const rows = page.split('\n').filter((line) => line.startsWith('| ') && !/^\| (what|-+) /.test(line));

test.each(rows)('%s', (row) => {
  const [, , where = '', shown = ''] = row.split(/(?<!\\)\|/);
  for (const [, path = ''] of `${where} ${shown}`.matchAll(/`([^`]+)`/g)) {
    const pattern = new RegExp(`(^|/)${path.replaceAll('.', '\\.').replaceAll('*', '[^/]*')}($|/|\\.tsx?$)`);
    expect(
      files.some((file) => pattern.test(file)),
      path,
    ).toBe(true);
  }
  if (shown.trim() === '–') return;
  let current: string | undefined;
  for (const [, name, words] of shown.matchAll(/(?:^|[ ,;])(\w+)(?=[:,;]|\s*$)|“([^”]+)”/g)) {
    if (name !== undefined && tests.has(name)) current = tests.get(name);
    if (words === undefined) continue;
    expect(current, `which tests “${words}” is in`).toBeDefined();
    expect(current, words).toContain(words);
  }
});

test('there are tests by these names', () => {
  expect(tests.size).toBeGreaterThan(8);
  expect(rows.length).toBeGreaterThan(50);
});
