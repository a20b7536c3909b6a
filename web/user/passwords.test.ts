import { expect, test } from 'vitest';

const files = Object.entries(import.meta.glob<string>('../**/*.tsx', { query: '?raw', import: 'default', eager: true }));
/** Source text of every password field. */
const fields = files.flatMap(([path, code]) =>
  [...code.matchAll(/<(?:Field|input)\b[^>]*?(?:name="(?:password|current|next)"|-password")[^>]*>/g)].map(
    ([field]) => [path, field] as const,
  ),
);

test('hides password input and names it for password managers', () => {
  expect(fields.length).toBeGreaterThanOrEqual(3);
  for (const [path, field] of fields) {
    // Hidden at first; a new password may be shown on request.
    expect(field, path).toMatch(/type=("password"|\{isVisible \? 'text' : 'password'\})/);
    expect(field, path).toMatch(/autoComplete="(current|new)-password"/);
    expect(field, path).not.toMatch(/maxLength|pattern=/);
  }
});

test('does not block pasting into fields', () => {
  const catching = files.filter(([, code]) => /onPaste|onBeforeInput/.test(code));
  expect(catching.map(([path]) => path)).toEqual([]);
});
