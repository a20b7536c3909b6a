import type { MeaningModel } from '#contract/meaning-models.ts';
import { inTransaction, type Db } from '../../platform/db/db.ts';
import { modelsInIndex } from './active-model.ts';
import { passagesPerTrack } from './cut-passages.ts';
import { meanVector, vectorOf } from './model.ts';

/** Nearest tracks that are stored for each track. */
export const maxRelated = 12;
const tracksAtOnce = 100;

/** Selects tracks of a model whose vector is missing. */
const withoutVector = (db: Db, model: MeaningModel) =>
  db
    .selectFrom('passageTrack')
    .leftJoin('trackVector', 'trackVector.number', 'passageTrack.number')
    .select('passageTrack.number')
    .where('trackVector.number', 'is', null)
    .where('passageTrack.passages', '>', 0)
    .where('passageTrack.model', '=', model)
    .orderBy('passageTrack.number')
    .limit(tracksAtOnce);

/** Stores the vectors of some tracks of a model that have none. Returns their number. */
export async function addTrackVectors(db: Db, model: MeaningModel): Promise<number> {
  const tracks = await withoutVector(db, model).execute();
  const means: { number: number; vector: Int8Array }[] = [];
  for (const { number } of tracks) {
    const passages = await db
      .selectFrom('passage')
      .select('vector')
      .where('number', '>=', number * passagesPerTrack)
      .where('number', '<', (number + 1) * passagesPerTrack)
      .execute();
    means.push({ number, vector: meanVector(passages.map(({ vector }) => vectorOf(vector))) });
  }
  await inTransaction(db, async (tx) => {
    for (const { number, vector } of means)
      // Selected, because the track may have been deleted meanwhile.
      await tx
        .insertInto('trackVector')
        .columns(['number', 'state', 'vector'])
        .expression((w) =>
          w
            .selectFrom('passageTrack')
            .select((e) => ['passageTrack.number', e.lit(0).as('state'), e.val(new Uint8Array(vector.buffer)).as('vector')])
            .where('passageTrack.number', '=', number),
        )
        .onConflict((c) => c.column('number').doNothing())
        .execute();
  });
  return tracks.length;
}

/** Selects the vectors of the tracks of a model. */
const vectorsOfModel = (db: Db, model: MeaningModel) =>
  db
    .selectFrom('trackVector')
    .innerJoin('passageTrack', 'passageTrack.number', 'trackVector.number')
    .where('passageTrack.model', '=', model);

export async function countTracks(db: Db, model: MeaningModel): Promise<number> {
  const { count } = await vectorsOfModel(db, model)
    .select((e) => e.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

interface TrackVector {
  number: number;
  vector: Int8Array;
}

/** Reads the vectors of all tracks of a model in order, some at a time. */
export async function* readTrackVectors(db: Db, model: MeaningModel): AsyncGenerator<TrackVector[]> {
  for (let after = 0; ;) {
    const rows = await vectorsOfModel(db, model)
      .select(['trackVector.number', 'vector'])
      .where('trackVector.number', '>', after)
      .orderBy('trackVector.number')
      .limit(1000)
      .execute();
    yield rows.map(({ number, vector }) => ({ number, vector: vectorOf(vector) }));
    if (rows.length < 1000) return;
    after = rows.at(-1)!.number;
  }
}

export async function vectorsOf(db: Db, numbers: readonly number[]): Promise<TrackVector[]> {
  if (numbers.length === 0) return [];
  const rows = await db.selectFrom('trackVector').select(['number', 'vector']).where('number', 'in', numbers).execute();
  return rows.map(({ number, vector }) => ({ number, vector: vectorOf(vector) }));
}

/** Returns tracks whose nearest are to be found, new ones first. */
export const tracksToRelate = (db: Db, model: MeaningModel, limit: number) =>
  vectorsOfModel(db, model)
    .select(['trackVector.number', 'state', 'vector'])
    .where('state', '<', 2)
    .orderBy('state')
    .orderBy('trackVector.number')
    .limit(limit)
    .execute();

/** Returns whether there are tracks to compare. */
export async function isAnyToRelate(db: Db): Promise<boolean> {
  for (const model of await modelsInIndex(db)) {
    const [missing] = await withoutVector(db, model).limit(1).execute();
    if (missing !== undefined || (await tracksToRelate(db, model, 1)).length > 0) return true;
  }
  return false;
}

export async function countToRelate(db: Db, model: MeaningModel): Promise<number> {
  const { count } = await vectorsOfModel(db, model)
    .select((e) => e.fn.countAll<number>().as('count'))
    .where('state', '<', 2)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** The nearest tracks of a track, best first. */
export interface RelatedTracks {
  number: number;
  related: number[];
}

/**
 * Replaces the nearest tracks of some tracks in one transaction. Tracks that were deleted meanwhile are omitted. `outdated`: tracks to
 * compare again, because new ones are near to them.
 */
export const saveRelated = (db: Db, found: readonly RelatedTracks[], outdated: readonly number[]): Promise<void> =>
  inTransaction(db, async (tx) => {
    const numbers = [...new Set(found.flatMap(({ number, related }) => [number, ...related]))];
    const rows = await tx.selectFrom('passageTrack').select('number').where('number', 'in', numbers).execute();
    const live = new Set(rows.map(({ number }) => number));
    for (const { number, related } of found) {
      await tx.deleteFrom('relatedTrack').where('number', '=', number).execute();
      const values = related
        .filter((other) => live.has(other) && live.has(number))
        .map((other, position) => ({ number, position, related: other }));
      if (values.length > 0) await tx.insertInto('relatedTrack').values(values).execute();
      await tx.updateTable('trackVector').set({ state: 2 }).where('number', '=', number).execute();
    }
    if (outdated.length > 0)
      await tx.updateTable('trackVector').set({ state: 1 }).where('number', 'in', outdated).where('state', '=', 2).execute();
  });

/** Returns the videos that are nearest to a video by what is said in them, by the vectors of a model, best first, with their channels. */
export const relatedVideos = (db: Db, model: MeaningModel, videoId: string): Promise<{ id: string; channelId: string }[]> =>
  db
    .selectFrom('passageTrack as own')
    .innerJoin('relatedTrack', 'relatedTrack.number', 'own.number')
    .innerJoin('passageTrack as other', 'other.number', 'relatedTrack.related')
    .innerJoin('video', 'video.id', 'other.videoId')
    .select(['video.id', 'video.channelId'])
    .where('own.videoId', '=', videoId)
    .where('own.model', '=', model)
    .orderBy('relatedTrack.position')
    .execute();
