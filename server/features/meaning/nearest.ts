import type { ExpressionBuilder, ExpressionWrapper, SqlBool } from 'kysely';
import { chunks, type Db } from '../../platform/db/db.ts';
import type { Tables } from '../../platform/db/schema/tables.ts';
import { nearestCodes, readSampleVectors, type CodeFiles } from './codes.ts';
import { codeOf, leastSimilarity, lengthOf, models, similarity, vectorOf, type Unrelated } from './model.ts';

// Two steps: the passages whose 1-bit codes differ least, then the exact order by their vectors.

/** Condition on the video of a passage. */
type OnVideo = (w: ExpressionBuilder<Tables, 'video'>) => ExpressionWrapper<Tables, 'video', SqlBool>;

export interface NearestQuery {
  files: CodeFiles;
  /** Of the model of the files. */
  vector: Int8Array;
  /** Only passages of these tracks; null: all. */
  tracks: ReadonlySet<number> | null;
  /** Not these passages. */
  except?: ReadonlySet<number>;
  /** Also checked when rows are read. */
  onVideo: OnVideo;
  /** Standard deviations above the mean of unrelated texts that a passage must reach. */
  leastDeviations: number;
  /** Similarity to unrelated texts, for archives too small to measure it. */
  unrelated: Unrelated;
  limit: number;
}

export interface FoundPassage {
  number: number;
  videoId: string;
  lang: string;
  startMs: number;
  endMs: number;
  similarity: number;
}

/** Finds the passages with the most similar meaning, best first. */
export async function nearestPassages(db: Db, query: NearestQuery): Promise<FoundPassage[]> {
  const { files, vector, tracks, except, onVideo, limit } = query;
  if (tracks?.size === 0) return [];
  const nearest = await nearestCodes(files, codeOf(vector), { tracks, wanted: models[files.model].candidates });
  const numbers = except ? nearest.filter((number) => !except.has(number)) : nearest;
  const least = leastSimilarity(vector, await readSampleVectors(files), query);
  const length = lengthOf(vector);
  const found: FoundPassage[] = [];
  for (const some of chunks(numbers, 500)) {
    const rows = await db
      .selectFrom('passage')
      .innerJoin('video', 'video.id', 'passage.videoId')
      .select(['passage.number', 'passage.videoId', 'passage.lang', 'startMs', 'endMs', 'vector'])
      .where('passage.number', 'in', some)
      .where('passage.model', '=', files.model)
      .where((w) => onVideo(w as never) as never)
      .execute();
    for (const { vector: bytes, ...passage } of rows) {
      const fit = similarity(vector, length, vectorOf(bytes));
      if (fit >= least) found.push({ ...passage, similarity: fit });
    }
  }
  return found
    .sort(
      (a, b) => b.similarity - a.similarity || (a.videoId < b.videoId ? -1 : a.videoId > b.videoId ? 1 : a.startMs - b.startMs),
    )
    .slice(0, limit);
}
