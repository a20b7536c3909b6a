import { parseBranding } from '../../../archive/video/branding.ts';
import { musicWords } from '../../../archive/video/music.ts';
import type { Db } from '../../../platform/db/db.ts';
import { all, any, type Expression, type Field } from '../text/fts-expression.ts';
import type { NamedKind } from '../index/index-names.ts';
import { channelToken, kindToken } from '../text/filter-tokens.ts';
import type { Query } from './parse.ts';
import { scoreName } from './score.ts';
import {
  findChannelRows,
  findPlaylistRows,
  findVideoRows,
  hasFilter,
  type Flags,
  type SearchFilter,
  type NamedRow,
} from '../index/store.ts';
import { exactly, expressionOf, queryTermsOf, wordLists, type QueryTerm } from './query-terms.ts';
import { tokenize } from '../text/tokenizer.ts';

/** A search result with its score. */
export interface NamedHit {
  kind: NamedKind;
  id: string;
  score: number;
}

export const pageSize = 30;
// Maximum of candidates per kind that are scored, newest first; users do not page further.
const maxOfKind = 120;
const maxAtStart = 40;
const maxChannels = 50;

const fieldsOf: Record<NamedKind, Field[]> = { video: ['a', 'b', 'c'], channel: ['a', 'b', 'c'], playlist: ['a', 'b'] };
const kindsOf: Record<'simple' | NamedKind, NamedKind[]> = {
  simple: ['video', 'channel', 'playlist'],
  video: ['video'],
  channel: ['channel'],
  playlist: ['playlist'],
};
const rowsOf = { video: findVideoRows, channel: findChannelRows, playlist: findPlaylistRows };

/** Excludes terms from an expression. */
export function without(expression: Expression | null, excluded: readonly QueryTerm[]): Expression | null {
  const not = any(excluded.map(expressionOf));
  return expression && not ? { this: expression, not } : expression;
}

/** Finds channels whose name contains all these words; the last word can be a prefix. */
export async function channelsNamed(db: Db, words: readonly string[], narrowing: SearchFilter): Promise<string[]> {
  const units = await queryTermsOf(db, 'n', wordLists(words), { fuzzy: 0, endsOpen: true });
  const holds = all(units.map(expressionOf));
  if (!holds) return [];
  const expression: Expression = { field: 'a', holds: all([{ words: [kindToken('channel')] }, holds])! };
  const rows = await findChannelRows(db, {
    expression,
    flags: { active: null, subscribed: null },
    narrowing,
    limit: maxChannels,
  });
  return rows.map(({ id }) => id);
}

/** A search for things of one kind that have all terms in one of the fields. */
export interface Looked {
  kind: NamedKind;
  units: QueryTerm[];
  fields: Field[];
  flags: Flags;
  narrowing: SearchFilter;
}

/** Finds up to about `maxOfKind` things, unsorted. */
export async function lookUp(
  db: Db,
  looked: Looked,
  besides: readonly (Expression | null)[],
  excluded: readonly QueryTerm[],
): Promise<NamedRow[]> {
  const { kind, units, fields, flags, narrowing } = looked;
  const words = all(units.map(expressionOf));
  const inOneField = words && any(fields.map((field) => ({ field, holds: words })));
  const find = (expression: Expression, limit: number) =>
    rowsOf[kind](db, { expression: without(expression, excluded)!, flags, narrowing, limit });
  const sought = all([inOneField, ...besides]);
  const isKind: Expression = { field: 'a', holds: { words: [kindToken(kind)] } };
  // Most documents are videos, so skipping the others is faster than matching the kind in the index.
  const rows = await find(kind === 'video' && sought ? sought : all([sought, isKind])!, maxOfKind);
  if (rows.length < maxOfKind || units.length === 0) return rows;
  // There are more matches than candidates, so names that start with exactly these words are added.
  const name = { words: [kindToken(kind), ...units.flatMap((unit) => unit.words)], isPrefix: units.at(-1)!.isPrefix };
  const begun = await find(all([{ field: 'a', holds: name }, ...besides])!, maxAtStart);
  return [...new Map([...rows, ...begun].map((row) => [row.id, row])).values()];
}

