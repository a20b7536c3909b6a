import { useCallback } from 'react';
import { useQueryParams } from '#web/ui/use-search-params.ts';
import { kindOf } from '#web/api/queries/video-kinds.ts';
import { isMomentKind, type MomentKind } from '#contract/moment-kinds.ts';
import type { MomentsParams, SearchParams } from '#web/api/queries/search.ts';
import { parseQuery } from './query-words.ts';

const whole = (text: string | null) => (text && /^\d{1,9}$/.test(text) ? Number(text) : undefined);
const dayOf = (text: string | null) =>
  text && /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : undefined;
const minuteSeconds = 60;
const dayMs = 86_400_000;
const dayAfter = (day: string | undefined) => day && new Date(Date.parse(day) + dayMs).toISOString().slice(0, 10);
const kindsOf = (text: string | null): MomentKind[] => [...new Set((text ?? '').split(',').filter(isMomentKind))];

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
  const kinds = kindsOf(search.get('in'));
  const { from, to, ...others } = filters;
  const moments: MomentsParams = {
    query,
    ...others,
    after: from,
    before: dayAfter(to),
    in: kinds.join(',') || undefined,
    ...(page > 1 && { page }),
  };
  const setting: SearchParams = { query, ...filters, ...(page > 1 && { page }) };
  const setParams = useCallback(
    (words: Record<string, string | null>, isStep = false, preventScrollReset = !isStep) =>
      putInto({ page: null, ...words }, { replace: !isStep, preventScrollReset }),
    [putInto],
  );
  const chosen = Object.values(filters).filter((value) => value !== undefined).length;
  return { query, words: parseQuery(query), options: setting, moments, kinds, page, search, put: setParams, chosen };
}
export type Search = ReturnType<typeof useSearch>;
