import { plural } from '@lingui/core/macro';
import { queryOptions, useMutation } from '@tanstack/react-query';
import { call } from '#web/api/call.ts';
import { queryClient } from '#web/api/client.ts';
import { useToast } from '#web/ui/toasts.tsx';
import type { VideoFilter } from './queries.ts';

/** How many videos a list has and how large they are together; asked anew each time, as it is what a question names. */
export const matchingQuery = (filter: VideoFilter) =>
  queryOptions({
    queryKey: ['video', 'matching', filter],
    queryFn: ({ signal }) => call('GET /api/video/matching/', { query: filter, signal }),
    staleTime: 0,
  });

/** What can be done with everything that matches. */
export type ForAll = 'watched' | 'unwatched' | 'keep' | 'redownload' | 'delete';

interface Asked {
  filter: VideoFilter;
  /** How many the question named. */
  videos: number;
}

/** Does it, in one request; the server goes through the videos. Answers of how many. */
async function doForAll(what: ForAll, { filter: query, videos }: Asked): Promise<number> {
  if (what === 'delete') {
    await call('POST /api/video/matching/delete/', { query, body: { videos } });
    return videos;
  }
  if (what === 'redownload') return (await call('POST /api/video/matching/redownload/', { query })).videos;
  if (what === 'keep') return (await call('POST /api/video/matching/keep/', { query, body: { is_kept: true } })).videos;
  const body = { is_watched: what === 'watched' };
  return (await call('POST /api/video/matching/watched/', { query, body })).videos;
}

const saidOf = (what: ForAll, count: number) =>
  ({
    watched: () => plural(count, { one: '# video marked as watched.', other: '# videos marked as watched.' }),
    unwatched: () => plural(count, { one: '# video marked as not watched.', other: '# videos marked as not watched.' }),
    keep: () => plural(count, { one: 'No rule deletes # video any more.', other: 'No rule deletes # videos any more.' }),
    redownload: () =>
      plural(count, {
        one: '# video is fetched again. Its file stays until the new one is here.',
        other: '# videos are fetched again. Their files stay until the new ones are here.',
      }),
    delete: () => plural(count, { one: '# video is being deleted.', other: '# videos are being deleted.' }),
  })[what]();

/** Does something with everything that matches, and says of how many. */
export function useForAll(what: ForAll, onDone: () => void) {
  const say = useToast();
  return useMutation({
    mutationFn: (asked: Asked) => doForAll(what, asked),
    onSuccess: (count) => {
      say(saidOf(what, count));
      onDone();
    },
    onSettled: () => queryClient.invalidateQueries(),
  });
}
