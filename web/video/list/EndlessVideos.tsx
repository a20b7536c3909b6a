import { useQueries } from '@tanstack/react-query';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useLayoutEffect, useRef, useState } from 'react';
import type { Paginate } from '#contract/page.ts';
import { queryClient } from '#web/api/client.ts';
import { useListShortcuts } from '../list-view/use-list-shortcuts.ts';
import { videoList, type VideoFilter } from '#web/api/queries/video.ts';
import { useSelection } from '../selection/selection.ts';
import { SelectionBar } from '../selection/SelectionBar.tsx';
import type { ListProps } from '../list-view/list-props.ts';
import { useFastScroll } from './use-fast-scroll.ts';
import { Videos } from './Videos.tsx';
import styles from './VideoListing.module.css';

interface Props extends Pick<ListProps, 'view' | 'columns' | 'date' | 'newSince' | 'sorting'> {
  filter: VideoFilter;
  paginate: Paginate;
  isSelecting: boolean;
  onSelected(): void;
}

// Row heights by view and width, so that a page opened again has its full height at once.
const heights = new Map<string, number>();
const firstGuess = { grid: 300, list: 150, table: 45 };
const gaps = { grid: 28, list: 20, table: 0 };

/**
 * Virtualized list: only the visible ones of up to 100,000 videos are loaded and rendered, while the page has its full height.
 */
export function EndlessVideos({ filter, paginate, view, columns: wanted, isSelecting, onSelected, ...rest }: Props) {
  const columns = view === 'grid' ? wanted : 1;
  const { total_hits: total, page_size: size } = paginate;
  const box = useRef<HTMLDivElement>(null);
  const layout = `${view} ${columns} ${innerWidth}`;
  const [height, setHeight] = useState(heights.get(layout) ?? firstGuess[view] + gaps[view]);
  const [isMeasured, setIsMeasured] = useState(heights.has(layout));
  const [top, setTop] = useState(0);
  const rows = Math.ceil(total / columns);
  // oxlint-disable-next-line react/incompatible-library -- its functions are not passed to memoized components
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
  const isFast = useFastScroll(() => virtual.scrollOffset ?? 0);
  const results = useQueries({
    queries: pages.map((page) => ({ ...pageQuery(page), placeholderData: undefined, enabled: !isFast })),
  });
  // The selection can include pages that are no longer rendered.
  const videoAt = useCallback(
    (index: number) => queryClient.getQueryData(pageQuery(Math.floor(index / size) + 1).queryKey)?.data[index % size],
    [pageQuery, size],
  );

  // All rows of one view have the same height, so one is measured.
  const hasLoaded = results.some(({ isSuccess }) => isSuccess);
  useLayoutEffect(() => {
    if (!box.current) return;
    setTop(Math.round(box.current.getBoundingClientRect().top + scrollY));
    const item = box.current.querySelector('[data-at] article, tr[data-at]');
    if (!item) return;
    const measured = Math.ceil(item.getBoundingClientRect().height) + gaps[view];
    heights.set(layout, measured);
    setHeight(measured);
    setIsMeasured(true);
  }, [layout, view, hasLoaded]);
  useLayoutEffect(() => virtual.measure(), [virtual, height]);

  const selection = useSelection({ count: total, videoAt, list: '' });
  const keys = useListShortcuts({
    count: total,
    columns,
    videoAt,
    selection,
    reveal: (index) => virtual.scrollToIndex(Math.floor(index / columns), { align: 'auto' }),
  });
  const items = Array.from({ length: Math.max(0, to - from) }, (_, offset) => ({
    index: from + offset,
    video: videoAt(from + offset),
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
        spaceBefore={first * height}
        spaceAfter={Math.max(0, rows - 1 - last) * height}
        selection={selection}
        {...(isMeasured && { isScrollingFast: isFast })}
        {...keys}
      />
      <SelectionBar selection={selection} filter={filter} total={total} isSelecting={isSelecting} onStarted={onSelected} />
    </div>
  );
}
