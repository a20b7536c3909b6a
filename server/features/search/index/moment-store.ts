import { sql } from 'kysely';
import type { Chapter } from '#contract/video.ts';
import type { Db } from '../../../platform/db/db.ts';
import { jsonRows } from '../../../platform/db/rows-as-json.ts';
import type { MomentDocumentTable } from '../../../platform/db/schema/tables.ts';
import type { Expression } from '../text/fts-expression.ts';
import { chaptersOfVideo, maxComment, maxDescription, textOfNote } from './index-moments.ts';
import { conditionsOf, hasFilter, matchesFilter, matchingMoments, type SearchFilter } from './store.ts';

// The documents of up to `fewVideos` matching videos are searched one by one. With more, the filter is applied to the first
// `maxLookedAt` documents.
const fewVideos = 40;
const maxLookedAt = 5_000;

export interface MomentDocument {
  number: number;
  videoId: string;
  kind: MomentDocumentTable['kind'];
  ref: string;
}

const columns = ['momentDocument.number', 'momentDocument.videoId', 'momentDocument.kind', 'momentDocument.ref'] as const;

/** Returns the videos that match the filter; null if there is no filter or too many videos match. */
export async function isFewVideos(db: Db, narrowing: SearchFilter): Promise<string[] | null> {
  if (!hasFilter(narrowing)) return null;
  const rows = await db
    .selectFrom('video')
    .select('video.id')
    .where(conditionsOf(narrowing))
    .limit(fewVideos + 1)
    .execute();
  return rows.length > fewVideos ? null : rows.map(({ id }) => id);
}

interface DocumentQuery {
  expression: Expression;
  narrowing: SearchFilter;
  /** From `isFewVideos`. */
  videos: string[] | null;
  limit: number;
}

/** Finds matching documents: of too many matches the newest on SQLite, any on PostgreSQL. */
export async function findDocuments(db: Db, { expression, narrowing, videos, limit }: DocumentQuery): Promise<MomentDocument[]> {
  if (videos?.length === 0) return [];
  // SQLite keeps the table order of a cross join: document by document of these videos.
  if (videos)
    return db
      .selectFrom('momentDocument')
      .crossJoin('searchMoment')
      .select(columns)
      .where('momentDocument.videoId', 'in', videos)
      .whereRef('searchMoment.rowid', '=', 'momentDocument.number')
      .where(matchesFilter(db, 'searchMoment', expression))
      .limit(limit)
      .execute();
  const isNarrowed = hasFilter(narrowing);
  return db
    .selectFrom(matchingMoments(db, expression, isNarrowed ? maxLookedAt : limit).as('found'))
    .crossJoin('momentDocument')
    .select(columns)
    .whereRef('momentDocument.number', '=', 'found.rowid')
    .$if(isNarrowed, (q) =>
      q
        .crossJoin('video')
        .whereRef('video.id', '=', 'momentDocument.videoId')
        .where((w) => conditionsOf(narrowing)(w as never)),
    )
    .limit(limit)
    .execute();
}

export interface MomentText extends MomentDocument {
  text: string;
  author: string | null;
  startSeconds: number | null;
  endSeconds: number | null;
  isGenerated: boolean;
}

/** Loads the texts of documents in the given order; those deleted meanwhile are omitted. */
export async function readDocuments(db: Db, documents: readonly MomentDocument[]): Promise<MomentText[]> {
  if (documents.length === 0) return [];
  const given = jsonRows(
    db,
    documents.map(({ videoId, kind, ref }, place) => [place, kind, videoId, ref]),
  );
  const { rows } = await sql<{
    place: number;
    text: string | null;
    author: string | null;
    chapters: string | null;
    quote: string | null;
    startMs: number | null;
    endMs: number | null;
  }>`
    with given_rows as (select cast(value ->> 0 as integer) as place, value ->> 1 as given_kind, value ->> 2 as given_video,
      value ->> 3 as given_ref from ${given})
    select place, substr(video.description, 1, ${sql.lit(maxDescription)}) as text, null as author, null as chapters, null as quote,
      cast(null as bigint) as start_ms, cast(null as bigint) as end_ms
      from given_rows cross join video where given_kind = 'description' and video.id = given_video
    union all select place, substr(comment.text, 1, ${sql.lit(maxComment)}), comment.author, null, null, null, null
      from given_rows cross join comment where given_kind = 'comment' and comment.video_id = given_video and comment.id = given_ref
    union all select place, history.value, null, null, null, null, null
      from given_rows cross join metadata_history as history
      where given_kind = 'title' and history.video_id = given_video and history.field = 'title'
      and cast(history.replaced_at as text) = given_ref
    union all select place, null, null, ${chaptersOfVideo}, null, null, null
      from given_rows cross join video left join generated_chapters on generated_chapters.video_id = video.id
      where given_kind = 'chapter' and video.id = given_video
    union all select place, note.text, null, null, note.quote, note.start_ms, note.end_ms
      from given_rows cross join note where given_kind = 'note' and note.video_id = given_video
      and cast(note.number as text) = given_ref`.execute(db);
  const byPlace = new Map(rows.map((row) => [row.place, row]));
  const seconds = (ms: number | null) => (ms === null ? null : ms / 1000);
  return documents.flatMap((document, place) => {
    const row = byPlace.get(place);
    if (!row) return [];
    const chapter = row.chapters === null ? undefined : (JSON.parse(row.chapters) as Chapter[])[Number(document.ref)];
    const text = chapter?.title ?? (row.text === null ? null : textOfNote({ text: row.text, quote: row.quote }));
    if (text === null) return [];
    return [
      {
        ...document,
        text,
        author: row.author,
        startSeconds: chapter?.start ?? seconds(row.startMs),
        endSeconds: chapter?.end ?? seconds(row.endMs),
        isGenerated: chapter?.is_generated === true,
      },
    ];
  });
}

/** Returns about the number of documents. */
export async function estimateDocuments(db: Db): Promise<number> {
  const newest = await db.selectFrom('momentDocument').select('number').orderBy('number', 'desc').limit(1).executeTakeFirst();
  return newest?.number ?? 0;
}

/** Returns whether changes of some videos are not indexed yet. */
export const isIndexBehind = async (db: Db): Promise<boolean> =>
  (await db.selectFrom('searchPending').select('number').where('kind', '=', 'moments').limit(1).executeTakeFirst()) !== undefined;

/** Loads the videos of a page of results. */
export const videosFound = (db: Db, ids: readonly string[]) =>
  db
    .selectFrom('video')
    .innerJoin('channel', 'channel.id', 'video.channelId')
    .leftJoin('storyboard', (on) => on.onRef('storyboard.videoId', '=', 'video.id').onRef('sourceSha256', '=', 'video.sha256'))
    .select(['video.id', 'video.title', 'video.tags', 'video.publishedAt', 'video.channelId', 'channel.name as channelName'])
    .select(['video.durationSeconds', 'video.branding', 'storyboard.sheets as storyboardSheets'])
    .where('video.id', 'in', ids)
    .execute();

/** Returns when videos were published; those deleted meanwhile are missing. */
export async function publishedOf(db: Db, ids: readonly string[]): Promise<Map<string, number>> {
  const given = jsonRows(
    db,
    ids.map((id) => [id]),
  );
  const rows = await db
    .selectFrom('video')
    .select(['id', 'publishedAt'])
    .where('id', 'in', sql<string>`(select value ->> 0 from ${given})`)
    .execute();
  return new Map(rows.map(({ id, publishedAt }) => [id, publishedAt]));
}
