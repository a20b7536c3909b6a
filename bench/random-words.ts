/** Deterministic random numbers from 0 to 1 (mulberry32, public domain). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let x = Math.imul(state ^ (state >>> 15), 1 | state);
    x = (x + Math.imul(x ^ (x >>> 7), 61 | x)) ^ x;
    return ((x ^ (x >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const syllables = 'ka lo mi ran ter su vel pro dan es to ri ban cu fel gor hin jo lam nu pas qui ros tal ver wi zan bre'.split(
  ' ',
);
const commonest = 'the of and to a in is that it you for on with this be we are as have'.split(' ');
const vocabularySize = 50_000;

/**
 * Generates words with a natural distribution (Zipf): few are common, most are rare. Most are invented Latin words; one in forty
 * is Cyrillic and one in forty Chinese.
 */
export function makeWords(seed: number) {
  const random = randomFrom(seed);
  const vocabulary = Array.from({ length: vocabularySize }, (_, rank) => {
    if (rank < commonest.length) return commonest[rank]!;
    const length = 2 + Math.floor(random() * 3);
    if (rank % 40 === 0)
      return String.fromCodePoint(...Array.from({ length: length + 2 }, () => 0x430 + Math.floor(random() * 32)));
    if (rank % 40 === 1) return String.fromCodePoint(...Array.from({ length: 2 }, () => 0x4e00 + Math.floor(random() * 3000)));
    return Array.from({ length }, () => syllables[Math.floor(random() * syllables.length)]).join('');
  });
  // Continuous approximation of Zipf's law: rank = size^u.
  const word = () => vocabulary[Math.floor(vocabularySize ** random()) - 1]!;
  const text = (count: number) => Array.from({ length: count }, word).join(' ');
  const rare = () => vocabulary[Math.floor(random() * vocabularySize)]!;
  /** Generates a title: rarer words, the first one capitalized. */
  const title = (count: number) => {
    const phrase = Array.from({ length: count }, (_, index) => (index % 2 === 0 ? rare() : word())).join(' ');
    return phrase[0]!.toUpperCase() + phrase.slice(1);
  };
  return { word, text, title, rare };
}
