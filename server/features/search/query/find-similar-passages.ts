import { sql } from 'kysely';
import { chunks, type Db } from '../../../platform/db/db.ts';
import { jsonRows } from '../../../platform/db/rows-as-json.ts';
import type { CodeFiles } from '../../meaning/codes.ts';
import { models } from '../../meaning/model.ts';
import { nearestPassages, type FoundPassage } from '../../meaning/nearest.ts';
import { conditionsOf, hasFilter, type SearchFilter } from '../index/store.ts';
import { tokenize } from '../text/tokenizer.ts';
import { channelsNamed } from './find-by-name.ts';
import { maxOfKind } from './find-moments.ts';
import type { ParsedMoments } from './parse-moments.ts';
import { exactly, wordLists } from './query-terms.ts';
import { occurrences } from './score.ts';

/** A question with its vector. */
export interface MeaningQuery {
  vector: Int8Array;
  /** Of the model of the vector. */
  files: CodeFiles;
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

/** Returns the texts of passages, by their numbers; those whose track was deleted meanwhile are missing. */
export async function textsOfPassages(db: Db, passages: readonly FoundPassage[]): Promise<Map<number, string>> {
  const texts = new Map<number, string>();
  for (const some of chunks(passages, 50)) {
    const given = jsonRows(
      db,
      some.map(({ number, videoId, lang, startMs, endMs }) => [number, videoId, lang, startMs / 1000, endMs / 1000]),
    );
    // Seconds may be rounded to milliseconds in the index.
    const { rows } = await sql<{ number: number; text: string }>`
      with given_rows as (select cast(value ->> 0 as bigint) as number, value ->> 1 as given_video, value ->> 2 as given_lang,
        cast(value ->> 3 as double precision) as given_start, cast(value ->> 4 as double precision) as given_end from ${given})
      select number, text from given_rows cross join transcript_line as line
        where line.video_id = given_video and line.lang = given_lang
        and line.start_seconds > given_start - 0.001 and line.start_seconds < given_end - 0.001
        and line.end_seconds <= given_end + 0.001
        order by number, line.position`.execute(db);
    for (const { number, text } of rows) texts.set(number, texts.has(number) ? `${texts.get(number)} ${text}` : text);
  }
  return texts;
}

/** Finds passages about the same as a question, best first: at most 200. */
export async function findSimilarPassages(
  db: Db,
  query: ParsedMoments,
  { meaning, narrowing }: { meaning: MeaningQuery; narrowing: SearchFilter },
): Promise<FoundPassage[]> {
  const isOfOthers = query.by.length > 0 || (query.kinds !== null && !query.kinds.includes('spoken'));
  if (isOfOthers) return [];
  const { questionDeviations, unrelatedQuestions } = models[meaning.files.model];
  const found = await nearestPassages(db, {
    ...meaning,
    tracks: await tracksFor(db, query, narrowing),
    onVideo: conditionsOf(narrowing),
    leastDeviations: questionDeviations,
    unrelated: unrelatedQuestions,
    limit: maxOfKind,
  });
  const excluded = wordLists(query.excluded).map(exactly);
  if (excluded.length === 0) return found;
  const texts = await textsOfPassages(db, found);
  return found.filter(({ number }) => {
    const words = tokenize(texts.get(number) ?? '');
    return excluded.every((term) => occurrences(term, words).length === 0);
  });
}
