import { message, type Message } from '#contract/messages.ts';
import type { NewClip } from '#contract/clip.ts';
import type { Selectable } from 'kysely';
import { recordUse } from '../../archive/storage/rendition-files.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { inTransaction, type Db } from '../../platform/db/db.ts';
import type { ClipTable } from '../../platform/db/schema/tables.ts';
import { badRequest, HttpError, notFound } from '../../platform/http/http-error.ts';
import { estimateExactBytes } from '../../platform/media/clip.ts';
import { storeMessages } from '../../platform/messages/stored.ts';
import { refuseBeyond } from '../note/store.ts';
import { cacheLimit, missingCacheSpace } from '../rendition/rendition-cache.ts';

const maxClips = 1000;
const shortestMs = 500;
const longestMs = 600_000;

export type ClipRow = Selectable<ClipTable> & { title: string };

const waiting = ['queued', 'running'] as const;
const isWaiting = ({ state }: Pick<ClipRow, 'state'>) => waiting.some((one) => one === state);

const clipsOf = (db: Db, accountId: number) =>
  db
    .selectFrom('clip')
    .innerJoin('video', 'video.id', 'clip.videoId')
    .selectAll('clip')
    .select('video.title')
    .where('clip.accountId', '=', accountId);

/** Returns a page of the clips of a user, newest first, and the number of all. */
export async function findClips(
  db: Db,
  accountId: number,
  video: string | undefined,
  { size, from }: { size: number; from: number },
): Promise<{ rows: ClipRow[]; count: number }> {
  const { count } = await db
    .selectFrom('clip')
    .select((e) => e.fn.countAll<number>().as('count'))
    .where('accountId', '=', accountId)
    .$if(video !== undefined, (q) => q.where('videoId', '=', video!))
    .executeTakeFirstOrThrow();
  const rows = await clipsOf(db, accountId)
    .$if(video !== undefined, (q) => q.where('clip.videoId', '=', video!))
    .orderBy('clip.number', 'desc')
    .limit(size)
    .offset(from)
    .execute();
  return { rows, count };
}

/** @throws 404 for an unknown clip and one of another user */
export async function getClip(db: Db, accountId: number, number: number): Promise<ClipRow> {
  const row = await clipsOf(db, accountId).where('clip.number', '=', number).executeTakeFirst();
  if (!row) throw notFound('error.clip');
  return row;
}

/** Whether the file of a finished clip is still in the cache. */
export const hasFile = async ({ files }: AppContext, { state, path }: Pick<ClipRow, 'state' | 'path'>): Promise<boolean> =>
  state === 'done' && path !== null && (await files.stat(path)) !== null;

interface Length {
  startMs: number;
  endMs: number;
}

/** @throws 400 if a clip cannot have this start and end */
function refuseLength({ startMs, endMs }: Length, durationSeconds: number): void {
  if (endMs < startMs) throw badRequest('error.note-order');
  if (endMs - startMs > longestMs) throw badRequest('error.clip-long');
  if (endMs - startMs < shortestMs) throw badRequest('error.clip-short');
  refuseBeyond(durationSeconds, startMs / 1000, endMs / 1000);
}

interface ClippedVideo {
  durationSeconds: number;
  sizeBytes: number;
  width: number;
  height: number;
}

// A copy begins at the key frame before, and a video has parts with more than its average of bytes.
const keyFrameSeconds = 15;
const bitrateVariation = 1.5;

/** Returns the probable and the largest size of a clip in bytes. */
export function estimateBytes(
  { durationSeconds, sizeBytes, width, height }: ClippedVideo,
  { startMs, endMs, mode }: Length & Pick<ClipTable, 'mode'>,
  hasPicture = width > 0,
): { bytes: number; maxBytes: number } {
  const seconds = (endMs - startMs) / 1000;
  if (mode === 'exact') return estimateExactBytes(seconds, { hasPicture, pixels: width * height });
  const share = Math.min(1, ((seconds + keyFrameSeconds) * bitrateVariation) / Math.max(1, durationSeconds));
  return { bytes: Math.ceil(sizeBytes * share), maxBytes: sizeBytes + 16_000_000 };
}

/** @throws 507 if a clip does not fit into the cache with those that wait, or on its disk */
async function refuseWithoutSpace(app: AppContext, bytes: number): Promise<void> {
  const { before } = await app.db
    .selectFrom('clip')
    .select((e) => e.fn.coalesce(e.fn.sum<number>('bytes'), e.lit(0)).as('before'))
    .where('state', 'in', waiting)
    .executeTakeFirstOrThrow();
  if (Number(before) + bytes > (await cacheLimit(app))) throw new HttpError(507, message('error.clips-full'));
  const lacks = await missingCacheSpace(app, bytes);
  if (lacks) throw new HttpError(507, message('clip.no-space', lacks));
}

