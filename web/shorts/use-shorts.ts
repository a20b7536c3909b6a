import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useConfig } from '#web/api/account.ts';
import { call } from '#web/api/call.ts';
import { videoQuery } from '#web/api/queries/video.ts';

// Loads another page when so many shorts are left.
const remainingBeforeLoad = 3;

/**
 * The shorts by date, as they were when the page was opened, because watching changes lists. Watched ones are left out if the user
 * hides them. A short that is not in the first page comes first.
 *
 * @param id the short in the address; null: the newest
 */
export function useShorts(id: string | null) {
  const hidesWatched = useConfig()?.hide_watched === true;
  const feed = useInfiniteQuery({
    queryKey: ['shorts'],
    queryFn: ({ pageParam, signal }) =>
      call('GET /api/video/', { query: { type: 'shorts', sort: 'published', page: pageParam }, signal }),
    initialPageParam: 1,
    getNextPageParam: ({ paginate }, _pages, page) => (page * paginate.page_size < paginate.total_hits ? page + 1 : undefined),
    staleTime: Infinity,
    gcTime: 0,
  });
  const [firstId] = useState(id);
  const all = feed.data?.pages.flatMap(({ data }) => data) ?? [];
  const known = all.filter(({ youtube_id, player }) => !hidesWatched || !player.watched || youtube_id === firstId);
  const ids = known.map(({ youtube_id }) => youtube_id);
  // Once the first page is loaded, the order stays: another page only adds to its end.
  const [isFirstKnown, setIsFirstKnown] = useState<boolean>();
  if (isFirstKnown === undefined && feed.data) setIsFirstKnown(firstId === null || ids.includes(firstId));
  const order = isFirstKnown === false ? [firstId!, ...ids.filter((one) => one !== firstId)] : ids;
  const shownId = id ?? order[0];
  const index = shownId === undefined ? -1 : order.indexOf(shownId);
  const { data, error } = useQuery({ ...videoQuery(shownId ?? ''), enabled: shownId !== undefined });
  const { hasNextPage, isFetching, isError, fetchNextPage } = feed;
  const needsMore = hasNextPage && !isFetching && !isError && index >= order.length - remainingBeforeLoad;
  useEffect(() => {
    if (needsMore) void fetchNextPage();
  }, [needsMore, fetchNextPage]);
  return {
    video: data ?? known.find(({ youtube_id }) => youtube_id === shownId),
    previous: order[index - 1],
    next: index < 0 ? undefined : order[index + 1],
    isEmpty: feed.isSuccess && !hasNextPage && order.length === 0,
    error: error ?? feed.error,
  };
}
