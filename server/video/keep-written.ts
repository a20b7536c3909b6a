import type { Archive, Log } from '../archive.ts';
import { shapeChannel } from '../channel/embed.ts';
import { holdStill, inTransaction, passingTrouble, type Db, type Tx } from '../db/db.ts';
import { findVideos } from './store.ts';
import { form, writeChannel, writeVideo } from './written-video.ts';

// What is sent of videos is kept as it was written, which is a fifth of the work of writing it each time. Triggers take away what is true no
// more and note what is wanted (written-triggers.ts); here it is written, a little at a time, so that others get to write in between.

const atOnce = 100;
const read = ['video', 'channel', 'stream', 'subtitle', 'playlistEntry', 'storyboard'] as const;

interface Kept {
  id: string;
  channelId: string;
  written: Uint8Array;
}

/** Those of some rows that can be written. What cannot be is left out: who asks for it is told what is wrong with it. */
function writable<Row extends { id: string }>(rows: Row[], keep: (row: Row) => Kept, log: Log | undefined): Kept[] {
  return rows.flatMap((row) => {
    try {
      return [keep(row)];
    } catch (error) {
      log?.error({ err: error, id: row.id }, 'cannot be written as it is sent');
      return [];
    }
  });
}

const writtenVideos = async (tx: Tx, ids: string[], log: Log | undefined) =>
  writable(await findVideos(tx, ids), (row) => ({ id: row.id, channelId: row.channelId, written: writeVideo(row) }), log);

const writtenChannels = async (tx: Tx, ids: string[], log: Log | undefined) =>
  writable(
    await tx.selectFrom('channel').selectAll().where('id', 'in', ids).execute(),
    (row) => ({ id: row.id, channelId: row.id, written: writeChannel(shapeChannel(row)) }),
    log,
  );

async function saveVideos(tx: Tx, kept: Kept[]) {
  await tx
    .insertInto('writtenVideo')
    .values(kept.map(({ id, channelId, written }) => ({ videoId: id, channelId, form, written })))
    .onConflict((c) =>
      c.column('videoId').doUpdateSet((e) => ({
        channelId: e.ref('excluded.channelId'),
        form: e.ref('excluded.form'),
        written: e.ref('excluded.written'),
      })),
    )
    .execute();
}

async function saveChannels(tx: Tx, kept: Kept[]) {
  await tx
    .insertInto('writtenChannel')
    .values(kept.map(({ channelId, written }) => ({ channelId, form, written })))
    .onConflict((c) =>
      c.column('channelId').doUpdateSet((e) => ({ form: e.ref('excluded.form'), written: e.ref('excluded.written') })),
    )
    .execute();
}

/** Writes some of what is wanted; answers whether there was any. */
const writeSome = (db: Db, log: Log | undefined) =>
  inTransaction(db, async (tx) => {
    await holdStill(tx, read);
    const [first] = await tx.selectFrom('writingWanted').select('kind').orderBy('kind').limit(1).execute();
    if (!first) return false;
    const { kind } = first;
    const rows = await tx.selectFrom('writingWanted').select('id').where('kind', '=', kind).orderBy('id').limit(atOnce).execute();
    const ids = rows.map(({ id }) => id);
    const kept = await (kind === 'video' ? writtenVideos : writtenChannels)(tx, ids, log);
    if (kept.length > 0) await (kind === 'video' ? saveVideos : saveChannels)(tx, kept);
    const done = new Set(kept.map(({ id }) => id));
    const left = ids.filter((id) => !done.has(id));
    if (left.length > 0) await tx.deleteFrom('writingWanted').where('kind', '=', kind).where('id', 'in', left).execute();
    return true;
  });

/** Writes what is wanted, for about `longestMs`; answers whether nothing is wanted any more. Where somebody holds the database it is left. */
export async function writeWanted(db: Db, longestMs = Number.POSITIVE_INFINITY, log?: Log): Promise<boolean> {
  const begun = performance.now();
  while (await db.selectFrom('writingWanted').select('id').limit(1).executeTakeFirst()) {
    if (performance.now() - begun > longestMs) return false;
    try {
      if (!(await writeSome(db, log))) return true;
    } catch (error) {
      if (passingTrouble(error) === 'locked') return false;
      throw error;
    }
  }
  return true;
}

/** What another version wrote in another form is wanted anew, and is not shown until then. */
export async function wantOtherForms({ db }: Pick<Archive, 'db'>): Promise<void> {
  for (const [table, kind, id] of [
    ['writtenChannel', 'channel', 'channelId'],
    ['writtenVideo', 'video', 'videoId'],
  ] as const) {
    const { least, most } = await db
      .selectFrom(table)
      .select((e) => [e.fn.min('form').as('least'), e.fn.max('form').as('most')])
      .executeTakeFirstOrThrow();
    if (least === null || (least === form && most === form)) continue;
    await db
      .insertInto('writingWanted')
      .columns(['kind', 'id'])
      .expression((e) =>
        e
          .selectFrom(table)
          .select((s) => [s.val(kind).as('kind'), id])
          .where('form', '!=', form),
      )
      .onConflict((c) => c.doNothing())
      .execute();
  }
}

/** A round. It ends soon, so that the program can end; what is left waits for the next. */
export const keepWritten = async ({ db, log }: Archive): Promise<void> => void (await writeWanted(db, 500, log));
