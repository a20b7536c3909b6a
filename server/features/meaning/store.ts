import type { MeaningModel } from '#contract/meaning-models.ts';
import { inTransaction, type Db, type Tx } from '../../platform/db/db.ts';
import { passagesPerTrack, type PassageLine, type PassageText } from './cut-passages.ts';
import { understands } from './model.ts';

/** Passages of an archive at most: those of the newest videos. */
export const maxPassages = 3_000_000;

/** Videos whose passages of a model are missing or outdated. `newest`: the number of the newest of their indexed tracks, which changes with each text. */
const outdated = (db: Db, model: MeaningModel) =>
  db
    .selectFrom('searchTrack')
    .leftJoin('passageTrack', (on) =>
      on.onRef('passageTrack.videoId', '=', 'searchTrack.videoId').on('passageTrack.model', '=', model),
    )
    .select((e) => ['searchTrack.videoId as id', e.fn.max<number>('searchTrack.number').as('newest')])
    .groupBy(['searchTrack.videoId', 'passageTrack.source'])
    .having((w) => w.or([w('passageTrack.source', 'is', null), w('passageTrack.source', '<>', w.fn.max('searchTrack.number'))]));

export interface OutdatedVideo {
  id: string;
  newest: number;
}

/** Returns the next videos to embed, those with the newest texts first. */
export const nextVideos = (db: Db, model: MeaningModel, limit: number): Promise<OutdatedVideo[]> =>
  outdated(db, model).orderBy('newest', 'desc').limit(limit).execute();

