import type { Db } from '../../platform/db/db.ts';
import type { ParsedInput } from '../../archive/sites/parse-input.ts';
import { normalizeText } from '../../platform/lib/normalize-text.ts';
import { safeDecodeUri } from '../../platform/lib/safe-decode-uri.ts';

// PostgreSQL refuses an empty list after `in`.

/** Returns archived videos by id. */
export async function findVideos(db: Db, ids: string[]) {
  if (ids.length === 0) return new Map<string, never>();
  const rows = await db
    .selectFrom('video')
    .innerJoin('channel', 'channel.id', 'video.channelId')
    .select(['video.id', 'video.title', 'video.durationSeconds', 'video.sizeBytes', 'channel.name as channelName'])
    .where('video.id', 'in', ids)
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** Returns queue items by id, ignored ones included. */
export async function findQueueItems(db: Db, ids: string[]) {
  if (ids.length === 0) return new Map<string, never>();
  const rows = await db
    .selectFrom('download')
    .select(['id', 'title', 'durationSeconds', 'channelName', 'status', 'failure', 'message'])
    .where('id', 'in', ids)
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** Returns channels by id, handle or URL. */
export async function findChannels(db: Db, { ids, handles, urls }: { ids: string[]; handles: string[]; urls: string[] }) {
  const lists = { id: ids, handle: handles, url: urls };
  const columns = (['id', 'handle', 'url'] as const).filter((column) => lists[column].length > 0);
  return db
    .selectFrom('channel')
    .select(['id', 'handle', 'url', 'name', 'isSubscribed', 'hasThumb'])
    .where((w) => w.or(columns.map((column) => w(column, 'in', lists[column]))))
    .execute();
}
export type ChannelFound = Awaited<ReturnType<typeof findChannels>>[number];

/** Returns playlists of sites by id, with the number of their entries. */
export async function findPlaylists(db: Db, ids: string[]) {
  if (ids.length === 0) return new Map<string, never>();
  const rows = await db
    .selectFrom('playlist')
    .select(['id', 'name', 'channelName', 'isSubscribed', 'hasThumb'])
    .select((e) =>
      e
        .selectFrom('playlistEntry')
        .select((s) => s.fn.countAll<number>().as('entries'))
        .whereRef('playlistEntry.playlistId', '=', 'playlist.id')
        .as('entries'),
    )
    .where('kind', '=', 'regular')
    .where('id', 'in', ids)
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** Returns the public ids of archived or queued videos by URL, for sites whose URLs contain no id. */
export async function findIdsByUrl(db: Db, urls: string[]): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  if (urls.length === 0) return ids;
  for (const table of ['download', 'video'] as const)
    for (const { id, url } of await db.selectFrom(table).select(['id', 'url']).where('url', 'in', urls).execute())
      if (url) ids.set(url, id);
  return ids;
}

/** Returns the normalized handle in the URL of a channel. */
export function handleOf({ what, url }: ParsedInput): string | undefined {
  if (what !== 'channel') return undefined;
  const handle = /\/(@[^/]+)$/.exec(safeDecodeUri(url))?.[1];
  return handle && normalizeText(handle);
}
