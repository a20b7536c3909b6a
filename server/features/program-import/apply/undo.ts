import { z } from 'zod';
import type { Selectable } from 'kysely';
import { updateCustomArtwork } from '../../../archive/playlist/artwork.ts';
import { writeEntries } from '../../../archive/playlist/store.ts';
import type { AppContext } from '../../../platform/context/app-context.ts';
import { inTransaction, type Tx } from '../../../platform/db/db.ts';
import type { MigrationChangeTable } from '../../../platform/db/schema/tables.ts';
import { deletePlaylist } from '../../playlist/delete-playlist.ts';
import { deleteIfExists } from '../../trash/delete-video.ts';
import { deleteUnusedChannels } from '../../trash/purge.ts';

type Change = Selectable<MigrationChangeTable>;
export interface UndoCounts {
  undone: number;
  /** Changed or used since the import. */
  kept: number;
}

const pageSize = 500;

const Source = z.object({
  table: z.enum(['channel', 'playlist']),
  before: z.record(z.string(), z.unknown()),
  after: z.record(z.string(), z.unknown()),
});
const Download = z.object({ status: z.enum(['pending', 'ignore']) });
const Watch = z.object({
  accountId: z.int(),
  watchedAt: z.int().nullable(),
  positionSeconds: z.number().nullable(),
  updatedAt: z.int(),
});

const stateOf = <T>(type: z.ZodType<T>, { state }: Change): T => type.parse(JSON.parse(state ?? 'null'));

/** Sets the columns back that still have the imported values. */
async function undoSource(tx: Tx, change: Change): Promise<boolean> {
  const { table, before, after } = stateOf(Source, change);
  const row = (await tx.selectFrom(table).selectAll().where('id', '=', change.subject).executeTakeFirst()) as
    | Record<string, unknown>
    | undefined;
  if (!row) return false;
  const unchanged = Object.keys(after).filter((key) => row[key] === after[key]);
  if (unchanged.length === 0) return false;
  await tx
    .updateTable(table)
    .set(Object.fromEntries(unchanged.map((key) => [key, before[key] ?? null])))
    .where('id', '=', change.subject)
    .execute();
  return true;
}

/** Deletes a queue or ignore entry unless it was changed or is being downloaded. */
async function undoDownload(tx: Tx, change: Change): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('download')
    .where('id', '=', change.subject)
    .where('status', '=', stateOf(Download, change).status)
    .where('autoStart', '=', 0)
    .where('leasedBy', 'is', null)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