const listWords = (json: string | null) => (json === null ? [] : (JSON.parse(json) as string[]).flatMap(tokenize));

/** Scores a thing by its best field; 0 if a term is missing. */
export function scoreOf(row: NamedRow, { kind, units, fields }: Looked): number {
  const communityTitle = parseBranding(row.branding ?? null).title;
  const ofMusic = musicWords({ music: row.music ?? null, musicEdit: row.musicEdit ?? null });
  const titles = [
    row.a,
    ...(communityTitle === null ? [] : [communityTitle]),
    // With the title, because people search for a song together with its artist.
    ...(ofMusic.length === 0 ? [] : [[row.a, ...ofMusic].join(' ')]),
  ];
  const words: Partial<Record<Field, () => string[][]>> = {
    a: () => titles.map(tokenize),
    b: () => [kind === 'video' ? listWords(row.b) : tokenize((row.b ?? '').slice(0, 5_000))],
    c: () => [listWords(row.c)],
  };
  // The name counts twice.
  const scores = fields.flatMap((field) => words[field]!().map((text) => scoreName(units, text) * (field === 'a' ? 2 : 1)));
  return Math.max(...scores);
}

/** A searched word that no document contains, and the one that was found instead. */
export interface Correction {
  word: string;
  instead: string;
}

export const correctionsOf = (units: readonly QueryTerm[]): Correction[] =>
  units.flatMap(({ words, correction }) => (correction === null ? [] : [{ word: words[0]!, instead: correction }]));

/** Finds videos, channels and playlists. Returns all results that can be paged through, best first. */
export async function findByName(db: Db, query: Query & { type: 'simple' | NamedKind }, narrowing: SearchFilter, page: number) {
  const lists = wordLists(query.terms);
  const units = await queryTermsOf(db, 'n', lists, { fuzzy: query.fuzzy, endsOpen: true });
  const phrases = wordLists(query.phrases).map(exactly);
  const excluded = wordLists(query.excluded).map(exactly);
  const sought = [...phrases, ...units];
  const wasTyped = query.terms.length + query.phrases.length > 0;
  // The query contains no word (only punctuation), so nothing matches.
  const corrections = correctionsOf(units);
  const nothing = { hits: [] as NamedHit[], corrections };
  if (wasTyped && sought.length === 0) return nothing;

  const channels = query.channel.length > 0 ? await channelsNamed(db, query.channel, narrowing) : null;
  if (channels?.length === 0) return nothing;
  const ofChannel = channels && any(channels.map((id) => ({ field: 'd' as const, holds: { words: [channelToken(id)] } })));
  const kinds = kindsOf[query.type].filter((kind) => kind === 'video' || !hasFilter(narrowing));

  const isEverything = sought.length === 0 && !ofChannel && excluded.length === 0;
  const found: (NamedHit & { at: number })[] = [];
  for (const kind of kinds) {
    const fields: Field[] = query.type === 'simple' ? ['a'] : fieldsOf[kind];
    const looked: Looked = { kind, units: sought, fields, flags: query, narrowing };
    const rows = isEverything
      ? await rowsOf[kind](db, { expression: null, flags: query, narrowing, limit: page * pageSize + 1 })
      : await lookUp(db, looked, [ofChannel], excluded);
    for (const row of rows) found.push({ kind, id: row.id, at: row.at, score: sought.length > 0 ? scoreOf(row, looked) : 1 });
  }
  // Without words all scores are equal, and an index returns matches in indexing order or unordered, so they are sorted by date.
  const byDate = (a: { at: number; id: string }, b: { at: number; id: string }) => b.at - a.at || (a.id < b.id ? -1 : 1);
  const hits: NamedHit[] =
    sought.length > 0
      ? found.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score || byDate(a, b))
      : isEverything
        ? found
        : found.sort(byDate);
  return { hits, corrections };
}
