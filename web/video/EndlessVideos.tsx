import { useQueries } from '@tanstack/react-query';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useLayoutEffect, useRef, useState } from 'react';
import type { Paginate } from '#contract/page.ts';
import { queryClient } from '#web/api/client.ts';
import { useListKeys } from './list-keys.ts';
import { videoList, type VideoFilter } from './queries.ts';
import { useSelection } from './selection.ts';
import { SelectionBar } from './SelectionBar.tsx';
import type { Shown } from './shown.ts';
import { useRush } from './use-rush.ts';
import { Videos } from './Videos.tsx';
import styles from './VideoListing.module.css';

interface Props extends Pick<Shown, 'view' | 'columns' | 'date' | 'newSince' | 'sorting'> {
  filter: VideoFilter;
  paginate: Paginate;
  isSelecting: boolean;
  onSelected(): void;
}

// How high a row turned out, for lists of that look and width: who comes back finds the page as long as it was.
const heights = new Map<string, number>();
const firstGuess = { grid: 300, list: 150, table: 45 };
const gaps = { grid: 28, list: 20, table: 0 };

/** One list without end. Of 100,000 videos those in sight are drawn and asked for; the page is as long as all of them. */
export function EndlessVideos({ filter, paginate, view, columns: wanted, isSelecting, onSelected, ...rest }: Props) {
  const columns = view === 'grid' ? wanted : 1;
  const { total_hits: total, page_size: size } = paginate;
  const box = useRef<HTMLDivElement>(null);
  const look = `${view} ${columns} ${innerWidth}`;
  const [height, setHeight] = useState(heights.get(look) ?? firstGuess[view] + gaps[view]);
  const [isMeasured, setIsMeasured] = useState(heights.has(look));
  const [top, setTop] = useState(0);
  const rows = Math.ceil(total / columns);
  // oxlint-disable-next-line react/incompatible-library -- nothing of it is handed on to what is memoized
  const virtual = useWindowVirtualizer({
    count: rows,
    estimateSize: () => height,
    overscan: 3,
    scrollMargin: top,
    scrollPaddingStart: 72,
  });
  const drawn = virtual.getVirtualItems();
  const first = drawn[0]?.index ?? 0;
  const last = drawn.at(-1)?.index ?? -1;

  const [from, to] = [first * columns, Math.min(total, (last + 1) * columns)];
  const firstPage = Math.floor(from / size) + 1;
  const pages = to > from ? Array.from({ length: Math.floor((to - 1) / size) + 2 - firstPage }, (_, at) => firstPage + at) : [];
  const pageQuery = useCallback((page: number) => videoList({ ...filter, page: page > 1 ? page : undefined }), [filter]);
  const isRushing = useRush(() => virtual.scrollOffset ?? 0);
  const asked = useQueries({
    queries: pages.map((page) => ({ ...pageQuery(page), placeholderData: undefined, enabled: !isRushing })),
  });
  // What is chosen reaches over pages that are out of sight again.
  const videoAt = useCallback(
    (at: number) => queryClient.getQueryData(pageQuery(Math.floor(at / size) + 1).queryKey)?.data[at % size],
    [pageQuery, size],
  );

  // The rows of one look are equally high: one of them tells how high.
  const isSome = asked.some(({ isSuccess }) => isSuccess);
  useLayoutEffect(() => {
    if (!box.current) return;
    setTop(Math.round(box.current.getBoundingClientRect().top + scrollY));
    const one = box.current.querySelector('[data-at] article, tr[data-at]');
    if (!one) return;
    const is = Math.ceil(one.getBoundingClientRect().height) + gaps[view];
    heights.set(look, is);
    setHeight(is);
    setIsMeasured(true);
  }, [look, view, isSome]);
  useLayoutEffect(() => virtual.measure(), [virtual, height]);

  const selection = useSelection({ count: total, videoAt, list: '' });
  const keys = useListKeys({
    count: total,
    columns,
    videoAt,
    selection,
    reveal: (at) => virtual.scrollToIndex(Math.floor(at / columns), { align: 'auto' }),
  });
  const items = Array.from({ length: Math.max(0, to - from) }, (_, at) => ({
    at: from + at,
    video: videoAt(from + at),
  }));
  return (
    <div ref={box} className={styles.endless} data-endless>
      <Videos
        {...rest}
        items={items}
        total={total}
        view={view}
        columns={columns}
        rowHeight={height - gaps[view]}
        before={first * height}
        after={Math.max(0, rows - 1 - last) * height}
        selection={selection}
        {...(isMeasured && { isRushing })}
        {...keys}
      />
      <SelectionBar selection={selection} filter={filter} total={total} isAsked={isSelecting} onEnd={onSelected} />
    </div>
  );
}
