import { z } from 'zod';
import type { Tx } from '../../platform/db/db.ts';
import { normalizeText } from '../../platform/lib/normalize-text.ts';

/** Channel data from the metadata of a video. */
export const KnownChannel = z.object({
  id: z.string(),
  site: z.string(),
  name: z.string(),
  url: z.string().nullable(),
  subscriberCount: z.int().min(0).nullable(),
  /** Kind of the video. */
  kind: z.enum(['videos', 'streams', 'shorts']),
});
export type KnownChannel = z.infer<typeof KnownChannel>;

const allKinds = ['videos', 'streams', 'shorts'];

/** Inserts or updates the channel of a video that is being archived. More complete data, such as artwork, is kept. */
export async function upsertChannel(tx: Tx, { kind, subscriberCount, ...channel }: KnownChannel, now: number) {
  const existing = await tx.selectFrom('channel').select('tabs').where('id', '=', channel.id).executeTakeFirst();
  const kinds = new Set([...((existing ? JSON.parse(existing.tabs) : []) as string[]), kind]);
  const row = {
    ...channel,
    sortName: normalizeText(channel.name),
    tabs: JSON.stringify(allKinds.filter((one) => kinds.has(one))),
    ...(subscriberCount !== null && { subscriberCount }),
  };
  await tx
    .insertInto('channel')
    .values({ ...row, siteId: channel.id, addedAt: now, refreshedAt: 0 })
    .onConflict((c) => c.column('id').doUpdateSet(row))
    .execute();
}
