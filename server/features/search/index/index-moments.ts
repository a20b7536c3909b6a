import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { readSettings } from '../../../archive/settings/store.ts';
import { chunks, type Tx } from '../../../platform/db/db.ts';
import { jsonRows } from '../../../platform/db/rows-as-json.ts';
import type { MomentDocumentTable } from '../../../platform/db/schema/tables.ts';
import { accountToken, channelToken, kindToken } from '../text/filter-tokens.ts';
import { countWords, noteSpace, type TermSpace } from '../text/term-dictionary.ts';
import { tokenize } from '../text/tokenizer.ts';
import { deleteDocuments, wordCounts, writeDocuments } from './index-write.ts';

// Index of the texts about a video: one document for each former title, description, chapter, comment and note.

/** Characters that are indexed of a description, and of a comment. The memorable words are usually near the beginning. */
export const maxDescription = 5_000;
export const maxComment = 20_000;

/** The text of a note that is searched and shown. */
export const textOfNote = ({ text, quote }: { text: string; quote: string | null }) => [text, quote].filter(Boolean).join('\n');

// Comments that are read in one step; at least one video is.
const maxRead = 20_000;

type Kind = MomentDocumentTable['kind'];

/** A text about a video, from its row. */
interface Moment {
  videoId: string;
  kind: Kind;
  ref: string;
  text: string;
  /** Searched besides the text: the author of a comment; title and channel for a note. */
  besides: string;
  /** Filter tokens. */
  tokens: string[];
  /** Dictionary of its words. */
  space: TermSpace;
}

/** The chapters of the site, or else the generated ones. */
export const chaptersOfVideo = sql<string>`case when video.chapters = '[]' then coalesce(generated_chapters.chapters, '[]')
  else video.chapters end`.as('chapters');

const keyOf = ({ videoId, kind, ref }: Pick<Moment, 'videoId' | 'kind' | 'ref'>) => `${kind}/${ref}/${videoId}`;

const hashOf = ({ text, besides, tokens }: Moment) =>
  createHash('sha256').update(`${tokens.join()}\0${besides}\0${text}`).digest('hex').slice(0, 16);

/** Returns the first of these videos, up to about `maxRead` comments in total; at least one video. */
async function someOf(tx: Tx, videoIds: readonly string[]): Promise<string[]> {
  const counts = await tx
    .selectFrom('comment')
    .select((e) => ['videoId', e.fn.countAll<number>().as('comments')])
    .where('videoId', 'in', videoIds)
    .groupBy('videoId')
    .execute();
  const commentsOf = new Map(counts.map(({ videoId, comments }) => [videoId, comments]));
  let sum = 0;
  return videoIds.filter((id, place) => (sum += commentsOf.get(id) ?? 0) <= maxRead || place === 0);
}

/** Loads the most liked comments of videos; null: all. */
async function commentsOf(tx: Tx, ids: readonly string[], most: number | null) {
  if (most === 0) return [];
  const ranked = tx
    .selectFrom('comment')
    .select(['videoId', 'id', 'author', 'text'])
    .select(
      sql<number>`row_number() over (partition by video_id order by coalesce(like_count, 0) desc, position, id)`.as('place'),
    )
    .where('videoId', 'in', ids);
  return tx
    .selectFrom(ranked.as('ranked'))
    .select(['videoId', 'id', 'author', 'text'])
    .$if(most !== null, (q) => q.where('place', '<=', most!))
    .execute();
}

/** Loads the notes about videos, also about those that were deleted. */
async function notesOf(tx: Tx, ids: readonly string[]): Promise<Moment[]> {
  const notes = await tx
    .selectFrom('note')
    .select(['number', 'accountId', 'videoId', 'text', 'quote', 'videoTitle', 'channelName'])
    .where('videoId', 'in', ids)
    .execute();
  return notes.map(({ number, accountId, videoId, text, quote, videoTitle, channelName }) => ({
    videoId,
    kind: 'note',
    ref: String(number),
    text: textOfNote({ text, quote }),
    besides: `${videoTitle} ${channelName}`,
    tokens: [accountToken(accountId)],
    space: noteSpace(accountId),
  }));
}

