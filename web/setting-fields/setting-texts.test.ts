import { expect, test } from 'vitest';
import { settings, type Setting } from '#contract/settings.ts';
import { settingTexts } from './setting-texts.ts';

test('uses the English texts of contract/settings.ts', () => {
  const texts = Object.entries(settingTexts).flatMap(([section, keys]) =>
    Object.entries(keys).map(([key, { label, help }]) => [section, key, label.message, help?.message]),
  );
  const table = Object.entries(settings).flatMap(([section, keys]) =>
    Object.entries(keys as Record<string, Setting>).map(([key, { label, help }]) => [section, key, label, help]),
  );
  expect(texts).toEqual(table);
});
