import type { Video } from '#contract/video.ts';

// Keys of responses that contain videos.
const nestedKeys = ['data', 'results', 'video_results'] as const;

/** Returns a response with `update` applied to its videos at any depth. Responses without videos are returned unchanged. */
export function mapCachedVideos(data: unknown, update: (video: Video) => Video): unknown {
  if (Array.isArray(data)) return data.map((one) => mapCachedVideos(one, update));
  if (typeof data !== 'object' || data === null) return data;
  if ('youtube_id' in data && 'player' in data) return update(data as Video);
  for (const key of nestedKeys)
    if (key in data) return { ...data, [key]: mapCachedVideos((data as Record<string, unknown>)[key], update) };
  return data;
}

/** Lists the videos in a response. */
export function listCachedVideos(data: unknown): Video[] {
  const videos: Video[] = [];
  mapCachedVideos(data, (video) => {
    videos.push(video);
    return video;
  });
  return videos;
}
