// Query syntax, as far as the page needs it: which index the first keyword selects, and which keywords filter it. The server
// decides what a query means.

export type SearchType = 'simple' | 'video' | 'channel' | 'playlist' | 'full';

const keysOf: Record<SearchType, readonly string[]> = {
  simple: [],
  video: ['channel', 'active'],
  channel: ['active', 'subscribed'],
  playlist: ['active', 'subscribed'],
  full: ['lang', 'source', 'channel'],
};
const valuesOf: Record<string, readonly string[]> = {
  active: ['yes', 'no'],
  subscribed: ['yes', 'no'],
  source: ['user', 'auto'],
  lang: ['en', 'de'],
};

const firstWord = /^\s*(video|channel|playlist|full):\s*/i;
const pieces = /-?"[^"]*"?|\S+/g;

export interface ParsedQuery {
  type: SearchType;
  /** Search terms as typed. */
  terms: string;
  /** `key:value`, each with the words that belong to it. */
  keys: string[];
}

/** Splits a query into its index, terms and keywords. */
export function parseQuery(query: string): ParsedQuery {
  const first = firstWord.exec(query)?.[1]?.toLowerCase() as SearchType | undefined;
  const type = first ?? 'simple';
  const terms: string[] = [];
  const keys: string[] = [];
  for (const [piece] of query.replace(firstWord, '').matchAll(pieces)) {
    const key = /^(\w+):[^:]*$/.exec(piece)?.[1]?.toLowerCase();
    if (key && keysOf[type].includes(key)) keys.push(piece);
    // Words after a keyword belong to it, except exclusions and quoted phrases.
    else if (keys.length > 0 && !piece.startsWith('-')) keys.push(`${keys.pop()} ${piece}`);
    else terms.push(piece);
  }
  return { type, terms: terms.join(' '), keys };
}

/** Formats a query. Terms come before keywords, because a keyword includes the words after it. */
export function formatQuery({ type, terms, keys }: ParsedQuery): string {
  const start = type === 'simple' ? '' : `${type}:`;
  return `${start}${[terms, ...keys].filter(Boolean).join(' ')}`.trim();
}

/** Switches to another index and drops the keywords it does not support. */
export const withType = (query: string, type: SearchType): string => {
  const { terms, keys } = parseQuery(query);
  return formatQuery({ type, terms, keys: keys.filter((one) => keysOf[type].includes(one.split(':')[0]!.toLowerCase())) });
};

export const withoutKey = (query: string, key: string): string => {
  const words = parseQuery(query);
  return formatQuery({ ...words, keys: words.keys.filter((one) => one !== key) });
};

export const withKey = (query: string, key: string): string => {
  const words = parseQuery(query);
  return formatQuery({ ...words, keys: [...words.keys, key] });
};

/** Returns the keywords that can still be added, with their values if there are few. */
export function availableKeys(query: string): string[] {
  const { type, keys } = parseQuery(query);
  const used = new Set(keys.map((one) => one.split(':')[0]!.toLowerCase()));
  return keysOf[type]
    .filter((key) => !used.has(key))
    .flatMap((key) => (valuesOf[key] ? valuesOf[key].map((value) => `${key}:${value}`) : [`${key}:`]));
}

/** A word that was not found, in lower case, and the one that was searched instead. */
interface Correction {
  word: string;
  instead: string;
}

const plain = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

/** Returns the search terms as they were corrected, and the query that searches for them as typed. Null if nothing was corrected. */
export function correctedQuery(query: string, corrections: Correction[]): { terms: string; literal: string } | null {
  const words = parseQuery(query);
  const replacing = (change: (typed: string, correction: Correction) => string) =>
    words.terms.replace(/[\p{L}\p{N}\p{M}]+/gu, (typed) => {
      const correction = corrections.find(({ word }) => plain(word) === plain(typed));
      return correction ? change(typed, correction) : typed;
    });
  const terms = replacing((_, { instead }) => instead);
  const literal = formatQuery({ ...words, terms: replacing((typed) => `"${typed}"`) });
  return terms === words.terms ? null : { terms, literal };
}

/** Path of the search results for a query. */
export const pathOfSearch = (query: string) => `/search/?query=${encodeURIComponent(query)}`;
