import type { Db } from '../db/db.ts';
import { reading } from '../db/reading.ts';
import { all, any, type Expression } from './expression.ts';
import { channelWord } from './own-words.ts';
import { findVideoRows } from './store.ts';
import { rarity } from './units.ts';
import { frequencies } from './vocabulary.ts';
import { wordsOf } from './words.ts';

const mostSimilar = 6;
// The rarest words of a video say what it is about; of those that share one, so many of the newest are compared.
const mostWords = 4;
const mostWithWord = 20;
const mostCompared = 60;

const wordsOfVideo = (title: string, tags: string) => [...new Set([title, ...(JSON.parse(tags) as string[])].flatMap(wordsOf))];

/** Ids of up to six videos whose titles and tags share the most with this one's, best first. */
export const similarTo = reading('similar videos', async (db: Db, id: string): Promise<string[]> => {
  const video = await db.selectFrom('video').select(['title', 'tags', 'channelId']).where('id', '=', id).executeTakeFirst();
  if (!video) return [];
  const own = wordsOfVideo(video.title, video.tags);
  const known = await frequencies(db, 'n', own);
  const worth = (word: string) => rarity(known.get(word) ?? 0);
  const rarest = own
    .filter((word) => word.length > 1 && (known.get(word) ?? 0) > 1)
    .sort((a, b) => worth(b) - worth(a))
    .slice(0, mostWords);
  if (rarest.length === 0) return [];

  const flags = { active: null, subscribed: null };
  const find = (...conditions: Expression[]) =>
    findVideoRows(db, { expression: all(conditions), flags, narrowing: { accountId: 0 }, limit: mostWithWord });
  const inNameOrTags = (words: readonly string[]): Expression =>
    any((['a', 'b'] as const).map((field) => ({ field, holds: any(words.map((word) => ({ words: [word] })))! })))!;
  const ofChannel: Expression = { field: 'd', holds: { words: [channelWord(video.channelId)] } };
  const [sameChannel = [], ...others] = await Promise.all([
    find(ofChannel, inNameOrTags(rarest)),
    ...rarest.map((word) => find(inNameOrTags([word]))),
  ]);
  const isOfChannel = new Set(sameChannel.map((row) => row.id));
  const candidates = new Map([...others.flat(), ...sameChannel].map((row) => [row.id, row]));
  candidates.delete(id);

  const wanted = new Set(own);
  return [...candidates.values()]
    .slice(0, mostCompared)
    .map((row) => {
      const shared = wordsOfVideo(row.a, row.b ?? '[]').filter((word) => wanted.has(word));
      const score = shared.reduce((sum, word) => sum + worth(word), 0);
      return { id: row.id, at: row.at, score: score + (isOfChannel.has(row.id) ? 0.1 : 0) };
    })
    .sort((a, b) => b.score - a.score || b.at - a.at)
    .slice(0, mostSimilar)
    .map((row) => row.id);
});
