import { randomUUID } from 'node:crypto';
import type { Video } from '#contract/video.ts';
import type { Db } from '../db/db.ts';
import { reading } from '../db/reading.ts';
import { little } from '../db/recall.ts';
import { Written } from '../http/written.ts';
import { shapePlayer, shapeVideo } from './shape.ts';
import { findVideos } from './store.ts';
import { watchesOf } from './watch-store.ts';

const from = ['video', 'channel', 'stream', 'subtitle', 'playlistEntry', 'storyboard'] as const;

/** A video as JSON that is the same for everybody, in two parts: between them stands what one person has watched of it. */
type Shown = [id: string, before: string, after: string, durationSeconds: number];

const place = randomUUID();

export const readShown = reading('videos', async (db, ids: string[]): Promise<Shown[]> => {
  const rows = await findVideos(db, ids);
  return rows.map((row) => {
    const [before = '', after = ''] = JSON.stringify({ ...shapeVideo(row), player: place }).split(`"${place}"`);
    return [row.id, before, after, row.durationSeconds];
  });
});

const unseen = { watchedAt: null, positionSeconds: null };

/** Each as a text of JSON, in the order of the ids; those that do not exist are left out. */
async function textsOf(db: Db, accountId: number, ids: string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const [videos, watches] = await Promise.all([
    db.recall.each('video', ids, { from, bytes: little }, async (missing) => {
      const shown = await readShown(db, missing);
      return new Map(shown.map((one) => [one[0], one]));
    }),
    watchesOf(db, accountId, ids),
  ]);
  return videos.map(
    ([id, before, after, durationSeconds]) =>
      before + JSON.stringify(shapePlayer({ ...(watches.get(id) ?? unseen), durationSeconds })) + after,
  );
}

/**
 * Videos as the API shows them to one person, in the order of the ids, to be sent: what everybody sees of them is written once.
 * Those that do not exist are left out.
 */
export const writtenVideos = async (db: Db, accountId: number, ids: string[]): Promise<Video[]> =>
  (await textsOf(db, accountId, ids)).map((text) => new Written(text, { hasLinks: true }) as unknown as Video);

/** The same to be read and changed. */
export const showVideos = async (db: Db, accountId: number, ids: string[]): Promise<Video[]> =>
  (await textsOf(db, accountId, ids)).map((text) => JSON.parse(text) as Video);

/** One video, as the given person sees it; undefined when there is none. */
export const showVideo = async (db: Db, accountId: number, id: string): Promise<Video | undefined> =>
  (await showVideos(db, accountId, [id]))[0];
