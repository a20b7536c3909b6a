import { keepPreviousData, queryOptions, useMutation } from '@tanstack/react-query';
import type { Api } from '#contract/api.ts';
import type { Sent } from '#contract/call.ts';
import type { PlayerChange } from '#contract/events.ts';
import type { Video } from '#contract/video.ts';
import { call } from '#web/api/call.ts';
import { queryClient } from '#web/api/client.ts';
import { useToast } from '#web/ui/toasts.tsx';

export type VideoFilter = NonNullable<Sent<Api['GET /api/video/']>['query']>;

/** One page of videos. While the next one comes the one before stays. */
export const videoList = (filter: VideoFilter) =>
  queryOptions({
    queryKey: ['video', 'list', filter],
    queryFn: ({ signal }) => call('GET /api/video/', { query: filter, signal }),
    placeholderData: keepPreviousData,
  });

export const videoQuery = (id: string) =>
  queryOptions({
    queryKey: ['video', 'one', id],
    queryFn: ({ signal }) => call('GET /api/video/:id/', { params: { id }, signal }),
  });

export const commentsQuery = (id: string) =>
  queryOptions({
    queryKey: ['video', 'comments', id],
    queryFn: ({ signal }) => call('GET /api/video/:id/comment/', { params: { id }, signal }),
  });

export const similarQuery = (id: string) =>
  queryOptions({
    queryKey: ['video', 'similar', id],
    queryFn: ({ signal }) => call('GET /api/video/:id/similar/', { params: { id }, signal }),
  });

export const neighboursQuery = (id: string) =>
  queryOptions({
    queryKey: ['video', 'neighbours', id],
    queryFn: ({ signal }) => call('GET /api/video/:id/nav/', { params: { id }, signal }),
  });

/** Changes a video wherever it is shown, until the server says what it really is. */
function changeEverywhere(id: string, change: (video: Video) => Video) {
  const touch = (video: Video) => (video.youtube_id === id ? change(video) : video);
  queryClient.setQueriesData<unknown>({ queryKey: ['video'] }, (known: unknown) => {
    if (Array.isArray(known)) return known.map((one) => ((one as Video).youtube_id ? touch(one as Video) : one));
    if (typeof known !== 'object' || known === null) return known;
    if ('youtube_id' in known) return touch(known as Video);
    if ('data' in known && Array.isArray(known.data)) return { ...known, data: (known.data as Video[]).map(touch) };
    return known;
  });
}

/** Where the person now is in a video, as another of their devices tells it. */
export const showPlayer = ({ youtube_id: id, player }: PlayerChange) => changeEverywhere(id, (video) => ({ ...video, player }));

/** Marks a video as watched or not: seen at once, taken back when refused, and to be undone for a while. */
export function useMarkWatched() {
  const say = useToast();
  const mark = useMutation({
    mutationFn: ({ id, isWatched }: { id: string; title: string; isWatched: boolean }) =>
      call('POST /api/watched/', { body: { id, is_watched: isWatched } }),
    onMutate: ({ id, isWatched }) =>
      changeEverywhere(id, (video) => ({ ...video, player: { ...video.player, watched: isWatched } })),
    onError: (error, { id, isWatched }) => {
      changeEverywhere(id, (video) => ({ ...video, player: { ...video.player, watched: !isWatched } }));
      say(error.message, { isDanger: true });
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['video'] }),
  });
  return (video: Video, isWatched: boolean) => {
    const said = { id: video.youtube_id, title: video.title, isWatched };
    mark.mutate(said);
    say(isWatched ? 'Marked as watched.' : 'Marked as not watched.', {
      action: { label: 'Undo', run: () => mark.mutate({ ...said, isWatched: !isWatched }) },
    });
  };
}
