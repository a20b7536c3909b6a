import { queryOptions } from '@tanstack/react-query';
import { call } from '../call.ts';

const pollMs = 2000;

/** Chapters that are generated from transcripts; asked again while they are evaluated or generated. */
export const chaptersQuery = queryOptions({
  queryKey: ['settings', 'chapters'],
  queryFn: ({ signal }) => call('GET /api/chapters/', { signal }),
  refetchInterval: ({ state: { data } }) => data !== undefined && (data.is_evaluating || data.queue > 0) && pollMs,
});
