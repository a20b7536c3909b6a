import { expect, test } from 'vitest';

const files = Object.entries(import.meta.glob<string>('../**/*.tsx', { query: '?raw', import: 'default', eager: true }));
/** Every field that asks for a password, as it is written. */
const fields = files.flatMap(([path, code]) =>
  [...code.matchAll(/<(?:Field|input)\b[^>]*?(?:name="(?:password|current|next)"|-password")[^>]*>/g)].map(
    ([field]) => [path, field] as const,
  ),
);

test('what is typed as a password is not shown, and password managers know what it is', () => {
  expect(fields.length).toBeGreaterThanOrEqual(3);
  for (const [path, field] of fields) {
    expect(field, path).toMatch(/type="password"/);
    expect(field, path).toMatch(/autoComplete="(current|new)-password"/);
    expect(field, path).not.toMatch(/maxLength|pattern=/);
  }
});

test('nothing keeps anybody from pasting into a field', () => {
  const catching = files.filter(([, code]) => /onPaste|onBeforeInput/.test(code));
  expect(catching.map(([path]) => path)).toEqual([]);
});
