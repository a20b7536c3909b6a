import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Note } from '#contract/note.ts';
import { call } from '#web/api/call.ts';
import { fetchAllPages } from '#web/api/fetch-all-pages.ts';

/** The caller's notes about a video, by time. */
export const notesOfVideoQuery = (video: string) =>
  queryOptions({
    queryKey: ['note', 'video', video],
    queryFn: ({ signal }) => fetchAllPages((page) => call('GET /api/note/', { query: { video, page }, signal })),
  });

interface Filter {
  page: number;
  query: string;
  kind: Note['kind'] | undefined;
  tag: string | undefined;
}

/** The caller's notes, newest first. */
export const notesQuery = (filter: Filter) =>
  queryOptions({
    queryKey: ['note', 'page', filter],
    queryFn: ({ signal }) => call('GET /api/note/', { query: filter, signal }),
    placeholderData: keepPreviousData,
  });
