import type { Api } from '#contract/api.ts';
import type { Reply } from '#contract/endpoint.ts';
import { message } from '#contract/messages.ts';
import type { FoundVideo } from '#contract/search.ts';
import { readSettings } from '../../../archive/settings/store.ts';
import { findDuration } from '../../../archive/video/store.ts';
import type { AppContext } from '../../../platform/context/app-context.ts';
import type { Db } from '../../../platform/db/db.ts';
import { workerQuery } from '../../../platform/db/worker-query.ts';
import { HttpError, notFound } from '../../../platform/http/http-error.ts';
import { activeModel } from '../../meaning/active-model.ts';
import { codesFolder, type CodeFiles } from '../../meaning/codes.ts';
import { models, vectorOf } from '../../meaning/model.ts';
import { nearestPassages, type FoundPassage } from '../../meaning/nearest.ts';
import { passageAt } from '../../meaning/store.ts';
import { videosFound } from '../index/moment-store.ts';
import { sourcesOfHits } from '../index/transcript-store.ts';
import { conditionsOf, type SearchFilter } from '../index/store.ts';
import { textsOfPassages } from './find-similar-passages.ts';
import { serializeFound, serializePassage } from './moment-shape.ts';
import { runSearch } from './search.ts';
import { asNotices } from './search-moments.ts';
import type { Searcher } from './search-queue.ts';
import { roundScore } from './shape.ts';

// Of 3,802 paragraphs of manual pages, 96 % of the translated ones reach 3.5 deviations with their original, and 0.5 % of those of other
// pages do, which are mostly about related commands: 10 for a paragraph at the median.
const leastDeviations = 3.5;
const maxSimilar = 60;

interface Sought {
  video: string;
  seconds: number;
  files: CodeFiles;
  narrowing: SearchFilter;
}

/** Serializes passages, best first, grouped by their video; those deleted meanwhile are omitted. */
async function serializePassages(db: Db, passages: readonly FoundPassage[]): Promise<FoundVideo[]> {
  if (passages.length === 0) return [];
  const ofVideos = Map.groupBy(passages, ({ videoId }) => videoId);
  const ids = [...ofVideos.keys()];
  const [videos, sourceOf, texts] = await Promise.all([
    videosFound(db, ids),
    sourcesOfHits(db, ids),
    textsOfPassages(db, passages),
  ]);
  const videoOf = new Map(videos.map((video) => [video.id, video]));
  return [...ofVideos].flatMap(([id, some]) => {
    const video = videoOf.get(id);
    const moments = some.flatMap((passage) => {
      const text = texts.get(passage.number);
      return video && text !== undefined ? [serializePassage(video, passage, { text, source: sourceOf(passage) })] : [];
    });
    return video && moments.length > 0
      ? [serializeFound(video, { score: roundScore(some[0]!.similarity), more: 0, moments })]
      : [];
  });
}

/** Finds the passages nearest to that at a time of a video, by its stored vector; null if the video has none. */
export const readSimilarMoments = workerQuery('similar moments', async (db, { video, seconds, files, narrowing }: Sought) => {
  const passage = await passageAt(db, files.model, { videoId: video, ms: Math.round(seconds * 1000) });
  if (!passage) return null;
  const { vector: bytes, ...source } = passage;
  const similar = await nearestPassages(db, {
    files,
    vector: vectorOf(bytes),
    tracks: null,
    // The passages before and after it continue what it says.
    except: new Set([-1, 0, 1].map((step) => source.number + step)),
    onVideo: conditionsOf(narrowing),
    leastDeviations,
    unrelated: models[files.model].unrelatedPassages,
    limit: maxSimilar,
  });
  const [found] = await serializePassages(db, [{ ...source, similarity: 1 }]);
  if (!found) return null;
  const moments = found.moments.map((moment) => ({ ...moment, is_similar: false }));
  return { source: { ...found, moments }, videos: await serializePassages(db, similar) };
});

/**
 * Finds moments about the same as what is said at a time of a video, in a worker. It needs no model.
 * @throws HttpError 409 while the search by meaning is off, 404 for a video that is not in its index
 */
export async function similarMoments(
  app: AppContext,
  { video, t: seconds }: { video: string; t: number },
  who: Searcher,
  signal?: AbortSignal,
): Promise<Reply<Api['GET /api/search/moments/similar/']>> {
  const { db, config } = app;
  if (!(await readSettings(db)).meaning.enabled) throw new HttpError(409, message('error.meaning-off'));
  const model = await activeModel(db);
  const files = { folder: codesFolder(config), model };
  const sought = { video, seconds, files, narrowing: { accountId: who.accountId } };
  const found = await runSearch(app, who, (reading) => readSimilarMoments(reading, sought), signal);
  // Its passages may be gone.
  if ((await activeModel(db)) !== model) return similarMoments(app, { video, t: seconds }, who, signal);
  if (!found) throw notFound((await findDuration(db, video)) ? 'error.no-passages' : 'error.video');
  const { indexNotices } = await import('./ask-by-meaning.ts');
  return {
    ...found,
    ...asNotices([
      ...(found.videos.length === 0 ? [message('search.meaning-nothing')] : []),
      ...(await indexNotices(app, model)),
    ]),
  };
}
