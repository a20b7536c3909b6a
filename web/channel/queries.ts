import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '#web/api/call.ts';

export const channelList = (page: number, filter?: 'subscribed' | 'unsubscribed') =>
  queryOptions({
    queryKey: ['channel', 'list', page, filter],
    queryFn: ({ signal }) => call('GET /api/channel/', { query: { page: page || undefined, filter }, signal }),
    placeholderData: keepPreviousData,
  });

export const channelQuery = (id: string) =>
  queryOptions({
    queryKey: ['channel', 'one', id],
    queryFn: ({ signal }) => call('GET /api/channel/:id/', { params: { id }, signal }),
  });

export const channelSums = (id: string) =>
  queryOptions({
    queryKey: ['channel', 'sums', id],
    queryFn: ({ signal }) => call('GET /api/channel/:id/aggs/', { params: { id }, signal }),
  });

export const channelParts = (id: string) =>
  queryOptions({
    queryKey: ['channel', 'parts', id],
    queryFn: ({ signal }) => call('GET /api/channel/:id/nav/', { params: { id }, signal }),
  });
