import { message } from '#contract/messages.ts';
import type { NewNote, Note, NoteChange } from '#contract/note.ts';
import type { Selectable } from 'kysely';
import type { AppContext } from '../../platform/context/app-context.ts';
import { inTransaction, type Db } from '../../platform/db/db.ts';
import type { NoteTable } from '../../platform/db/schema/tables.ts';
import { clock } from '../../platform/lib/format-time.ts';
import { badRequest, HttpError, notFound } from '../../platform/http/http-error.ts';
import { renderMessages } from '../../platform/messages/render.ts';
import { deleteTargets, findTags, setTagsOfNote, tagNamed, tagNamesOf } from '../tag/store.ts';
import { findNoteNumbers } from '../search/query/find-notes.ts';

const maxNotes = 10_000;

export type NoteRow = Selectable<NoteTable> & { isArchived: number; tags: readonly string[] };

const ms = (seconds: number | null) => (seconds === null ? null : Math.round(seconds * 1000));
const seconds = (milliseconds: number | null) => (milliseconds === null ? null : milliseconds / 1000);

export const serializeNote = (row: NoteRow): Note => ({
  id: row.number,
  kind: row.kind,
  video: row.videoId,
  start: seconds(row.startMs),
  end: seconds(row.endMs),
  text: row.text,
  quote: row.quote,
  quote_lang: row.quoteLang,
  tags: [...row.tags],
  created: row.createdAt,
  updated: row.updatedAt,
  revision: row.revision,
  video_title: row.videoTitle,
  channel_name: row.channelName,
  url: row.url,
  is_archived: row.isArchived === 1,
});

const notesOf = (db: Db, accountId: number) => db.selectFrom('note').where('note.accountId', '=', accountId);

const rowsOf = (db: Db, accountId: number) =>
  notesOf(db, accountId)
    .leftJoin('video', 'video.id', 'note.videoId')
    .selectAll('note')
    .select((e) => e.case().when('video.id', 'is', null).then(0).else(1).end().as('isArchived'));

const withTags = async <Row extends { number: number }>(db: Db, accountId: number, rows: Row[]) => {
  const tags = await tagNamesOf(
    db,
    accountId,
    'note',
    rows.map(({ number }) => String(number)),
  );
  return rows.map((row) => ({ ...row, tags: tags.get(String(row.number)) ?? [] }));
};

export interface NoteFilter {
  video?: string | undefined;
  kind?: Note['kind'] | undefined;
  tag?: string | undefined;
  query?: string | undefined;
}

