import { expect, test } from 'vitest';
import { parsePreferences } from './player-preferences.ts';

test('replaces invalid preferences by the defaults', () => {
  expect(
    parsePreferences({
      keys: 'sometimes',
      skips: { intro: 'ask', sponsor: 'never' },
      captionSize: 7,
      autoplay: 4,
      audio: ['de', 7],
    }),
  ).toMatchObject({
    keys: 'everywhere',
    skips: { intro: 'ask' },
    captionSize: 100,
    autoplay: null,
    audio: ['de'],
  });
});
