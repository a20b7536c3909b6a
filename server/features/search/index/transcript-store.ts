import { sql } from 'kysely';
import type { Db } from '../../../platform/db/db.ts';
import { jsonRows } from '../../../platform/db/rows-as-json.ts';
import type { Expression } from '../text/fts-expression.ts';
import { highestChunk, linesPerChunk, numberOf, placeOf } from './index-transcripts.ts';
import { conditionsOf, matchesFilter, hasFilter, type SearchFilter } from './store.ts';

// Up to `fewTracks` matching tracks are searched one by one. With more, the filter is applied to the first `maxLookedAt` chunks.
const fewTracks = 400;
const maxLookedAt = 20_000;

const tracksThatFit = (db: Db, narrowing: SearchFilter) =>
  db
    .selectFrom('searchTrack')
    .innerJoin('video', 'video.id', 'searchTrack.videoId')
    .select('searchTrack.number')
    .where(conditionsOf(narrowing))
    .limit(fewTracks + 1)
    .execute();

const sampleSize = 200;

/** Estimates the number of all chunks from the newest tracks. */
export async function estimateChunks(db: Db): Promise<number> {
  const sample = await db
    .selectFrom('searchTrack')
    .select(['number', 'chunks'])
    .orderBy('number', 'desc')
    .limit(sampleSize)
    .execute();
  if (sample.length === 0) return 0;
  return Math.ceil((sample[0]!.number * sample.reduce((sum, { chunks }) => sum + chunks, 0)) / sample.length);
}

/** Returns the tracks that match the filter; null if there is no filter or too many tracks match. */
export async function isFewTracks(db: Db, narrowing: SearchFilter): Promise<number[] | null> {
  if (!hasFilter(narrowing)) return null;
  const tracks = await tracksThatFit(db, narrowing);
  return tracks.length > fewTracks ? null : tracks.map(({ number }) => number);
}

interface PieceQuery {
  expression: Expression;
  narrowing: SearchFilter;
  /** From `isFewTracks`. */
  tracks: number[] | null;
  limit: number;
}

/** Finds the numbers of matching chunks, unsorted; an arbitrary subset if there are too many. */
export async function findChunks(db: Db, { expression, narrowing, tracks, limit }: PieceQuery): Promise<number[]> {
  const matching = db
    .selectFrom('searchTranscript')
    .select('searchTranscript.rowid')
    .where(matchesFilter(db, 'searchTranscript', expression));
  if (tracks) {
    if (tracks.length === 0) return [];
    // SQLite keeps the table order of a cross join: track by track.
    const rows = await db
      .selectFrom('searchTrack')
      .crossJoin('searchTranscript')
      .select('searchTranscript.rowid')
      .where('searchTrack.number', 'in', tracks)
      .where(matchesFilter(db, 'searchTranscript', expression))
      .where((w) => w('searchTranscript.rowid', '>', w('searchTrack.number', '*', numberOf(1, 0))))
      .where((w) => w('searchTranscript.rowid', '<=', w(w('searchTrack.number', '*', numberOf(1, 0)), '+', highestChunk)))
      .limit(limit)
      .execute();
    return rows.map(({ rowid }) => rowid);
  }
  if (!hasFilter(narrowing)) return (await matching.limit(limit).execute()).map(({ rowid }) => rowid);
  const rows = await db
    .selectFrom(matching.limit(maxLookedAt).as('found'))
    .crossJoin('searchTrack')
    .crossJoin('video')
    .select('found.rowid')
    .where((w) => w('searchTrack.number', '=', w('found.rowid', '/', numberOf(1, 0))))
    .whereRef('video.id', '=', 'searchTrack.videoId')
    .where((w) => conditionsOf(narrowing)(w as never))
    .limit(limit)
    .execute();
  return rows.map(({ rowid }) => rowid);
}

interface BeginningQuery extends Pick<PieceQuery, 'narrowing' | 'tracks' | 'limit'> {
  /** Returns chunks after this number; null: starts with the newest. */
  after: number | null;
}

