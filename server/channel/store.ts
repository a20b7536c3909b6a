import type { Db } from '../db/db.ts';
import { little } from '../db/recall.ts';
import { foldText } from '../fold-text.ts';

interface ChannelFilter {
  filter?: 'subscribed' | 'unsubscribed' | undefined;
}

const matching = (db: Db, { filter }: ChannelFilter) =>
  db.selectFrom('channel').$if(filter !== undefined, (q) => q.where('isSubscribed', '=', filter === 'subscribed' ? 1 : 0));

/** One page of channels by name. */
export const listChannels = (db: Db, filter: ChannelFilter, page: { size: number; from: number }) =>
  matching(db, filter).selectAll().orderBy('sortName').orderBy('id').limit(page.size).offset(page.from).execute();

export async function countChannels(db: Db, filter: ChannelFilter): Promise<number> {
  const { total } = await db.recall.one(`channels ${filter.filter}`, { from: ['channel'], bytes: little }, () =>
    matching(db, filter)
      .select((e) => e.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow(),
  );
  return total;
}

export const findChannel = (db: Db, id: string) => db.selectFrom('channel').selectAll().where('id', '=', id).executeTakeFirst();

/** Which kinds of video a channel has, whether it has playlists, and what of it waits or is ignored. */
export async function partsOfChannel(db: Db, channelId: string) {
  const [kinds, playlist, queued] = await Promise.all([
    db.selectFrom('tally').select('kind').where('channelId', '=', channelId).where('videos', '>', 0).execute(),
    db.selectFrom('playlist').select('id').where('channelId', '=', channelId).limit(1).executeTakeFirst(),
    db.selectFrom('queueTally').select('status').distinct().where('channelId', '=', channelId).where('items', '>', 0).execute(),
  ]);
  return {
    kinds: new Set(kinds.map((row) => row.kind)),
    hasPlaylists: playlist !== undefined,
    queued: new Set(queued.map((row) => row.status)),
  };
}

/** The channels that are subscribed to, or those of them with these ids. */
export const subscribedChannels = (db: Db, ids?: string[]) =>
  db
    .selectFrom('channel')
    .select(['id', 'site', 'siteId', 'name', 'url', 'tabs', 'rules', 'scannedAt', 'listedAt'])
    .where('isSubscribed', '=', 1)
    .$if(ids !== undefined, (q) => q.where('id', 'in', ids!.length > 0 ? ids! : ['']))
    .orderBy('sortName')
    .execute();
export type SubscribedChannel = Awaited<ReturnType<typeof subscribedChannels>>[number];

/** A channel by its id, or by its handle as people write it. */
export const findChannelNamed = (db: Db, idOrHandle: string) =>
  db
    .selectFrom('channel')
    .selectAll()
    .where((w) => w.or([w('id', '=', idOrHandle), w('handle', '=', foldText(idOrHandle))]))
    .executeTakeFirst();
