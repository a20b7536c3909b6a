import { isSpelledOut, tokensWithPositions } from '../search/text/tokenizer.ts';

// A title is two or three phrases that are typical of a part: said in it again and again, and rarely elsewhere in the video and the
// archive. That needs no list of stop words, so it works the same in every language with spaces between words.

const phrases = 3;
const maxTitle = 80;
const maxFirstWords = 40;
const leastLetters = 3;
const leastTimes = 2;
// Times as frequent in the part as in the rest of the video.
const leastRatio = 2;

/** A line of a transcript in a chapter. */
export interface ChapterLine {
  text: string;
}

interface Term {
  words: string[];
  times: number;
  /** How it is written in the transcript, with the times of each. */
  forms: Map<string, number>;
}

/** Returns single words and pairs of neighbours by their normalized words, with how they are written. */
function termsOf(lines: readonly ChapterLine[]): Map<string, Term> {
  const terms = new Map<string, Term>();
  const add = (words: string[], form: string) => {
    const key = words.join(' ');
    const term = terms.get(key) ?? { words, times: 0, forms: new Map() };
    term.times++;
    term.forms.set(form, (term.forms.get(form) ?? 0) + 1);
    terms.set(key, term);
  };
  for (const { text } of lines) {
    const words = tokensWithPositions(text);
    for (const [place, { word, start, end }] of words.entries()) {
      add([word], text.slice(start, end));
      const next = words[place + 1];
      // Only spaces between them: a comma or a full stop separates phrases.
      if (next && /^[ \u00a0]$/.test(text.slice(end, next.start))) add([word, next.word], text.slice(start, next.end));
    }
  }
  return terms;
}

const isWord = (word: string) => isSpelledOut(word) && word.length >= leastLetters;
const countOf = (terms: ReadonlyMap<string, Term>) =>
  [...terms.values()].reduce((sum, { words, times }) => sum + (words.length === 1 ? times : 0), 0);

/** Returns the most frequent form; of equal ones the first, which is often the one that is not at the beginning of a sentence. */
function formOf({ forms }: Term): string {
  const [[best]] = [...forms].toSorted(([a, x], [b, y]) => y - x || (a < b ? 1 : -1)) as [[string, number]];
  return best;
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

/** How rare a normalized word is in the archive: 0 (in every text) to 1 (in none). */
export type Rarity = (word: string) => number;

/** Returns the title of a part from its lines and those of the rest of the video. Its words stand like this in the part. */
export function chapterTitle(part: readonly ChapterLine[], rest: readonly ChapterLine[], rarity: Rarity): string {
  const [here, elsewhere] = [termsOf(part), termsOf(rest)];
  const [total, totalElsewhere] = [countOf(here), countOf(elsewhere)];
  const ratioOf = (key: string) => {
    const outside = ((elsewhere.get(key)?.times ?? 0) + 0.5) / (totalElsewhere + 1);
    return here.get(key)!.times / (total + 1) / outside;
  };
  const isTypical = (word: string) => isWord(word) && ratioOf(word) >= leastRatio;
  const scored = [...here].flatMap(([key, term]) => {
    if (term.times < leastTimes || !term.words.every(isTypical)) return [];
    const rare = term.words.reduce((sum, word) => sum + rarity(word), 0) / term.words.length;
    // Two words that mostly occur together say more than each.
    const alone = Math.min(...term.words.map((word) => here.get(word)!.times));
    if (term.words.length === 2 && (term.words[0] === term.words[1] || term.times < alone / 2)) return [];
    return [{ term, score: term.times * Math.log(ratioOf(key)) * rare * (term.words.length === 2 ? 1.5 : 1) }];
  });
  const best: Term[] = [];
  for (const { term, score } of scored.toSorted((a, b) => b.score - a.score || (a.term.words < b.term.words ? -1 : 1))) {
    if (best.length === phrases || score <= 0) break;
    const isCovered = best.some(({ words }) => term.words.some((word) => words.some((one) => isSameStem(one, word))));
    if (!isCovered) best.push(term);
  }
  let title = '';
  for (const term of best) {
    const longer = title === '' ? formOf(term) : `${title}, ${formOf(term)}`;
    if (longer.length <= maxTitle) title = longer;
  }
  return best.length < 2 ? firstWords(part) : title;
}

/** Whether two words are forms of the same one, as far as their beginnings tell. */
function isSameStem(a: string, b: string): boolean {
  const shorter = Math.min(a.length, b.length);
  return a === b || (shorter >= 4 && a.slice(0, shorter - 1) === b.slice(0, shorter - 1) && Math.abs(a.length - b.length) <= 3);
}
