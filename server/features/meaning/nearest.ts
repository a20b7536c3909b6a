import type { ExpressionBuilder, ExpressionWrapper, SqlBool } from 'kysely';
import { chunks, type Db } from '../../platform/db/db.ts';
import type { Tables } from '../../platform/db/schema/tables.ts';
import { nearestCodes, readSampleVectors } from './codes.ts';
import { codeWords, leastSimilarity, lengthOf, similarity, vectorOf, writeCode, type Unrelated } from './model.ts';

// Two steps: the passages whose 1-bit codes differ least, then the exact order by their vectors.

const maxCompared = 2000;

/** Condition on the video of a passage. */
type OnVideo = (w: ExpressionBuilder<Tables, 'video'>) => ExpressionWrapper<Tables, 'video', SqlBool>;

export interface NearestQuery {
  /** Folder of the files of codes. */
  folder: string;
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
  const { folder, vector, tracks, except, onVideo, limit } = query;
  if (tracks?.size === 0) return [];
  const code = new Uint32Array(codeWords);
  writeCode(vector, code);
  const nearest = await nearestCodes(folder, code, { tracks, wanted: maxCompared });
  const numbers = except ? nearest.filter((number) => !except.has(number)) : nearest;
  const least = leastSimilarity(vector, await readSampleVectors(folder), query);
  const length = lengthOf(vector);
  const found: FoundPassage[] = [];
  for (const some of chunks(numbers, 500)) {
    const rows = await db
      .selectFrom('passage')
      .innerJoin('video', 'video.id', 'passage.videoId')
      .select(['passage.number', 'passage.videoId', 'passage.lang', 'startMs', 'endMs', 'vector'])
      .where('passage.number', 'in', some)
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