/** Lists the first chunks of the newest videos, for queries without words. */
export async function lastChunkStarts(db: Db, { narrowing, tracks, after, limit }: BeginningQuery): Promise<number[]> {
  if (tracks?.length === 0) return [];
  const rows = await db
    .selectFrom('searchTrack')
    .select('searchTrack.number')
    .where('searchTrack.chunks', '>', 0)
    .$if(after !== null, (q) => q.where('searchTrack.number', '<', placeOf(after!).track))
    .$if(tracks !== null, (q) => q.where('searchTrack.number', 'in', tracks!))
    // SQLite keeps the table order of a cross join: from the newest track on, until the limit is reached.
    .$if(tracks === null && hasFilter(narrowing), (q) =>
      q
        .crossJoin('video')
        .whereRef('video.id', '=', 'searchTrack.videoId')
        .where((w) => conditionsOf(narrowing)(w as never)),
    )
    .orderBy('searchTrack.number', 'desc')
    .limit(limit)
    .execute();
  return rows.map(({ number }) => numberOf(number, 1));
}

export interface TranscriptLineHit {
  startSeconds: number;
  endSeconds: number;
  text: string;
}

/** A chunk of a transcript with its lines and some context. */
export interface Chunk {
  number: number;
  videoId: string;
  lang: string;
  /** From 1. */
  index: number;
  before: TranscriptLineHit[];
  lines: TranscriptLineHit[];
  after: TranscriptLineHit[];
}

/** Loads chunks in the given order, each with up to `around` lines before and after. Deleted ones are omitted. */
export async function readChunks(db: Db, numbers: readonly number[], around = 0): Promise<Chunk[]> {
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
    return of ? [{ number, index: piece, videoId: of.videoId, lang: of.lang, first: (piece - 1) * linesPerChunk }] : [];
  });
  const ranges = wanted.map(({ videoId, lang, first }) => [videoId, lang, first - around, first + linesPerChunk + around]);
  const { rows } = await sql<TranscriptLineHit & { place: number; position: number }>`
    select cast(given.place as integer) as place, position, start_seconds, end_seconds, text
    from (select value ->> 0 as video_id, value ->> 1 as lang, cast(value ->> 2 as integer) as first,
      cast(value ->> 3 as integer) as last, cast(value ->> 4 as integer) as place
      from ${jsonRows(
        db,
        ranges.map((range, place) => [...range, place]),
      )}) as given
    cross join transcript_line as line
    where line.video_id = given.video_id and line.lang = given.lang and line.position >= given.first and line.position < given.last
    order by place, position`.execute(db);
  const linesOf = Map.groupBy(rows, (row) => row.place);
  return wanted.flatMap(({ number, index, videoId, lang, first }, place) => {
    const own = linesOf.get(place) ?? [];
    const last = first + linesPerChunk;
    const lines = own.filter(({ position }) => position >= first && position < last);
    const [before, after] = [own.filter(({ position }) => position < first), own.filter(({ position }) => position >= last)];
    return lines.length > 0 ? [{ number, videoId, lang, index, before, lines, after }] : [];
  });
}

/** Returns the videos of tracks. */
export async function videosOfTracks(db: Db, tracks: readonly number[]): Promise<Map<number, string>> {
  if (tracks.length === 0) return new Map();
  const rows = await db.selectFrom('searchTrack').select(['number', 'videoId']).where('number', 'in', tracks).execute();
  return new Map(rows.map(({ number, videoId }) => [number, videoId]));
}

/** Loads the videos of some hits. */
export const videosOfHits = (db: Db, ids: readonly string[]) =>
  db
    .selectFrom('video')
    .innerJoin('channel', 'channel.id', 'video.channelId')
    .leftJoin('storyboard', (on) => on.onRef('storyboard.videoId', '=', 'video.id').onRef('sourceSha256', '=', 'video.sha256'))
    .select(['video.id', 'video.title', 'video.refreshedAt', 'video.channelId', 'channel.name as channelName'])
    .select(['video.durationSeconds', 'storyboard.sheets as storyboardSheets'])
    .where('video.id', 'in', ids.length > 0 ? ids : [''])
    .execute();

/** Returns a function that says where the captions of a video in a language come from. */
export async function sourcesOfHits(db: Db, ids: readonly string[]) {
  const rows = await db
    .selectFrom('subtitle')
    .select(['videoId', 'lang', 'source'])
    .where('videoId', 'in', ids.length > 0 ? ids : [''])
    .execute();
  const sources = new Map(rows.map(({ videoId, lang, source }) => [`${lang}/${videoId}`, source]));
  return ({ videoId, lang }: { videoId: string; lang: string }) => sources.get(`${lang}/${videoId}`);
}
