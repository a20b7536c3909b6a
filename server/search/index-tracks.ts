import type { Tx } from '../db/db.ts';
import { dropDocuments, wordCounts, writeDocuments, type Document } from './index-write.ts';
import { channelWord, langWord, markOf, sourceWord } from './own-words.ts';
import { wordsOf } from './words.ts';

/** How many lines are one piece: what is found, and what the API calls a fragment. */
export const linesInPiece = 5;

// Piece n of track t stands in the index under t · 16384 + n: a subtitle has at most 50,000 cues.
const room = 16_384;
export const numberOf = (track: number, piece: number) => track * room + piece;
export const placeOf = (number: number) => ({ track: Math.floor(number / room), piece: number % room });

const numbersOf = (track: { number: number; pieces: number }) =>
  Array.from({ length: track.pieces }, (_, place) => numberOf(track.number, place + 1));

interface Track {
  number: number;
  videoId: string;
  lang: string;
  mark: string;
  pieces: number;
}

async function dropTrack(tx: Tx, track: Track) {
  await dropDocuments(tx, 'searchLine', numbersOf(track));
  await tx.deleteFrom('searchTrack').where('number', '=', track.number).execute();
  return track.pieces;
}

const tracksOf = (tx: Tx, videoId: string) => tx.selectFrom('searchTrack').selectAll().where('videoId', '=', videoId).execute();

const lineTexts = (tx: Tx, videoId: string) =>
  tx.selectFrom('line').select(['lang', 'text']).where('videoId', '=', videoId).orderBy('lang').orderBy('position').execute();

/**
 * Brings what is spoken in a video in the index to what its rows say, as far as `most` pieces go; answers how many it wrote or
 * took out, and whether that was all. `counts` gathers the words that are new.
 */
export async function indexTracks(
  tx: Tx,
  videoId: string,
  { most, counts }: { most: number; counts: Map<string, number> },
): Promise<{ pieces: number; isDone: boolean }> {
  const video = await tx.selectFrom('video').select('channelId').where('id', '=', videoId).executeTakeFirst();
  const tracks = new Map((await tracksOf(tx, videoId)).map((track) => [track.lang, track]));
  const texts = Map.groupBy(video ? await lineTexts(tx, videoId) : [], (line) => line.lang);
  const subtitles = await tx.selectFrom('subtitle').select(['lang', 'source']).where('videoId', '=', videoId).execute();
  let pieces = 0;
  for (const [lang, track] of tracks) if (!texts.has(lang)) pieces += await dropTrack(tx, track);

  for (const [lang, lines] of texts) {
    const source = subtitles.find((subtitle) => subtitle.lang === lang)?.source ?? 'file';
    const own = [channelWord(video!.channelId), langWord(lang), sourceWord(source)];
    const mark = markOf([...own, ...lines.map(({ text }) => text)]);
    let track = tracks.get(lang);
    if (track && track.mark !== mark) {
      pieces += await dropTrack(tx, track);
      track = undefined;
    }
    const number = track?.number ?? (await beginTrack(tx, { videoId, lang, mark, pieces: 0 }));
    const done = track?.pieces ?? 0;
    const total = Math.ceil(lines.length / linesInPiece);
    const upTo = Math.min(total, done + Math.max(0, most - pieces));
    if (upTo > done) {
      const documents: Document[] = [];
      for (let piece = done; piece < upTo; piece++) {
        const spoken = lines.slice(piece * linesInPiece, (piece + 1) * linesInPiece);
        documents.push({ number: numberOf(number, piece + 1), fields: { a: [...spoken.flatMap(({ text }) => wordsOf(text)), ...own] } });
      }
      await writeDocuments(tx, 'searchLine', documents);
      for (const [word, count] of wordCounts(documents)) counts.set(word, (counts.get(word) ?? 0) + count);
      await tx.updateTable('searchTrack').set({ pieces: upTo }).where('number', '=', number).execute();
      pieces += upTo - done;
    }
    if (upTo < total) return { pieces, isDone: false };
  }
  return { pieces, isDone: true };
}

const beginTrack = async (tx: Tx, row: Omit<Track, 'number'>) =>
  (await tx.insertInto('searchTrack').values(row).returning('number').executeTakeFirstOrThrow()).number;
