import { useCallback } from 'react';
import { useQueryParams } from '#web/ui/use-search-params.ts';
import { kindOf } from '#web/api/queries/video-kinds.ts';
import type { QueueSelection } from '#web/api/queries/download.ts';

/** Filter of the queue. */
export interface Filter {
  list: 'queue' | 'live' | 'ignored';
  channel: string;
  kind: 'videos' | 'shorts' | 'streams' | undefined;
  error: boolean | undefined;
  q: string;
}

/** Reads the filter from the address, and returns a function that changes it. */
export function useFilter(): [filter: Filter, set: (some: Record<string, string>) => void] {
  const [search, put] = useQueryParams();
  const set = useCallback((some: Record<string, string>) => put({ ...some, page: null }), [put]);
  const error = search.get('error');
  const filter: Filter = {
    list: search.get('ignored') === 'true' ? 'ignored' : search.get('live') === 'true' ? 'live' : 'queue',
    channel: search.get('channel') ?? '',
    kind: kindOf(search.get('vid-type')),
    error: error === 'true' ? true : error === 'false' ? false : undefined,
    q: search.get('q') ?? '',
  };
  return [filter, set];
}

/** Converts the filter to the parameters of the API. */
export const toApiFilter = ({ list, channel, kind, error, q }: Filter): QueueSelection => ({
  filter: list === 'ignored' ? 'ignore' : 'pending',
  ...(channel && { channel }),
  ...(kind && { vid_type: kind }),
  ...(error !== undefined && { error }),
  ...(q && { q }),
});
