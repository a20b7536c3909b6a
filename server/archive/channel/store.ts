import { sql } from 'kysely';
import type { ChannelSort } from '#contract/channel.ts';
import type { Db } from '../../platform/db/db.ts';
import { normalizeText } from '../../platform/lib/normalize-text.ts';

interface ChannelFilter {
  filter?: 'subscribed' | 'unsubscribed' | undefined;
  /** Part of the name or handle. */
  q?: string | undefined;
  /** Number of a private tag of the caller. */
  ownTag?: number | undefined;
}

/** A LIKE pattern for texts that contain the words in any order of case; `%` and `_` match themselves. */
const containing = (text: string) => `%${normalizeText(text).replace(/[\\%_]/g, '\\$&')}%`;

const filteredChannels = (db: Db, { filter, q: words, ownTag }: ChannelFilter) =>
  db
    .selectFrom('channel')
    .$if(filter !== undefined, (q) => q.where('isSubscribed', '=', filter === 'subscribed' ? 1 : 0))
    .$if(ownTag !== undefined, (q) =>
      q.where('channel.id', 'in', (w) =>
        w.selectFrom('personTagTarget').select('id').where('tagNumber', '=', ownTag!).where('kind', '=', 'channel'),
      ),
    )
    .$if(Boolean(words?.trim()), (q) => {
      const pattern = containing(words!.trim());
      return q.where(sql<boolean>`(sort_name like ${pattern} escape '\\' or handle like ${pattern} escape '\\')`);
    });

const videosOf = sql<number>`coalesce((select sum(videos) from video_count where channel_id = channel.id), 0)`;
const watchedOf = (accountId: number) =>
  sql<number>`coalesce((select sum(videos) from watch_count where channel_id = channel.id and account_id = ${accountId}), 0)`;

/** Returns one page of channels with the number of their videos, and of those that the user has not watched. */
export const listChannels = (
  db: Db,
  { sort, ...filter }: ChannelFilter & { sort: ChannelSort },
  { accountId, size, from }: { accountId: number; size: number; from: number },
) => {
  const unwatchedOf = sql<number>`${videosOf} - ${watchedOf(accountId)}`;
  return filteredChannels(db, filter)
    .selectAll('channel')
    .select([videosOf.as('videos'), unwatchedOf.as('unwatched')])
    .$if(sort === 'videos', (q) => q.orderBy('videos', 'desc'))
    .$if(sort === 'unwatched', (q) => q.orderBy('unwatched', 'desc'))
    .$if(sort === 'added', (q) => q.orderBy('addedAt', 'desc'))
    .orderBy('sortName')
    .orderBy('id')
    .limit(size)
    .offset(from)
    .execute();
};

export async function countChannels(db: Db, filter: ChannelFilter): Promise<number> {
  const { total } = await filteredChannels(db, filter)
    .select((e) => e.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return total;
}

export const findChannel = (db: Db, id: string) =>
  db.lookups.selectFrom('channel').selectAll().where('id', '=', id).executeTakeFirst();

/** Returns channels in the order of the ids, without unknown ids. */
export async function findChannels(db: Db, ids: string[]) {
  if (ids.length === 0) return [];
  const rows = await db.selectFrom('channel').selectAll().where('id', 'in', ids).execute();
  return rows.sort((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id));
}

/** Returns the video kinds of a channel, whether it has playlists, and the statuses of its queue items. */
export async function channelContents(db: Db, channelId: string) {
  const [kinds, playlist, queued] = await Promise.all([
    db.selectFrom('videoCount').select('kind').where('channelId', '=', channelId).where('videos', '>', 0).execute(),
    db.selectFrom('playlist').select('id').where('channelId', '=', channelId).limit(1).executeTakeFirst(),
    db.selectFrom('queueCount').select('status').distinct().where('channelId', '=', channelId).where('items', '>', 0).execute(),
  ]);
  return {
    kinds: new Set(kinds.map((row) => row.kind)),
    hasPlaylists: playlist !== undefined,
    queued: new Set(queued.map((row) => row.status)),
  };
}

/** Returns all subscribed channels, or those with the given ids. */
export const subscribedChannels = (db: Db, ids?: string[]) =>
  db
    .selectFrom('channel')
    .select([
      'id',
      'site',
      'siteId',
      'name',
      'url',
      'tabs',
      'rules',
      'scannedAt',
      'lastFullScanAt',
      'backCatalogue',
      'overwrites',
    ])
    .where('isSubscribed', '=', 1)
    .$if(ids !== undefined, (q) => q.where('id', 'in', ids!.length > 0 ? ids! : ['']))
    .orderBy('sortName')
    .execute();
export type SubscribedChannel = Awaited<ReturnType<typeof subscribedChannels>>[number];

/** Finds a channel by id or handle. */
export const findChannelById = (db: Db, idOrHandle: string) =>
  db
    .selectFrom('channel')
    .selectAll()
    .where((w) => w.or([w('id', '=', idOrHandle), w('handle', '=', normalizeText(idOrHandle))]))
    .executeTakeFirst();

export const setSubscribed = (db: Db, id: string, isSubscribed: boolean) =>
  db
    .updateTable('channel')
    .set({ isSubscribed: isSubscribed ? 1 : 0 })
    .where('id', '=', id)
    .execute();

/** Makes the next scan of each channel read all of its entries, because other ones may be wanted now. */
export const requestFullScans = (db: Db) => db.updateTable('channel').set({ lastFullScanAt: null }).execute();
