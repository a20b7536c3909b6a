import { sql } from 'kysely';
import type { Db } from '../db/db.ts';
import { rowsGiven } from './given.ts';
import type { Expression } from './expression.ts';
import { highestPiece, linesInPiece, numberOf, placeOf } from './index-tracks.ts';
import { fits, holds, narrows, type Narrowing } from './store.ts';

// Up to so many tracks are searched one by one; of more, only so many pieces are looked at for those that fit.
const fewTracks = 400;
const mostLookedAt = 20_000;

const tracksThatFit = (db: Db, narrowing: Narrowing) =>
  db
    .selectFrom('searchTrack')
    .innerJoin('video', 'video.id', 'searchTrack.videoId')
    .select('searchTrack.number')
    .where(fits(narrowing))
    .limit(fewTracks + 1)
    .execute();

/** The tracks that a search may look into; null when they are too many to go through, or all. */
export async function fewTracksFor(db: Db, narrowing: Narrowing): Promise<number[] | null> {
  if (!narrows(narrowing)) return null;
  const tracks = await tracksThatFit(db, narrowing);
  return tracks.length > fewTracks ? null : tracks.map(({ number }) => number);
}

interface PieceQuery {
  expression: Expression;
  narrowing: Narrowing;
  /** See fewTracksFor. */
  tracks: number[] | null;
  limit: number;
}

/** Numbers of pieces whose words fit, some of them where there are very many: they are not sorted. */
export async function findPieces(db: Db, { expression, narrowing, tracks, limit }: PieceQuery): Promise<number[]> {
  const matching = db
    .selectFrom('searchLine')
    .select('searchLine.rowid')
    .where(holds(db, 'searchLine', expression));
  if (tracks) {
    if (tracks.length === 0) return [];
    // In SQLite a cross join keeps the order of its tables: track by track.
    const rows = await db
      .selectFrom('searchTrack')
      .crossJoin('searchLine')
      .select('searchLine.rowid')
      .where('searchTrack.number', 'in', tracks)
      .where(holds(db, 'searchLine', expression))
      .where((w) => w('searchLine.rowid', '>', w('searchTrack.number', '*', numberOf(1, 0))))
      .where((w) => w('searchLine.rowid', '<=', w(w('searchTrack.number', '*', numberOf(1, 0)), '+', highestPiece)))
      .limit(limit)
      .execute();
    return rows.map(({ rowid }) => rowid);
  }
  if (!narrows(narrowing)) return (await matching.limit(limit).execute()).map(({ rowid }) => rowid);
  const rows = await db
    .selectFrom(matching.limit(mostLookedAt).as('found'))
    .crossJoin('searchTrack')
    .crossJoin('video')
    .select('found.rowid')
    .where((w) => w('searchTrack.number', '=', w('found.rowid', '/', numberOf(1, 0))))
    .whereRef('video.id', '=', 'searchTrack.videoId')
    .where((w) => fits(narrowing)(w as never))
    .limit(limit)
    .execute();
  return rows.map(({ rowid }) => rowid);
}

interface BeginningQuery extends Pick<PieceQuery, 'narrowing' | 'tracks' | 'limit'> {
  /** Those after this one; null: the last of all. */
  after: number | null;
}

/** The beginnings of the videos that came last, for who looks for no words. */
export async function lastBeginnings(db: Db, { narrowing, tracks, after, limit }: BeginningQuery): Promise<number[]> {
  if (tracks?.length === 0) return [];
  const rows = await db
    .selectFrom('searchTrack')
    .select('searchTrack.number')
    .where('searchTrack.pieces', '>', 0)
    .$if(after !== null, (q) => q.where('searchTrack.number', '<', placeOf(after!).track))
    .$if(tracks !== null, (q) => q.where('searchTrack.number', 'in', tracks!))
    // In SQLite a cross join keeps the order of its tables: from the last track on, until there are enough.
    .$if(tracks === null && narrows(narrowing), (q) =>
      q
        .crossJoin('video')
        .whereRef('video.id', '=', 'searchTrack.videoId')
        .where((w) => fits(narrowing)(w as never)),
    )
    .orderBy('searchTrack.number', 'desc')
    .limit(limit)
    .execute();
  return rows.map(({ number }) => numberOf(number, 1));
}

export interface SpokenLine {
  startSeconds: number;
  endSeconds: number;
  text: string;
}

/** A piece of what is spoken, with its lines and some around them. */
export interface Piece {
  number: number;
  videoId: string;
  lang: string;
  /** From 1. */
  index: number;
  before: SpokenLine[];
  lines: SpokenLine[];
  after: SpokenLine[];
}

/** The lines of pieces, each with up to `around` before and after it; in the order of the numbers. What is gone is left out. */
export async function readPieces(db: Db, numbers: readonly number[], around = 0): Promise<Piece[]> {
  if (numbers.length === 0) return [];
  const places = numbers.map((number) => ({ number, ...placeOf(number) }));
  const ids = [...new Set(places.map(({ track }) => track))];
  const tracks = new Map(
    (await db.selectFrom('searchTrack').select(['number', 'videoId', 'lang']).where('number', 'in', ids).execute()).map((row) => [
      row.number,
      row,
    ]),
  );
  const wanted = places.flatMap(({ number, track, piece }) => {
    const of = tracks.get(track);
    return of ? [{ number, index: piece, videoId: of.videoId, lang: of.lang, first: (piece - 1) * linesInPiece }] : [];
  });
  const ranges = wanted.map(({ videoId, lang, first }) => [videoId, lang, first - around, first + linesInPiece + around]);
  const { rows } = await sql<SpokenLine & { place: number; position: number }>`
    select cast(given.place as integer) as place, position, start_seconds, end_seconds, text
    from (select value ->> 0 as video_id, value ->> 1 as lang, cast(value ->> 2 as integer) as first,
      cast(value ->> 3 as integer) as last, cast(value ->> 4 as integer) as place
      from ${rowsGiven(
        db,
        ranges.map((range, place) => [...range, place]),
      )}) as given
    cross join line
    where line.video_id = given.video_id and line.lang = given.lang and line.position >= given.first and line.position < given.last
    order by place, position`.execute(db);
  const linesOf = Map.groupBy(rows, (row) => row.place);
  return wanted.flatMap(({ number, index, videoId, lang, first }, place) => {
    const own = linesOf.get(place) ?? [];
    const last = first + linesInPiece;
    const lines = own.filter(({ position }) => position >= first && position < last);
    const [before, after] = [own.filter(({ position }) => position < first), own.filter(({ position }) => position >= last)];
    return lines.length > 0 ? [{ number, videoId, lang, index, before, lines, after }] : [];
  });
}

/** What the hits in some videos tell of them. */
export const videosOfHits = (db: Db, ids: readonly string[]) =>
  db
    .selectFrom('video')
    .innerJoin('channel', 'channel.id', 'video.channelId')
    .select(['video.id', 'video.title', 'video.refreshedAt', 'video.channelId', 'channel.name as channelName'])
    .where('video.id', 'in', ids.length > 0 ? ids : [''])
    .execute();

export const sourcesOfHits = (db: Db, ids: readonly string[]) =>
  db
    .selectFrom('subtitle')
    .select(['videoId', 'lang', 'source'])
    .where('videoId', 'in', ids.length > 0 ? ids : [''])
    .execute();
