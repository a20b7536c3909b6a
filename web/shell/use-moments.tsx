import { useQuery } from '@tanstack/react-query';
import { useLocation, useNavigate } from 'react-router';
import { pathOfVideo } from '#web/api/paths.ts';
import { searchQuery } from '#web/api/queries/search.ts';
import { durationText } from '#web/format/numbers.ts';
import { hasInlinePlayer } from '#web/player/inline-pages.ts';
import { parseClock } from '#web/search/highlight.ts';
import { formatQuery, parseQuery, pathOfSearch } from '#web/search/query-words.ts';
import { Moment } from './Moment.tsx';
import type { Command } from './palette-order.ts';

/**
 * Spoken moments that match the input of the palette. The server runs one search per window at a time, so they are searched after
 * the names (`isReady`).
 */
export function useMoments(query: string, { isReady, most }: { isReady: boolean; most: number }): Command[] {
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const words = parseQuery(query);
  const spoken = formatQuery({ ...words, type: 'full' });
  const hasWords = (words.type === 'simple' || words.type === 'full') && words.terms.length > 1;
  const { data } = useQuery({ ...searchQuery({ query: spoken }, 'palette'), enabled: isReady && hasWords });
  if (!data || !hasWords) return [];
  return data.results.fulltext_results.slice(0, most).map((hit) => {
    const at = parseClock(hit.subtitle_hit_start);
    const time = durationText(at);
    return {
      value: hit.subtitle_fragment_id,
      label: `${time} ${hit.title}`,
      content: <Moment hit={hit} time={time} />,
      run: () => void navigate(`${pathOfVideo(hit)}?t=${at}`),
      runInPlace() {
        const [path, params = ''] = hasInlinePlayer(pathname) ? [pathname, search] : pathOfSearch(spoken).split('?');
        const shown = new URLSearchParams(params);
        shown.set('videoId', hit.youtube_id);
        shown.set('t', String(at));
        void navigate(`${path}?${shown}`);
      },
    };
  });
}
