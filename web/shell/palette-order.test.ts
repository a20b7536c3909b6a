import { expect, test } from 'vitest';
import { fits, lastFirst } from './palette-order.ts';

const command = (label: string, hint?: string) => ({ value: label, label, run: () => {}, ...(hint && { hint }) });

test.each([
  ['theme light', true],
  ['LIGHT', true],
  ['cafe', true],
  ['dark', false],
  ['', true],
])('what is typed as “%s” fits: %s', (text, does) => expect(fits(command('Theme: light', 'Café'), text)).toBe(does));

test('what was used last stands first', () => {
  const all = ['Home', 'Channels', 'Settings', 'About'].map((label) => command(label));
  expect(lastFirst(all, ['Settings', 'Home']).map(({ label }) => label)).toEqual(['Settings', 'Home', 'Channels', 'About']);
});
