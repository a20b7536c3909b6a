import { isMomentKind } from '#contract/moment-kinds.ts';

// Query syntax, as far as the page needs it: which index the first keyword selects, and which keywords filter it. The server
// decides what a query means. In a search of all types a keyword has one word or phrase as its value and can stand anywhere;
// otherwise the words after it belong to it.

export type SearchType = 'simple' | 'video' | 'channel' | 'playlist' | 'full';

const keysOf: Record<SearchType, readonly string[]> = {
  simple: ['in', 'tag', 'by', 'channel', 'lang', 'after', 'before', 'is'],
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
  in: ['title', 'spoken', 'chapter', 'description', 'comment', 'tag'],
  is: ['watched', 'unwatched', 'generated'],
};
const repeatable = ['in', 'tag', 'by', 'channel'];

const isDate = (value: string) => /^\d{4}(-\d{2}){0,2}$/.test(value);
/** Values that a keyword can have, if not all. Others are text. */
const accepts: Record<string, (value: string) => boolean> = {
  in: (value) => value.split(',').every(isMomentKind),
  is: (value) => valuesOf['is']!.includes(value),
  after: isDate,
  before: isDate,
};

const firstWord = /^\s*(video|channel|playlist|full):\s*/i;
const pieces = /-?"[^"]*"?|\S+/g;
const valuedPieces = /\w+:"[^"]*"|-?"[^"]*"?|\S+/g;

const nameOf = (key: string) => key.split(':')[0]!.toLowerCase();
const valueOf = (key: string) => key.slice(key.indexOf(':') + 1).trim();

export interface ParsedQuery {
  type: SearchType;
  /** Search terms as typed. */
  terms: string;
  /** `key:value`, each with the words that belong to it. */
  keys: string[];
}

/** Whether the piece is a keyword of searches of all types. One without a value is unfinished. */
function isValued(piece: string): boolean {
  const name = /^\w+:([^:]*)$/.test(piece) ? nameOf(piece) : '';
  const value = valueOf(piece).toLowerCase();
  return keysOf.simple.includes(name) && (value === '' || (accepts[name]?.(value) ?? true));
}

function parseSimple(query: string): ParsedQuery {
  const found = [...query.matchAll(valuedPieces)].map(([piece]) => piece);
  const terms = found.filter((piece) => !isValued(piece));
  return { type: 'simple', terms: terms.join(' '), keys: found.filter(isValued) };
}

/** Splits a query into its index, terms and keywords. */
export function parseQuery(query: string): ParsedQuery {
  const type = firstWord.exec(query)?.[1]?.toLowerCase() as SearchType | undefined;
  if (!type) return parseSimple(query);
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

/** Writes a keyword in the syntax of an index. */
function formatKey(key: string, type: SearchType): string {
  const value = valueOf(key).replaceAll('"', '');
  return `${nameOf(key)}:${type === 'simple' && /\s/.test(value) ? `"${value}"` : value}`;
}

/** Switches to another index and drops the keywords it does not support. */
export const withType = (query: string, type: SearchType): string => {
  const { terms, keys } = parseQuery(query);
  const supported = keys.filter((key) => keysOf[type].includes(nameOf(key)));
  return formatQuery({ type, terms, keys: supported.map((key) => formatKey(key, type)) });
};

export const withoutKey = (query: string, key: string): string => {
  const words = parseQuery(query);
  return formatQuery({ ...words, keys: words.keys.filter((one) => one !== key) });
};

/** Adds a keyword, or completes it. */
export const withKey = (query: string, key: string): string => {
  const words = parseQuery(query);
  const others = words.keys.filter((one) => valueOf(one) !== '' || nameOf(one) !== nameOf(key));
  return formatQuery({ ...words, keys: [...others, key] });
};

const withValues = (name: string) => valuesOf[name]?.map((value) => `${name}:${value}`) ?? [`${name}:`];

/** Returns the keywords that complete an unfinished one, such as `is:`. */
export function completions(query: string): string[] {
  const { type, keys } = parseQuery(query);
  const name = keys.filter((key) => valueOf(key) === '').map(nameOf)[0];
  return type === 'simple' && name !== undefined && valuesOf[name] ? withValues(name) : [];
}

/** Returns the keywords that can still be added, with their values if there are few. */
export function availableKeys(query: string): string[] {
  const { type, keys } = parseQuery(query);
  const used = new Set(keys.map(nameOf));
  if (type === 'simple')
    return keysOf.simple.filter((name) => repeatable.includes(name) || !used.has(name)).map((name) => `${name}:`);
  return keysOf[type].filter((name) => !used.has(name)).flatMap(withValues);
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
