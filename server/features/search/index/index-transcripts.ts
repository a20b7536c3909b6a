import { createHash } from 'node:crypto';
import type { Tx } from '../../../platform/db/db.ts';
import { deleteDocuments, wordCounts, writeDocuments, type Document } from './index-write.ts';
import { channelToken, languageToken, sourceToken } from '../text/filter-tokens.ts';
import { countWords } from '../text/term-dictionary.ts';
import { tokenize } from '../text/tokenizer.ts';
import { apiSource } from '../../../archive/video/shape.ts';

/** Cues per chunk, the unit of search results. The API calls a chunk a fragment. */
export const linesPerChunk = 5;

// Chunk n of track t has the index number t · 16384 + n. A subtitle has at most 50,000 cues.
const chunksPerTrack = 16_384;
/** The highest chunk number; lines beyond it are not searchable. */
export const highestChunk = chunksPerTrack - 1;
export const numberOf = (track: number, piece: number) => track * chunksPerTrack + piece;
export const placeOf = (number: number) => ({ track: Math.floor(number / chunksPerTrack), piece: number % chunksPerTrack });

interface Track {
  number: number;
  videoId: string;
  lang: string;
  textHash: string;
  chunks: number;
}

/** The target state of a track, from its rows. */
interface Spoken {
  videoId: string;
  lang: string;
  /** Ordered by position, with gaps where one line covers several positions. */
  lines: { position: number; text: string }[];
  /** Filter tokens that every chunk gets. */
  own: string[];
  textHash: string;
}

/** Returns the chunk number of a line, from 1. */
const pieceOf = ({ position }: { position: number }) => Math.floor(position / linesPerChunk) + 1;

/** Returns the number of chunks in a track, including empty ones. */
const piecesIn = ({ lines }: Spoken) => (lines.length > 0 ? pieceOf(lines.at(-1)!) : 0);

/** Hashes lines to detect changes. Positions are included only if they are not consecutive. */
function hashOf(own: readonly string[], lines: Spoken['lines']): string {
  const texts = [...own, ...lines.map(({ text }) => text)];
  if (lines.some(({ position }, place) => position !== place)) texts.push('\0', lines.map(({ position }) => position).join());
  const hash = createHash('sha256');
  for (const text of texts) hash.update(text).update('\0');
  return hash.digest('hex').slice(0, 24);
}

/** Returns the first of these videos, up to about `maxLines` lines in total; at least one video. */
async function someOf(tx: Tx, videoIds: readonly string[], maxLines: number): Promise<string[]> {
  const counts = await tx
    .selectFrom('transcriptLine')
    .select((e) => ['videoId', e.fn.countAll<number>().as('lines')])
    .where('videoId', 'in', videoIds)
    .groupBy('videoId')
    .execute();
  const linesOf = new Map(counts.map(({ videoId, lines }) => [videoId, lines]));
  let sum = 0;
  return videoIds.filter((id, place) => (sum += linesOf.get(id) ?? 0) <= maxLines || place === 0);
}

/** Loads the transcripts of videos from their rows. */
async function spokenIn(tx: Tx, ids: readonly string[]): Promise<Spoken[]> {
  const videos = await tx.selectFrom('video').select(['id', 'channelId']).where('id', 'in', ids).execute();
  const subtitles = await tx.selectFrom('subtitle').select(['videoId', 'lang', 'source']).where('videoId', 'in', ids).execute();
  const lines = await tx
    .selectFrom('transcriptLine')
    .select(['videoId', 'lang', 'position', 'text'])
    .where('videoId', 'in', ids)
    .where('position', '<', highestChunk * linesPerChunk)
    .orderBy('videoId')
    .orderBy('lang')
    .orderBy('position')
    .execute();
  const channelOf = new Map(videos.map(({ id, channelId }) => [id, channelId]));
  const sourceOf = new Map(subtitles.map(({ videoId, lang, source }) => [`${lang}/${videoId}`, source]));
  return [...Map.groupBy(lines, ({ videoId, lang }) => `${lang}/${videoId}`).entries()].map(([key, some]) => {
    const { videoId, lang } = some[0]!;
    const source = sourceOf.get(key) ?? 'file';
    const sources = [...new Set([source, apiSource(source)])].map(sourceToken);
    const own = [channelToken(channelOf.get(videoId) ?? ''), languageToken(lang), ...sources];
    return { videoId, lang, lines: some, own, textHash: hashOf(own, some) };
  });
}

async function dropTracks(tx: Tx, tracks: readonly Track[]) {
  const numbers = tracks.flatMap((track) =>
    Array.from({ length: track.chunks }, (_, place) => numberOf(track.number, place + 1)),
  );
  await deleteDocuments(tx, 'searchTranscript', numbers);
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
    .values(spoken.map(({ videoId, lang, textHash }) => ({ videoId, lang, textHash, chunks: 0 })))
    .returningAll()
    .execute();

/** Builds the index documents of the new chunks up to `upTo`; empty chunks are omitted. */
function documentsOf(track: Track, { lines, own }: Spoken, upTo: number): Document[] {
  const fresh = lines.filter((line) => pieceOf(line) > track.chunks && pieceOf(line) <= upTo);
  return [...Map.groupBy(fresh, pieceOf)].map(([piece, some]) => ({
    number: numberOf(track.number, piece),
    fields: { a: [...some.flatMap(({ text }) => tokenize(text)), ...own] },
  }));
}

/**
 * Updates the index of these videos with about `most` new chunks. Returns the finished videos; the other ones, and the rest of a
 * longer one, are left for the next call.
 */
export async function indexTranscripts(tx: Tx, videoIds: readonly string[], most: number): Promise<string[]> {
  const ids = await someOf(tx, videoIds, most * linesPerChunk);
  const spoken = await spokenIn(tx, ids);
  const wanted = new Map(spoken.map((one) => [`${one.lang}/${one.videoId}`, one]));
  const known = await tx.selectFrom('searchTrack').selectAll().where('videoId', 'in', ids).execute();
  const isCurrent = (track: Track) => wanted.get(`${track.lang}/${track.videoId}`)?.textHash === track.textHash;
  await dropTracks(
    tx,
    known.filter((track) => !isCurrent(track)),
  );
  const current = known.filter(isCurrent);
  const has = new Set(current.map((track) => `${track.lang}/${track.videoId}`));
  const missing = spoken.filter((one) => !has.has(`${one.lang}/${one.videoId}`));
  const tracks = [...current, ...(missing.length > 0 ? await beginTracks(tx, missing) : [])];

  let left = most;
  const unfinished = new Set<string>();
  const documents: Document[] = [];
  const reached = new Map<number, number[]>();
  for (const track of tracks) {
    const one = wanted.get(`${track.lang}/${track.videoId}`)!;
    const total = piecesIn(one);
    const upTo = Math.min(total, track.chunks + left);
    if (upTo < total) unfinished.add(track.videoId);
    if (upTo === track.chunks) continue;
    documents.push(...documentsOf(track, one, upTo));
    left -= upTo - track.chunks;
    reached.set(upTo, [...(reached.get(upTo) ?? []), track.number]);
  }
  await writeDocuments(tx, 'searchTranscript', documents);
  for (const [chunks, numbers] of reached)
    await tx.updateTable('searchTrack').set({ chunks }).where('number', 'in', numbers).execute();
  await countWords(tx, 'l', wordCounts(documents));
  return ids.filter((id) => !unfinished.has(id));
}
