import { setupI18n, type MessageDescriptor } from '@lingui/core';
import { getCatalogs } from '@lingui/cli/api';
import { getConfig } from '@lingui/conf';
import { compileMessage } from '@lingui/message-utils/compileMessage';
import { afterEach, expect, test } from 'vitest';
import { i18n } from '@lingui/core';
import { countedSentences } from '#contract/sentences-counted.ts';
import { failuresSentences } from '#contract/sentences-failures.ts';
import { refusalsSentences } from '#contract/sentences-refusals.ts';
import { restoreSentences } from '#contract/sentences-restore.ts';
import { workSentences } from '#contract/sentences-work.ts';
import { tellIn, told, toldName } from '#web/api/told.ts';
import { serverWords } from './server-words.ts';

const sentences: Record<string, string> = {
  ...failuresSentences,
  ...refusalsSentences,
  ...workSentences,
  ...restoreSentences,
  ...countedSentences,
};
const words: Record<string, MessageDescriptor> = serverWords;
const names = (template: string) => [...template.matchAll(/\{[#*]?(\w+)\}/g)].map(([, name]) => name!);

afterEach(() => tellIn(null));

test('the app has each sentence of the server, in the same words', () => {
  const english = setupI18n({ locale: 'en', messages: { en: {} } });
  for (const [code, template] of Object.entries(sentences)) {
    const values = Object.fromEntries(names(template).map((name) => [name, `<${name}>`]));
    const said = template.replaceAll(/\{[#*]?(\w+)\}/g, '<$1>');
    expect([code, english._({ ...words[code]!, values })]).toEqual([code, said]);
  }
});

test('who reads German is told in German; what has no code, as it was said', async () => {
  const [catalogue] = await getCatalogs(getConfig());
  const german = Object.entries((await catalogue!.read('de')) ?? {});
  i18n.loadAndActivate({
    locale: 'de',
    messages: Object.fromEntries(german.map(([id, { translation }]) => [id, compileMessage(translation!)])),
  });
  const gone = [
    { code: 'failure.private', values: {} },
    { code: 'scan.gone', values: {} },
  ];
  expect(told('It is private.', gone)).toBe('It is private.');
  tellIn(serverWords);
  expect(told('It is private.', gone)).toMatch(/^Es ist privat\. .* Es ist als verschwunden markiert\.$/);
  expect(told('Looking', [{ code: 'scan.looking', values: { name: 'Tom', place: '3', count: '9' } }])).toBe(
    'Tom wird angesehen (3/9)',
  );
  const counted = (code: string, count: string) => ({ code, values: { count } });
  const counts = [counted('count.video', '3'), counted('count.were-here', '2'), counted('count.channel-one', '1')];
  expect(told('It would bring.', [{ code: 'restore.would-bring', values: { counts } }])).toBe(
    'Sie brächte: 3 Videos (2 waren hier), 1 Kanal.',
  );
  const later = [...counts, counted('count.of-a-later-server', '4')];
  expect(told('Newer.', [{ code: 'restore.would-bring', values: { counts: later } }])).toBe('Newer.');
  expect(told('yt-dlp: oops', null)).toBe('yt-dlp: oops');
  expect(told('Newer.', [{ code: 'of.a.later.server', values: {} }])).toBe('Newer.');
  expect([toldName('task', 'download_pending', 'Downloading'), toldName('task', 'own', 'Own')]).toEqual([
    'Wird heruntergeladen',
    'Own',
  ]);
  i18n.loadAndActivate({ locale: 'en', messages: {} });
});
