import { createHash } from 'node:crypto';
import type { Tx } from '../db/db.ts';
import { dropDocuments, wordCounts, writeDocuments, type Document } from './index-write.ts';
import { channelWord, langWord, sourceWord } from './own-words.ts';
import { countWords } from './vocabulary.ts';
import { wordsOf } from './words.ts';

/** How many lines are one piece: what is found, and what the API calls a fragment. */
export const linesInPiece = 5;

// Piece n of track t stands in the index under t · 16384 + n: a subtitle has at most 50,000 cues.
const room = 16_384;
/** The highest number that a piece may have; lines that would be in a higher one are not searched. */
export const highestPiece = room - 1;
export const numberOf = (track: number, piece: number) => track * room + piece;
export const placeOf = (number: number) => ({ track: Math.floor(number / room), piece: number % room });

interface Track {
  number: number;
  videoId: string;
  lang: string;
  mark: string;
  pieces: number;
}

/** A track as its rows say it should be. */
interface Spoken {
  videoId: string;
  lang: string;
  /** In their order; between them there may be gaps, where a line stands for several. */
  lines: { position: number; text: string }[];
  /** Words of our own that every piece has. */
  own: string[];
  mark: string;
}

/** The piece that a line is in, from 1. */
const pieceOf = ({ position }: { position: number }) => Math.floor(position / linesInPiece) + 1;

/** How many pieces a track has, those without lines too. */
const piecesIn = ({ lines }: Spoken) => (lines.length > 0 ? pieceOf(lines.at(-1)!) : 0);

/** Tells whether lines are still the same. Where they stand is told only where it is not simply one after the other. */
function markOf(own: readonly string[], lines: Spoken['lines']): string {
  const texts = [...own, ...lines.map(({ text }) => text)];
  if (lines.some(({ position }, place) => position !== place)) texts.push('\0', lines.map(({ position }) => position).join());
  const hash = createHash('sha256');
  for (const text of texts) hash.update(text).update('\0');
  return hash.digest('hex').slice(0, 24);
}

/** As many of these videos, from the first on, as have about so many lines; at least one. */
async function someOf(tx: Tx, videoIds: readonly string[], mostLines: number): Promise<string[]> {
  const counts = await tx
    .selectFrom('line')
    .select((e) => ['videoId', e.fn.countAll<number>().as('lines')])
    .where('videoId', 'in', videoIds)
    .groupBy('videoId')
    .execute();
  const linesOf = new Map(counts.map(({ videoId, lines }) => [videoId, lines]));
  let sum = 0;
  return videoIds.filter((id, place) => (sum += linesOf.get(id) ?? 0) <= mostLines || place === 0);
}

/** What is spoken in some videos, from their rows. */
async function spokenIn(tx: Tx, ids: readonly string[]): Promise<Spoken[]> {
  const videos = await tx.selectFrom('video').select(['id', 'channelId']).where('id', 'in', ids).execute();
  const subtitles = await tx.selectFrom('subtitle').select(['videoId', 'lang', 'source']).where('videoId', 'in', ids).execute();
  const lines = await tx
    .selectFrom('line')
    .select(['videoId', 'lang', 'position', 'text'])
    .where('videoId', 'in', ids)
    .where('position', '<', highestPiece * linesInPiece)
    .orderBy('videoId')
    .orderBy('lang')
    .orderBy('position')
    .execute();
  const channelOf = new Map(videos.map(({ id, channelId }) => [id, channelId]));
  const sourceOf = new Map(subtitles.map(({ videoId, lang, source }) => [`${lang}/${videoId}`, source]));
  return [...Map.groupBy(lines, ({ videoId, lang }) => `${lang}/${videoId}`).entries()].map(([key, some]) => {
    const { videoId, lang } = some[0]!;
    const own = [channelWord(channelOf.get(videoId) ?? ''), langWord(lang), sourceWord(sourceOf.get(key) ?? 'file')];
    return { videoId, lang, lines: some, own, mark: markOf(own, some) };
  });
}

async function dropTracks(tx: Tx, tracks: readonly Track[]) {
  const numbers = tracks.flatMap((track) =>
    Array.from({ length: track.pieces }, (_, place) => numberOf(track.number, place + 1)),
  );
  await dropDocuments(tx, 'searchLine', numbers);
  if (tracks.length > 0)
    await tx
      .deleteFrom('searchTrack')
      .where(
        'number',
        'in',
        tracks.map(({ number }) => number),
      )
      .execute();
}

const beginTracks = (tx: Tx, spoken: readonly Spoken[]): Promise<Track[]> =>
  tx
    .insertInto('searchTrack')
    .values(spoken.map(({ videoId, lang, mark }) => ({ videoId, lang, mark, pieces: 0 })))
    .returningAll()
    .execute();

/** The pieces of a track that are new up to there; one without lines is none. */
function documentsOf(track: Track, { lines, own }: Spoken, upTo: number): Document[] {
  const fresh = lines.filter((line) => pieceOf(line) > track.pieces && pieceOf(line) <= upTo);
  return [...Map.groupBy(fresh, pieceOf)].map(([piece, some]) => ({
    number: numberOf(track.number, piece),
    fields: { a: [...some.flatMap(({ text }) => wordsOf(text)), ...own] },
  }));
}

/**
 * Brings what is spoken in videos in the index to what their rows say, with about `most` new pieces; answers the videos of
 * which all is done. Some of them are left for the next time; of one that is longer than that, so is the rest of it.
 */
export async function indexTracks(tx: Tx, videoIds: readonly string[], most: number): Promise<string[]> {
  const ids = await someOf(tx, videoIds, most * linesInPiece);
  const spoken = await spokenIn(tx, ids);
  const wanted = new Map(spoken.map((one) => [`${one.lang}/${one.videoId}`, one]));
  const known = await tx.selectFrom('searchTrack').selectAll().where('videoId', 'in', ids).execute();
  const isCurrent = (track: Track) => wanted.get(`${track.lang}/${track.videoId}`)?.mark === track.mark;
  await dropTracks(
    tx,
    known.filter((track) => !isCurrent(track)),
  );
  const kept = known.filter(isCurrent);
  const has = new Set(kept.map((track) => `${track.lang}/${track.videoId}`));
  const missing = spoken.filter((one) => !has.has(`${one.lang}/${one.videoId}`));
  const tracks = [...kept, ...(missing.length > 0 ? await beginTracks(tx, missing) : [])];

  let left = most;
  const unfinished = new Set<string>();
  const documents: Document[] = [];
  const reached = new Map<number, number[]>();
  for (const track of tracks) {
    const one = wanted.get(`${track.lang}/${track.videoId}`)!;
    const total = piecesIn(one);
    const upTo = Math.min(total, track.pieces + left);
    if (upTo < total) unfinished.add(track.videoId);
    if (upTo === track.pieces) continue;
    documents.push(...documentsOf(track, one, upTo));
    left -= upTo - track.pieces;
    reached.set(upTo, [...(reached.get(upTo) ?? []), track.number]);
  }
  await writeDocuments(tx, 'searchLine', documents);
  for (const [pieces, numbers] of reached)
    await tx.updateTable('searchTrack').set({ pieces }).where('number', 'in', numbers).execute();
  await countWords(tx, 'l', wordCounts(documents));
  return ids.filter((id) => !unfinished.has(id));
}
