import { chunks, type Db, type Tx } from '../db/db.ts';

/** What the queue wants to know of videos that are in the archive. One that is not is left out. */
export const knownItems = (tx: Tx, ids: string[]) =>
  tx
    .selectFrom('video')
    .innerJoin('channel', 'channel.id', 'video.channelId')
    .select(['video.id', 'video.site', 'video.siteId', 'video.url', 'video.title', 'video.kind', 'video.channelId'])
    .select(['video.durationSeconds', 'video.publishedAt', 'channel.name as channelName'])
    .where('video.id', 'in', ids)
    .execute();

/** Where the videos with these ids are on the web, as far as the archive or the queue knows. */
export async function addressesOf(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  const addresses = new Map<string, string>();
  if (ids.length === 0) return addresses;
  for (const table of ['download', 'video'] as const)
    for (const { id, url } of await db.selectFrom(table).select(['id', 'url']).where('id', 'in', ids).execute())
      if (url) addresses.set(id, url);
  return addresses;
}

// The id of a video of another site than YouTube, as the API has it: its site, a dot, and its id there.
const isWireId = (word: string) => /^[\w:-]+\.[^/]+$/.test(word) && word.length <= 300;

/** The words of these texts, ids of videos of other sites that are known here as their addresses. */
export async function withAddresses(db: Db, texts: readonly string[]): Promise<string[]> {
  const words = texts.flatMap((text) => text.split(/\s+/)).filter(Boolean);
  const addresses = new Map<string, string>();
  for (const some of chunks([...new Set(words.filter(isWireId))], 200))
    for (const [id, url] of await addressesOf(db, some)) addresses.set(id, url);
  return words.map((word) => addresses.get(word) ?? word);
}
