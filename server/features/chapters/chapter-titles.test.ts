import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { tokenize } from '../search/text/tokenizer.ts';
import { chapterTitles } from './chapter-titles.ts';

const linesOf = (...texts: string[]) => texts.map((text) => ({ text, words: tokenize(text) }));
const alike = () => 1;
const title = (part: string[], rest: string[], rarity: (word: string) => number = alike) =>
  chapterTitles([linesOf(...part), linesOf(...rest)], rarity)[0]!;

const valve = [
  'and now we take the Pressure Valve out of the pump',
  'because the pressure valve leaks, and the gasket is worn',
  'so you take a new gasket, and you put the pressure valve back',
];
const paint = ['and now we take the brush', 'because you want the paint to dry, and you take the brush and paint again'];

describe('titles of chapters', () => {
  test('are the phrases that are typical of the part, as they are said', () => {
    expect(title(valve, paint)).toBe('pressure valve, gasket');
  });

  test('words that are frequent in the archive are left out', () => {
    const part = ['actually the gasket', 'actually the valve', 'the gasket and the valve, actually'];
    expect(title(part, paint)).toContain('actually');
    expect(title(part, paint, (word) => (word === 'actually' ? 0 : 1))).toBe('gasket, valve');
  });

  test.each([
    [
      ['Jetzt kneten wir den Teig', 'der Teig muss ruhen, und die Hefe', 'die Hefe lässt den Teig gehen'],
      ['Jetzt streichen wir den Zaun und die Wand', 'und die Farbe muss trocknen, und wir warten'],
      'Teig, Hefe',
    ],
    [
      ['on pétrit la pâte', 'la pâte repose avec la levure', 'et la levure fait lever la pâte'],
      ['on peint le mur', 'et la peinture sèche, on attend avec le pinceau'],
      'pâte, levure',
    ],
    [['мы берём тесто', 'тесто и дрожжи', 'дрожжи в тесто'], ['мы берём краску', 'краска и стена'], 'тесто, дрожжи'],
  ])('%j', (part, rest, expected) => expect(title(part, rest)).toBe(expected));

  test('a script without spaces, or a part without typical words, has its first words', () => {
    expect(title(['今日はパンを作ります', '小麦粉と水を混ぜます'], ['次は自転車です'])).toBe(
      '今日はパンを作ります 小麦粉と水を混ぜます',
    );
    const words = 'every word of this long part is said once only and never again';
    expect(title([words], [])).toBe('every word of this long part is said…');
    expect(title([], [])).toBe('');
  });

  test('any text', () => {
    const lines = fc.array(fc.string({ unit: 'grapheme', maxLength: 40 }), { maxLength: 20 });
    fc.assert(
      fc.property(lines, lines, (part, rest) => {
        expect(title(part, rest).length).toBeLessThanOrEqual(80);
      }),
    );
  });
});
