// Letters that Unicode does not decompose but that people type as plain letters. Sources: Unicode letter names ("with stroke" …),
// the case folding of ß and ς in CaseFolding.txt, and for Arabic the common practice of search engines: forms of alef, yeh and
// teh marbuta, and the Persian keh and yeh.
const plainer: Record<string, string> = {
  ß: 'ss',
  ſ: 's',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ħ: 'h',
  ı: 'i',
  ŧ: 't',
  ŋ: 'n',
  ς: 'σ',
  ٱ: 'ا',
  ى: 'ي',
  ی: 'ي',
  ة: 'ه',
  ک: 'ك',
};
const inNeed = new RegExp(`[${Object.keys(plainer).join('')}]`, 'gu');

// Combining marks that are removed: those of Latin, Greek and Cyrillic, Hebrew points, Arabic harakat and tatweel. Vowel signs of
// Indian scripts and voicing marks of kana are marks too, but words differ without them.
const markRanges = [
  [0x300, 0x36f],
  [0x483, 0x489],
  [0x591, 0x5bd],
  [0x5bf, 0x5bf],
  [0x5c1, 0x5c2],
  [0x5c4, 0x5c5],
  [0x5c7, 0x5c7],
  [0x610, 0x61a],
  [0x640, 0x640],
  [0x64b, 0x65f],
  [0x670, 0x670],
  [0x6d6, 0x6dc],
  [0x6df, 0x6e8],
  [0x6ea, 0x6ed],
  [0x1ab0, 0x1aff],
  [0x1dc0, 0x1dff],
  [0x20d0, 0x20ff],
  [0xfe00, 0xfe0f],
  [0xfe20, 0xfe2f],
  [0xe0100, 0xe01ef],
] as const;
const char = (code: number) => String.fromCodePoint(code);
const marks = new RegExp(`[${markRanges.map(([first, last]) => `${char(first)}-${char(last)}`).join('')}]+`, 'gu');
const notOfWords = /[^\p{L}\p{N}\p{M}]+/gu;

/** Code point of the digit 0 in each script that has digits; they are mapped to ASCII. */
const zeros = [0x660, 0x6f0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xe50, 0xed0, 0xf20, 0x1040, 0x17e0];
const foreignDigit = /[\u0660-\u0669\u06f0-\u06f9\u0966-\u17e9]/gu;
const plainDigit = (char: string) => {
  const code = char.codePointAt(0)!;
  const zero = zeros.find((first) => code >= first && code <= first + 9);
  return zero === undefined ? char : String(code - zero);
};

// eslint-disable-next-line no-control-regex -- matches all of ASCII on purpose
const isAscii = (text: string) => /^[\x00-\x7f]*$/.test(text);

// Letters of unspaced scripts that need no normalization, which is most of them. They are looked up one at a time, so this check
// saves time.
const settled = /^[\u3041-\u3096\u30a1-\u30fa\u30fc\u4e00-\u9fff\uac00-\ud7a3\u0e01-\u0e32\u0e40-\u0e46]$/;

// Words repeat often, and normalization costs more than a lookup.
const known = new Map<string, string>();
const maxKnown = 4_000;

function fold(word: string): string {
  return word
    .normalize('NFKD')
    .toLowerCase()
    .replace(/и\u0306/g, 'й') // a separate letter
    .replace(marks, '')
    .normalize('NFC') // recompose Hangul and kana
    .replace(inNeed, (letter) => plainer[letter]!)
    .replace(foreignDigit, plainDigit)
    .replace(notOfWords, '');
}

/** Normalizes a word for comparison: removes differences of case, accents, width and spelling variants. Linear in its length. */
export function normalizeWord(word: string): string {
  if (settled.test(word)) return word;
  if (isAscii(word)) return word.toLowerCase();
  if (word.length > 30) return fold(word);
  const before = known.get(word);
  if (before !== undefined) return before;
  if (known.size >= maxKnown) known.clear();
  const folded = fold(word);
  known.set(word, folded);
  return folded;
}
