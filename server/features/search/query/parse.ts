// Syntax of the search field: a first word such as `video:` selects the type, `key:` starts the value of that key, everything
// else is a search term. Additions to TubeArchivist's syntax: "a phrase", and -word or -"phrase" to exclude.

export const queryTypes = ['simple', 'video', 'channel', 'playlist', 'full'] as const;
export type QueryType = (typeof queryTypes)[number];

export type Fuzzy = 0 | 1 | 2 | 'auto';

/** A parsed query; texts are as typed. */
export interface Query {
  type: QueryType;
  /** Search terms in order. */
  terms: string[];
  /** Phrases that must match word by word. */
  phrases: string[];
  /** Excluded words and phrases. */
  excluded: string[];
  /** Words of a channel name. */
  channel: string[];
  active: boolean | null;
  subscribed: boolean | null;
  lang: string | null;
  source: string | null;
  fuzzy: Fuzzy;
}

const keysOf: Record<QueryType, readonly string[]> = {
  simple: ['term', 'fuzzy'],
  video: ['term', 'fuzzy', 'channel', 'active'],
  channel: ['term', 'fuzzy', 'active', 'subscribed'],
  playlist: ['term', 'fuzzy', 'active', 'subscribed'],
  full: ['term', 'fuzzy', 'lang', 'source', 'channel'],
};

// Above any real query; further words are ignored.
const maxWords = 32;

const isType = (word: string): word is QueryType => (queryTypes as readonly string[]).includes(word);
const coloned = (word: string) => word.split(':').length - 1;

interface Piece {
  text: string;
  isPhrase: boolean;
  isExcluded: boolean;
  isPlain?: true;
}

/** Splits text into words and quoted phrases; an unclosed quote is ignored. */
export function splitQuery(text: string): Piece[] {
  const pieces: Piece[] = [];
  for (const { groups } of text.matchAll(/(?<minus>-?)"(?<phrase>[^"]*)"|(?<word>[^\s"]+)/g)) {
    const { minus, phrase, word } = groups as { minus?: string; phrase?: string; word?: string };
    if (phrase !== undefined) {
      if (phrase.trim()) pieces.push({ text: phrase.trim(), isPhrase: true, isExcluded: minus === '-' });
    } else if (word && !/^-+$/.test(word)) {
      const isExcluded = word.startsWith('-');
      pieces.push({ text: isExcluded ? word.slice(1) : word, isPhrase: false, isExcluded });
    }
    if (pieces.length > maxWords) break;
  }
  return pieces;
}

function fuzzyOf(value: string | undefined): Fuzzy {
  if (value === 'no') return 0;
  if (value === undefined || !/^\d{1,9}$/.test(value)) return 'auto';
  return Math.min(2, Number(value)) as Fuzzy;
}

/** Parses a query. Never fails; takes time linear in the length of the text. */
export function parseQuery(text: string): Query {
  const pieces = splitQuery(text.toLowerCase());
  let type: QueryType = 'simple';
  const first = pieces[0];
  if (first && !first.isPhrase && !first.isExcluded) {
    const [name = '', ...rest] = first.text.split(':');
    if (rest.length > 0 && isType(name)) {
      type = name;
      first.text = rest.join(':');
      // The rest of a word with several colons is text, even if it looks like a key.
      if (rest.length > 1) first.isPlain = true;
    }
  }
  const buckets = new Map<string, string[]>();
  const [phrases, excluded]: [string[], string[]] = [[], []];
  let key = 'term';
  const put = (word: string) => {
    if (word) buckets.set(key, [...(buckets.get(key) ?? []), word]);
  };
  for (const piece of pieces) {
    if (piece.isExcluded) excluded.push(piece.text);
    else if (piece.isPhrase) {
      if (key === 'term') phrases.push(piece.text);
      else put(piece.text);
    } else if (!piece.isPlain && coloned(piece.text) === 1 && keysOf[type].includes(piece.text.split(':')[0]!)) {
      const [name, rest] = piece.text.split(':') as [string, string];
      key = name;
      put(rest);
    } else put(piece.text);
  }
  const yes = (name: string) => buckets.get(name)?.includes('yes') ?? null;
  return {
    type,
    terms: buckets.get('term') ?? [],
    phrases,
    excluded,
    channel: buckets.get('channel') ?? [],
    active: yes('active'),
    subscribed: yes('subscribed'),
    lang: buckets.get('lang')?.[0] ?? null,
    source: buckets.get('source')?.[0] ?? null,
    fuzzy: fuzzyOf(buckets.get('fuzzy')?.[0]),
  };
}
