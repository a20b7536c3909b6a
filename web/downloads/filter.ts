import { useCallback } from 'react';
import { useQueryParams } from '#web/ui/use-search-params.ts';
import { kindOf } from '#web/api/queries/video-kinds.ts';
import type { QueueSelection } from '#web/api/queries/download.ts';

/** Filter of the queue. */
export interface Filter {
  isIgnored: boolean;
  channel: string;
  kind: 'videos' | 'shorts' | 'streams' | undefined;
  error: boolean | undefined;
  q: string;
}

/** Reads the filter from the address, and returns a function that changes it. */
export function useFilter(): [filter: Filter, set: (name: string, value: string) => void] {
  const [search, put] = useQueryParams();
  const set = useCallback((name: string, value: string) => put({ [name]: value, page: null }), [put]);
  const error = search.get('error');
  const filter: Filter = {
    isIgnored: search.get('ignored') === 'true',
    channel: search.get('channel') ?? '',
    kind: kindOf(search.get('vid-type')),
    error: error === 'true' ? true : error === 'false' ? false : undefined,
    q: search.get('q') ?? '',
  };
  return [filter, set];
}

/** Converts the filter to the parameters of the API. */
export const toApiFilter = ({ isIgnored, channel, kind, error, q }: Filter): QueueSelection => ({
  filter: isIgnored ? 'ignore' : 'pending',
  ...(channel && { channel }),
  ...(kind && { vid_type: kind }),
  ...(error !== undefined && { error }),
  ...(q && { q }),
});
