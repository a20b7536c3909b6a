import type { Video } from '#contract/video.ts';
import type { Db } from '../db/db.ts';
import { reading } from '../db/reading.ts';
import { answerPieces, readWritten, Written } from '../http/written.ts';
import { shapePlayer, shapeVideo } from './shape.ts';
import { findVideos } from './store.ts';
import { watchesOf } from './watch-store.ts';

const from = ['video', 'channel', 'stream', 'subtitle', 'playlistEntry', 'storyboard'] as const;

// A video as JSON in UTF-8, the same for everybody. What one person has watched of it is left out: a head says where it belongs, as four
// bytes, and of how long a video, as eight.
const headBytes = 12;

/** Videos as they are sent, by their ids; those that do not exist are left out. */
export const readShown = reading('videos', async (db, ids: string[]): Promise<Map<string, Uint8Array>> => {
  const rows = await findVideos(db, ids);
  const parts = rows.map((row) => {
    const [before, after] = answerPieces({ ...shapeVideo(row), player: new Written([]) }) as [Buffer, Buffer];
    const head = Buffer.alloc(headBytes);
    head.writeUInt32LE(before.byteLength, 0);
    head.writeDoubleLE(row.durationSeconds, 4);
    return Buffer.concat([head, before, after]);
  });
  // A copy in one block, and of its own: Node keeps small buffers in pieces of larger ones, and whole blocks cross between threads.
  const block = new Uint8Array(Buffer.concat(parts));
  let end = 0;
  return new Map(rows.map(({ id }, at) => [id, block.subarray(end, (end += parts[at]!.byteLength))]));
});

const unseen = { watchedAt: null, positionSeconds: null };

/** Each as JSON in pieces, in the order of the ids; those that do not exist are left out. */
async function piecesOf(db: Db, accountId: number, ids: string[]): Promise<Written[]> {
  if (ids.length === 0) return [];
  const [videos, watches] = await Promise.all([
    db.recall.bytes('video', ids, { from }, (missing) => readShown(db, missing)),
    watchesOf(db, accountId, ids),
  ]);
  return ids.flatMap((id) => {
    const shown = videos.get(id);
    if (!shown) return [];
    const head = new DataView(shown.buffer, shown.byteOffset, headBytes);
    const place = headBytes + head.getUint32(0, true);
    const player = JSON.stringify(shapePlayer({ ...(watches.get(id) ?? unseen), durationSeconds: head.getFloat64(4, true) }));
    return new Written([shown.subarray(headBytes, place), Buffer.from(player), shown.subarray(place)], { hasLinks: true });
  });
}

/**
 * Videos as the API shows them to one person, in the order of the ids, to be sent: what everybody sees of them is written once.
 * Those that do not exist are left out.
 */
export const writtenVideos = async (db: Db, accountId: number, ids: string[]): Promise<Video[]> =>
  (await piecesOf(db, accountId, ids)) as unknown as Video[];

/** The same to be read and changed. */
export const showVideos = async (db: Db, accountId: number, ids: string[]): Promise<Video[]> =>
  (await piecesOf(db, accountId, ids)).map((video) => readWritten(video) as Video);

/** One video, as the given person sees it; undefined when there is none. */
export const showVideo = async (db: Db, accountId: number, id: string): Promise<Video | undefined> =>
  (await showVideos(db, accountId, [id]))[0];
