import { queryOptions } from '@tanstack/react-query';
import { call } from '#web/api/call.ts';

// What only the page of a video shows.

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
