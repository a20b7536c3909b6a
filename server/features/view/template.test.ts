import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { renderMessages } from '../../platform/messages/render.ts';
import { presetTemplates } from './presets.ts';
import { byteLength, pathKey, safeName, truncateBytes } from './safe-name.ts';
import { isTemplate, parseTemplate, renderTemplate, type TemplateValues } from './template.ts';

const values: TemplateValues = {
  title: 'Tea: a history',
  id: '-_aBcDeFgHi',
  channel: 'AC/DC',
  channel_id: 'UC1',
  playlist: null,
  playlist_id: null,
  kind: 'videos',
  site: 'youtube',
  season: 2024,
  episode: 3,
  position: null,
  height: 1080,
  published: Date.UTC(2024, 11, 31, 23, 59) / 1000,
  downloaded: Date.UTC(2025, 0, 1) / 1000,
};

function render(text: string, more: Partial<TemplateValues> = {}): string {
  const template = parseTemplate(text);
  if (!isTemplate(template)) throw new Error(renderMessages(template));
  return renderTemplate(template, { ...values, ...more }).join('/');
}
const problem = (text: string) => {
  const template = parseTemplate(text);
  return isTemplate(template) ? null : renderMessages(template);
};

describe('templates', () => {
  test('render the presets', () => {
    expect(render(presetTemplates.jellyfin)).toBe('AC-DC/Season 2024/AC-DC - S2024E123103 - Tea - a history [-_aBcDeFgHi]');
    expect(presetTemplates.plex).toBe(presetTemplates.jellyfin);
    expect(render(presetTemplates.flat)).toBe('AC-DC/2024-12-31 - Tea - a history [-_aBcDeFgHi]');
    expect(render(presetTemplates.playlist, { playlist: 'Mix', position: 7 })).toBe(
      'Mix/Season 1/Mix - S01E007 - Tea - a history [-_aBcDeFgHi]',
    );
    expect(render(presetTemplates.music)).toBe('AC-DC/AC-DC - Tea - a history [-_aBcDeFgHi]');
  });

  test('have padding, maximum lengths, date parts and fallbacks', () => {
    expect(render('{episode:3} {title:5} {published:yy.MM.dd HHmm} [{id}].{ext}')).toBe('003 Tea - 24.12.31 2359 [-_aBcDeFgHi]');
    expect(render('{playlist|"Singles"}/{position:2|season} [{id}]')).toBe('Singles/2024 [-_aBcDeFgHi]');
    expect(render('{title:2} [{id}]', { title: '👨‍👩‍👧‍👦é👍' })).toBe('👨‍👩‍👧‍👦é [-_aBcDeFgHi]');
  });

  test.each([
    ['{channel}/{title}', /needs \{id\}/],
    ['{id}/{title}', /needs \{id\}/],
    ['{title} {playlist|id}', /needs \{id\}/],
    ['/{title} [{id}]', /without a name/],
    ['{channel}//{title} [{id}]', /without a name/],
    ['../{title} [{id}]', /without a name/],
    ['{channel}/./{id}', /without a name/],
    ['{channel}\\{id}', /backslash/],
    ['{tilte} {id}', /unknown field: tilte/],
    ['{title:yyyy} {id}', /invalid format/],
    ['{published:yyyy-mmm} {id}', /invalid format/],
    ['{id:4}', /invalid format/],
    ['{title} {id', /brace/],
    [`${'ä'.repeat(41)}{id}`, /80 bytes/],
    ['a/b/c/d/e/f/{id}', /6 levels/],
  ])('rejects %s', (text, reason) => expect(problem(text)).toMatch(reason));
});

