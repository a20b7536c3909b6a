import type { Db } from '../../../platform/db/db.ts';
import { channelsNamed, correctionsOf, pageSize, without } from './find-by-name.ts';
import { all, any, type Expression } from '../text/fts-expression.ts';
import { channelToken, languageToken, sourceToken } from '../text/filter-tokens.ts';
import type { Query } from './parse.ts';
import { occurrences, scoreTranscript } from './score.ts';
import { estimateChunks, findChunks, isFewTracks, lastChunkStarts, readChunks, type Chunk } from '../index/transcript-store.ts';
import type { SearchFilter } from '../index/store.ts';
import { exactly, expressionOf, rarity, queryTermsOf, wordLists, type QueryTerm } from './query-terms.ts';
import { tokenize } from '../text/tokenizer.ts';

// Up to `maxGathered` candidates are collected, starting with the rarest words, and the first `maxCompared` are scored word by
// word. Very frequent words therefore return a limited number of hits.
const maxGathered = 200;
const maxCompared = 48;
const maxPaired = 3;
// For queries without words, the number of first chunks that are checked against the filters.
const maxBeginnings = 3_000;
const beginningsAtOnce = 150;

export interface TranscriptHit {
  piece: Chunk;
  score: number;
}

/** Time range in seconds. */
export interface SearchScope {
  from?: number | undefined;
  to?: number | undefined;
}

interface Looked {
  /** All are required. */
  required: QueryTerm[];
  /** One is required if `required` is empty. */
  units: QueryTerm[];
  /** Approximate number of all chunks. */
  total: number;
  /** Share of the weight of all terms that the terms of a hit have at least. */
  leastShare: number;
  find(expression: Expression, limit: number): Promise<number[]>;
}

/** A combination of terms, with its weight. */
interface Look {
  some: readonly QueryTerm[];
  worth: number;
}

// Words such as "in", which are in a large share of the chunks, make no hit alone if the query has others that are indexed.
const commonShare = 0.25;
const leastCommon = 20;

/** Lists the combinations to query: all terms together, then pairs and single ones of the rarest terms, by descending weight. */
function looksFor({ required, units, total, leastShare }: Looked): Look[] {
  const byRarity = units.toSorted((a, b) => a.documents - b.documents);
  const rarest = byRarity.slice(0, maxPaired);
  const combined = [
    ...(units.length > 2 ? rarest.flatMap((one, place) => rarest.slice(place + 1).map((two) => [one, two])) : []),
    ...(units.length > 1 ? byRarity.map((one) => [one]) : []),
    ...(required.length > 0 && units.length > 0 ? [[]] : []),
  ];
  const weigh = (some: readonly QueryTerm[]) => some.reduce((sum, unit) => sum + rarity(unit.documents, total), 0);
  const isCommon = ({ documents }: QueryTerm) => documents > Math.max(leastCommon, commonShare * total);
  const hasRare = units.some((unit) => unit.documents > 0 && !isCommon(unit));
  const looks = combined
    .filter((some) => !hasRare || some.length === 0 || !some.every(isCommon))
    .sort((a, b) => weigh(b) - weigh(a));
  const worthOf = (some: readonly QueryTerm[]) => weigh([...required, ...some]);
  return [byRarity, ...looks.filter((some) => worthOf(some) >= leastShare * worthOf(units))].map((some) => ({
    some,
    worth: worthOf(some),
  }));
}

/** Collects candidate chunks with their preliminary weights, best first. */
async function gather(looked: Looked, others: readonly Expression[]): Promise<number[]> {
  const { required, find } = looked;
  const worth = new Map<number, number>();
  for (const look of looksFor(looked)) {
    const expression = all([...[...required, ...look.some].map(expressionOf), ...others]);
    if (!expression || worth.size >= maxGathered) break;
    for (const number of await find(expression, maxGathered)) if (!worth.has(number)) worth.set(number, look.worth);
  }
  return [...worth].sort((a, b) => b[1] - a[1] || b[0] - a[0]).map(([number]) => number);
}

/** Scores the first `maxCompared` chunks by their words, best first. The remaining ones are not scored. */
async function compare(db: Db, numbers: number[], units: readonly QueryTerm[], total: number): Promise<Map<number, number>> {
  const pieces = await readChunks(db, numbers.slice(0, maxCompared));
  const scores = pieces.map(({ number, lines }): [number, number] => {
    const words = tokenize(lines.map(({ text }) => text).join(' '));
    const found = units.map((unit) => occurrences(unit, words));
    return [number, scoreTranscript(units, found, total)];
  });
  return new Map(scores.sort((a, b) => b[1] - a[1] || b[0] - a[0]));
}

