import { expect, test } from 'vitest';
import { matchesText, sortByRecent } from './palette-order.ts';

const command = (label: string, hint?: string) => ({ value: label, label, run: () => {}, ...(hint && { hint }) });

test.each([
  ['theme light', true],
  ['LIGHT', true],
  ['cafe', true],
  ['dark', false],
  ['', true],
])('matches “%s”: %s', (text, expected) => expect(matchesText(command('Theme: light', 'Café'), text)).toBe(expected));

test('sorts recently used commands first', () => {
  const all = ['Home', 'Channels', 'Settings', 'About'].map((label) => command(label));
  expect(sortByRecent(all, ['Settings', 'Home']).map(({ label }) => label)).toEqual(['Settings', 'Home', 'Channels', 'About']);
});
