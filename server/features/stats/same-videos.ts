import type { Db } from '../../platform/db/db.ts';
import { chunks } from '../../platform/db/db.ts';
import { workerQuery } from '../../platform/db/worker-query.ts';

/** Sites round the length of a video differently. */
const maxDifferenceSeconds = 1;

interface Timed {
  sortTitle: string;
  durationSeconds: number;
}

/** Groups videos, sorted by title and length, of the same title whose lengths differ by a second at most. Omits single ones. */
export function groupByTitleAndLength<Video extends Timed>(videos: readonly Video[]): Video[][] {
  const groups: Video[][] = [];
  for (const video of videos) {
    const first = groups.at(-1)?.[0];
    const isSame = first?.sortTitle === video.sortTitle && video.durationSeconds - first.durationSeconds <= maxDifferenceSeconds;
    if (isSame) groups.at(-1)!.push(video);
    else groups.push([video]);
  }
  return groups.filter(({ length }) => length > 1);
}

/** Ids of the videos that share title and length with another one, protected or not. Reads the whole index of titles. */
export const findSameTitles = workerQuery('same titles', async (db): Promise<string[]> => {
  const repeated = db
    .selectFrom('video')
    .select('sortTitle')
    .where('sortTitle', '!=', '')
    .groupBy('sortTitle')
    .having((h) => h(h.fn.countAll(), '>', 1));
  const videos = await db
    .selectFrom('video')
    .select(['id', 'sortTitle', 'durationSeconds'])
    .where('sortTitle', 'in', repeated)
    .orderBy('sortTitle')
    .orderBy('durationSeconds')
    .execute();
  return videos
    .filter((video, place) =>
      [videos[place - 1], videos[place + 1]].some(
        (other) =>
          other?.sortTitle === video.sortTitle && Math.abs(other.durationSeconds - video.durationSeconds) <= maxDifferenceSeconds,
      ),
    )
    .map(({ id }) => id);
});

const readVideos = (db: Db, ids: string[]) =>
  db
    .selectFrom('video')
    .innerJoin('channel', 'channel.id', 'video.channelId')
    .select(['video.id', 'video.title', 'video.sortTitle', 'video.site', 'video.durationSeconds', 'video.sizeBytes'])
    .select(['video.sha256', 'video.width', 'video.height', 'channel.name as channelName'])
    .where('video.id', 'in', ids)
    .where('video.isProtected', '=', 0)
    .execute();
type SameVideo = Awaited<ReturnType<typeof readVideos>>[number];

/** The shorter side of the picture, which is the height of videos in landscape format. */
export const pictureOf = ({ width, height }: Pick<SameVideo, 'width' | 'height'>) => Math.min(width, height) || height;

const byBest = (a: SameVideo, b: SameVideo) => pictureOf(b) - pictureOf(a) || b.sizeBytes - a.sizeBytes || (a.id < b.id ? -1 : 1);
const byTitleAndLength = (a: SameVideo, b: SameVideo) =>
  (a.sortTitle < b.sortTitle && -1) ||
  Number(a.sortTitle > b.sortTitle) ||
  a.durationSeconds - b.durationSeconds ||
  (a.id < b.id ? -1 : 1);

/** Groups those of these videos that are the same and not protected, each with its best copy first. */
export const readSameVideos = workerQuery('same videos', async (db, ids: string[]): Promise<SameVideo[][]> => {
  const videos: SameVideo[] = [];
  for (const some of chunks(ids)) videos.push(...(await readVideos(db, some)));
  return groupByTitleAndLength(videos.toSorted(byTitleAndLength)).map((group) => group.toSorted(byBest));
});
