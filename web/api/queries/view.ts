import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Sent } from '#contract/endpoint.ts';
import type { viewCalls } from '#contract/view.ts';
import { call } from '#web/api/call.ts';

export type ViewSettings = Sent<(typeof viewCalls)['POST /api/view/']>['body'];

export const viewsQuery = queryOptions({
  queryKey: ['view', 'all'],
  queryFn: ({ signal }) => call('GET /api/view/', { signal }),
});

/** Paths of ten videos in a view with these settings. */
export const previewQuery = (body: Sent<(typeof viewCalls)['POST /api/view/preview/']>['body']) =>
  queryOptions({
    queryKey: ['view', 'preview', body],
    queryFn: ({ signal }) => call('POST /api/view/preview/', { body, signal }),
    placeholderData: keepPreviousData,
  });