/** Returns a page of the notes of a user, and the number of all that match. */
export async function findNotes(
  db: Db,
  accountId: number,
  { video, kind, tag, query = '' }: NoteFilter,
  { size, from }: { size: number; from: number },
): Promise<{ rows: NoteRow[]; count: number }> {
  const numbers = query.trim() === '' ? null : await findNoteNumbers(db, accountId, query);
  const tagNumber = tag === undefined ? undefined : tagNamed(await findTags(db, accountId), tag)?.number;
  if (numbers?.length === 0 || (tag !== undefined && tagNumber === undefined)) return { rows: [], count: 0 };
  const matching = <Q extends ReturnType<typeof notesOf>>(notes: Q) =>
    notes
      .$if(video !== undefined, (q) => q.where('note.videoId', '=', video!))
      .$if(kind !== undefined, (q) => q.where('note.kind', '=', kind!))
      .$if(tagNumber !== undefined, (q) =>
        q.where((e) =>
          e.exists(
            e
              .selectFrom('personTagTarget')
              .select('id')
              .where('tagNumber', '=', tagNumber!)
              .where('kind', '=', 'note')
              .whereRef('id', '=', e.cast('note.number', 'text')),
          ),
        ),
      )
      .$if(numbers !== null, (q) => q.where('note.number', 'in', numbers!)) as Q;
  const { count } = await matching(notesOf(db, accountId))
    .select((e) => e.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  const found = matching(rowsOf(db, accountId) as never) as unknown as ReturnType<typeof rowsOf>;
  const sorted =
    video === undefined
      ? found.orderBy('note.number', 'desc')
      : found.orderBy((e) => e.fn.coalesce('note.startMs', e.lit(0))).orderBy('note.number');
  return { rows: await withTags(db, accountId, await sorted.limit(size).offset(from).execute()), count };
}

/** @throws 404 for an unknown note and one of another user */
export async function getNote(db: Db, accountId: number, number: number): Promise<NoteRow> {
  const row = await rowsOf(db, accountId).where('note.number', '=', number).executeTakeFirst();
  if (!row) throw notFound('error.note');
  return (await withTags(db, accountId, [row]))[0]!;
}

// Players report a few hundred milliseconds more than the whole seconds that are stored.
const toleranceSeconds = 1;

/** @throws 400 for a time after the end of the video */
export function refuseBeyond(durationSeconds: number, ...times: (number | null)[]) {
  if (times.some((time) => time !== null && time > durationSeconds + toleranceSeconds))
    throw badRequest('error.note-beyond', { length: clock(durationSeconds) });
}

/**
 * Adds a note, with what identifies its video when that is deleted.
 * @throws 404 for an unknown video, 400 for a time beyond it or too many notes
 */
export async function addNote({ db, now }: AppContext, accountId: number, note: NewNote): Promise<NoteRow> {
  const video = await db
    .selectFrom('video')
    .innerJoin('channel', 'channel.id', 'video.channelId')
    .select(['video.title', 'channel.name as channelName', 'video.url', 'video.durationSeconds'])
    .where('video.id', '=', note.video)
    .executeTakeFirst();
  if (!video) throw notFound('error.video');
  refuseBeyond(video.durationSeconds, note.start, note.end);
  if (note.kind === 'note' && note.text.trim() === '') throw badRequest('error.note-empty');
  return inTransaction(db, async (tx) => {
    const { count } = await notesOf(tx, accountId)
      .select((e) => e.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    if (count >= maxNotes) throw badRequest('error.too-many-notes', { count: maxNotes });
    const { number } = await tx
      .insertInto('note')
      .values({
        accountId,
        videoId: note.video,
        kind: note.kind,
        startMs: ms(note.start),
        endMs: ms(note.end),
        text: note.text,
        quote: note.quote,
        quoteLang: note.quote_lang,
        createdAt: now(),
        updatedAt: now(),
        revision: 1,
        videoTitle: video.title,
        channelName: video.channelName,
        url: video.url,
      })
      .returning('number')
      .executeTakeFirstOrThrow();
    await setTagsOfNote(tx, accountId, number, note.tags);
    return getNote(tx, accountId, number);
  });
}

/** The note was changed by another window or app; the response has its present state as `note`. */
const changedElsewhere = (row: NoteRow) => {
  const why = message('error.note-changed');
  return new HttpError(409, why, { more: { message: renderMessages(why), note: serializeNote(row) } });
};

/**
 * Changes a note.
 * @throws 404, 409 if it has another revision, 400 for times that do not fit
 */
export function changeNote({ db, now }: AppContext, accountId: number, number: number, change: NoteChange): Promise<NoteRow> {
  return inTransaction(db, async (tx) => {
    const row = await getNote(tx, accountId, number);
    if (row.revision !== change.revision) throw changedElsewhere(row);
    const startMs = change.start === undefined ? row.startMs : ms(change.start);
    const endMs = change.end === undefined ? row.endMs : ms(change.end);
    if (endMs !== null && (startMs === null || endMs < startMs)) throw badRequest('error.note-order');
    const video = await tx.selectFrom('video').select('durationSeconds').where('id', '=', row.videoId).executeTakeFirst();
    if (video) refuseBeyond(video.durationSeconds, seconds(startMs), seconds(endMs));
    if (row.kind === 'note' && change.text?.trim() === '') throw badRequest('error.note-empty');
    await tx
      .updateTable('note')
      .set({ startMs, endMs, text: change.text ?? row.text, updatedAt: now(), revision: row.revision + 1 })
      .where('number', '=', number)
      .execute();
    if (change.tags) await setTagsOfNote(tx, accountId, number, change.tags);
    return getNote(tx, accountId, number);
  });
}

/** @throws 404 for an unknown note and one of another user */
export const deleteNote = (db: Db, accountId: number, number: number): Promise<void> =>
  inTransaction(db, async (tx) => {
    const { numDeletedRows } = await tx
      .deleteFrom('note')
      .where('number', '=', number)
      .where('accountId', '=', accountId)
      .executeTakeFirst();
    if (numDeletedRows === 0n) throw notFound('error.note');
    await deleteTargets(tx, 'note', [String(number)]);
  });

/** Yields the notes of a user that were changed since, video by video in the order of their ids, each by time. */
export async function* notesByVideo(db: Db, accountId: number, since: number): AsyncGenerator<NoteRow[]> {
  const videos = await notesOf(db, accountId)
    .select('note.videoId')
    .distinct()
    .where('note.updatedAt', '>=', since)
    .orderBy('note.videoId')
    .execute();
  for (const { videoId } of videos) {
    const rows = await rowsOf(db, accountId)
      .where('note.videoId', '=', videoId)
      .where('note.updatedAt', '>=', since)
      .orderBy((e) => e.fn.coalesce('note.startMs', e.lit(0)))
      .orderBy('note.number')
      .execute();
    yield withTags(db, accountId, rows);
  }
}
