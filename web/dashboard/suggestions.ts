import { useQueries } from '@tanstack/react-query';
import { useConfig } from '#web/api/account.ts';
import { filterSummary } from '#web/api/queries/cleanup.ts';
import type { Filter } from '#web/api/queries/video-filter.ts';
import { gigabyteUnit, sizeText } from '#web/format/numbers.ts';
import { useFilterWords } from '#web/video/filters/use-filter-words.ts';
import { dateOf, dayOf, today } from './growth-line.ts';

const yearDays = 365;
const large = 2;

/** Lists of videos that could go. All of them can be downloaded again, and none is protected, collected or in progress. */
const suggestions = (gigabyte: number): Filter[] => [
  { cleanup: 'watched', active: true, min_size: large * gigabyte },
  { cleanup: 'watched', active: true },
  { cleanup: 'unopened', active: true, downloaded_to: dateOf(dayOf(today()) - yearDays) },
  { cleanup: 'any', active: true, min_size: large * gigabyte },
];

interface Suggestion {
  filter: Filter;
  name: string;
  videos: number;
  size: string;
}

/** Loads the suggestions that have videos, in the archive or in one channel. Undefined until all are loaded. */
export function useSuggestions(channel?: string): Suggestion[] | undefined {
  const unit = useConfig()?.file_size_unit;
  const wordsOf = useFilterWords();
  const filters = suggestions(gigabyteUnit(unit).bytes).map((filter) => ({ ...filter, ...(channel && { channel }) }));
  const found = useQueries({
    queries: filters.map((filter) => filterSummary(filter)),
    combine: (results) => (results.some(({ isPending }) => isPending) ? undefined : results.map(({ data }) => data)),
  });
  return (
    found &&
    filters.flatMap((filter, index) => {
      const { videos, media_size: bytes } = found[index] ?? { videos: 0, media_size: 0 };
      return videos === 0 ? [] : [{ filter, name: wordsOf(filter).join(' · '), videos, size: sizeText(bytes, unit) }];
    })
  );
}
