import { useCallback } from 'react';
import { useAddress } from '#web/ui/address.ts';
import { kindOf } from '#web/video/kinds.ts';
import type { Some } from './queries.ts';

/** What of the queue is shown. */
export interface Filter {
  isIgnored: boolean;
  channel: string;
  kind: 'videos' | 'shorts' | 'streams' | undefined;
  error: boolean | undefined;
  q: string;
}

/** The filters, as they stand in the address. */
export function useFilter(): [filter: Filter, set: (name: string, value: string) => void] {
  const [search, put] = useAddress();
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

/** The same as the API takes it. */
export const someOf = ({ isIgnored, channel, kind, error, q }: Filter): Some => ({
  filter: isIgnored ? 'ignore' : 'pending',
  ...(channel && { channel }),
  ...(kind && { vid_type: kind }),
  ...(error !== undefined && { error }),
  ...(q && { q }),
});
