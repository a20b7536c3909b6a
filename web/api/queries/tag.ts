import { queryOptions } from '@tanstack/react-query';
import { call } from '#web/api/call.ts';

/** The private tags of the user. */
export const tagsQuery = queryOptions({
  queryKey: ['tag', 'all'],
  queryFn: ({ signal }) => call('GET /api/tag/', { query: {}, signal }),
});

/** What can have private tags, besides notes. */
export type TagTarget = { video: string } | { channel: string };

/** The private tags on a video or channel. */
export const tagsOfQuery = (target: TagTarget) =>
  queryOptions({
    queryKey: ['tag', 'of', target],
    queryFn: ({ signal }) => call('GET /api/tag/', { query: target, signal }),
  });
