import type { Archive, Log } from '../archive.ts';
import { shapeChannel, type ChannelRow } from '../channel/embed.ts';
import { holdStill, inTransaction, passingTrouble, type Db, type Tx } from '../db/db.ts';
import { entriesForm, entriesFrom, keepEntries } from '../playlist/written-entries.ts';
import { findVideos, type VideoRow } from './store.ts';
import { form, writeChannel, writeVideo, writtenFrom } from './written-video.ts';

// What is sent of videos and playlists is kept as it was written, which is a fifth of the work of writing it each time. Triggers take away what is true no
// more and note what is wanted (written-triggers.ts); here it is written, a little at a time, so that others get to write in between.

const atOnce = 100;

/** Those of some rows that can be written. What cannot be is left out: who asks for it is told what is wrong with it. */
function writable<Row extends { id: string }, Kept>(rows: Row[], keep: (row: Row) => Kept, log: Log | undefined): Kept[] {
  return rows.flatMap((row) => {
    try {
      return [keep(row)];
    } catch (error) {
      log?.error({ err: error, id: row.id }, 'cannot be written as it is sent');
      return [];
    }
  });
}

/** Writes these videos; answers which could be. */
async function saveVideos(tx: Tx, ids: string[], log: Log | undefined): Promise<string[]> {
  const keep = (row: VideoRow) => ({ videoId: row.id, channelId: row.channelId, form, written: writeVideo(row) });
  const kept = writable(await findVideos(tx, ids), keep, log);
  if (kept.length > 0)
    await tx
      .insertInto('writtenVideo')
      .values(kept)
      .onConflict((c) =>
        c.column('videoId').doUpdateSet((e) => ({
          channelId: e.ref('excluded.channelId'),
          form: e.ref('excluded.form'),
          written: e.ref('excluded.written'),
        })),
      )
      .execute();
  return kept.map(({ videoId }) => videoId);
}

/** The same for channels. */
async function saveChannels(tx: Tx, ids: string[], log: Log | undefined): Promise<string[]> {
  const keep = (row: ChannelRow) => ({ channelId: row.id, form, written: writeChannel(shapeChannel(row)) });
  const kept = writable(await tx.selectFrom('channel').selectAll().where('id', 'in', ids).execute(), keep, log);
  if (kept.length > 0)
    await tx
      .insertInto('writtenChannel')
      .values(kept)
      .onConflict((c) =>
        c.column('channelId').doUpdateSet((e) => ({ form: e.ref('excluded.form'), written: e.ref('excluded.written') })),
      )
      .execute();
  return kept.map(({ channelId }) => channelId);
}

const savers = {
  video: { save: saveVideos, from: writtenFrom },
  channel: { save: saveChannels, from: writtenFrom },
  playlist: { save: keepEntries, from: entriesFrom },
};

/** Writes some of what is wanted of a kind. */
const writeSome = (db: Db, kind: keyof typeof savers, log: Log | undefined) =>
  inTransaction(db, async (tx) => {
    await holdStill(tx, savers[kind].from);
    const rows = await tx.selectFrom('writingWanted').select('id').where('kind', '=', kind).orderBy('id').limit(atOnce).execute();
    if (rows.length === 0) return;
    const ids = rows.map(({ id }) => id);
    const done = new Set(await savers[kind].save(tx, ids, log));
    const left = ids.filter((id) => !done.has(id));
    if (left.length > 0) await tx.deleteFrom('writingWanted').where('kind', '=', kind).where('id', 'in', left).execute();
  });

/** Writes what is wanted, for about `longestMs`; answers whether nothing is wanted any more. Where somebody holds the database it is left. */
export async function writeWanted(db: Db, longestMs = Number.POSITIVE_INFINITY, log?: Log): Promise<boolean> {
  const begun = performance.now();
  const next = () => db.selectFrom('writingWanted').select('kind').orderBy('kind').limit(1).executeTakeFirst();
  for (let wanted = await next(); wanted; wanted = await next()) {
    if (performance.now() - begun > longestMs) return false;
    try {
      await writeSome(db, wanted.kind, log);
    } catch (error) {
      if (passingTrouble(error) === 'locked') return false;
      throw error;
    }
  }
  return true;
}

/** What another version wrote in another form is wanted anew, and is not shown until then. */
export async function wantOtherForms({ db }: Pick<Archive, 'db'>): Promise<void> {
  for (const [table, kind, id, present] of [
    ['writtenChannel', 'channel', 'channelId', form],
    ['writtenVideo', 'video', 'videoId', form],
    ['writtenPlaylist', 'playlist', 'playlistId', entriesForm],
  ] as const) {
    const { least, most } = await db
      .selectFrom(table)
      .select((e) => [e.fn.min('form').as('least'), e.fn.max('form').as('most')])
      .executeTakeFirstOrThrow();
    if (least === null || (least === present && most === present)) continue;
    await db
      .insertInto('writingWanted')
      .columns(['kind', 'id'])
      .expression((e) =>
        e
          .selectFrom(table)
          .select((s) => [s.val(kind).as('kind'), id])
          .where('form', '!=', present),
      )
      .onConflict((c) => c.doNothing())
      .execute();
  }
}

/** A round. It ends soon, so that the program can end; what is left waits for the next. */
export const keepWritten = async ({ db, log }: Archive): Promise<void> => void (await writeWanted(db, 500, log));
