import { getCatalogs } from '@lingui/cli/api';
import { getConfig } from '@lingui/conf';
import { compileMessage } from '@lingui/message-utils/compileMessage';
import { expect, test } from 'vitest';

/** The names of what is filled into a text, at any depth. */
function gaps(message: string): string[] {
  const names = new Set<string>();
  const look = (tokens: unknown): void => {
    if (!Array.isArray(tokens)) return;
    for (const token of tokens) {
      if (!Array.isArray(token)) continue;
      const [name, , forms] = token as [string, string?, Record<string, unknown>?];
      names.add(name);
      if (forms && typeof forms === 'object') Object.values(forms).forEach(look);
    }
  };
  look(compileMessage(message));
  return [...names].sort();
}

test('every text of the app is in German, with all that is filled in, and nothing else is', async () => {
  const [catalogue] = await getCatalogs(getConfig());
  const written = Object.entries((await catalogue!.collect()) ?? {});
  const german = new Map(Object.entries((await catalogue!.read('de')) ?? {}));
  expect(written.length).toBeGreaterThan(500);
  const missing = written.filter(([id]) => !german.get(id)?.translation).map(([, { message }]) => message);
  expect(missing, 'run `npm run texts`, and write them in web/locales/de.po').toEqual([]);
  expect(
    [...german.keys()].filter((id) => !written.some(([other]) => other === id)),
    'run `npm run texts`',
  ).toEqual([]);
  for (const [id, { message }] of written)
    expect(gaps(german.get(id)!.translation!), `“${message}” in German`).toEqual(gaps(message!));
});