const isAnytime = ({ from = 0, to = Number.POSITIVE_INFINITY }: SearchScope) => from === 0 && to === Number.POSITIVE_INFINITY;
const isWithin = ({ lines }: Chunk, { from = 0, to = Number.POSITIVE_INFINITY }: SearchScope) =>
  lines.some((line) => line.endSeconds > from && line.startSeconds < to);

async function keepWithin(db: Db, numbers: number[], within: SearchScope): Promise<number[]> {
  if (isAnytime(within)) return numbers;
  return (await readChunks(db, numbers)).filter((piece) => isWithin(piece, within)).map(({ number }) => number);
}

interface Wanted {
  narrowing: SearchFilter;
  tracks: number[] | null;
  excluded: readonly QueryTerm[];
  within: SearchScope;
}

/** Lists first chunks of the newest videos that match the filters and contain no excluded term. */
async function beginnings(db: Db, { narrowing, tracks, excluded, within }: Wanted, most: number): Promise<number[]> {
  if (excluded.length === 0 && isAnytime(within)) return lastChunkStarts(db, { narrowing, tracks, after: null, limit: most });
  const fitting: number[] = [];
  let after: number | null = null;
  for (let looked = 0; looked < maxBeginnings && fitting.length < most; looked += beginningsAtOnce) {
    const numbers = await lastChunkStarts(db, { narrowing, tracks, after, limit: beginningsAtOnce });
    for (const piece of await readChunks(db, numbers)) {
      const words = tokenize(piece.lines.map(({ text }) => text).join(' '));
      if (isWithin(piece, within) && excluded.every((unit) => occurrences(unit, words).length === 0)) fitting.push(piece.number);
    }
    if (numbers.length < beginningsAtOnce) break;
    after = numbers.at(-1)!;
  }
  return fitting.slice(0, most);
}

const asTheyAre = (numbers: number[]) => ({ ordered: numbers, scores: new Map(numbers.map((number) => [number, 1])) });

interface Ranked extends Wanted, Pick<Looked, 'units' | 'required' | 'leastShare'> {
  /** Further conditions. */
  others: readonly Expression[];
}

/** Finds up to about 200 chunks, best first, and the scores of those that were compared. */
export async function rankChunks(db: Db, { units, required, excluded, others, narrowing, tracks, within, leastShare }: Ranked) {
  const find = (expression: Expression, limit: number) =>
    findChunks(db, { expression: without(expression, excluded)!, narrowing, tracks, limit });
  const total = await estimateChunks(db);
  const numbers = await keepWithin(db, await gather({ required, units, total, leastShare, find }, others), within);
  if (units.length + required.length === 0) return asTheyAre(numbers);
  const scores = await compare(db, numbers, [...required, ...units], total);
  return { ordered: [...new Set([...scores.keys(), ...numbers])], scores };
}

/** Searches transcripts. Returns one page of hits, best first, with context lines, and whether there are more. */
export async function findTranscripts(
  db: Db,
  query: Query,
  narrowing: SearchFilter,
  { page, within }: { page: number; within: SearchScope },
) {
  const units = await queryTermsOf(db, 'l', wordLists(query.terms), { fuzzy: query.fuzzy, endsOpen: false });
  const required = wordLists(query.phrases).map(exactly);
  const excluded = wordLists(query.excluded).map(exactly);
  const sought = [...required, ...units];
  const nothing = { hits: [] as TranscriptHit[], units: sought, corrections: correctionsOf(units), hasMore: false };
  if (query.terms.length + query.phrases.length > 0 && sought.length === 0) return nothing;

  const channels = query.channel.length > 0 ? await channelsNamed(db, query.channel, narrowing) : null;
  if (channels?.length === 0) return nothing;
  const others: Expression[] = [
    ...(channels ? [any(channels.map((id) => ({ words: [channelToken(id)] })))!] : []),
    ...(query.lang === null ? [] : [{ words: [languageToken(query.lang)] }]),
    ...(query.source === null ? [] : [{ words: [sourceToken(query.source)] }]),
  ];
  const from = (page - 1) * pageSize;
  const tracks = await isFewTracks(db, narrowing);
  const isAnything = sought.length === 0 && others.length === 0;
  const { ordered, scores } = isAnything
    ? asTheyAre(await beginnings(db, { narrowing, tracks, excluded, within }, from + pageSize + 1))
    : await rankChunks(db, { units, required, excluded, others, narrowing, tracks, within, leastShare: 0 });
  const pieces = await readChunks(db, ordered.slice(from, from + pageSize), 2);
  const hits = pieces.map((piece) => ({ piece, score: scores.get(piece.number) ?? 0 }));
  return { ...nothing, hits, hasMore: ordered.length > from + pageSize };
}
