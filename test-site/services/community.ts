/** Community services: SponsorBlock segments, DeArrow titles, dislikes, and the list of releases. */
import { createHash } from 'node:crypto';
import { type Answer, type SiteContext, json, text, type SiteRequest } from '../answer.ts';
import type { Video } from '../catalogue.ts';

const segmentsOf = (video: Video, categories: string[]) =>
  video.sponsors
    .filter(({ category }) => categories.length === 0 || categories.includes(category))
    .map(({ category, startSeconds, endSeconds, locked, votes }) => ({
      UUID: createHash('sha256').update(`${video.id}${category}${startSeconds}`).digest('hex'),
      category,
      actionType: 'skip',
      segment: [startSeconds, endSeconds],
      videoDuration: video.durationSeconds,
      votes: votes ?? 1,
      locked: locked ? 1 : 0,
      description: '',
    }));

const hashOf = (id: string) => createHash('sha256').update(id).digest('hex');

export function sponsorblock({ url }: SiteRequest, site: SiteContext): Answer {
  const { catalogue } = site;
  const branded = /^\/api\/branding\/([0-9a-f]{4})$/.exec(url.pathname)?.[1];
  if (branded) return dearrow(branded, site);
  const categories = url.searchParams.getAll('category');
  const prefix = /^\/api\/skipSegments\/([0-9a-f]{4,32})$/.exec(url.pathname)?.[1];
  if (prefix) {
    const found = catalogue.videos.filter((video) => video.sponsors.length > 0 && hashOf(video.id).startsWith(prefix));
    return json(found.map((video) => ({ videoID: video.id, hash: hashOf(video.id), segments: segmentsOf(video, categories) })));
  }
  const video = catalogue.videos.find(({ id }) => id === url.searchParams.get('videoID'));
  const segments = video ? segmentsOf(video, categories) : [];
  return segments.length > 0 ? json(segments) : text('Not Found', 'text/plain', 404);
}

const submissionOf = (submission: object) => ({ votes: 1, locked: false, original: false, UUID: 'c'.repeat(64), ...submission });

/** Titles and pictures by viewers, of all videos whose hash begins with the prefix. */
function dearrow(prefix: string, { catalogue }: SiteContext): Answer {
  const found = catalogue.videos.filter(({ id, branding }) => branding && hashOf(id).startsWith(prefix));
  return json(
    Object.fromEntries(
      found.map(({ id, branding, durationSeconds }) => [
        id,
        {
          titles: (branding!.titles ?? []).map(submissionOf),
          thumbnails: (branding!.thumbnails ?? []).map(submissionOf),
          randomTime: 0.5,
          videoDuration: branding!.durationSeconds ?? durationSeconds,
          casualVotes: [],
        },
      ]),
    ),
  );
}

export function dislikes({ url }: SiteRequest, { catalogue }: SiteContext): Answer {
  const video = catalogue.videos.find(({ id }) => id === url.searchParams.get('videoId'));
  if (!video || video.dislikes === undefined) return json({ title: 'Not Found', status: 404 }, 404);
  const { id, likes, dislikes: count, views } = video;
  return json({
    id,
    likes,
    dislikes: count,
    rating: 1 + (4 * likes) / Math.max(1, likes + count),
    viewCount: views,
    deleted: false,
  });
}

export const releases = (_visit: SiteRequest, { catalogue }: SiteContext): Answer => json(catalogue.release);

/** A redirect: `/to?u=<URL>`. */
export function redirect({ url }: SiteRequest): Answer {
  return { status: 302, type: 'text/plain', body: '', headers: { location: url.searchParams.get('u') ?? 'http://127.0.0.1/' } };
}
