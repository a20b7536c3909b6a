import type { Db } from '../../../platform/db/db.ts';
import { nearestPassages, type FoundPassage } from '../../meaning/nearest.ts';
import { conditionsOf, hasFilter, type SearchFilter } from '../index/store.ts';
import { tokenize } from '../text/tokenizer.ts';
import { channelsNamed } from './find-by-name.ts';
import { maxOfKind } from './find-moments.ts';
import type { ParsedMoments } from './parse-moments.ts';
import { exactly, wordLists } from './query-terms.ts';
import { occurrences } from './score.ts';

// Separates 27 questions in three languages from unrelated passages: those reach 2.7 deviations above their mean, and 26 right ones more than 3.5.
const leastDeviations = 3.5;

/** A question with its vector. */
export interface MeaningQuery {
  vector: Int8Array;
  /** Folder of the files of codes. */
  folder: string;
}

/** A passage with its text. */
export interface Passage extends FoundPassage {
  text: string;
}

/** Returns the tracks of videos that match the filters; null: all. */
async function tracksFor(db: Db, query: ParsedMoments, narrowing: SearchFilter): Promise<Set<number> | null> {
  const channels = query.channel.length > 0 ? await channelsNamed(db, wordLists(query.channel).flat(), narrowing) : null;
  if (!channels && query.lang === null && !query.isGenerated && !hasFilter(narrowing)) return null;
  const rows = await db
    .selectFrom('passageTrack')
    .innerJoin('video', 'video.id', 'passageTrack.videoId')
    .select('passageTrack.number')
    .where((w) => conditionsOf(narrowing)(w as never) as never)
    .$if(channels !== null, (q) => q.where('video.channelId', 'in', channels!.length > 0 ? channels! : ['']))
    .$if(query.lang !== null, (q) => q.where((w) => w(w.fn('lower', ['passageTrack.lang']), '=', query.lang)))
    .$if(query.isGenerated, (q) =>
      q.where((w) =>
        w.exists(
          w
            .selectFrom('subtitle')
            .select('subtitle.lang')
            .whereRef('subtitle.videoId', '=', 'passageTrack.videoId')
            .whereRef('subtitle.lang', '=', 'passageTrack.lang')
            .where('source', '=', 'generated'),
        ),
      ),
    )
    .execute();
  return new Set(rows.map(({ number }) => number));
}

/** Loads the texts of passages; those whose track was deleted meanwhile are omitted. */
async function withTexts(db: Db, passages: readonly FoundPassage[]): Promise<Passage[]> {
  const texts: Passage[] = [];
  for (const passage of passages) {
    const lines = await db
      .selectFrom('transcriptLine')
      .select('text')
      .where('videoId', '=', passage.videoId)
      .where('lang', '=', passage.lang)
      // Seconds may be rounded to milliseconds in the index.
      .where('startSeconds', '>', passage.startMs / 1000 - 0.001)
      .where('startSeconds', '<', passage.endMs / 1000 - 0.001)
      .where('endSeconds', '<=', passage.endMs / 1000 + 0.001)
      .orderBy('position')
      .execute();
    if (lines.length > 0) texts.push({ ...passage, text: lines.map(({ text }) => text).join(' ') });
  }
  return texts;
}

/** Finds passages about the same as a question, best first: at most 200. */
export async function findSimilarPassages(
  db: Db,
  query: ParsedMoments,
  { meaning, narrowing }: { meaning: MeaningQuery; narrowing: SearchFilter },
): Promise<Passage[]> {
  const isOfOthers = query.by.length > 0 || (query.kinds !== null && !query.kinds.includes('spoken'));
  if (isOfOthers) return [];
  const found = await nearestPassages(db, {
    ...meaning,
    tracks: await tracksFor(db, query, narrowing),
    onVideo: conditionsOf(narrowing),
    leastDeviations,
    limit: maxOfKind,
  });
  const excluded = wordLists(query.excluded).map(exactly);
  return (await withTexts(db, found)).filter(({ text }) => {
    const words = excluded.length > 0 ? tokenize(text) : [];
    return excluded.every((term) => occurrences(term, words).length === 0);
  });
}
