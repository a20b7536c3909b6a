import type { Db } from '../db/db.ts';
import { writtenOnce } from '../db/written-once.ts';
import { all, any, type Expression } from './expression.ts';
import { channelWord } from './own-words.ts';
import { findNumbers, videosNumbered } from './store.ts';
import { rarity } from './units.ts';
import { frequencies } from './vocabulary.ts';
import { wordsOf } from './words.ts';

const mostSimilar = 6;
// Of several that share as much, those of the same channel come first.
const asOfChannel = 0.1;
// The rarest words of a video say what it is about. Of those that have one, so many of the newest are found, and of these
// the titles and tags are read of so many that have the most of them.
const mostWords = 4;
const mostWithWord = 20;
const mostCompared = 24;

const saidOf = writtenOnce((db, ids) => db.selectFrom('video').select(['title', 'tags', 'channelId']).where('id', 'in', ids));
const wordsOfVideo = (title: string, tags: string) => [...new Set([title, ...(JSON.parse(tags) as string[])].flatMap(wordsOf))];

/** Ids of up to six videos whose titles and tags share the most with this one's, best first. */
export async function similarTo(db: Db, id: string): Promise<string[]> {
  const [video] = await saidOf(db, [id]);
  if (!video) return [];
  const own = wordsOfVideo(video.title, video.tags);
  const known = await frequencies(db, 'n', own);
  const worth = (word: string) => rarity(known.get(word) ?? 0);
  const rarest = own
    .filter((word) => word.length > 1 && (known.get(word) ?? 0) > 1)
    .sort((a, b) => worth(b) - worth(a))
    .slice(0, mostWords);
  if (rarest.length === 0) return [];

  const find = (...conditions: Expression[]) => findNumbers(db, all(conditions)!, mostWithWord);
  const inNameOrTags = (words: readonly string[]): Expression => ({
    field: 'ab',
    holds: any(words.map((word) => ({ words: [word] })))!,
  });
  const ofChannel: Expression = { field: 'd', holds: { words: [channelWord(video.channelId)] } };
  const [sameChannel = [], ...withWord] = await Promise.all([
    find(ofChannel, inNameOrTags(rarest)),
    ...rarest.map((word) => find(inNameOrTags([word]))),
  ]);
  const promise = new Map<number, number>();
  for (const [place, list] of withWord.entries())
    for (const other of list) promise.set(other, (promise.get(other) ?? 0) + worth(rarest[place]!));
  const isOfChannel = new Set(sameChannel);
  // It has one of the words; at least the most frequent of them.
  for (const other of isOfChannel) promise.set(other, (promise.get(other) ?? worth(rarest.at(-1)!)) + asOfChannel);
  const promising = [...promise]
    .sort(([, a], [, b]) => b - a)
    .slice(0, mostCompared + 1) // itself is among them, as a rule first
    .map(([other]) => other);
  if (promising.length === 0) return [];

  const rows = await videosNumbered(db, promising);
  const wanted = new Set(own);
  return rows
    .filter((row) => row.id !== id)
    .map((row) => {
      const shared = wordsOfVideo(row.title, row.tags).filter((word) => wanted.has(word));
      const score = shared.reduce((sum, word) => sum + worth(word), isOfChannel.has(row.number) ? asOfChannel : 0);
      return { id: row.id, at: row.publishedAt, score };
    })
    .sort((a, b) => b.score - a.score || b.at - a.at)
    .slice(0, mostSimilar)
    .map((row) => row.id);
}