/**
 * Queues a clip. The same one of the same user is returned, and queued again without a file.
 * @throws 404 for an unknown video, 400 for a part that no clip can have or too many clips, 507 without space
 */
export async function createClip(
  app: AppContext,
  accountId: number,
  { video: videoId, start, end, mode }: NewClip,
): Promise<ClipRow> {
  const { db, now } = app;
  const video = await db
    .selectFrom('video')
    .select(['durationSeconds', 'sizeBytes', 'width', 'height'])
    .where('id', '=', videoId)
    .executeTakeFirst();
  if (!video) throw notFound('error.video');
  const part = { startMs: Math.round(start * 1000), endMs: Math.round(end * 1000) };
  refuseLength(part, video.durationSeconds);
  const same = (at: Db) =>
    clipsOf(at, accountId)
      .where('clip.videoId', '=', videoId)
      .where('clip.startMs', '=', part.startMs)
      .where('clip.endMs', '=', part.endMs)
      .where('clip.mode', '=', mode);
  const known = await same(db).executeTakeFirst();
  if (known && isWaiting(known)) return known;
  if (known && (await hasFile(app, known))) {
    await recordUse(app, known.path!);
    return known;
  }
  const { bytes } = estimateBytes(video, { ...part, mode });
  await refuseWithoutSpace(app, bytes);
  return inTransaction(db, async (tx) => {
    const { count } = await tx
      .selectFrom('clip')
      .select((e) => e.fn.countAll<number>().as('count'))
      .where('accountId', '=', accountId)
      .executeTakeFirstOrThrow();
    if (!known && count >= maxClips) throw badRequest('error.too-many-clips', { count: maxClips });
    const queued = { state: 'queued' as const, reason: null, bytes };
    await tx
      .insertInto('clip')
      .values({ accountId, videoId, ...part, mode, ...queued, path: null, actualStartMs: null, createdAt: now() })
      .onConflict((c) => c.columns(['accountId', 'videoId', 'startMs', 'endMs', 'mode']).doUpdateSet(queued))
      .execute();
    return same(tx).executeTakeFirstOrThrow();
  });
}

/** Removes the file of a deleted clip, unless another user has the same clip. */
export async function removeClipFile({ db, files }: AppContext, path: string | null): Promise<void> {
  if (path === null) return;
  const other = await db.selectFrom('clip').select('number').where('path', '=', path).limit(1).executeTakeFirst();
  if (!other) await files.remove(path);
}

/**
 * Deletes a clip and its file; the work on it ends.
 * @throws 404 for an unknown clip and one of another user
 */
export async function deleteClip(app: AppContext, accountId: number, number: number): Promise<void> {
  const { path } = await getClip(app.db, accountId, number);
  await app.db.deleteFrom('clip').where('number', '=', number).where('accountId', '=', accountId).execute();
  await removeClipFile(app, path);
}

/** A clip to make, with its video. */
export interface QueuedClip extends Selectable<ClipTable>, ClippedVideo {
  mediaPath: string;
  title: string;
  artist: string;
}

/** Returns the clip to make next, which may have been begun before a restart; undefined if there is none. */
export const nextClip = (db: Db): Promise<QueuedClip | undefined> =>
  db
    .selectFrom('clip')
    .innerJoin('video', 'video.id', 'clip.videoId')
    .innerJoin('channel', 'channel.id', 'video.channelId')
    .selectAll('clip')
    .select(['video.mediaPath', 'video.title', 'video.durationSeconds', 'video.sizeBytes', 'video.width', 'video.height'])
    .select('channel.name as artist')
    .where('clip.state', 'in', waiting)
    .orderBy('clip.number')
    .limit(1)
    .executeTakeFirst();

/** Whether a clip was not deleted. */
export const isWanted = async ({ lookups }: Db, number: number): Promise<boolean> =>
  (await lookups.selectFrom('clip').select('number').where('number', '=', number).executeTakeFirst()) !== undefined;

/** Changes a clip that is being made. Returns false if it was deleted. */
export async function updateClip(
  db: Db,
  number: number,
  change: Partial<Pick<ClipTable, 'state' | 'path' | 'bytes' | 'actualStartMs'>> & { why?: Message[] },
): Promise<boolean> {
  const { why, ...columns } = change;
  const { numUpdatedRows } = await db
    .updateTable('clip')
    .set({ ...columns, reason: why ? storeMessages(why) : null })
    .where('number', '=', number)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Lets all clips that wait fail. Returns the accounts that have them. */
export async function failWaiting(db: Db, why: Message): Promise<Set<number>> {
  const failed = await db
    .updateTable('clip')
    .set({ state: 'failed', reason: storeMessages(why) })
    .where('state', 'in', waiting)
    .returning('accountId')
    .execute();
  return new Set(failed.map(({ accountId }) => accountId));
}