async function momentsOf(tx: Tx, ids: readonly string[]): Promise<Moment[]> {
  const { comment_index: most } = (await readSettings(tx)).downloads;
  const videos = await tx
    .selectFrom('video')
    .leftJoin('generatedChapters', 'generatedChapters.videoId', 'video.id')
    .select(['id', 'channelId', 'description'])
    .select(chaptersOfVideo)
    .where('id', 'in', ids)
    .execute();
  const titles = await tx
    .selectFrom('metadataHistory')
    .select(['videoId', 'replacedAt', 'value'])
    .where('videoId', 'in', ids)
    .where('field', '=', 'title')
    .execute();
  const comments = await commentsOf(tx, ids, most);
  const titlesOf = Map.groupBy(titles, ({ videoId }) => videoId);
  const commented = Map.groupBy(comments, ({ videoId }) => videoId);
  const written = videos.flatMap(({ id: videoId, channelId, description, chapters }) => {
    const tokens = [channelToken(channelId)];
    const moment = (kind: Kind, ref: string, text: string, besides = ''): Moment[] =>
      text.trim() ? [{ videoId, kind, ref, text, besides, tokens, space: 'm' }] : [];
    return [
      ...(titlesOf.get(videoId) ?? []).flatMap(({ replacedAt, value }) => moment('title', String(replacedAt), value)),
      ...moment('description', '', (description ?? '').slice(0, maxDescription)),
      ...(JSON.parse(chapters) as { title: string }[]).flatMap(({ title }, place) => moment('chapter', String(place), title)),
      ...(commented.get(videoId) ?? []).flatMap(({ id, text, author }) =>
        moment('comment', id, text.slice(0, maxComment), author),
      ),
    ];
  });
  return [...written, ...(await notesOf(tx, ids))];
}

async function remove(tx: Tx, numbers: number[]) {
  await deleteDocuments(tx, 'searchMoment', numbers);
  for (const part of chunks(numbers)) await tx.deleteFrom('momentDocument').where('number', 'in', part).execute();
}

/** Inserts rows of the documents. Returns their numbers by key. */
async function numbered(tx: Tx, moments: readonly Moment[]): Promise<Map<string, number>> {
  const { rows } = await sql<Pick<MomentDocumentTable, 'videoId' | 'kind' | 'ref'> & { number: number }>`
    insert into moment_document (video_id, kind, ref, text_hash)
    select value ->> 0, value ->> 1, value ->> 2, value ->> 3
    from ${jsonRows(
      tx,
      moments.map((moment) => [moment.videoId, moment.kind, moment.ref, hashOf(moment)]),
    )} where true
    returning number, video_id, kind, ref`.execute(tx);
  return new Map(rows.map((row) => [keyOf(row), row.number]));
}

/**
 * Updates the index of these videos with up to `most` new documents. Returns the finished videos; the others are left for the next
 * call.
 */
export async function indexMoments(tx: Tx, videoIds: readonly string[], most: number): Promise<string[]> {
  const ids = await someOf(tx, videoIds);
  const moments = await momentsOf(tx, ids);
  const hashes = new Map(moments.map((moment) => [keyOf(moment), hashOf(moment)]));
  const known = await tx.selectFrom('momentDocument').selectAll().where('videoId', 'in', ids).execute();
  const isCurrent = (row: (typeof known)[number]) => hashes.get(keyOf(row)) === row.textHash;
  await remove(
    tx,
    known.filter((row) => !isCurrent(row)).map(({ number }) => number),
  );
  const current = new Set(known.filter(isCurrent).map(keyOf));
  const missing = moments.filter((moment) => !current.has(keyOf(moment)));
  const added = missing.slice(0, most);
  if (added.length > 0) {
    const numbers = await numbered(tx, added);
    const documents = added.map((moment) => ({
      space: moment.space,
      number: numbers.get(keyOf(moment))!,
      fields: {
        a: [kindToken(moment.kind), ...moment.tokens, ...tokenize(moment.text)],
        ...(moment.besides && { b: tokenize(moment.besides) }),
      },
    }));
    await writeDocuments(tx, 'searchMoment', documents);
    for (const [space, some] of Map.groupBy(documents, (document) => document.space))
      await countWords(tx, space, wordCounts(some));
  }
  const unfinished = new Set(missing.slice(most).map(({ videoId }) => videoId));
  return ids.filter((id) => !unfinished.has(id));
}
