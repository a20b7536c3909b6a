import type { AppContext, Log } from '../../platform/context/app-context.ts';
import { serializeChannel, type ChannelRow } from '../channel/serialize.ts';
import { lockTables, inTransaction, temporaryFailure, type Db, type Tx } from '../../platform/db/db.ts';
import { entriesFormat, entriesFromRows, cacheEntries } from '../playlist/entries-json.ts';
import { findVideos, type VideoRow } from '../video/store.ts';
import { serializedFormat, serializeChannelPart, serializeVideo, serializeFrom } from './serialize-video.ts';

// The JSON of videos, channels and playlist entries is cached in the database, which takes a fifth of the work of serializing it
// for each request. Triggers delete outdated rows and queue them (server/platform/db/triggers/response-cache.ts); here they are
// serialized again in small batches, so that other writers are not blocked. See docs/decisions/serialized-video-cache.md.

const batchSize = 100;

/** Serializes rows. Those that fail are skipped; a request for them reports the error. */
function trySerialize<Row extends { id: string }, Result>(
  rows: Row[],
  toRow: (row: Row) => Result,
  log: Log | undefined,
): Result[] {
  return rows.flatMap((row) => {
    try {
      return [toRow(row)];
    } catch (error) {
      log?.error({ err: error, id: row.id }, 'cannot serialize a row');
      return [];
    }
  });
}

/** Caches the JSON of videos. Returns the ids of those that were cached. */
async function saveVideos(tx: Tx, ids: string[], log: Log | undefined): Promise<string[]> {
  const toRow = (row: VideoRow) => ({
    videoId: row.id,
    channelId: row.channelId,
    format: serializedFormat,
    json: serializeVideo(row),
  });
  const saved = trySerialize(await findVideos(tx, ids), toRow, log);
  if (saved.length > 0)
    await tx
      .insertInto('serializedVideo')
      .values(saved)
      .onConflict((c) =>
        c.column('videoId').doUpdateSet((e) => ({
          channelId: e.ref('excluded.channelId'),
          format: e.ref('excluded.format'),
          json: e.ref('excluded.json'),
        })),
      )
      .execute();
  return saved.map(({ videoId }) => videoId);
}

/** Caches the JSON of channels. Returns the ids of those that were cached. */
async function saveChannels(tx: Tx, ids: string[], log: Log | undefined): Promise<string[]> {
  const toRow = (row: ChannelRow) => ({
    channelId: row.id,
    format: serializedFormat,
    json: serializeChannelPart(serializeChannel(row)),
  });
  const saved = trySerialize(await tx.selectFrom('channel').selectAll().where('id', 'in', ids).execute(), toRow, log);
  if (saved.length > 0)
    await tx
      .insertInto('serializedChannel')
      .values(saved)
      .onConflict((c) =>
        c.column('channelId').doUpdateSet((e) => ({ format: e.ref('excluded.format'), json: e.ref('excluded.json') })),
      )
      .execute();
  return saved.map(({ channelId }) => channelId);
}

const savers = {
  video: { save: saveVideos, from: serializeFrom },
  channel: { save: saveChannels, from: serializeFrom },
  playlist: { save: cacheEntries, from: entriesFromRows },
};

/** Serializes one batch of pending rows of a kind. */
const serializeBatch = (db: Db, kind: keyof typeof savers, log: Log | undefined) =>
  inTransaction(db, async (tx) => {
    await lockTables(tx, savers[kind].from);
    const rows = await tx
      .selectFrom('serializationPending')
      .select('id')
      .where('kind', '=', kind)
      .orderBy('id')
      .limit(batchSize)
      .execute();
    if (rows.length === 0) return;
    const ids = rows.map(({ id }) => id);
    const done = new Set(await savers[kind].save(tx, ids, log));
    const skipped = ids.filter((id) => !done.has(id));
    if (skipped.length > 0)
      await tx.deleteFrom('serializationPending').where('kind', '=', kind).where('id', 'in', skipped).execute();
  });

/** Serializes pending rows for about `longestMs`. Returns whether none are left; false also when the database is locked. */
export async function refreshPending(db: Db, maxMs = Number.POSITIVE_INFINITY, log?: Log): Promise<boolean> {
  const startedAt = performance.now();
  const next = () => db.selectFrom('serializationPending').select('kind').orderBy('kind').limit(1).executeTakeFirst();
  for (let pending = await next(); pending; pending = await next()) {
    if (performance.now() - startedAt > maxMs) return false;
    try {
      await serializeBatch(db, pending.kind, log);
    } catch (error) {
      if (temporaryFailure(error) === 'locked') return false;
      throw error;
    }
  }
  return true;
}

/** Queues cached rows of another format. They are not used until they are serialized again. */
export async function queueOutdatedFormats({ db }: Pick<AppContext, 'db'>): Promise<void> {
  for (const [table, kind, id, present] of [
    ['serializedChannel', 'channel', 'channelId', serializedFormat],
    ['serializedVideo', 'video', 'videoId', serializedFormat],
    ['serializedPlaylist', 'playlist', 'playlistId', entriesFormat],
  ] as const) {
    const { least, most } = await db
      .selectFrom(table)
      .select((e) => [e.fn.min('format').as('least'), e.fn.max('format').as('most')])
      .executeTakeFirstOrThrow();
    if (least === null || (least === present && most === present)) continue;
    await db
      .insertInto('serializationPending')
      .columns(['kind', 'id'])
      .expression((e) =>
        e
          .selectFrom(table)
          .select((s) => [s.val(kind).as('kind'), id])
          .where('format', '!=', present),
      )
      .onConflict((c) => c.doNothing())
      .execute();
  }
}

/** Periodic job. It ends within half a second, so that shutdown is not delayed; the remaining rows wait for the next run. */
export const refreshResponseCache = async ({ db, log }: AppContext): Promise<void> => void (await refreshPending(db, 500, log));
