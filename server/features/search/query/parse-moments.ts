import { isMomentKind, type MomentKind } from '#contract/moment-kinds.ts';
import { startOfUtcDay } from '#contract/utc-day.ts';
import { splitQuery } from './parse.ts';

// Syntax of the search for moments: unlike in parse.ts, which keeps the syntax of TubeArchivist, a key has one word or phrase as its
// value, and keys can stand anywhere.

/** A parsed search for moments; texts are as typed, in lower case. */
export interface ParsedMoments {
  terms: string[];
  /** Phrases that must match word by word. */
  phrases: string[];
  excluded: string[];
  /** Null: all. */
  kinds: MomentKind[] | null;
  tags: string[];
  /** Words of the author of a comment. */
  by: string[];
  /** Words of a channel name. */
  channel: string[];
  lang: string | null;
  /** Epoch seconds, the first and the last one. */
  from: number | null;
  to: number | null;
  watched: boolean | null;
  isGenerated: boolean;
}

/** Returns the first day of a year, month or day; null for other texts. */
function firstDay(text: string): number | null {
  const [year = '', month = '01', day = '01', ...rest] = text.split('-');
  return rest.length === 0 ? startOfUtcDay(`${year}-${month}-${day}`) : null;
}

/** Stores the value of each key. Returns false for a value that the key does not have, which is then searched as text. */
const keys: Record<string, (query: ParsedMoments, value: string) => boolean> = {
  in(query, value) {
    const kinds = value.split(',');
    if (!kinds.every(isMomentKind)) return false;
    query.kinds = [...(query.kinds ?? []), ...kinds];
    return true;
  },
  tag: ({ tags }, value) => tags.push(value) > 0,
  by: ({ by }, value) => by.push(value) > 0,
  channel: ({ channel }, value) => channel.push(value) > 0,
  lang: (query, value) => Boolean((query.lang = value)),
  after(query, value) {
    const at = firstDay(value);
    if (at !== null) query.from = at;
    return at !== null;
  },
  before(query, value) {
    const at = firstDay(value);
    if (at !== null) query.to = at - 1;
    return at !== null;
  },
  is(query, value) {
    if (value === 'generated') query.isGenerated = true;
    else if (value === 'watched' || value === 'unwatched') query.watched = value === 'watched';
    else return false;
    return true;
  },
};

/** Parses a search for moments. Never fails; an unknown key, or a key with an unknown value, is text. */
export function parseMoments(text: string): ParsedMoments {
  const query: ParsedMoments = {
    terms: [],
    phrases: [],
    excluded: [],
    kinds: null,
    tags: [],
    by: [],
    channel: [],
    lang: null,
    from: null,
    to: null,
    watched: null,
    isGenerated: false,
  };
  const pieces = splitQuery(text.toLowerCase());
  for (const [place, piece] of pieces.entries()) {
    if (piece.isExcluded) query.excluded.push(piece.text);
    else if (piece.isPhrase) query.phrases.push(piece.text);
    else {
      const [, key = '', value = ''] = /^(\w+):([^:]*)$/.exec(piece.text) ?? [];
      const set = Object.hasOwn(keys, key) ? keys[key] : undefined;
      const next = pieces[place + 1];
      // `by:"Jane Doe"` is the key without a value, and a phrase.
      if (set && value === '' && next?.isPhrase && !next.isExcluded) {
        if (set(query, next.text)) pieces.splice(place + 1, 1);
      } else if (!set || (value !== '' && !set(query, value))) query.terms.push(piece.text);
    }
  }
  return query;
}
