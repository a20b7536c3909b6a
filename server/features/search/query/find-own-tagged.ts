import type { Db } from '../../../platform/db/db.ts';
import { tokenize } from '../text/tokenizer.ts';
import { conditionsOf, ownTagged, type SearchFilter } from '../index/store.ts';
import type { OwnTag } from '../../tag/store.ts';
import type { Candidate } from './find-moments.ts';
import type { QueryTerm } from './query-terms.ts';
import { occurrences, scoreName } from './score.ts';

interface Sought {
  terms: { names: readonly QueryTerm[] };
  excluded: readonly QueryTerm[];
  channels: readonly string[] | null;
  narrowing: SearchFilter;
  ownTags: readonly OwnTag[];
}

/**
 * Finds videos with a private tag of the caller that has all terms, or of a channel with one, the newest of the best tags first. The
 * tags are compared one by one: their words are in no index, where others could find them.
 */
export async function findOwnTagged(db: Db, sought: Sought, most: number): Promise<Candidate[]> {
  const { terms, excluded, channels, narrowing, ownTags } = sought;
  const scores = new Map(ownTags.map(({ number, name }) => [number, scoreName(terms.names, tokenize(name))]));
  const tags = ownTags.filter(({ number }) => scores.get(number)! > 0);
  if (tags.length === 0) return [];
  const numbers = tags.map(({ number }) => number);
  const videos = await db
    .selectFrom('video')
    .select(['id', 'channelId', 'title', 'tags', 'categories'])
    .where(conditionsOf(narrowing))
    .where((w) => w('video.id', 'in', ownTagged(numbers)))
    .$if(channels !== null, (q) => q.where('channelId', 'in', channels!))
    .orderBy('publishedAt', 'desc')
    .orderBy('id')
    .limit(most)
    .execute();
  if (videos.length === 0) return [];
  const targets = await db
    .selectFrom('personTagTarget')
    .select(['tagNumber', 'id'])
    .where('tagNumber', 'in', numbers)
    .where((w) =>
      w.or([
        w.and([
          w('kind', '=', 'video'),
          w(
            'id',
            'in',
            videos.map(({ id }) => id),
          ),
        ]),
        w.and([w('kind', '=', 'channel'), w('id', 'in', [...new Set(videos.map(({ channelId }) => channelId))])]),
      ]),
    )
    .execute();
  const numbersOf = Map.groupBy(targets, ({ id }) => id);
  const isExcluded = (texts: readonly string[]) =>
    excluded.some((term) => texts.some((text) => occurrences(term, tokenize(text)).length > 0));
  return videos
    .flatMap(({ id, channelId, title, tags: siteTags, categories }) => {
      const own = new Set([...(numbersOf.get(id) ?? []), ...(numbersOf.get(channelId) ?? [])].map(({ tagNumber }) => tagNumber));
      const matching = tags.filter(({ number }) => own.has(number));
      const names = matching.map(({ name }) => name);
      if (isExcluded([title, ...(JSON.parse(siteTags) as string[]), ...(JSON.parse(categories) as string[]), ...names]))
        return [];
      return [{ videoId: id, ownTags: names, score: Math.max(...matching.map(({ number }) => scores.get(number)!)) }];
    })
    .sort((a, b) => b.score - a.score)
    .map(({ videoId, ownTags: names }) => ({ kind: 'tag' as const, videoId, ownTags: names }));
}
