import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

// Each list in CONTRIBUTING.md names exactly the files that mention its example.

const contributing = readFileSync('CONTRIBUTING.md', 'utf8');

const isLeftOut = (path: string) =>
  /\.test\.tsx?$|^server\/test-support\/|^docs\/api\.md$|^clients\/typescript\/(api\.ts$|dist\/)/.test(path);
const files = globSync('{clients,contract,deploy,docs,scripts,server,web}/**/*.{css,html,js,json,md,mjs,po,ts,tsx,yaml}')
  .filter((path) => !isLeftOut(path))
  .map((path) => ({ path, text: readFileSync(path, 'utf8') }));

/** Returns the files that contain one of these words, not as a part of a longer one. */
function filesMentioning(words: string[]): string[] {
  const pattern = new RegExp(words.map((word) => `(?<![\\w-])${word.replaceAll(/[.{}]/g, '\\$&')}(?![\\w-])`).join('|'));
  return files.filter(({ text }) => pattern.test(text)).map(({ path }) => path);
}

const codeIn = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, code]) => code!);

const changes = [...contributing.matchAll(/^### (Add .+)\n\nExample: (.+)\n\n((?:\d+\. .+\n)+)/gm)].map(
  ([, title = '', example = '', list = '']) => ({
    title,
    words: codeIn(example),
    listed: codeIn(list).filter((code) => /^\w+\/.+\.\w+$/.test(code)),
  }),
);

describe('CONTRIBUTING.md', () => {
  test('lists the files of the common changes', () => {
    expect(changes.map(({ title }) => title)).toEqual([
      'Add a field of a video',
      'Add a setting',
      'Add a task',
      'Add an event of notifications',
      'Add a tool for assistants',
      'Add a page',
      'Add a health check',
    ]);
  });

  test.each(changes)('lists the files of: $title', ({ words, listed }) => {
    expect(listed.toSorted()).toEqual(filesMentioning(words).toSorted());
  });
});
