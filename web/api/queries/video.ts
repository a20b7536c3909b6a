import { plural, t } from '@lingui/core/macro';
import { keepPreviousData, queryOptions, useMutation } from '@tanstack/react-query';
import type { Api } from '#contract/api.ts';
import type { Sent } from '#contract/endpoint.ts';
import type { PlayerChange } from '#contract/events.ts';
import type { Video } from '#contract/video.ts';
import { call } from '#web/api/call.ts';
import { invalidateTopics, queryClient } from '#web/api/client.ts';
import { useToast } from '#web/ui/toasts.tsx';
import { mapConcurrent } from '../map-concurrent.ts';
import { findCachedVideo } from './find-cached-video.ts';
import { mapCachedVideos } from './map-cached-videos.ts';

export type VideoFilter = NonNullable<Sent<Api['GET /api/video/']>['query']>;

// Keeps lists cached, so that returning to one restores its length and scroll position.
const listCacheMs = 30 * 60_000;

/** A page of videos. The previous page stays while the next one loads. */
export const videoList = (filter: VideoFilter) =>
  queryOptions({
    queryKey: ['video', 'list', filter],
    queryFn: ({ signal }) => call('GET /api/video/', { query: filter, signal }),
    placeholderData: keepPreviousData,
    gcTime: listCacheMs,
  });

/** Starts with the data of a cached list; both endpoints return the same shape. */
export const videoQuery = (id: string) =>
  queryOptions({
    queryKey: ['video', 'one', id],
    queryFn: ({ signal }) => call('GET /api/video/:id/', { params: { id }, signal }),
    initialData: () => findCachedVideo(id)?.video,
    initialDataUpdatedAt: () => findCachedVideo(id)?.at,
  });

export const neighboursQuery = (id: string) =>
  queryOptions({
    queryKey: ['video', 'neighbours', id],
    queryFn: ({ signal }) => call('GET /api/video/:id/nav/', { params: { id }, signal }),
  });

/** Updates videos in all cached queries until they are refetched. */
function updateCachedVideos(change: (video: Video) => Video) {
  for (const topic of ['video', 'search'])
    queryClient.setQueriesData<unknown>({ queryKey: [topic] }, (cached: unknown) => mapCachedVideos(cached, change));
}

/** Applies a playback position reported by another device of the user. */
export const updatePlayerState = ({ youtube_id: id, player }: PlayerChange) =>
  updateCachedVideos((video) => (video.youtube_id === id ? { ...video, player } : video));

interface WatchedChange {
  videos: Video[];
  isWatched: boolean;
  /** Reverts an earlier change and restores the playback position. */
  isUndo?: true;
}

async function saveWatched({ videos, isWatched, isUndo }: WatchedChange) {
  await mapConcurrent(videos, async ({ youtube_id: id, player }) => {
    await call('POST /api/watched/', { body: { id, is_watched: isUndo ? player.watched : isWatched } });
    if (isUndo && !player.watched && player.position !== undefined)
      await call('POST /api/video/:id/progress/', { params: { id }, body: { position: player.position } });
  });
}

/** Marks videos as watched or unwatched: optimistic, rolled back on errors, with an undo toast. */
export function useMarkAllWatched() {
  const showToast = useToast();
  const mark = useMutation({
    mutationFn: saveWatched,
    onMutate: ({ videos, isWatched, isUndo }) => {
      const before = new Map(videos.map((video) => [video.youtube_id, video.player]));
      updateCachedVideos((video) => {
        const cached = before.get(video.youtube_id);
        if (!cached) return video;
        return { ...video, player: isUndo ? cached : { ...video.player, watched: isWatched } };
      });
      return before;
    },
    // Shown only on success, even when the card is unmounted.
    onSuccess: (_done, { videos, isWatched, isUndo }) => {
      if (isUndo) return;
      const count = videos.length;
      const one = isWatched ? t`Marked as watched.` : t`Marked as unwatched.`;
      const severalText = isWatched
        ? plural(count, { one: '# video marked as watched.', other: '# videos marked as watched.' })
        : plural(count, { one: '# video marked as unwatched.', other: '# videos marked as unwatched.' });
      showToast(count === 1 ? one : severalText, {
        action: { label: t`Undo`, run: () => undo({ videos, isWatched: !isWatched, isUndo: true }) },
      });
    },
    onError: (error, _said, before) => {
      updateCachedVideos((video) => ({ ...video, player: before?.get(video.youtube_id) ?? video.player }));
      showToast(error.message, { isDanger: true });
    },
    onSettled: () => invalidateTopics('video', 'search'),
  });
  const undo = mark.mutate;
  return (videos: Video[], isWatched: boolean, onDone?: () => void) =>
    mark.mutate({ videos, isWatched }, onDone && { onSuccess: onDone });
}

/** Marks a single video. */
export function useMarkWatched() {
  const mark = useMarkAllWatched();
  return (video: Video, isWatched: boolean) => mark([video], isWatched);
}
