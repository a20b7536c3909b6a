import type { Video } from '#contract/video.ts';
import { queryClient } from '#web/api/client.ts';
import { videosIn } from './videos-in.ts';

/** What the newest list with a video tells of it, and when that was told (milliseconds; 0 when it may be true no more). */
export function listedVideo(id: string): { video: Video; at: number } | undefined {
  const lists = queryClient
    .getQueryCache()
    .findAll({ predicate: ({ queryKey: [room, what] }) => room === 'search' || (room === 'video' && what !== 'one') })
    .toSorted((a, b) => b.state.dataUpdatedAt - a.state.dataUpdatedAt);
  for (const { state } of lists) {
    const video = videosIn(state.data).find((one) => one.youtube_id === id);
    if (video) return { video, at: state.isInvalidated ? 0 : state.dataUpdatedAt };
  }
  return undefined;
}
