import type { Db } from '../../platform/db/db.ts';
import { normalizeText } from '../../platform/lib/normalize-text.ts';

interface ChannelFilter {
  filter?: 'subscribed' | 'unsubscribed' | undefined;
}

const filteredChannels = (db: Db, { filter }: ChannelFilter) =>
  db.selectFrom('channel').$if(filter !== undefined, (q) => q.where('isSubscribed', '=', filter === 'subscribed' ? 1 : 0));

/** Returns one page of channels by name. */
export const listChannels = (db: Db, filter: ChannelFilter, page: { size: number; from: number }) =>
  filteredChannels(db, filter).selectAll().orderBy('sortName').orderBy('id').limit(page.size).offset(page.from).execute();

export async function countChannels(db: Db, filter: ChannelFilter): Promise<number> {
  const { total } = await filteredChannels(db, filter)
    .select((e) => e.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return total;
}

export const findChannel = (db: Db, id: string) => db.selectFrom('channel').selectAll().where('id', '=', id).executeTakeFirst();

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
