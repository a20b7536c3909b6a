import type { Video } from '#contract/video.ts';
import type { Db } from '../db/db.ts';
import { reading } from '../db/reading.ts';
import { readWritten, Written } from '../http/written.ts';
import { shapePlayer } from './shape.ts';
import { findVideos } from './store.ts';
import { watchesOf } from './watch-store.ts';
import { keptParts } from './written-store.ts';
import { durationOf, headBytes, together, writeParts, writtenFrom, type WrittenParts } from './written-video.ts';

/** Whose eyes videos are seen with, and which of them. */
interface Seen {
  accountId: number;
  ids: string[];
}

/** What is kept of them, written (keep-written.ts), and of the others what their rows say now. */
async function partsOf(db: Db, ids: string[]): Promise<WrittenParts[]> {
  const kept = await keptParts(db, ids);
  if (kept.length === ids.length) return kept;
  const known = new Set(kept.map(({ id }) => id));
  const rows = await findVideos(
    db,
    ids.filter((id) => !known.has(id)),
  );
  return [...kept, ...rows.map(writeParts)];
}

/** What is sent of videos, by their ids, and what a person has watched of `seen`; what does not exist is left out of both. */
async function readThem(db: Db, ids: string[], seen: Seen) {
  const [parts, watches] = await Promise.all([partsOf(db, ids), watchesOf(db, seen.accountId, seen.ids)]);
  return { videos: together(parts), watches };
}

export const readShown = reading('videos', (db, { ids, seen }: { ids: string[]; seen: Seen }) => readThem(db, ids, seen));

/** What a reading found, and the videos themselves with it: one way to the database instead of two. */
export const withVideos = async (db: Db, ids: string[], accountId: number) => ({
  ids,
  ...(ids.length > 0 ? await readThem(db, ids, { accountId, ids }) : { videos: new Map(), watches: new Map() }),
});

/** The same, with which version of all that it was read from (`Recall.version`) it was. */
export type ReadAlready = Awaited<ReturnType<typeof withVideos>> & { version: number };

/** Asks for videos by a reading that answers `withVideos`. */
export async function readAlready(db: Db, read: () => ReturnType<typeof withVideos>): Promise<ReadAlready> {
  const version = db.recall.version(writtenFrom);
  return { ...(await read()), version };
}

const unseen = { watchedAt: null, positionSeconds: null };

interface About {
  /** How well each fits what was looked for; 0 unless told. */
  scoreOf?: (id: string) => number;
  /** All of these videos, where they have been read with their ids. */
  read?: ReadAlready | undefined;
}

/** Each as JSON in pieces, in the order of the ids; those that do not exist are left out. */
async function piecesOf(db: Db, accountId: number, ids: string[], { scoreOf = () => 0, read }: About = {}): Promise<Written[]> {
  if (ids.length === 0) return [];
  const seen = { accountId, ids };
  // Who has to read videos reads both in one go.
  let watched = read?.watches;
  const videos = await db.recall.bytes('video', ids, { from: writtenFrom, version: read?.version }, async (missing) => {
    if (read) return read.videos;
    const shown = await readShown(db, { ids: missing, seen });
    watched = shown.watches;
    return shown.videos;
  });
  const watches = watched ?? (await watchesOf(db, accountId, ids));
  return ids.flatMap((id) => {
    const shown = videos.get(id);
    if (!shown) return [];
    const player = JSON.stringify(shapePlayer({ ...(watches.get(id) ?? unseen), durationSeconds: durationOf(shown) }));
    const own = Buffer.from(`,"player":${player},"_score":${scoreOf(id)}}`);
    return new Written([shown.subarray(headBytes), own], { hasLinks: true });
  });
}

/**
 * Videos as the API shows them to one person, in the order of the ids, to be sent: what everybody sees of them is written once.
 * Those that do not exist are left out.
 */
export const writtenVideos = async (db: Db, accountId: number, ids: string[], about?: About): Promise<Video[]> =>
  (await piecesOf(db, accountId, ids, about)) as unknown as Video[];

/** The same to be read and changed. */
export const showVideos = async (db: Db, accountId: number, ids: string[]): Promise<Video[]> =>
  (await piecesOf(db, accountId, ids)).map((video) => readWritten(video) as Video);

/** One video, as the given person sees it; undefined when there is none. */
export const showVideo = async (db: Db, accountId: number, id: string): Promise<Video | undefined> =>
  (await showVideos(db, accountId, [id]))[0];
