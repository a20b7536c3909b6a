import { isSpelledOut, tokensWithPositions } from '../search/text/tokenizer.ts';

// A title is up to three phrases that are typical of a part: said in it again and again, and rarely elsewhere in the video and the
// archive. That needs no list of stop words, so it works the same in every language with spaces between words.

const maxPhrases = 3;
const maxTitle = 80;
const maxFirstWords = 40;
const leastLetters = 3;
const leastTimes = 2;
// Times as frequent in the part as in the rest of the video.
const leastRatio = 2;
// Words of a part that are looked at more closely.
const maxTypical = 30;
// Two words that mostly occur together say more than each.
const pairWeight = 1.5;

/** A line of a transcript, and its words as `tokenize` returns them. */
export interface ChapterLine {
  text: string;
  words: readonly string[];
}

/** How rare a normalized word is in the archive: 0 (in every text) to 1 (in none). */
export type Rarity = (word: string) => number;

interface Counts {
  times: Map<string, number>;
  total: number;
}

function countWords(lines: readonly ChapterLine[]): Counts {
  const times = new Map<string, number>();
  let total = 0;
  for (const { words } of lines) {
    for (const word of words) times.set(word, (times.get(word) ?? 0) + 1);
    total += words.length;
  }
  return { times, total };
}

/** Returns the words that are typical of a part with their weights, the best first. `all`: those of the whole video. */
function typicalWords(here: Counts, all: Counts, rarity: Rarity): Map<string, number> {
  const weights: [string, number][] = [];
  for (const [word, times] of here.times) {
    if (times < leastTimes || word.length < leastLetters || !isSpelledOut(word)) continue;
    const elsewhere = (all.times.get(word)! - times + 0.5) / (all.total - here.total + 1);
    const ratio = times / (here.total + 1) / elsewhere;
    const weight = ratio < leastRatio ? 0 : Math.log(ratio) * rarity(word);
    if (weight > 0) weights.push([word, weight]);
  }
  const scoreOf = ([word, weight]: [string, number]) => weight * here.times.get(word)!;
  return new Map(weights.sort((a, b) => scoreOf(b) - scoreOf(a) || (a[0] < b[0] ? -1 : 1)).slice(0, maxTypical));
}

interface Phrase {
  words: string[];
  times: number;
  /** How it is written in the transcript, with the times of each. */
  forms: Map<string, number>;
}

/** Returns typical words, and pairs of them that follow each other, with how they are written. */
function phrasesOf(lines: readonly ChapterLine[], typical: ReadonlyMap<string, number>): Phrase[] {
  const phrases = new Map<string, Phrase>();
  const add = (words: string[], form: string) => {
    const key = words.join(' ');
    const phrase = phrases.get(key) ?? { words, times: 0, forms: new Map() };
    phrase.times++;
    phrase.forms.set(form, (phrase.forms.get(form) ?? 0) + 1);
    phrases.set(key, phrase);
  };
  for (const { text, words } of lines) {
    if (!words.some((word) => typical.has(word))) continue;
    const found = tokensWithPositions(text);
    for (const [place, { word, start, end }] of found.entries()) {
      if (!typical.has(word)) continue;
      add([word], text.slice(start, end));
      const next = found[place + 1];
      // Only a space between them: a comma or a full stop separates phrases.
      const isPair = next && next.word !== word && typical.has(next.word) && /^[ \u00a0]$/.test(text.slice(end, next.start));
      if (isPair) add([word, next.word], text.slice(start, next.end));
    }
  }
  const isBound = ({ words, times }: Phrase) =>
    words.length === 1 || (times >= leastTimes && words.every((word) => times >= phrases.get(word)!.times / 2));
  return [...phrases.values()].filter(isBound);
}

/** Returns the most frequent form; of equally frequent ones the one in lower case. */
function formOf({ forms }: Phrase): string {
  const [[best]] = [...forms].toSorted(([a, x], [b, y]) => y - x || (a < b ? 1 : -1)) as [[string, number]];
  return best;
}

/** Whether two words are forms of the same one, as far as their beginnings tell. */
function isSameStem(a: string, b: string): boolean {
  const shorter = Math.min(a.length, b.length);
  return a === b || (shorter >= 4 && a.slice(0, shorter - 1) === b.slice(0, shorter - 1) && Math.abs(a.length - b.length) <= 3);
}

/** Returns words of a text for a part without typical phrases, such as in a script without spaces. */
function firstWords(lines: readonly ChapterLine[]): string {
  const text = lines
    .slice(0, 3)
    .map((line) => line.text)
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim();
  if (text.length <= maxFirstWords) return text;
  const space = text.lastIndexOf(' ', maxFirstWords);
  return `${text.slice(0, space > maxFirstWords / 2 ? space : maxFirstWords).replace(/[\ud800-\udbff]$/, '')}…`;
}

function titleOf(lines: readonly ChapterLine[], typical: ReadonlyMap<string, number>): string {
  const scored = phrasesOf(lines, typical).map((phrase) => {
    const weight = Math.min(...phrase.words.map((word) => typical.get(word)!));
    return { phrase, score: phrase.times * weight * (phrase.words.length === 2 ? pairWeight : 1) };
  });
  const best: Phrase[] = [];
  for (const { phrase } of scored.sort((a, b) => b.score - a.score || (formOf(a.phrase) < formOf(b.phrase) ? -1 : 1))) {
    if (best.length === maxPhrases) break;
    const isCovered = best.some(({ words }) => phrase.words.some((word) => words.some((one) => isSameStem(one, word))));
    if (!isCovered) best.push(phrase);
  }
  let title = '';
  for (const phrase of best) {
    const longer = title === '' ? formOf(phrase) : `${title}, ${formOf(phrase)}`;
    if (longer.length <= maxTitle) title = longer;
  }
  return title === '' ? firstWords(lines) : title;
}

/** Returns the titles of the parts of a transcript. Their words stand like this in the parts. */
export function chapterTitles(parts: readonly (readonly ChapterLine[])[], rarity: Rarity): string[] {
  const all = countWords(parts.flat());
  return parts.map((lines) => titleOf(lines, typicalWords(countWords(lines), all, rarity)));
}
