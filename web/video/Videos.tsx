import { lazy, memo, Suspense, useDeferredValue, useState, type ReactNode } from 'react';
import type { Video } from '#contract/video.ts';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { VideoCard } from './VideoCard.tsx';
import { isNewSince, type Shown, type ViewStyle } from './shown.ts';
import styles from './VideoListing.module.css';

const VideoTable = lazy(async () => ({ default: (await import('./VideoTable.tsx')).VideoTable }));

const Ghost = ({ isRow }: { isRow: boolean }) => (
  <div className={isRow ? styles.ghostRow : styles.ghost} aria-hidden>
    <Skeleton ratio="16/9" />
    <span className={styles.ghostWords}>
      <Skeleton width="90%" height={20} />
      <Skeleton width="60%" height={20} />
      <Skeleton width="50%" height={14} />
    </span>
  </div>
);

interface ItemProps {
  at: number;
  video: Video;
  isRow: boolean;
  isActive: boolean;
  isNew: boolean;
  isEager: boolean;
  isChoosing: boolean;
  isChosen: boolean;
  toggle(at: number): void;
  date: Shown['date'];
  isRushing: boolean | undefined;
}

/** A card that is drawn again only when something of it changes: lists are scrolled fast. Whoever rushes past sees its place. */
const Item = memo(function Item(props: ItemProps) {
  const { at, video, isRow, isActive, isNew, isEager, isChoosing, isChosen, toggle, date, isRushing } = props;
  // In a list without end cards are drawn between the frames, and once drawn they stay.
  const [isDrawn, setIsDrawn] = useState(isRushing === undefined);
  const mayBeDrawn = useDeferredValue(isRushing === false, false);
  if (!isDrawn && mayBeDrawn) setIsDrawn(true);
  if (!isDrawn) return <Ghost isRow={isRow} />;
  return (
    <VideoCard
      video={video}
      shape={isRow ? 'row' : 'card'}
      tabIndex={isActive ? 0 : -1}
      isNew={isNew}
      isEager={isEager}
      choosing={{ isOn: isChoosing, isChosen, toggle: () => toggle(at) }}
      {...(date && { date })}
    />
  );
});

/** The videos themselves, in whichever form. */
export function Videos(shown: Shown) {
  const {
    items,
    total,
    view,
    columns,
    before = 0,
    after = 0,
    rowHeight,
    date,
    newSince,
    selection,
    isRushing,
    active,
    listens,
    listRef,
  } = shown;
  if (view === 'table')
    return (
      <Suspense fallback={<Skeleton height={items.length * 45 + 41} />}>
        <VideoTable {...shown} />
      </Suspense>
    );
  const isRow = view === 'list';
  return (
    <ul
      ref={listRef}
      {...listens}
      className={`${isRow ? styles.list : styles.grid} ${selection.isOn ? styles.choosing : ''}`}
      style={{
        paddingBlock: `${before}px ${after}px`,
        gridAutoRows: rowHeight,
        ...(!isRow && { gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }),
      }}
    >
      {items.map(({ at, video }) => (
        <li key={at} data-at={at} aria-setsize={total} aria-posinset={at + 1}>
          {video ? (
            <Item
              at={at}
              video={video}
              isRow={isRow}
              isActive={at === active}
              isNew={isNewSince(video, newSince)}
              isEager={at < columns}
              isChoosing={selection.isOn}
              isChosen={selection.has(video)}
              toggle={selection.toggle}
              date={date}
              isRushing={isRushing}
            />
          ) : (
            <Ghost isRow={isRow} />
          )}
        </li>
      ))}
    </ul>
  );
}

/** The shape of a list that is on its way. */
export function VideosSkeleton({ view, columns, count = 8 }: { view: ViewStyle; columns?: number; count?: number }): ReactNode {
  if (view === 'table') return <Skeleton height={count * 45} />;
  return (
    <ul
      className={view === 'list' ? styles.list : styles.grid}
      style={view === 'grid' && columns ? { gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` } : undefined}
      aria-hidden
    >
      {Array.from({ length: count }, (_, place) => (
        <li key={place}>
          <Ghost isRow={view === 'list'} />
        </li>
      ))}
    </ul>
  );
}
