// The language of the search field, as far as the page needs to know it: which index a first word picks, and which keys
// narrow it. What a query means is decided by the server.

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

export interface Words {
  type: SearchType;
  /** What is looked for, as it was typed. */
  terms: string;
  /** `key:value`, each with the words that belong to it. */
  keys: string[];
}

/** Takes a query apart. */
export function wordsOf(query: string): Words {
  const first = firstWord.exec(query)?.[1]?.toLowerCase() as SearchType | undefined;
  const type = first ?? 'simple';
  const terms: string[] = [];
  const keys: string[] = [];
  for (const [piece] of query.replace(firstWord, '').matchAll(pieces)) {
    const key = /^(\w+):[^:]*$/.exec(piece)?.[1]?.toLowerCase();
    if (key && keysOf[type].includes(key)) keys.push(piece);
    // Words after a key belong to it, but for what is left out or must stand there together.
    else if (keys.length > 0 && !piece.startsWith('-')) keys.push(`${keys.pop()} ${piece}`);
    else terms.push(piece);
  }
  return { type, terms: terms.join(' '), keys };
}

/** And puts it together: what is looked for stands before the keys, which would take it in. */
export function queryOf({ type, terms, keys }: Words): string {
  const start = type === 'simple' ? '' : `${type}:`;
  return `${start}${[terms, ...keys].filter(Boolean).join(' ')}`.trim();
}

/** The same query in another index; keys that it does not know fall away. */
export const withType = (query: string, type: SearchType): string => {
  const { terms, keys } = wordsOf(query);
  return queryOf({ type, terms, keys: keys.filter((one) => keysOf[type].includes(one.split(':')[0]!.toLowerCase())) });
};

export const withoutKey = (query: string, key: string): string => {
  const words = wordsOf(query);
  return queryOf({ ...words, keys: words.keys.filter((one) => one !== key) });
};

export const withKey = (query: string, key: string): string => {
  const words = wordsOf(query);
  return queryOf({ ...words, keys: [...words.keys, key] });
};

/** Keys that could still be added, with their values where those are few. */
export function keysToAdd(query: string): string[] {
  const { type, keys } = wordsOf(query);
  const used = new Set(keys.map((one) => one.split(':')[0]!.toLowerCase()));
  return keysOf[type]
    .filter((key) => !used.has(key))
    .flatMap((key) => (valuesOf[key] ? valuesOf[key].map((value) => `${key}:${value}`) : [`${key}:`]));
}

/** Where what is found for a query is shown. */
export const pathOfSearch = (query: string) => `/search/?query=${encodeURIComponent(query)}`;
