import type { Db } from '../../../platform/db/db.ts';
import { all, any, type Expression } from '../text/fts-expression.ts';
import { channelToken } from '../text/filter-tokens.ts';
import { findNumbers, videosNumbered } from '../index/store.ts';
import { rarity } from './query-terms.ts';
import { frequencies } from '../text/term-dictionary.ts';
import { tokenize } from '../text/tokenizer.ts';

// Tie-breaker: of videos with equal scores, those of the same channel come first.
const asOfChannel = 0.1;
// The rarest words of a video describe its subject. The newest videos with each of these words are found, and the titles and tags
// of those with the most words in common are loaded.
const maxWords = 4;
const maxWithWord = 20;
const maxCompared = 24;

const wordsOfVideo = (title: string, tags: string) => [...new Set([title, ...(JSON.parse(tags) as string[])].flatMap(tokenize))];

/** A video that is similar to another one. */
export interface SimilarVideo {
  id: string;
  channelId: string;
}

/** Finds up to 24 videos whose titles and tags have the most in common with this video's, best first. */
export async function findSimilar(db: Db, id: string): Promise<SimilarVideo[]> {
  const video = await db.selectFrom('video').select(['title', 'tags', 'channelId']).where('id', '=', id).executeTakeFirst();
  if (!video) return [];
  const own = wordsOfVideo(video.title, video.tags);
  const known = await frequencies(db, 'n', own);
  const worth = (word: string) => rarity(known.get(word) ?? 0);
  const rarest = own
    .filter((word) => word.length > 1 && (known.get(word) ?? 0) > 1)
    .sort((a, b) => worth(b) - worth(a))
    .slice(0, maxWords);
  if (rarest.length === 0) return [];

  const find = (...conditions: Expression[]) => findNumbers(db, all(conditions)!, maxWithWord);
  const inNameOrTags = (words: readonly string[]): Expression => ({
    field: 'ab',
    holds: any(words.map((word) => ({ words: [word] })))!,
  });
  const ofChannel: Expression = { field: 'd', holds: { words: [channelToken(video.channelId)] } };
  const [sameChannel = [], ...withWord] = await Promise.all([
    find(ofChannel, inNameOrTags(rarest)),
    ...rarest.map((word) => find(inNameOrTags([word]))),
  ]);
  const promise = new Map<number, number>();
  for (const [place, list] of withWord.entries())
    for (const other of list) promise.set(other, (promise.get(other) ?? 0) + worth(rarest[place]!));
  const isOfChannel = new Set(sameChannel);
  // The video contains at least one of the words, so it gets at least the weight of the most frequent one.
  for (const other of isOfChannel) promise.set(other, (promise.get(other) ?? worth(rarest.at(-1)!)) + asOfChannel);
  const promising = [...promise]
    .sort(([, a], [, b]) => b - a)
    .slice(0, maxCompared + 1) // the video itself is among them, usually first
    .map(([other]) => other);
  if (promising.length === 0) return [];

  const rows = await videosNumbered(db, promising);
  const wanted = new Set(own);
  return rows
    .filter((row) => row.id !== id)
    .map((row) => {
      const shared = wordsOfVideo(row.title, row.tags).filter((word) => wanted.has(word));
      const score = shared.reduce((sum, word) => sum + worth(word), isOfChannel.has(row.number) ? asOfChannel : 0);
      return { id: row.id, channelId: row.channelId, at: row.publishedAt, score };
    })
    .sort((a, b) => b.score - a.score || b.at - a.at)
    .map((row) => ({ id: row.id, channelId: row.channelId }));
}
