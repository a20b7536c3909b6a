import { createHash } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { VideoFilter } from '#contract/video.ts';
import type { Db } from '../../platform/db/db.ts';
import { workerQuery } from '../../platform/db/worker-query.ts';
import { etagOf } from '../../platform/http/files/media-types.ts';
import { signText } from '../../platform/security/sign-text.ts';
import { renderFeed, type FeedPage } from './feed-xml.ts';
import { findEpisodes, type Episode } from './find-episodes.ts';

/** Text that is signed in the address of the files of an episode. */
export const signedText = (feedNumber: number, videoId: string) => `${feedNumber} ${videoId}`;

interface FeedRequest {
  accountId: number;
  filter: VideoFilter;
  page: number;
  pageSize: number;
  feed: Omit<FeedPage, 'page' | 'pages' | 'firstNumber' | 'episodes' | 'audioSizes' | 'fileUrl'>;
  feedNumber: number;
  /** Start of the addresses of the files. */
  filesUrl: string;
  signingKey: string;
  /** Folder of the renditions, or their sizes by `<video id>/<name>` if they are in a bucket. */
  renditions: string | Record<string, number>;
}

/** Returns the sizes of the M4A files that exist, by video id. */
async function sizesOfM4a(renditions: FeedRequest['renditions'], episodes: Episode[]): Promise<Map<string, number>> {
  const nameOf = (video: Episode) => `${etagOf(video)}-s${video.audio?.position}.m4a`;
  if (typeof renditions === 'object') {
    const known = episodes.map((video) => [video.id, renditions[`${video.id}/${nameOf(video)}`]] as const);
    return new Map(known.flatMap(([id, size]) => (size === undefined ? [] : [[id, size] as const])));
  }
  const existing = new Set(await readdir(renditions).catch(() => []));
  const sizes = new Map<string, number>();
  for (const video of episodes) {
    if (!video.audio || !existing.has(video.id)) continue;
    const about = await stat(join(renditions, video.id, nameOf(video))).catch(() => null);
    if (about) sizes.set(video.id, about.size);
  }
  return sizes;
}

/**
 * Returns a page of a feed in UTF-8 with its ETag; null if there is no such page. Runs in the thread of the database, because
 * copying a thousand episodes to the main thread takes longer than everything else.
 */
export const readFeed = workerQuery('podcast feed', async (db: Db, request: FeedRequest) => {
  const { accountId, filter, page, pageSize, feed, feedNumber, filesUrl, signingKey, renditions } = request;
  const from = (page - 1) * pageSize;
  const { total, episodes } = await findEpisodes.read(db, {
    accountId,
    filter,
    page: { size: pageSize, from },
    sound: feed.sound,
  });
  if (page > 1 && episodes.length === 0) return null;
  const bytes = renderFeed({
    ...feed,
    page,
    pages: Math.max(1, Math.ceil(total / pageSize)),
    firstNumber: from + 1,
    episodes,
    audioSizes: feed.media === 'audio' ? await sizesOfM4a(renditions, episodes) : new Map(),
    fileUrl: ({ id }) => {
      const name = encodeURIComponent(id);
      return `${filesUrl}/${name}/${signText(signingKey, signedText(feedNumber, id))}/${name}`;
    },
  });
  return { bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"` };
});
