import type { MeaningModel } from '#contract/meaning-models.ts';
import type { Chapter } from '#contract/video.ts';
import { ChapterEvaluation } from '#contract/chapters.ts';
import { readSettings, readStored, writeStored } from '../../archive/settings/store.ts';
import { inTransaction, type Db } from '../../platform/db/db.ts';
import { activeModel } from '../meaning/active-model.ts';
import { models, vectorOf } from '../meaning/model.ts';
import { passagesPerTrack } from '../meaning/cut-passages.ts';
import type { SpokenPassage } from './find-boundaries.ts';

const evaluationName = 'service.chapters';
const leastSpeechMs = 600_000;
const leastOfSite = 3;

/** A transcript whose passages are indexed. */
export interface SpokenTrack {
  number: number;
  videoId: string;
  lang: string;
}

const trackColumns = ['passageTrack.number', 'passageTrack.videoId', 'passageTrack.lang'] as const;

/** Transcripts that were not looked at since their text or the chapters of the site changed. */
const waiting = (db: Db, model: MeaningModel) =>
  db
    .selectFrom('passageTrack')
    .leftJoin('generatedChapters', 'generatedChapters.videoId', 'passageTrack.videoId')
    .where('generatedChapters.videoId', 'is', null)
    .where('passageTrack.passages', '>', 0)
    .where('passageTrack.model', '=', model);

/** Returns the next transcripts to look at, the newest first. */
export const nextTracks = async (db: Db, limit: number): Promise<SpokenTrack[]> =>
  waiting(db, await activeModel(db))
    .select(trackColumns)
    .orderBy('passageTrack.number', 'desc')
    .limit(limit)
    .execute();

export async function countWaiting(db: Db): Promise<number> {
  const { count } = await waiting(db, await activeModel(db))
    .select((e) => e.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

export async function countGenerated(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('generatedChapters')
    .select((e) => e.fn.countAll<number>().as('count'))
    .where('chapters', '<>', '[]')
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Returns the transcripts with enough speech of the newest videos with at least three chapters of the site. */
export async function comparableTracks(
  db: Db,
  model: MeaningModel,
  limit: number,
): Promise<(SpokenTrack & { chapters: Chapter[] })[]> {
  const rows = await db
    .selectFrom('video')
    .innerJoin('passageTrack', 'passageTrack.videoId', 'video.id')
    .select([...trackColumns, 'video.chapters'])
    .where('video.chapters', '<>', '[]')
    .where('passageTrack.model', '=', model)
    .where((w) =>
      w(
        w
          .selectFrom('passage')
          .select((e) => e.fn.sum<number>(e('endMs', '-', e.ref('startMs'))).as('speech'))
          .whereRef('passage.videoId', '=', 'video.id')
          .where('passage.model', '=', model),
        '>=',
        leastSpeechMs,
      ),
    )
    .orderBy('video.publishedAt', 'desc')
    .orderBy('video.id')
    .limit(2 * limit) // nearly all sites have at least three, or none
    .execute();
  return rows
    .map(({ chapters, ...track }) => ({ ...track, chapters: JSON.parse(chapters) as Chapter[] }))
    .filter(({ chapters }) => chapters.length >= leastOfSite)
    .slice(0, limit);
}

/** Returns the passages of a transcript in order; none if they are of less than ten minutes. Damaged vectors are an error. */
export async function passagesOf(db: Db, { number }: SpokenTrack): Promise<SpokenPassage[]> {
  const rows = await db
    .selectFrom('passage')
    .select(['startMs', 'endMs', 'model', 'vector'])
    .where('number', '>=', number * passagesPerTrack)
    .where('number', '<', (number + 1) * passagesPerTrack)
    .orderBy('number')
    .execute();
  if (rows.some(({ model, vector }) => vector.length !== models[model].dimensions))
    throw new Error('A vector has another length.');
  const speechMs = rows.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0);
  return speechMs < leastSpeechMs ? [] : rows.map((row) => ({ ...row, vector: vectorOf(row.vector) }));
}

/** Returns what a video is, or undefined if it was deleted. */
export const videoOf = (db: Db, videoId: string) =>
  db.selectFrom('video').select(['durationSeconds', 'chapters']).where('id', '=', videoId).executeTakeFirst();

/** Number of indexed pieces of transcripts, of which the dictionary counts those with a word. */
export async function countPieces(db: Db): Promise<number> {
  const { pieces } = await db
    .selectFrom('searchTrack')
    .select((e) => e.fn.coalesce(e.fn.sum<number>('chunks'), e.lit(0)).as('pieces'))
    .executeTakeFirstOrThrow();
  return Number(pieces);
}

/** Saves chapters, unless the transcript changed, the site brought some, or they were turned off meanwhile. */
export const saveChapters = (db: Db, { number, videoId }: SpokenTrack, chapters: readonly Chapter[]): Promise<void> =>
  inTransaction(db, async (tx) => {
    const track = await tx.selectFrom('passageTrack').select('videoId').where('number', '=', number).executeTakeFirst();
    if (track?.videoId !== videoId || !(await readSettings(tx)).chapters.generate) return;
    const ofSite = (await videoOf(tx, videoId))?.chapters !== '[]';
    await tx
      .insertInto('generatedChapters')
      .values({ videoId, track: number, chapters: ofSite ? '[]' : JSON.stringify(chapters) })
      .onConflict((c) => c.doNothing())
      .execute();
  });

export const deleteGeneratedChapters = (db: Db) => db.deleteFrom('generatedChapters').execute();

export async function hasGeneratedChapters(db: Db): Promise<boolean> {
  return (await db.selectFrom('generatedChapters').select('videoId').limit(1).executeTakeFirst()) !== undefined;
}

/** Returns the last evaluation, or null. */
export async function readEvaluation(db: Db): Promise<ChapterEvaluation | null> {
  return ChapterEvaluation.safeParse(await readStored(db, evaluationName)).data ?? null;
}

export const saveEvaluation = (db: Db, evaluation: ChapterEvaluation) => writeStored(db, evaluationName, evaluation);
