import { useCallback } from 'react';
import { useQueryParams } from '#web/ui/use-search-params.ts';
import { kindOf } from '#web/api/queries/video-kinds.ts';
import { parseQuery } from './query-words.ts';
import type { SearchParams } from '#web/api/queries/search.ts';

const whole = (text: string | null) => (text && /^\d{1,9}$/.test(text) ? Number(text) : undefined);
const dayOf = (text: string | null) => (text && /^\d{4}-\d{2}-\d{2}$/.test(text) ? text : undefined);
const minuteSeconds = 60;

/** The search in the address. Lengths are in minutes there. */
export function useSearch() {
  const [search, putInto] = useQueryParams();
  const query = search.get('query') ?? '';
  const watched = search.get('watched');
  const [least, most] = [whole(search.get('min')), whole(search.get('max'))];
  const page = whole(search.get('page')) ?? 0;
  const filters = {
    from: dayOf(search.get('from')),
    to: dayOf(search.get('to')),
    min_duration: least === undefined ? undefined : least * minuteSeconds,
    max_duration: most === undefined ? undefined : most * minuteSeconds,
    type: kindOf(search.get('kind')),
    watched: watched === 'yes' ? true : watched === 'no' ? false : undefined,
  };
  const setting: SearchParams = { query, ...filters, ...(page > 1 && { page }) };
  const setParams = useCallback(
    (words: Record<string, string | null>, isStep = false) =>
      putInto({ page: null, ...words }, { replace: !isStep, preventScrollReset: !isStep }),
    [putInto],
  );
  const chosen = Object.values(filters).filter((value) => value !== undefined).length;
  return { query, words: parseQuery(query), options: setting, page, search, put: setParams, chosen };
}
export type Search = ReturnType<typeof useSearch>;
