import { memo, useDeferredValue, useState, type ReactNode } from 'react';
import type { Video } from '#contract/video.ts';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { VideoCard } from './VideoCard.tsx';
import { isNewSince, type ListProps, type ViewStyle } from '../list-view/list-props.ts';
import styles from './VideoListing.module.css';

const VideoTable = lazyComponent(async () => (await import('./VideoTable.tsx')).VideoTable);

const CardSkeleton = ({ isRow }: { isRow: boolean }) => (
  <div className={isRow ? styles.skeletonRow : styles.skeleton} aria-hidden>
    <Skeleton ratio="16/9" />
    <span className={styles.skeletonText}>
      <Skeleton width="90%" height={20} />
      <Skeleton width="60%" height={20} />
      <Skeleton width="50%" height={14} />
    </span>
  </div>
);

interface ItemProps {
  index: number;
  video: Video;
  isRow: boolean;
  isActive: boolean;
  isNew: boolean;
  isEager: boolean;
  isSelecting: boolean;
  isSelected: boolean;
  toggle(index: number): void;
  date: ListProps['date'];
  isScrollingFast: boolean | undefined;
}

/** Memoized for fast scrolling. While the user scrolls fast, a placeholder is rendered. */
const Item = memo(function Item(props: ItemProps) {
  const { index, video, isRow, isActive, isNew, isEager, isSelecting, isSelected, toggle, date, isScrollingFast } = props;
  // With infinite scroll, cards are rendered between frames, and stay rendered.
  const [isDrawn, setIsDrawn] = useState(isScrollingFast === undefined);
  const mayBeDrawn = useDeferredValue(isScrollingFast === false, false);
  if (!isDrawn && mayBeDrawn) setIsDrawn(true);
  if (!isDrawn) return <CardSkeleton isRow={isRow} />;
  return (
    <VideoCard
      video={video}
      shape={isRow ? 'row' : 'card'}
      tabIndex={isActive ? 0 : -1}
      isNew={isNew}
      isEager={isEager}
      selection={{ isOn: isSelecting, isSelected, toggle: () => toggle(index) }}
      {...(date && { date })}
    />
  );
});

/** Renders videos in the selected view. */
export function Videos(props: ListProps) {
  const {
    items,
    total,
    view,
    columns,
    spaceBefore = 0,
    spaceAfter = 0,
    rowHeight,
    date,
    newSince,
    selection,
    isScrollingFast,
    active,
    listeners,
    listRef,
  } = props;
  if (view === 'table') return <VideoTable {...props} fallback={<Skeleton height={items.length * 45 + 41} />} />;
  const isRow = view === 'list';
  return (
    <ul
      ref={listRef}
      {...listeners}
      className={`${isRow ? styles.list : styles.grid} ${selection.isOn ? styles.selecting : ''}`}
      style={{
        paddingBlock: `${spaceBefore}px ${spaceAfter}px`,
        gridAutoRows: rowHeight,
        ...(!isRow && { gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }),
      }}
    >
      {items.map(({ index, video }) => (
        <li key={index} data-at={index} aria-setsize={total} aria-posinset={index + 1}>
          {video ? (
            <Item
              index={index}
              video={video}
              isRow={isRow}
              isActive={index === active}
              isNew={isNewSince(video, newSince)}
              isEager={index < columns}
              isSelecting={selection.isOn}
              isSelected={selection.has(video)}
              toggle={selection.toggle}
              date={date}
              isScrollingFast={isScrollingFast}
            />
          ) : (
            <CardSkeleton isRow={isRow} />
          )}
        </li>
      ))}
    </ul>
  );
}

/** Placeholder of a list that is loading. */
export function VideosSkeleton({ view, columns, count = 8 }: { view: ViewStyle; columns?: number; count?: number }): ReactNode {
  if (view === 'table') return <Skeleton height={count * 45} />;
  return (
    <ul
      className={view === 'list' ? styles.list : styles.grid}
      style={view === 'grid' && columns ? { gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` } : undefined}
      aria-hidden
    >
      {Array.from({ length: count }, (_, index) => (
        <li key={index}>
          <CardSkeleton isRow={view === 'list'} />
        </li>
      ))}
    </ul>
  );
}
