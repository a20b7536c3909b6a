import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fastestMs } from '../../../test-support/pace.ts';
import { occurrences } from '../query/score.ts';
import { exactly } from '../query/query-terms.ts';
import { tokensWithPositions, queryTokens, tokenize } from './tokenizer.ts';

/** Whether a search for `query` finds `text`. */
const finds = (query: string, text: string) => {
  const words = queryTokens(query);
  return words.length > 0 && occurrences(exactly(words), tokenize(text)).length > 0;
};

describe('queries match texts', () => {
  test.each([
    // Latin
    ['uber', 'Über den Wolken'],
    ['ÜBER', 'uber den wolken'],
    ['strasse', 'Die Straße'],
    ['straße', 'DIE STRASSE'],
    ['smorrebrod', 'Smørrebrød'],
    ['lodz', 'Łódź'],
    ['aether', 'Æther'],
    ['viet nam', 'Việt Nam đất nước'],
    ['dat nuoc', 'Việt Nam đất nước'],
    ['istanbul', 'İSTANBUL'],
    ['dont', "don't stop"],
    ["don't", 'dont stop'],
    ['don’t', "don't stop"],
    ['amour', "l'amour toujours"],
    ["l'amour", 'L’AMOUR'],
    ['spider-man', 'Spider Man'],
    ['ﬁsh', 'fish'],
    // e with a combining accent
    ['cafe\u0301', 'Café'],
    // Cyrillic
    ['еще', 'Ещё раз'],
    ['ЕЩЁ', 'еще раз'],
    ['мой', 'Мой дом'],
    // Greek
    ['ελληνικα', 'Ελληνικά'],
    ['οδος', 'Η ΟΔΟΣ'],
    ['οδός', 'η οδοσ'],
    // Arabic: harakat, forms of alef, tatweel; Persian letters
    ['السلام', 'السَّلَامُ عليكم'],
    ['احمد', 'أحمد'],
    ['إسلام', 'اسلام'],
    ['سلام', 'ســـلام'],
    ['كتاب', 'کتاب'],
    ['١٢٣', '123'],
    // Hebrew with points
    ['שלום', 'שָׁלוֹם'],
    // Scripts without spaces
    ['東京', '東京都に行く'],
    ['京都', '東京都に行く'],
    ['都', '東京都'],
    ['東', '東京都'],
    ['行', '東京都に行く'],
    ['中文', '学习中文很难'],
    ['ガンダム', '機動戦士ガンダム'],
    ['ｶﾞﾝﾀﾞﾑ', '機動戦士ガンダム'],
    ['ラーメン', '美味しいラーメン屋'],
    ['서울', '서울에서 부산까지'],
    ['부산', '서울에서 부산까지'],
    ['서', '서울'],
    ['ไทย', 'ประเทศไทยสวยงาม'],
    ['iphone15', 'iPhone15を買う'],
    ['買う', 'iPhone15を買う'],
    // Devanagari keeps its vowel signs
    ['हिन्दी', 'मैं हिन्दी बोलता हूँ'],
    ['२०२६', '2026'],
    // Full width, pictographs, numbers
    ['ｈｅｌｌｏ', 'Hello'],
    ['🔥', 'so hot 🔥🔥'],
    ['❤', 'love ❤️'],
    ['👍', 'well done 👍🏽'],
    ['🇩🇪', 'made in 🇩🇪'],
    ['3.14', 'pi is 3.14'],
    ['1,000', '1,000 subscribers'],
  ])('%s finds %s', (query, text) => expect(finds(query, text)).toBe(true));

  test.each([
    ['京東', '東京都'],
    ['мои', 'Мой дом'],
    ['か', 'が'],
    ['कि', 'की'],
    ['🇩🇪', 'made in 🇩🇰'],
    ['man spider', 'Spider Man'],
    ['!!!', 'anything!!!'],
  ])('%s does not find %s', (query, text) => expect(finds(query, text)).toBe(false));
});

test('positions point to the word in the text', () => {
  const text = 'Grüße 🔥 aus 東京, l’été';
  expect(tokensWithPositions(text).map(({ word, start, end }) => [word, text.slice(start, end)])).toEqual([
    ['grusse', 'Grüße'],
    ['🔥', '🔥'],
    ['aus', 'aus'],
    ['東京', '東京'],
    ['京', '京'],
    ['l', 'l'],
    ['ete', 'été'],
  ]);
});

const anyText = fc.string({ unit: 'binary', maxLength: 300 });

test('the tokens of any text include its query tokens', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const words = tokensWithPositions(text);
      let last = -1;
      for (const { word, start, end } of words) {
        expect(word.isWellFormed()).toBe(true);
        expect(word).not.toMatch(/[\s"'\\=]|^$/);
        expect(start).toBeGreaterThanOrEqual(last);
        expect(end).toBeGreaterThan(start);
        expect(end).toBeLessThanOrEqual(text.length);
        last = start;
      }
      const queryWords = queryTokens(text);
      for (const word of queryWords) expect(words.some((one) => one.word.startsWith(word))).toBe(true);
    }),
    { numRuns: 2000 },
  );
});

// Input of eight times the length takes eight times as long in linear time, and 64 times with backtracking.
test.each(['a', "a'", '\u0301', `e${'\u0301'.repeat(50)}`, '東', 'ก\u0e49', 'ｶﾞ', '\u{1f468}\u200d', 'ﷺ', 'aあ'])(
  'tokenizing takes linear time, case %#',
  (unit) => {
    const count = Math.ceil(6_000 / unit.length);
    const [short, long] = [unit.repeat(count), unit.repeat(count * 8)];
    tokenize(long); // warm-up
    expect(
      fastestMs(() => tokenize(long)) /
        Math.max(
          1,
          fastestMs(() => tokenize(short)),
        ),
    ).toBeLessThan(30);
  },
);
