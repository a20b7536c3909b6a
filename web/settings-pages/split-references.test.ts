import { expect, test } from 'vitest';
import { splitReferences } from './split-references.ts';

const entries = [
  { to: '/settings/application/downloads/', label: 'Downloads' },
  { to: '/settings/application/downloads/#downloads.sleep_interval', label: 'Delay between requests' },
  { to: '/settings/health/', label: 'Health' },
];
const split = (text: string, settings = 'Settings') => splitReferences(text, { settings, entries });

test('pages and fields of the settings become links', () => {
  expect(split('A longer “Delay between requests” in Settings → Downloads helps.')).toEqual([
    { text: 'A longer “' },
    { text: 'Delay between requests', to: '/settings/application/downloads/#downloads.sleep_interval' },
    { text: '” in ' },
    { text: 'Settings → Downloads', to: '/settings/application/downloads/' },
    { text: ' helps.' },
  ]);
  expect(split('Einstellungen → Downloads', 'Einstellungen')).toEqual([
    { text: 'Einstellungen → Downloads', to: '/settings/application/downloads/' },
  ]);
});

test('other texts stay as they are', () => {
  for (const text of ['A video called “Downloads”', 'Delay → between', 'Settings → Nowhere', ''])
    expect(split(text).map((part) => part.to)).toEqual([undefined]);
});
