import { expect, test } from 'vitest';
import { settings, type Setting } from '#contract/settings.ts';
import { settingTexts } from './setting-texts.ts';

test('the English of every setting is that of the table', () => {
  const said = Object.entries(settingTexts).flatMap(([section, keys]) =>
    Object.entries(keys).map(([key, { label, help }]) => [section, key, label.message, help?.message]),
  );
  const table = Object.entries(settings).flatMap(([section, keys]) =>
    Object.entries(keys as Record<string, Setting>).map(([key, { label, help }]) => [section, key, label, help]),
  );
  expect(said).toEqual(table);
});
