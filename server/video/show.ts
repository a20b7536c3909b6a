import type { Video } from '#contract/video.ts';
import type { Db } from '../db/db.ts';
import { reading } from '../db/reading.ts';
import { little } from '../db/recall.ts';
import { answerPieces, readWritten, Written } from '../http/written.ts';
import { shapePlayer, shapeVideo } from './shape.ts';
import { findVideos } from './store.ts';
import { watchesOf } from './watch-store.ts';

const from = ['video', 'channel', 'stream', 'subtitle', 'playlistEntry', 'storyboard'] as const;

/** A video as JSON in UTF-8, the same for everybody: what one person has watched of it is left out, and belongs at a place. */
type Shown = [id: string, json: Uint8Array, place: number, durationSeconds: number];

export const readShown = reading('videos', async (db, ids: string[]): Promise<Shown[]> => {
  const rows = await findVideos(db, ids);
  return rows.map((row) => {
    const [before, after] = answerPieces({ ...shapeVideo(row), player: new Written([]) }) as [Uint8Array, Uint8Array];
    // A copy, in a block of its own: Node keeps small buffers in pieces of larger ones, and all of such a block would cross.
    return [row.id, new Uint8Array(Buffer.concat([before, after])), before.byteLength, row.durationSeconds];
  });
});

const unseen = { watchedAt: null, positionSeconds: null };

/** Each as JSON in pieces, in the order of the ids; those that do not exist are left out. */
async function piecesOf(db: Db, accountId: number, ids: string[]): Promise<Written[]> {
  if (ids.length === 0) return [];
  const [videos, watches] = await Promise.all([
    db.recall.each('video', ids, { from, bytes: little }, async (missing) => {
      const shown = await readShown(db, missing);
      return new Map(shown.map((one) => [one[0], one]));
    }),
    watchesOf(db, accountId, ids),
  ]);
  return videos.map(([id, json, place, durationSeconds]) => {
    const player = JSON.stringify(shapePlayer({ ...(watches.get(id) ?? unseen), durationSeconds }));
    return new Written([json.subarray(0, place), Buffer.from(player), json.subarray(place)], { hasLinks: true });
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
