import { chunks, inTransaction, type Db } from '../../../platform/db/db.ts';
import type { AppContext } from '../../../platform/context/app-context.ts';

export type RefreshKind = 'video' | 'channel' | 'playlist';
const kinds = ['video', 'channel', 'playlist'] as const;

const day = 86_400;
const freshDays = 3; // recent videos change most: titles, counts, subtitles added later
const most = 9999;

/** Adds items to the refresh queue; items in it keep their position. */
export async function requestRefresh(db: Db, kind: RefreshKind, ids: string[], isManual: 0 | 1): Promise<void> {
  for (const part of chunks(ids, 200))
    await db
      .insertInto('refreshRequest')
      .values(part.map((id) => ({ kind, id, isManual })))
      .onConflict((c) => c.columns(['kind', 'id']).doNothing())
      .execute();
}

/**
 * Enqueues due items: all videos of the last days, and of each kind the share that was refreshed least recently, so that
 * everything is refreshed within `days`.
 */
export async function requestDueRefreshes({ db, now }: AppContext, days: number): Promise<void> {
  const fresh = await db
    .selectFrom('video')
    .select('id')
    .where('isActive', '=', 1)
    .where('publishedAt', '>', now() - freshDays * day)
    .limit(most)
    .execute();
  await requestRefresh(
    db,
    'video',
    fresh.map(({ id }) => id),
    0,
  );
  for (const kind of kinds) {
    const active = db.selectFrom(kind).where('isActive', '=', 1);
    const { count } = await active.select((e) => e.fn.countAll<number>().as('count')).executeTakeFirstOrThrow();
    const share = Math.min(most, Math.floor((Math.floor(count / days) + 1) * 1.2));
    const due = await active
      .select('id')
      .where('refreshedAt', '<', now() - days * day)
      .orderBy('refreshedAt')
      .orderBy('id')
      .limit(share)
      .execute();
    await requestRefresh(
      db,
      kind,
      due.map(({ id }) => id),
      0,
    );
  }
}

/** Enqueues all videos of channels and playlists. */
export async function requestVideosOf(
  db: Db,
  { channels, playlists }: { channels: string[]; playlists: string[] },
): Promise<void> {
  for (const id of channels) {
    const rows = await db.selectFrom('video').select('id').where('channelId', '=', id).execute();
    await requestRefresh(
      db,
      'video',
      rows.map((row) => row.id),
      1,
    );
  }
  for (const id of playlists) {
    const rows = await db.selectFrom('playlistEntry').select('videoId').where('playlistId', '=', id).execute();
    await requestRefresh(
      db,
      'video',
      rows.map((row) => row.videoId),
      1,
    );
  }
}

/** Takes the next item from the queue: videos first, then channels, then playlists. */
export function takeRequest(db: Db) {
  return inTransaction(db, async (tx) => {
    for (const kind of kinds) {
      const next = await tx
        .selectFrom('refreshRequest')
        .selectAll()
        .where('kind', '=', kind)
        .orderBy('number')
        .limit(1)
        .executeTakeFirst();
      if (!next) continue;
      await tx.deleteFrom('refreshRequest').where('number', '=', next.number).execute();
      return next;
    }
    return undefined;
  });
}

export async function countRequests(db: Db): Promise<number> {
  const row = await db
    .selectFrom('refreshRequest')
    .select((e) => e.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return row.count;
}

export const isRequested = async (db: Db, kind: RefreshKind, id: string) =>
  (await db.selectFrom('refreshRequest').select('number').where('kind', '=', kind).where('id', '=', id).executeTakeFirst()) !==
  undefined;
