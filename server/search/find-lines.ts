import type { Db } from '../db/db.ts';
import { channelsNamed, pageSize, without } from './find-things.ts';
import { all, any, type Expression } from './expression.ts';
import { channelWord, langWord, sourceWord } from './own-words.ts';
import type { Query } from './parse.ts';
import { occurrences, scoreOfSpoken } from './score.ts';
import { fewTracksFor, findPieces, lastBeginnings, readPieces, type Piece } from './store-lines.ts';
import type { Narrowing } from './store.ts';
import { exactly, expressionOf, rarity, unitsOf, wordLists, type Unit } from './units.ts';
import { wordsOf } from './words.ts';

// So many pieces are gathered, those with the rarest words first; so many of them are read and compared word by word. A word
// that is in every second line of the library is found as often as anybody looks through, and no oftener.
const mostGathered = 200;
const mostCompared = 48;
const mostPaired = 3;
// Of who looks for no words, so many beginnings are looked at for those that fit.
const mostBeginnings = 3_000;
const beginningsAtOnce = 150;

export interface Spoken {
  piece: Piece;
  score: number;
}

/** What is spoken there, and when. */
export interface Within {
  from?: number | undefined;
  to?: number | undefined;
}

interface Looked {
  /** Must all be there. */
  required: Unit[];
  /** One of them must be there, if nothing else is required. */
  units: Unit[];
  find(expression: Expression, limit: number): Promise<number[]>;
}

/** Some of the words together, which a piece may have. */
interface Look {
  some: readonly Unit[];
  worth: number;
}

/** All of them together, and the rarest by twos and alone; first what is worth most. */
function looksFor(required: readonly Unit[], units: readonly Unit[]): Look[] {
  const byRarity = units.toSorted((a, b) => a.documents - b.documents);
  const rarest = byRarity.slice(0, mostPaired);
  const combined = [
    ...(units.length > 2 ? rarest.flatMap((one, place) => rarest.slice(place + 1).map((two) => [one, two])) : []),
    ...(units.length > 1 ? byRarity.map((one) => [one]) : []),
    ...(required.length > 0 && units.length > 0 ? [[]] : []),
  ];
  const worthOf = (some: readonly Unit[]) => [...required, ...some].reduce((sum, unit) => sum + rarity(unit.documents), 0);
  return [byRarity, ...combined.sort((a, b) => worthOf(b) - worthOf(a))].map((some) => ({ some, worth: worthOf(some) }));
}

/** Pieces in which something is, with what they are worth as far as it is known; the best first. */
async function gather({ required, units, find }: Looked, others: readonly Expression[]): Promise<number[]> {
  const worth = new Map<number, number>();
  for (const look of looksFor(required, units)) {
    const expression = all([...[...required, ...look.some].map(expressionOf), ...others]);
    if (!expression || worth.size >= mostGathered) break;
    for (const number of await find(expression, mostGathered)) if (!worth.has(number)) worth.set(number, look.worth);
  }
  return [...worth].sort((a, b) => b[1] - a[1] || b[0] - a[0]).map(([number]) => number);
}

/** Puts the best first, by their words; those beyond the ones that are compared stay behind them, as they were. */
async function compare(db: Db, numbers: number[], units: readonly Unit[]): Promise<Map<number, number>> {
  const pieces = await readPieces(db, numbers.slice(0, mostCompared));
  const scores = pieces.map(({ number, lines }): [number, number] => {
    const words = wordsOf(lines.map(({ text }) => text).join(' '));
    const found = units.map((unit) => occurrences(unit, words));
    return [number, scoreOfSpoken(units, found)];
  });
  return new Map(scores.sort((a, b) => b[1] - a[1] || b[0] - a[0]));
}

const isAnytime = ({ from = 0, to = Number.POSITIVE_INFINITY }: Within) => from === 0 && to === Number.POSITIVE_INFINITY;
const isWithin = ({ lines }: Piece, { from = 0, to = Number.POSITIVE_INFINITY }: Within) =>
  lines.some((line) => line.endSeconds > from && line.startSeconds < to);

async function keepWithin(db: Db, numbers: number[], within: Within): Promise<number[]> {
  if (isAnytime(within)) return numbers;
  return (await readPieces(db, numbers)).filter((piece) => isWithin(piece, within)).map(({ number }) => number);
}

interface Wanted {
  narrowing: Narrowing;
  tracks: number[] | null;
  excluded: readonly Unit[];
  within: Within;
}

/** Beginnings of what came last, those that fit and hold nothing that is left out. */
async function beginnings(db: Db, { narrowing, tracks, excluded, within }: Wanted, most: number): Promise<number[]> {
  if (excluded.length === 0 && isAnytime(within)) return lastBeginnings(db, { narrowing, tracks, after: null, limit: most });
  const fitting: number[] = [];
  let after: number | null = null;
  for (let looked = 0; looked < mostBeginnings && fitting.length < most; looked += beginningsAtOnce) {
    const numbers = await lastBeginnings(db, { narrowing, tracks, after, limit: beginningsAtOnce });
    for (const piece of await readPieces(db, numbers)) {
      const words = wordsOf(piece.lines.map(({ text }) => text).join(' '));
      if (isWithin(piece, within) && excluded.every((unit) => occurrences(unit, words).length === 0)) fitting.push(piece.number);
    }
    if (numbers.length < beginningsAtOnce) break;
    after = numbers.at(-1)!;
  }
  return fitting.slice(0, most);
}

/** Looks for what is spoken; answers one page of it, the best first, with the lines around, and whether there is more. */
export async function findSpoken(db: Db, query: Query, narrowing: Narrowing, { page, within }: { page: number; within: Within }) {
  const units = await unitsOf(db, 'l', wordLists(query.terms), { fuzzy: query.fuzzy, endsOpen: false });
  const required = wordLists(query.phrases).map(exactly);
  const excluded = wordLists(query.excluded).map(exactly);
  const sought = [...required, ...units];
  const nothing = { hits: [] as Spoken[], units: sought, hasMore: false };
  if (query.terms.length + query.phrases.length > 0 && sought.length === 0) return nothing;

  const channels = query.channel.length > 0 ? await channelsNamed(db, query.channel, narrowing) : null;
  if (channels?.length === 0) return nothing;
  const others: Expression[] = [
    ...(channels ? [any(channels.map((id) => ({ words: [channelWord(id)] })))!] : []),
    ...(query.lang === null ? [] : [{ words: [langWord(query.lang)] }]),
    ...(query.source === null ? [] : [{ words: [sourceWord(query.source)] }]),
  ];
  const tracks = await fewTracksFor(db, narrowing);
  const find = (expression: Expression, limit: number) =>
    findPieces(db, { expression: without(expression, excluded)!, narrowing, tracks, limit });

  const from = (page - 1) * pageSize;
  const isAnything = sought.length === 0 && others.length === 0;
  const numbers = isAnything
    ? await beginnings(db, { narrowing, tracks, excluded, within }, from + pageSize + 1)
    : await keepWithin(db, await gather({ required, units, find }, others), within);
  const scores = sought.length > 0 ? await compare(db, numbers, sought) : new Map(numbers.map((number) => [number, 1]));
  const ordered = [...new Set([...scores.keys(), ...numbers])];
  const pieces = await readPieces(db, ordered.slice(from, from + pageSize), 2);
  const hits = pieces.map((piece) => ({ piece, score: scores.get(piece.number) ?? 0 }));
  return { hits, units: sought, hasMore: ordered.length > from + pageSize };
}
