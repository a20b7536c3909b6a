import type { Video } from '#contract/video.ts';
import { queryClient } from '#web/api/client.ts';
import { listCachedVideos } from './map-cached-videos.ts';

/** Finds a video in the cached lists, newest first. `at`: time of the data in ms; 0 when it is stale. */
export function findCachedVideo(id: string): { video: Video; at: number } | undefined {
  const lists = queryClient
    .getQueryCache()
    .findAll({ predicate: ({ queryKey: [topic, what] }) => topic === 'search' || (topic === 'video' && what !== 'one') })
    .toSorted((a, b) => b.state.dataUpdatedAt - a.state.dataUpdatedAt);
  for (const { state } of lists) {
    const video = listCachedVideos(state.data).find((one) => one.youtube_id === id);
    if (video) return { video, at: state.isInvalidated ? 0 : state.dataUpdatedAt };
  }
  return undefined;
}
