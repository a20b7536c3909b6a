import type { Db } from '../db/db.ts';
import { all, any, type Expression, type Field } from './expression.ts';
import type { Kind } from './index-things.ts';
import { channelWord, kindWord } from './own-words.ts';
import type { Query } from './parse.ts';
import { scoreOfName } from './score.ts';
import { findChannelRows, findPlaylistRows, findVideoRows, narrows, type Flags, type Narrowing, type ThingRow } from './store.ts';
import { exactly, expressionOf, unitsOf, wordLists, type Unit } from './units.ts';
import { wordsOf } from './words.ts';

/** Something that was found, and how well it fits. */
export interface Thing {
  kind: Kind;
  id: string;
  score: number;
}

export const pageSize = 30;
// Of each kind so many are compared, the newest; beyond that nobody pages.
const mostOfKind = 120;
const mostAtStart = 40;
const mostChannels = 50;

const fieldsOf: Record<Kind, Field[]> = { video: ['a', 'b', 'c'], channel: ['a', 'b', 'c'], playlist: ['a', 'b'] };
const kindsOf: Record<'simple' | Kind, Kind[]> = {
  simple: ['video', 'channel', 'playlist'],
  video: ['video'],
  channel: ['channel'],
  playlist: ['playlist'],
};
const rowsOf = { video: findVideoRows, channel: findChannelRows, playlist: findPlaylistRows };

/** What must not be in it, taken out of what must. */
export function without(expression: Expression | null, excluded: readonly Unit[]): Expression | null {
  const not = any(excluded.map(expressionOf));
  return expression && not ? { this: expression, not } : expression;
}

/** Names of channels in which all these words are; the last one may be a beginning. */
export async function channelsNamed(db: Db, words: readonly string[], narrowing: Narrowing): Promise<string[]> {
  const units = await unitsOf(db, 'n', wordLists(words), { fuzzy: 0, endsOpen: true });
  const holds = all(units.map(expressionOf));
  if (!holds) return [];
  const expression: Expression = { field: 'a', holds: all([{ words: [kindWord('channel')] }, holds])! };
  const rows = await findChannelRows(db, {
    expression,
    flags: { active: null, subscribed: null },
    narrowing,
    limit: mostChannels,
  });
  return rows.map(({ id }) => id);
}

interface Looked {
  kind: Kind;
  units: Unit[];
  fields: Field[];
  flags: Flags;
  narrowing: Narrowing;
}

async function lookUp(db: Db, looked: Looked, besides: readonly (Expression | null)[], excluded: readonly Unit[]) {
  const { kind, units, fields, flags, narrowing } = looked;
  const words = all(units.map(expressionOf));
  const inOneField = words && any(fields.map((field) => ({ field, holds: words })));
  const find = (expression: Expression, limit: number) =>
    rowsOf[kind](db, { expression: without(expression, excluded)!, flags, narrowing, limit });
  const sought = all([inOneField, ...besides]);
  const isKind: Expression = { field: 'a', holds: { words: [kindWord(kind)] } };
  // Most of what there is are videos: to ask the index which are takes longer than to pass over the few that are not.
  const rows = await find(kind === 'video' && sought ? sought : all([sought, isKind])!, mostOfKind);
  if (rows.length < mostOfKind || units.length === 0) return rows;
  // There are more than are compared: among them must be those that are called just that.
  const name = { words: [kindWord(kind), ...units.flatMap((unit) => unit.words)], isPrefix: units.at(-1)!.isPrefix };
  const begun = await find(all([{ field: 'a', holds: name }, ...besides])!, mostAtStart);
  return [...new Map([...rows, ...begun].map((row) => [row.id, row])).values()];
}

const listWords = (json: string | null) => (json === null ? [] : (JSON.parse(json) as string[]).flatMap(wordsOf));

function scoreOf(row: ThingRow, { kind, units, fields }: Looked): number {
  const words: Partial<Record<Field, () => string[]>> = {
    a: () => wordsOf(row.a),
    b: () => (kind === 'video' ? listWords(row.b) : wordsOf((row.b ?? '').slice(0, 5_000))),
    c: () => listWords(row.c),
  };
  // The name counts twice.
  return Math.max(...fields.map((field) => scoreOfName(units, words[field]!()) * (field === 'a' ? 2 : 1)));
}

/** Looks for videos, channels and playlists; answers all that may be paged through, the best first. */
export async function findThings(db: Db, query: Query & { type: 'simple' | Kind }, narrowing: Narrowing, page: number) {
  const lists = wordLists(query.terms);
  const units = await unitsOf(db, 'n', lists, { fuzzy: query.fuzzy, endsOpen: true });
  const phrases = wordLists(query.phrases).map(exactly);
  const excluded = wordLists(query.excluded).map(exactly);
  const sought = [...phrases, ...units];
  const wasTyped = query.terms.length + query.phrases.length > 0;
  // Something was typed, but nothing that is a word: nothing has that in its name.
  if (wasTyped && sought.length === 0) return [];

  const channels = query.channel.length > 0 ? await channelsNamed(db, query.channel, narrowing) : null;
  if (channels?.length === 0) return [];
  const ofChannel = channels && any(channels.map((id) => ({ field: 'd' as const, holds: { words: [channelWord(id)] } })));
  const kinds = kindsOf[query.type].filter((kind) => kind === 'video' || !narrows(narrowing));

  const isEverything = sought.length === 0 && !ofChannel && excluded.length === 0;
  const found: (Thing & { at: number })[] = [];
  for (const kind of kinds) {
    const fields: Field[] = query.type === 'simple' ? ['a'] : fieldsOf[kind];
    const looked: Looked = { kind, units: sought, fields, flags: query, narrowing };
    const rows = isEverything
      ? await rowsOf[kind](db, { expression: null, flags: query, narrowing, limit: page * pageSize + 1 })
      : await lookUp(db, looked, [ofChannel], excluded);
    for (const row of rows) found.push({ kind, id: row.id, at: row.at, score: sought.length > 0 ? scoreOf(row, looked) : 1 });
  }
  // Without words nothing fits better than another; what an index found comes in the order in which it was indexed, or in none.
  if (sought.length === 0) return isEverything ? found : found.sort((a, b) => b.at - a.at || (a.id < b.id ? -1 : 1));
  return found.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score || b.at - a.at || (a.id < b.id ? -1 : 1));
}
