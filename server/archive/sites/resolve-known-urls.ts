import { chunks, type Db, type Tx } from '../../platform/db/db.ts';
import { inputLines, type ParsedInput } from './parse-input.ts';

/** Returns the queue columns of archived videos. Unknown ids are left out. */
export const knownItems = (tx: Tx, ids: string[]) =>
  tx
    .selectFrom('video')
    .innerJoin('channel', 'channel.id', 'video.channelId')
    .select(['video.id', 'video.site', 'video.siteId', 'video.url', 'video.title', 'video.kind', 'video.channelId'])
    .select(['video.durationSeconds', 'video.publishedAt', 'channel.name as channelName'])
    .where('video.id', 'in', ids)
    .execute();

/** Returns the URLs of videos in the archive or the queue by id. */
export async function urlsOf(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  const addresses = new Map<string, string>();
  if (ids.length === 0) return addresses;
  for (const table of ['download', 'video'] as const)
    for (const { id, url } of await db.selectFrom(table).select(['id', 'url']).where('id', 'in', ids).execute())
      if (url) addresses.set(id, url);
  return addresses;
}

/** Returns the public id of a video in the queue or the archive by its id at the site, or by its URL if that id is unknown. */
export async function knownIdOf(db: Db, { site, siteId, url }: ParsedInput): Promise<string | undefined> {
  if (!site) return undefined;
  for (const table of ['download', 'video'] as const) {
    const query = db.selectFrom(table).select('id').where('site', '=', site);
    const row = await query.where(siteId ? 'siteId' : 'url', '=', siteId ?? url).executeTakeFirst();
    if (row) return row.id;
  }
  return undefined;
}

// Public id of a video of a site other than YouTube: `<site>.<id>`.
const isPublicId = (word: string) => /^[\w:-]+\.[^/]+$/.test(word) && word.length <= 300;

/** Returns the lines of the texts with the ids of known videos of other sites replaced by their URLs. */
export async function withUrls(db: Db, texts: readonly string[]): Promise<string[]> {
  const lines = inputLines(texts).map((line) => line.split(/\s+/));
  const addresses = new Map<string, string>();
  for (const batch of chunks([...new Set(lines.flat().filter(isPublicId))], 200))
    for (const [id, url] of await urlsOf(db, batch)) addresses.set(id, url);
  return lines.map((words) => words.map((word) => addresses.get(word) ?? word).join(' '));
}
