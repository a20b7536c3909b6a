import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cuesOf, cuesOfVtt, vttOf } from './subtitle.ts';

const json3 = (...events: object[]) => JSON.stringify({ events });
const event = (from: number, length: number, ...words: string[]) => ({
  tStartMs: from,
  dDurationMs: length,
  segs: words.map((utf8) => ({ utf8 })),
});

describe('json3', () => {
  test('is converted to cues without empty events', () => {
    const text = json3(
      { tStartMs: 0, dDurationMs: 9000, id: 1 },
      event(1000, 2000, 'Hello ', 'world'),
      event(3000, 10, '\n'),
      event(4000, 1500, 'Bye'),
    );
    expect(cuesOf(text)).toEqual([
      { start: 1, end: 3, text: 'Hello world' },
      { start: 4, end: 5.5, text: 'Bye' },
    ]);
  });

  test('ends overlapping automatic captions at the start of the next', () => {
    const text = json3(event(0, 4000, 'one two'), event(2000, 4000, 'three four'), event(2000, 3000, 'five'));
    expect(cuesOf(text)).toEqual([
      { start: 0, end: 2, text: 'one two' },
      { start: 2, end: 6, text: 'three four\nfive' },
    ]);
  });

  test('rejects other content', () => {
    expect(() => cuesOf('<html>')).toThrow();
    expect(() => cuesOf('{"events":"none"}')).toThrow();
  });
});

test('writes WebVTT with header, numbered cues and escaped markup', () => {
  const vtt = vttOf([{ start: 3661.5, end: 3662.25, text: 'a <b>&</b> --> c' }], 'de');
  expect(vtt).toBe(
    'WEBVTT\nKind: captions\nLanguage: de\n\n1\n01:01:01.500 --> 01:01:02.250\na &lt;b&gt;&amp;&lt;/b&gt; --&gt; c\n',
  );
});

test('skips notes, styles, regions, tags and broken cues of WebVTT', () => {
  const found = `\ufeffWEBVTT\n\nSTYLE\n::cue { color: red }\n\nNOTE 00:01.000 --> 00:02.000\nsecret\n\n1\n00:01.000 --> 00:02.500 align:start\n<v Ann>Tea &amp; <c.red>cake</c></v>\n\n00:99 --> nonsense\nx\n\n00:00:03,000 --> 00:00:04,000\nfrom srt`;
  expect(cuesOfVtt(found)).toEqual([
    { start: 1, end: 2.5, text: 'Tea & cake' },
    { start: 3, end: 4, text: 'from srt' },
  ]);
});

const text = fc.stringMatching(/^[a-zA-Z<>&"' äöü漢字-]{1,40}$/).filter((words) => words.trim() !== '');
const cues = fc
  .array(fc.record({ gap: fc.integer({ min: 0, max: 5000 }), length: fc.integer({ min: 1, max: 9000 }), text }), {
    maxLength: 20,
  })
  .map((steps) => {
    let at = 0;
    return steps.map(({ gap, length, text: words }) => {
      const start = at + gap;
      at = start + length;
      return { start: start / 1000, end: at / 1000, text: words.trim() };
    });
  });

test('written WebVTT is read back unchanged', () => {
  fc.assert(
    fc.property(cues, (input) => {
      expect(cuesOfVtt(vttOf(input, 'en'))).toEqual(input);
    }),
  );
});

test('never throws and returns ordered cues for any text', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 300 }), (anything) => {
      for (const cue of cuesOfVtt(`WEBVTT\n\n${anything}\n\n00:01.000 --> 00:02.000\n${anything}`))
        expect(cue.end).toBeGreaterThan(cue.start);
    }),
  );
});
