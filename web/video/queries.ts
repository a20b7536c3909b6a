import { plural, t } from '@lingui/core/macro';
import { keepPreviousData, queryOptions, useMutation } from '@tanstack/react-query';
import type { Api } from '#contract/api.ts';
import type { Reply, Sent } from '#contract/call.ts';
import type { PlayerChange } from '#contract/events.ts';
import type { Video } from '#contract/video.ts';
import { call } from '#web/api/call.ts';
import { askAgain, queryClient } from '#web/api/client.ts';
import { useToast } from '#web/ui/toasts.tsx';
import { forEach } from './for-each.ts';
import { listedVideo } from './listed-video.ts';
import { changedVideos } from './videos-in.ts';

export type VideoFilter = NonNullable<Sent<Api['GET /api/video/']>['query']>;

// Who comes back to a list finds it as long as it was, and with it the place where they were.
const keptMs = 30 * 60_000;

/** One page of videos. While the next one comes the one before stays. */
export const videoList = (filter: VideoFilter) =>
  queryOptions({
    queryKey: ['video', 'list', filter],
    queryFn: ({ signal }) => call('GET /api/video/', { query: filter, signal }),
    placeholderData: keepPreviousData,
    gcTime: keptMs,
  });

export type Facets = Reply<Api['GET /api/video/facets/']>;

/** What there is to filter by; of tags those that begin with what is typed. */
export const facetsQuery = (tag: string) =>
  queryOptions({
    queryKey: ['video', 'facets', tag],
    queryFn: ({ signal }) => call('GET /api/video/facets/', { query: { tag }, signal }),
    placeholderData: keepPreviousData,
  });

/** A page of one begins with what a list has just told of it: both tell the same. */
export const videoQuery = (id: string) =>
  queryOptions({
    queryKey: ['video', 'one', id],
    queryFn: ({ signal }) => call('GET /api/video/:id/', { params: { id }, signal }),
    initialData: () => listedVideo(id)?.video,
    initialDataUpdatedAt: () => listedVideo(id)?.at,
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

/** Changes videos wherever they are shown, until the server says what they really are. */
function changeEverywhere(change: (video: Video) => Video) {
  for (const room of ['video', 'search'])
    queryClient.setQueriesData<unknown>({ queryKey: [room] }, (known: unknown) => changedVideos(known, change));
}

/** Where the person now is in a video, as another of their devices tells it. */
export const showPlayer = ({ youtube_id: id, player }: PlayerChange) =>
  changeEverywhere((video) => (video.youtube_id === id ? { ...video, player } : video));

interface Said {
  videos: Video[];
  isWatched: boolean;
  /** It takes back what was said before: where the person had stopped is put back too. */
  isUndo?: true;
}

async function tell({ videos, isWatched, isUndo }: Said) {
  await forEach(videos, async ({ youtube_id: id, player }) => {
    await call('POST /api/watched/', { body: { id, is_watched: isUndo ? player.watched : isWatched } });
    if (isUndo && !player.watched && player.position !== undefined)
      await call('POST /api/video/:id/progress/', { params: { id }, body: { position: player.position } });
  });
}

/** Marks videos as watched or not: seen at once, taken back when refused, and to be undone for a while. */
export function useMarkAllWatched() {
  const say = useToast();
  const mark = useMutation({
    mutationFn: tell,
    onMutate: ({ videos, isWatched, isUndo }) => {
      const before = new Map(videos.map((video) => [video.youtube_id, video.player]));
      changeEverywhere((video) => {
        const known = before.get(video.youtube_id);
        if (!known) return video;
        return { ...video, player: isUndo ? known : { ...video.player, watched: isWatched } };
      });
      return before;
    },
    // Only then, also when the card is gone: what was said would be taken for done.
    onSuccess: (_done, { videos, isWatched, isUndo }) => {
      if (isUndo) return;
      const many = videos.length;
      const one = isWatched ? t`Marked as watched.` : t`Marked as not watched.`;
      const several = isWatched
        ? plural(many, { one: '# video marked as watched.', other: '# videos marked as watched.' })
        : plural(many, { one: '# video marked as not watched.', other: '# videos marked as not watched.' });
      say(many === 1 ? one : several, {
        action: { label: t`Undo`, run: () => undo({ videos, isWatched: !isWatched, isUndo: true }) },
      });
    },
    onError: (error, _said, before) => {
      changeEverywhere((video) => ({ ...video, player: before?.get(video.youtube_id) ?? video.player }));
      say(error.message, { isDanger: true });
    },
    onSettled: () => askAgain('video', 'search'),
  });
  const undo = mark.mutate;
  return (videos: Video[], isWatched: boolean, onDone?: () => void) =>
    mark.mutate({ videos, isWatched }, onDone && { onSuccess: onDone });
}

/** The same for one. */
export function useMarkWatched() {
  const mark = useMarkAllWatched();
  return (video: Video, isWatched: boolean) => mark([video], isWatched);
}
