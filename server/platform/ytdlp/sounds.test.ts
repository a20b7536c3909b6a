import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chooseSounds, missingLanguages, soundOfDownload } from './sounds.ts';

const sound = (format_id: string, language: string, more: object = {}) => ({
  format_id,
  language,
  vcodec: 'none',
  acodec: 'mp4a.40.2',
  ext: 'm4a',
  tbr: 128,
  language_preference: -1,
  ...more,
});
const dubbedBy = (how: string) => ({
  url: `https://rr1.example/videoplayback?xtags=${encodeURIComponent(`acont=${how}:lang=de`)}`,
});
interface Options extends Partial<Parameters<typeof chooseSounds>[1]> {
  language?: string;
}
const choose = (formats: object[], audio_languages: string, { language = 'en', ...options }: Options = {}) =>
  chooseSounds({ language, formats }, { audio_languages, audio_auto_dubs: false, mediaEnding: '.mp4', ...options }).map(
    ({ formatId, kind }) => `${formatId} ${kind}`,
  );

test('chooses one sound of each wanted language, in m4a and without compressed loudness if possible', () => {
  const formats = [
    sound('140-0', 'en', { language_preference: 10 }),
    sound('251-1', 'de', { ext: 'webm', tbr: 160 }),
    sound('140-1-drc', 'de', { tbr: 130 }),
    sound('139-1', 'de', { tbr: 48 }),
    sound('140-1', 'de'),
    sound('251-2', 'fr', { ext: 'webm' }),
    { ...sound('137', 'it'), vcodec: 'avc1', acodec: 'none' },
  ];
  expect(choose(formats, 'original,de,fr,it,nl')).toEqual(['140-1 unknown', '251-2 unknown']);
});

test('variants of a language count as it, but not the reverse, and the language of the download is not fetched again', () => {
  const formats = [sound('1', 'de-AT'), sound('2', 'pt'), sound('3', 'en-GB'), sound('4', 'es-419'), sound('5', 'den')];
  expect(choose(formats, 'de,pt-BR,en,es')).toEqual(['1 unknown', '4 unknown']);
  expect(choose(formats, 'de', { language: 'de' })).toEqual([]);
});

test('automatic dubs are only chosen if they are wanted and nothing better is there, descriptions never', () => {
  const formats = [
    sound('auto', 'de', dubbedBy('dubbed-auto')),
    sound('person', 'de', { ...dubbedBy('dubbed'), tbr: 64 }),
    sound('auto-fr', 'fr', dubbedBy('dubbed-auto')),
    sound('seen', 'es-desc', { language_preference: -10 }),
    sound('seen-it', 'it', dubbedBy('descriptive')),
  ];
  expect(choose(formats, 'de,fr,es,it')).toEqual(['person dub']);
  expect(choose(formats, 'de,fr,es,it', { audio_auto_dubs: true })).toEqual(['person dub', 'auto-fr auto_dub']);
});

test('a WebM file gets sounds that it can hold', () => {
  const formats = [sound('140-1', 'de', { tbr: 200 }), sound('251-1', 'de', { ext: 'webm' }), sound('140-2', 'fr')];
  expect(choose(formats, 'de,fr', { mediaEnding: '.webm' })).toEqual(['251-1 unknown', '140-2 unknown']);
});

test('of a stored video, languages that it has are left out, and a missing original is chosen', () => {
  const formats = [sound('140-0', 'en', dubbedBy('original')), sound('140-1', 'de', dubbedBy('dubbed')), sound('140-2', 'fr')];
  const dubOnly = { languages: ['de-AT'], hasOriginal: false };
  expect(choose(formats, 'de,original,fr', { present: dubOnly })).toEqual(['140-0 original', '140-2 unknown']);
  expect(choose(formats, 'original,en', { present: dubOnly })).toEqual(['140-0 original']);
  expect(missingLanguages('de, original,fr', { languages: ['fr'], hasOriginal: true })).toEqual(['de']);
});

test('the sound of a download is known if it has one', () => {
  const formats = [sound('140-0', 'en', { language_preference: 10 }), sound('140-1', 'de', dubbedBy('dubbed'))];
  expect(soundOfDownload({ language: 'en', format_id: '137+140-0', formats })).toEqual({ language: 'en', kind: 'original' });
  expect(soundOfDownload({ language: 'de', format_id: '140-1', formats })).toEqual({ language: 'de', kind: 'dub' });
  expect(soundOfDownload({ language: 'de', format_id: '18', formats })).toEqual({ language: 'de', kind: null });
  const unknown = { language: null, kind: null };
  const several = { language: 'en+de', format_id: '140-0+140-1', formats };
  for (const info of [several, { language: null }, {}, { language: 'x'.repeat(36) }, { language: 'no tag\0' }])
    expect(soundOfDownload(info)).toEqual(unknown);
});

test('anything that a site sends is read, and format ids are never options of yt-dlp', () => {
  const value = fc.oneof(fc.string(), fc.integer(), fc.constant(null), fc.constant('none'), fc.constantFrom('de', 'en'));
  const format = fc.record({ format_id: value, language: value, url: value, acodec: value, vcodec: value }, { requiredKeys: [] });
  fc.assert(
    fc.property(fc.record({ language: value, formats: fc.oneof(value, fc.array(fc.oneof(format, value))) }), (info) => {
      for (const { formatId } of chooseSounds(info, { audio_languages: 'de,en', audio_auto_dubs: true, mediaEnding: '.mp4' }))
        expect(formatId).toMatch(/^\w[\w.-]*$/);
    }),
  );
});
