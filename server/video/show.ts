import type { Video } from '#contract/video.ts';
import type { Db } from '../db/db.ts';
import { reading } from '../db/reading.ts';
import { readWritten, Written } from '../http/written.ts';
import { shapePlayer, shapeVideo } from './shape.ts';
import { findVideos } from './store.ts';
import { watchesOf } from './watch-store.ts';

const from = ['video', 'channel', 'stream', 'subtitle', 'playlistEntry', 'storyboard'] as const;

// A video as JSON in UTF-8, the same for everybody, without its last brace: before that belongs what one person has watched of it and how well
// it fits what they look for. In front stands how long it is, as eight bytes.
const headBytes = 8;
const head = ' '.repeat(headBytes);
const utf8 = new TextEncoder();

/** Whose eyes videos are seen with, and which of them. */
interface Seen {
  accountId: number;
  ids: string[];
}

/**
 * Videos as they are sent, by their ids, and what a person has watched of `seen`; what does not exist is left out of both. All videos are in
 * one block of memory that is nobody else's: between threads whole blocks cross.
 */
export const readShown = reading('videos', async (db, { ids, seen }: { ids: string[]; seen: Seen }) => {
  const [rows, watches] = await Promise.all([findVideos(db, ids), watchesOf(db, seen.accountId, seen.ids)]);
  const texts = rows.map((row) => head + JSON.stringify(shapeVideo(row)).slice(0, -1));
  const block = utf8.encode(texts.join(''));
  const heads = new DataView(block.buffer);
  let end = 0;
  const shown = rows.map(({ id, durationSeconds }, place): [string, Uint8Array] => {
    heads.setFloat64(end, durationSeconds);
    return [id, block.subarray(end, (end += Buffer.byteLength(texts[place]!)))];
  });
  return { videos: new Map(shown), watches };
});

const unseen = { watchedAt: null, positionSeconds: null };

/** Each as JSON in pieces, in the order of the ids; those that do not exist are left out. */
async function piecesOf(db: Db, accountId: number, ids: string[], scoreOf = (_id: string) => 0): Promise<Written[]> {
  if (ids.length === 0) return [];
  const seen = { accountId, ids };
  // Who has to read videos reads both in one go.
  const read: { watches?: Awaited<ReturnType<typeof watchesOf>> } = {};
  const videos = await db.recall.bytes('video', ids, { from }, async (missing) => {
    const shown = await readShown(db, { ids: missing, seen });
    read.watches = shown.watches;
    return shown.videos;
  });
  const watches = read.watches ?? (await watchesOf(db, accountId, ids));
  return ids.flatMap((id) => {
    const shown = videos.get(id);
    if (!shown) return [];
    const durationSeconds = new DataView(shown.buffer, shown.byteOffset, headBytes).getFloat64(0);
    const player = JSON.stringify(shapePlayer({ ...(watches.get(id) ?? unseen), durationSeconds }));
    const own = Buffer.from(`,"player":${player},"_score":${scoreOf(id)}}`);
    return new Written([shown.subarray(headBytes), own], { hasLinks: true });
  });
}

/**
 * Videos as the API shows them to one person, in the order of the ids, to be sent: what everybody sees of them is written once.
 * Those that do not exist are left out. `scoreOf` says how well each fits what was looked for; 0 unless told.
 */
export const writtenVideos = async (
  db: Db,
  accountId: number,
  ids: string[],
  scoreOf?: (id: string) => number,
): Promise<Video[]> => (await piecesOf(db, accountId, ids, scoreOf)) as unknown as Video[];

/** The same to be read and changed. */
export const showVideos = async (db: Db, accountId: number, ids: string[]): Promise<Video[]> =>
  (await piecesOf(db, accountId, ids)).map((video) => readWritten(video) as Video);

/** One video, as the given person sees it; undefined when there is none. */
export const showVideo = async (db: Db, accountId: number, id: string): Promise<Video | undefined> =>
  (await showVideos(db, accountId, [id]))[0];
