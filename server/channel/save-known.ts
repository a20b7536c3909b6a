import { z } from 'zod';
import type { Tx } from '../db/db.ts';
import { foldText } from '../fold-text.ts';

/** What a video tells of its channel. */
export const KnownChannel = z.object({
  id: z.string(),
  site: z.string(),
  name: z.string(),
  url: z.string().nullable(),
  subscriberCount: z.int().min(0).nullable(),
  /** The kind of the video that brought it here. */
  kind: z.enum(['videos', 'streams', 'shorts']),
});
export type KnownChannel = z.infer<typeof KnownChannel>;

const allKinds = ['videos', 'streams', 'shorts'];

/** Writes the channel of a video that is being archived. What is known better, such as the artwork, stays. */
export async function saveKnownChannel(tx: Tx, { kind, subscriberCount, ...channel }: KnownChannel, now: number) {
  const there = await tx.selectFrom('channel').select('tabs').where('id', '=', channel.id).executeTakeFirst();
  const kinds = new Set([...((there ? JSON.parse(there.tabs) : []) as string[]), kind]);
  const row = {
    ...channel,
    sortName: foldText(channel.name),
    tabs: JSON.stringify(allKinds.filter((one) => kinds.has(one))),
    ...(subscriberCount !== null && { subscriberCount }),
  };
  await tx
    .insertInto('channel')
    .values({ ...row, siteId: channel.id, addedAt: now, refreshedAt: 0 })
    .onConflict((c) => c.column('id').doUpdateSet(row))
    .execute();
}
