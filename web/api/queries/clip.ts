import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Clip } from '#contract/clip.ts';
import { call } from '#web/api/call.ts';

const pollMs = 1000;

/** Whether the file of a clip is still to be made. */
export const isBeingMade = ({ state }: Pick<Clip, 'state'>) => state === 'queued' || state === 'running';

/** A clip of the caller; asked again while it is made. */
export const clipQuery = (id: number) =>
  queryOptions({
    queryKey: ['clip', 'one', id],
    queryFn: ({ signal }) => call('GET /api/clip/:id/', { params: { id: String(id) }, signal }),
    refetchInterval: ({ state: { data } }) => (data && isBeingMade(data) ? pollMs : false),
  });

/** The caller's clips, newest first: all, or those of a video. Asked again while one is made. */
export const clipsQuery = ({ page, video }: { page: number; video?: string }) =>
  queryOptions({
    queryKey: ['clip', 'page', page, video],
    queryFn: ({ signal }) => call('GET /api/clip/', { query: { page, video }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) => (data?.data.some(isBeingMade) ? pollMs : false),
  });
