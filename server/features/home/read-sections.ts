import type { VideoFilter } from '#contract/video.ts';
import { serializeVideos } from '../../archive/video-json/load-videos.ts';
import type { Db } from '../../platform/db/db.ts';
import { workerQuery } from '../../platform/db/worker-query.ts';
import { findVideoIds } from '../video/list/find-video-ids.ts';
import { isWatchedBy } from '../video/list/video-conditions.ts';

const videosPerSection = 12;
// More matches than that are found sooner in the order of the list than by sorting them.
const maxCounted = 2000;
// Upper bound of the videos that are looked at after a long absence.
const maxLookedAt = 500;

/** A section: the first videos of a list, or the unwatched videos of subscriptions that were added after a time (epoch seconds). */
export type SectionRequest = { section: string } & ({ filter: VideoFilter } | { addedAfter: number });

/** A video is in the first section that has it, except that subscriptions, which may have those of any other, come last. */
const rankOf = (request: SectionRequest) => ('addedAfter' in request ? 1 : 0);

async function findFirstOf(db: Db, accountId: number, filter: VideoFilter, size: number): Promise<string[]> {
  return (await findVideoIds(db, accountId, filter, { size, from: 0 }, { atMost: maxCounted })).ids;
}

async function findNewOfSubscriptions(db: Db, accountId: number, addedAfter: number, size: number): Promise<string[]> {
  const newest = db
    .selectFrom('video')
    .select('id')
    .where('downloadedAt', '>', addedAfter)
    .orderBy('downloadedAt', 'desc')
    .limit(maxLookedAt);
  const rows = await db
    .selectFrom('video')
    .select('video.id')
    .where('video.id', 'in', (w) => w.selectFrom(newest.as('newest')).select('newest.id'))
    .where((w) =>
      w.exists(
        w
          .selectFrom('facet')
          .select('facet.videoId')
          .where('facet.kind', '=', 'subscribed')
          .where('facet.value', '=', '')
          .whereRef('facet.videoId', '=', 'video.id'),
      ),
    )
    .where((w) => w.not(isWatchedBy(accountId)(w)))
    .orderBy('video.downloadedAt', 'desc')
    .orderBy('video.id', 'desc')
    .limit(size)
    .execute();
  return rows.map(({ id }) => id);
}

/** Returns the ids of each section, and the JSON of all their videos. Each video is in one section only. */
export const readSections = workerQuery(
  'sections of videos',
  async (db, { accountId, requests }: { accountId: number; requests: SectionRequest[] }) => {
    const shown = new Set<string>();
    const idsOf = new Map<SectionRequest, string[]>();
    for (const request of requests.toSorted((one, other) => rankOf(one) - rankOf(other))) {
      // Enough that a full section is left without the videos of the others.
      const size = videosPerSection + shown.size;
      const found =
        'filter' in request
          ? await findFirstOf(db, accountId, request.filter, size)
          : await findNewOfSubscriptions(db, accountId, request.addedAfter, size);
      const ids = found.filter((id) => !shown.has(id)).slice(0, videosPerSection);
      idsOf.set(request, ids);
      for (const id of ids) shown.add(id);
    }
    const sections = requests.map((request) => ({ section: request.section, ids: idsOf.get(request) ?? [] }));
    return { sections, videos: await serializeVideos(db, { accountId, ids: [...shown] }) };
  },
);
