import type { Db } from '../db/db.ts';

const mostSimilar = 6;
const mostCandidates = 2000;

const wordsOf = (text: string) =>
  new Set(
    text
      .normalize('NFKD')
      .toLowerCase()
      .match(/[\p{L}\p{N}]{3,}/gu) ?? [],
  );

/** Ids of up to six videos whose titles and tags share the most with this one's, best first. */
export async function similarTo(db: Db, id: string): Promise<string[]> {
  const video = await db
    .selectFrom('video')
    .select(['title', 'tags', 'channelId', 'publishedAt'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (!video) return [];
  const words = wordsOf(`${video.title} ${(JSON.parse(video.tags) as string[]).join(' ')}`);

  const candidates = await db
    .selectFrom('video')
    .select(['id', 'title', 'tags', 'channelId'])
    .where('id', '!=', id)
    .orderBy('publishedAt', 'desc')
    .limit(mostCandidates)
    .execute();
  const count = new Map<string, number>();
  const wordsOfEach = candidates.map((candidate) => wordsOf(`${candidate.title} ${candidate.tags}`));
  for (const own of wordsOfEach) for (const word of own) count.set(word, (count.get(word) ?? 0) + 1);

  return candidates
    .map((candidate, place) => {
      // A word that few videos share says more than one that many do.
      let score = candidate.channelId === video.channelId ? 0.1 : 0;
      for (const word of words) if (wordsOfEach[place]!.has(word)) score += Math.log(1 + candidates.length / count.get(word)!);
      return { id: candidate.id, score };
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, mostSimilar)
    .map((candidate) => candidate.id);
}