async function undoWatch(tx: Tx, change: Change): Promise<boolean> {
  const { accountId, watchedAt, positionSeconds, updatedAt } = stateOf(Watch, change);
  const { numDeletedRows } = await tx
    .deleteFrom('watch')
    .where('accountId', '=', accountId)
    .where('videoId', '=', change.subject)
    .where('updatedAt', '=', updatedAt)
    .where('watchedAt', watchedAt === null ? 'is' : '=', watchedAt)
    .where('positionSeconds', positionSeconds === null ? 'is' : '=', positionSeconds)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

async function undoEntries(tx: Tx, change: Change, now: number): Promise<boolean> {
  const added = new Set(stateOf(z.array(z.string()), change));
  const entries = await tx
    .selectFrom('playlistEntry')
    .select(['videoId', 'title', 'uploader'])
    .where('playlistId', '=', change.subject)
    .orderBy('position')
    .execute();
  const rest = entries.filter(({ videoId }) => !added.has(videoId));
  if (rest.length === entries.length) return false;
  await writeEntries(tx, change.subject, rest, now);
  return true;
}

async function undoSeen(tx: Tx, { subject }: Change): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('seenEntry')
    .where('videoId', '=', subject)
    .where('isSkipped', '=', 1)
    .where('deletedAt', 'is', null) // archived and deleted since
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Moves an imported video to the trash, unless its file was replaced since. */
async function undoVideo(app: AppContext, change: Change, by: string): Promise<boolean> {
  const state = z
    .object({ sha256: z.string() })
    .nullable()
    .parse(JSON.parse(change.state ?? 'null'));
  const video = await app.db.selectFrom('video').select('sha256').where('id', '=', change.subject).executeTakeFirst();
  if (!video || (state && video.sha256 !== state.sha256)) return false;
  return deleteIfExists(app, change.subject, { by });
}

/** Deletes an added channel that has nothing; one with videos or playlists stays, but is no longer subscribed. */
async function undoChannel(app: AppContext, { subject: id, take }: Change): Promise<boolean> {
  const isDeleted = await inTransaction(app.db, async (tx) => {
    const video = await tx.selectFrom('video').select('id').where('channelId', '=', id).limit(1).executeTakeFirst();
    const playlist = await tx.selectFrom('playlist').select('id').where('channelId', '=', id).limit(1).executeTakeFirst();
    const channel = await tx.selectFrom('channel').select('isSubscribed').where('id', '=', id).executeTakeFirst();
    if (!channel) return null;
    // It came with a video, and a user subscribed to it later.
    if (take === null && channel.isSubscribed === 1) return false;
    if (video || playlist) {
      await tx.updateTable('channel').set({ isSubscribed: 0 }).where('id', '=', id).execute();
      return false;
    }
    await tx.deleteFrom('seenEntry').where('channelId', '=', id).execute();
    await tx.deleteFrom('channel').where('id', '=', id).execute();
    return true;
  });
  if (isDeleted) await deleteUnusedChannels(app, [id]);
  return isDeleted === true;
}

/** Deletes an added playlist; a custom one only if no other videos were added to it. */
async function undoPlaylist(app: AppContext, { subject: id }: Change): Promise<boolean> {
  const playlist = await app.db.selectFrom('playlist').select('kind').where('id', '=', id).executeTakeFirst();
  if (!playlist) return false;
  const entry = await app.db
    .selectFrom('playlistEntry')
    .select('videoId')
    .where('playlistId', '=', id)
    .limit(1)
    .executeTakeFirst();
  if (playlist.kind === 'custom' && entry) {
    await updateCustomArtwork(app, [id]);
    return false;
  }
  await deletePlaylist(app, id, { withVideos: false, by: '' });
  return true;
}

const inPage = {
  source: undoSource,
  download: undoDownload,
  seen: undoSeen,
  watch: undoWatch,
} as const;

/**
 * Undoes the changes of an import, the last first; channels and playlists at the end. Each page is one transaction that also
 * deletes its records, so an interrupted undo continues.
 */
export async function undoChanges(
  app: AppContext,
  importId: string,
  { by, signal, onPage }: { by: string; signal: AbortSignal; onPage(counts: UndoCounts): void },
): Promise<UndoCounts> {
  const { db, now } = app;
  const counts: UndoCounts = { undone: 0, kept: 0 };
  const tell = (isUndone: boolean) => void (isUndone ? counts.undone++ : counts.kept++);
  const containers = ['channel', 'playlist'] as const;
  for (const isLast of [false, true])
    for (;;) {
      signal.throwIfAborted();
      const page = await db
        .selectFrom('migrationChange')
        .selectAll()
        .where('migrationId', '=', importId)
        .where('kind', isLast ? 'in' : 'not in', containers)
        .orderBy('number', 'desc')
        .limit(pageSize)
        .execute();
      if (page.length === 0) break;
      const numbers = page.map(({ number }) => number);
      if (isLast || page.some(({ kind }) => kind === 'video'))
        // These have transactions of their own.
        for (const change of page) {
          signal.throwIfAborted();
          if (change.kind === 'channel') tell(await undoChannel(app, change));
          else if (change.kind === 'playlist') tell(await undoPlaylist(app, change));
          else if (change.kind === 'video') tell(await undoVideo(app, change, by));
          else if (change.kind === 'entries') tell(await inTransaction(db, (tx) => undoEntries(tx, change, now())));
          else {
            const undo = inPage[change.kind];
            tell(await inTransaction(db, (tx) => undo(tx, change)));
          }
          await db.deleteFrom('migrationChange').where('number', '=', change.number).execute();
        }
      else
        await inTransaction(db, async (tx) => {
          for (const change of page)
            if (change.kind === 'entries') tell(await undoEntries(tx, change, now()));
            else tell(await inPage[change.kind as keyof typeof inPage](tx, change));
          await tx.deleteFrom('migrationChange').where('number', 'in', numbers).execute();
        });
      onPage(counts);
    }
  return counts;
}
