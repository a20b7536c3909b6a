import { plural, t } from '@lingui/core/macro';
import { queryOptions, useMutation } from '@tanstack/react-query';
import { call } from '#web/api/call.ts';
import { askAgain, queryClient } from '#web/api/client.ts';
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
  what: ForAll;
  filter: VideoFilter;
  /** How many the question named. */
  videos: number;
  /** What was typed because they are very many. */
  confirm?: string;
}

interface Done {
  videos: number;
  /** By what it can be taken back. */
  undo?: string;
}

/** Does it, in one request; the server goes through the videos. Answers of how many. */
async function doForAll({ what, filter: query, videos, ...confirmed }: Asked): Promise<Done> {
  if (what === 'delete') {
    await call('POST /api/video/matching/delete/', { query, body: { videos }, ...confirmed });
    return { videos };
  }
  if (what === 'redownload') return call('POST /api/video/matching/redownload/', { query });
  if (what === 'keep') return call('POST /api/video/matching/keep/', { query, body: { is_kept: true } });
  const body = { is_watched: what === 'watched' };
  return call('POST /api/video/matching/watched/', { query, body });
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

/** Does something with everything that matches, and says of how many; a mark can be taken back for a while. */
export function useForAll(onDone: () => void) {
  const say = useToast();
  const takeBack = (undo: string) =>
    call('POST /api/video/matching/undo/', { body: { undo } }).then(
      ({ videos }) => {
        say(plural(videos, { one: '# video is marked as before.', other: '# videos are marked as before.' }));
        askAgain('video', 'search');
      },
      (error: Error) => say(error.message, { isDanger: true }),
    );
  return useMutation({
    mutationFn: doForAll,
    onSuccess: ({ videos, undo }, { what }) => {
      say(saidOf(what, videos), undo ? { action: { label: t`Undo`, run: () => void takeBack(undo) } } : {});
      onDone();
    },
    onSettled: () => queryClient.invalidateQueries(),
  });
}