describe('names', () => {
  test.each([
    ['CON', '_CON'],
    ['nul.txt', '_nul.txt'],
    ['COM¹', '_COM¹'],
    ['Console', 'Console'],
    ['What?', 'What'],
    ['...hidden', 'hidden'],
    ['The end...  ', 'The end'],
    ['a\u0000b\u202ec\nd', 'abc d'],
    ['<<*>>', '(())'],
    ['', '_'],
    ['/', '-'],
    ['\ud800x', '\ufffdx'],
  ])('%j becomes %j', (text, name) => expect(safeName(text)).toBe(name));

  // From https://github.com/xbmc/xbmc, AdvancedSettings.cpp (movies and TV shows), and the old scanner of Plex.
  const skipping = [
    /-trailer/i,
    /[!-._ \\/]sample[-._ \\/]/i,
    /[\\/](proof|subs)[\\/]/i,
    /[\\/].+\.ite[\\/]/i,
    /[\\/]\._/i,
    /\.DS_Store/i,
    /\.AppleDouble/i,
    /@eaDir/i,
    /[-\\._ ]sample|sample[-\\._ ]/i,
  ];
  test.each([
    ['A sample of tea', 'A (sample) of tea'],
    ['Samples, resample and (sample)', '(Samples), (resample) and (sample)'],
    ['sample', '(sample)'],
    ['Film-trailer', 'Film trailer'],
    ['Proof', 'Proof'],
    ['.DS_Store and .AppleDouble and @eaDir', 'DS_Store and AppleDouble and eaDir'],
    ['Music.ite', 'Music.ite'],
  ])('are not skipped by programs: %j becomes %j', (text, name) => {
    expect(safeName(text)).toBe(name);
    const path = `/${render('{channel}/{title} [{id}]', { channel: text, title: text })}.mp4`;
    expect(skipping.filter((pattern) => pattern.test(path))).toEqual([]);
  });
  test.each(['Subs', 'proof', 'Metadata', 'Shorts', 'Behind the Scenes'])('of a folder get an underscore: %s', (name) =>
    expect(render('{channel}/{id}', { channel: name })).toBe(`_${name}/-_aBcDeFgHi`),
  );
  test('are not skipped by programs, whatever the title is', () => {
    const word = fc.constantFrom(
      'sample',
      'Samples',
      '-trailer',
      '.DS_Store',
      '@eaDir',
      'subs',
      'proof',
      '.ite',
      ' ',
      '-',
      '(',
      '/',
      'é',
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 8 }), (words) => {
        const text = words.join('');
        const path = `/${render('{channel}/{title} [{id}]', { channel: text, title: text })}.mp4`;
        expect(skipping.filter((pattern) => pattern.test(path))).toEqual([]);
      }),
    );
  });

  test('are cut between characters at 255 bytes, and the id stays', () => {
    const long = '東京👩‍🚀'.repeat(60);
    const [folder, base] = render('{channel}/{channel} - {title} [{id}]', { channel: long, title: long }).split('/');
    expect(byteLength(folder!)).toBeLessThanOrEqual(255);
    expect(byteLength(folder!)).toBeGreaterThan(240);
    expect(base).toMatch(/ \[-_aBcDeFgHi\]$/);
    // Suffixes of sidecar files fit, too.
    expect(byteLength(`${base}.zh-Hans-very-long-language-tag-abcdef.srt`)).toBeLessThanOrEqual(255);
    expect(truncateBytes('👩‍🚀👩‍🚀', 12)).toBe('👩‍🚀');
  });

  test('are safe on every file system, whatever the title is', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 400 }),
        fc.string({ unit: 'binary', maxLength: 400 }),
        (title, channel) => {
          for (const preset of Object.values(presetTemplates)) {
            const parts = render(preset, { title, channel, playlist: channel, position: 1 }).split('/');
            expect(parts).toHaveLength(preset.split('/').length);
            for (const part of parts) {
              // oxlint-disable-next-line no-control-regex -- none of them may be in a name
              expect(part).not.toMatch(/[\\:"<>|?*\u0000-\u001f]|^\.|[. ]$|^$/);
              expect(byteLength(part)).toBeLessThanOrEqual(255);
              expect(part.isWellFormed()).toBe(true);
            }
            expect(parts.at(-1)).toContain('[-_aBcDeFgHi]');
          }
        },
      ),
      { numRuns: 40 },
    );
  });

  test('have the same key if a case-insensitive file system takes them for the same', () => {
    expect(pathKey('Straße/É')).toBe(pathKey('STRASSE/e\u0301'));
    expect(pathKey('a')).not.toBe(pathKey('b'));
  });
});