export async function countOutdated(db: Db, model: MeaningModel): Promise<number> {
  const { count } = await db
    .selectFrom(outdated(db, model).as('video'))
    .select((e) => e.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Deletes passages of videos that have no indexed transcript any more. Returns whether there were any. */
export async function deleteAbandoned(db: Db): Promise<boolean> {
  const gone = await db
    .selectFrom('passageTrack')
    .select(['number', 'videoId'])
    .where((w) =>
      w.not(w.exists(w.selectFrom('searchTrack').select('number').whereRef('searchTrack.videoId', '=', 'passageTrack.videoId'))),
    )
    .limit(200)
    .execute();
  if (gone.length === 0) return false;
  await inTransaction(db, async (tx) => {
    for (const { videoId } of gone) await deletePassages(tx, videoId);
  });
  return true;
}

/** Deletes the passages of a video: all, or those of a model, and those of others of an earlier text. */
async function deletePassages(tx: Tx, videoId: string, current?: { model: MeaningModel; source: number }) {
  const tracks = await tx
    .selectFrom('passageTrack')
    .select(['number', 'model'])
    .where('videoId', '=', videoId)
    .$if(current !== undefined, (q) =>
      q.where((w) => w.or([w('model', '=', current!.model), w('source', '<>', current!.source)])),
    )
    .execute();
  for (const { number, model } of tracks) {
    await tx.deleteFrom('passage').where('videoId', '=', videoId).where('model', '=', model).execute();
    await tx.deleteFrom('passageTrack').where('number', '=', number).execute();
  }
}

/** Deletes the passages of some videos of other models. Returns whether there were any. */
export async function deleteOtherModels(db: Db, model: MeaningModel): Promise<boolean> {
  const tracks = await db
    .selectFrom('passageTrack')
    .select(['number', 'videoId', 'model'])
    .where('model', '<>', model)
    .orderBy('number')
    .limit(20)
    .execute();
  await inTransaction(db, async (tx) => {
    for (const { number, videoId, model: other } of tracks) {
      await tx.deleteFrom('passage').where('videoId', '=', videoId).where('model', '=', other).execute();
      await tx.deleteFrom('passageTrack').where('number', '=', number).execute();
    }
  });
  return tracks.length > 0;
}

/** Deletes the whole index. */
export const deleteAllPassages = (db: Db): Promise<void> =>
  inTransaction(db, async (tx) => {
    await tx.deleteFrom('passage').execute();
    await tx.deleteFrom('passageTrack').execute();
  });

const sourceRank = { user: 0, file: 0, auto: 1, generated: 2 } as const;
const baseOf = (lang: string) => lang.toLowerCase().split('-')[0]!;

/**
 * Returns the language of the transcript that is embedded: written by people before automatic before generated, first in the spoken
 * language. The site writes what it hears, so that is the language of its automatic captions.
 */
export async function languageToEmbed(db: Db, model: MeaningModel, videoId: string): Promise<string | null> {
  const tracks = await db
    .selectFrom('searchTrack')
    .leftJoin('subtitle', (on) =>
      on.onRef('subtitle.videoId', '=', 'searchTrack.videoId').onRef('subtitle.lang', '=', 'searchTrack.lang'),
    )
    .select(['searchTrack.lang', 'subtitle.source'])
    .where('searchTrack.videoId', '=', videoId)
    .execute();
  const heard = new Set(
    tracks.filter(({ source }) => source === 'auto' || source === 'generated').map(({ lang }) => baseOf(lang)),
  );
  const isSpoken = (lang: string) => heard.size === 1 && heard.has(baseOf(lang));
  const rankOf = ({ lang, source }: (typeof tracks)[number]) =>
    (understands(model, lang) ? 0 : 100) + 10 * sourceRank[source ?? 'file'] + (isSpoken(lang) ? 0 : 1);
  const [best] = tracks.toSorted((a, b) => rankOf(a) - rankOf(b) || (a.lang < b.lang ? -1 : 1));
  return best?.lang ?? null;
}

export const linesOf = (db: Db, videoId: string, lang: string): Promise<PassageLine[]> =>
  db
    .selectFrom('transcriptLine')
    .select(['startSeconds', 'endSeconds', 'text'])
    .where('videoId', '=', videoId)
    .where('lang', '=', lang)
    .orderBy('position')
    .execute();

/** Returns whether a video has passages in the index. */
export const hasPassages = async (db: Db, model: MeaningModel, videoId: string): Promise<boolean> =>
  (await db
    .selectFrom('passageTrack')
    .select('number')
    .where('videoId', '=', videoId)
    .where('model', '=', model)
    .where('passages', '>', 0)
    .executeTakeFirst()) !== undefined;

/** Returns the passage of a video that contains a time, or the nearest one; undefined if none is in the index. */
export async function passageAt(db: Db, model: MeaningModel, { videoId, ms }: { videoId: string; ms: number }) {
  const ofVideo = db
    .selectFrom('passage')
    .select(['number', 'videoId', 'lang', 'startMs', 'endMs', 'vector'])
    .where('videoId', '=', videoId)
    .where('model', '=', model);
  const [before, after] = await Promise.all([
    ofVideo.where('startMs', '<=', ms).orderBy('startMs', 'desc').limit(1).executeTakeFirst(),
    ofVideo.where('startMs', '>', ms).orderBy('startMs').limit(1).executeTakeFirst(),
  ]);
  const isAfter = after && (!before || after.startMs - ms < ms - before.endMs);
  return isAfter ? after : before;
}

/** Returns the vectors of a model of a video by the marks of their texts. */
export async function knownVectors(db: Db, model: MeaningModel, videoId: string): Promise<Map<string, Uint8Array>> {
  const rows = await db
    .selectFrom('passage')
    .select(['mark', 'vector'])
    .where('videoId', '=', videoId)
    .where('model', '=', model)
    .execute();
  return new Map(rows.map(({ mark, vector }) => [mark, vector]));
}

/** The passages of a video with their vectors. */
export interface EmbeddedVideo extends OutdatedVideo {
  lang: string;
  passages: (PassageText & { vector: Uint8Array })[];
}

/** Replaces the passages of videos in one transaction. Videos that were deleted or changed meanwhile are omitted. */
export const savePassages = (db: Db, model: MeaningModel, videos: readonly EmbeddedVideo[]): Promise<void> =>
  inTransaction(db, async (tx) => {
    for (const { id, newest, lang, passages } of videos) {
      const current = await tx
        .selectFrom('searchTrack')
        .select((e) => e.fn.max<number | null>('number').as('newest'))
        .where('videoId', '=', id)
        .executeTakeFirstOrThrow();
      const isThere = await tx.selectFrom('video').select('id').where('id', '=', id).executeTakeFirst();
      if (!isThere || current.newest !== newest) continue;
      await deletePassages(tx, id, { model, source: newest });
      const { number } = await tx
        .insertInto('passageTrack')
        .values({ videoId: id, lang, model, source: newest, passages: passages.length })
        .returning('number')
        .executeTakeFirstOrThrow();
      for (let from = 0; from < passages.length; from += 100)
        await tx
          .insertInto('passage')
          .values(
            passages.slice(from, from + 100).map(({ startMs, endMs, mark, vector }, place) => ({
              number: number * passagesPerTrack + from + place,
              videoId: id,
              lang,
              startMs,
              endMs,
              model,
              mark,
              vector,
            })),
          )
          .execute();
    }
  });

/** Numbers of the index of a model. */
export async function indexTotals(db: Db, model: MeaningModel) {
  const { videos, passages } = await db
    .selectFrom('passageTrack')
    .select((e) => [e.fn.countAll<number>().as('videos'), e.fn.coalesce(e.fn.sum<number>('passages'), e.lit(0)).as('passages')])
    .where('model', '=', model)
    .executeTakeFirstOrThrow();
  return { videos: Number(videos), passages: Number(passages), queue: await countOutdated(db, model) };
}

/** Returns whether videos are to be embedded and there is space for them. */
export async function hasPassagesToAdd(db: Db, model: MeaningModel): Promise<boolean> {
  const { queue, passages } = await indexTotals(db, model);
  return queue > 0 && passages < maxPassages;
}

/** Videos whose transcripts a model does not understand, and their languages, most frequent first. */
export async function uncovered(db: Db, model: MeaningModel): Promise<{ videos: number; languages: string[] }> {
  const rows = await db
    .selectFrom('passageTrack')
    .select((e) => ['lang', e.fn.countAll<number>().as('videos')])
    .where('model', '=', model)
    .where('passages', '=', 0)
    .groupBy('lang')
    .orderBy('videos', 'desc')
    .orderBy('lang')
    .execute();
  const others = rows.filter(({ lang }) => !understands(model, lang));
  return { videos: others.reduce((sum, { videos }) => sum + Number(videos), 0), languages: others.map(({ lang }) => lang) };
}
