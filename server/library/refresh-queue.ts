import { chunks, inTransaction, type Db } from '../db/db.ts';
import type { Archive } from '../archive.ts';

export type Kind = 'video' | 'channel' | 'playlist';
const kinds = ['video', 'channel', 'playlist'] as const;

const day = 86_400;
const freshDays = 3; // what was published lately changes most: titles, numbers, subtitles that come later
const most = 9999;

/** Puts things on the list of what is to be brought up to date; what is there stays where it is. */
export async function wish(db: Db, kind: Kind, ids: string[], isByHand: 0 | 1): Promise<void> {
  for (const part of chunks(ids, 200))
    await db
      .insertInto('refreshWish')
      .values(part.map((id) => ({ kind, id, isByHand })))
      .onConflict((c) => c.columns(['kind', 'id']).doNothing())
      .execute();
}

/**
 * Puts on the list what is due: every video of the last days, and of each kind a share of what was not looked at for longest,
 * so that all of it is looked at within `days`.
 */
export async function wishWhatIsDue({ db, now }: Archive, days: number): Promise<void> {
  const fresh = await db
    .selectFrom('video')
    .select('id')
    .where('isActive', '=', 1)
    .where('publishedAt', '>', now() - freshDays * day)
    .limit(most)
    .execute();
  await wish(
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
    await wish(
      db,
      kind,
      due.map(({ id }) => id),
      0,
    );
  }
}

/** Puts all videos of channels and playlists on the list too. */
export async function wishVideosOf(db: Db, { channels, playlists }: { channels: string[]; playlists: string[] }): Promise<void> {
  for (const id of channels) {
    const rows = await db.selectFrom('video').select('id').where('channelId', '=', id).execute();
    await wish(
      db,
      'video',
      rows.map((row) => row.id),
      1,
    );
  }
  for (const id of playlists) {
    const rows = await db.selectFrom('playlistEntry').select('videoId').where('playlistId', '=', id).execute();
    await wish(
      db,
      'video',
      rows.map((row) => row.videoId),
      1,
    );
  }
}

/** Takes the next: videos first, then channels, then playlists. */
export function takeWish(db: Db) {
  return inTransaction(db, async (tx) => {
    for (const kind of kinds) {
      const next = await tx
        .selectFrom('refreshWish')
        .selectAll()
        .where('kind', '=', kind)
        .orderBy('number')
        .limit(1)
        .executeTakeFirst();
      if (!next) continue;
      await tx.deleteFrom('refreshWish').where('number', '=', next.number).execute();
      return next;
    }
    return undefined;
  });
}

export async function countWishes(db: Db): Promise<number> {
  const row = await db
    .selectFrom('refreshWish')
    .select((e) => e.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return row.count;
}

export const isWished = async (db: Db, kind: Kind, id: string) =>
  (await db.selectFrom('refreshWish').select('number').where('kind', '=', kind).where('id', '=', id).executeTakeFirst()) !==
  undefined;
