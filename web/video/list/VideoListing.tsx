import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { IconMoodEmpty } from '@tabler/icons-react';
import { useCallback, useRef, useState, type ReactNode } from 'react';
import type { Paginate } from '#contract/page.ts';
import type { Video } from '#contract/video.ts';
import { Button } from '#web/ui/Button.tsx';
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx';
import { EmptyState } from '#web/ui/Callout.tsx';
import { Pager, usePage, usePageKeys, useExistingPage } from '#web/ui/Pager.tsx';
import { fitColumns, useWidth } from '../list-view/columns.ts';
import { ListingBar } from './ListingBar.tsx';
import { useListShortcuts } from '../list-view/use-list-shortcuts.ts';
import { videoList, type VideoFilter } from '#web/api/queries/video.ts';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { useSelection } from '../selection/selection.ts';
import { SelectionBar } from '../selection/SelectionBar.tsx';
import { useListing, type Listing, type ListPage, type Scope, type Sort } from '../list-view/use-listing.ts';
import type { ListProps } from '../list-view/list-props.ts';
import { Videos, VideosSkeleton } from './Videos.tsx';
import styles from './VideoListing.module.css';

const EndlessVideos = lazyComponent(async () => (await import('./EndlessVideos.tsx')).EndlessVideos);

interface Props {
  listPage: ListPage;
  scope?: Scope;
  /** Title and totals of the list. */
  head: ReactNode;
  /** Shown when the list is empty without filters. */
  empty: ReactNode;
  newSince?: number | undefined;
}

interface PageProps extends Pick<ListProps, 'view' | 'columns' | 'date' | 'newSince' | 'sorting'> {
  videos: Video[];
  paginate: Paginate;
  filter: VideoFilter;
  isSelecting: boolean;
  onSelected(): void;
}

/** One page of results. */
function Page({ videos, paginate, filter, isSelecting, onSelected, view, columns, ...rest }: PageProps) {
  const [page, setPage] = usePage();
  usePageKeys({ page, total: paginate.total_hits, size: paginate.page_size, onChange: setPage });
  const videoAt = useCallback((index: number) => videos[index], [videos]);
  const selection = useSelection({ count: videos.length, videoAt, list: JSON.stringify(filter) });
  const across = view === 'grid' ? columns : 1;
  const keys = useListShortcuts({ count: videos.length, columns: across, videoAt, selection });
  return (
    <>
      <Videos
        {...rest}
        items={videos.map((video, index) => ({ index, video }))}
        total={videos.length}
        view={view}
        columns={columns}
        selection={selection}
        {...keys}
      />
      <SelectionBar
        selection={selection}
        filter={filter}
        total={paginate.total_hits}
        isSelecting={isSelecting}
        onStarted={onSelected}
      />
      <Pager page={page} total={paginate.total_hits} size={paginate.page_size} onChange={setPage} />
    </>
  );
}

function NoMatches({ listing }: { listing: Listing }) {
  const { t } = useLingui();
  return (
    <EmptyState
      icon={<IconMoodEmpty />}
      title={t`No matches`}
      action={<Button onClick={listing.clearFilters}>{t`Clear filters`}</Button>}
    >
      {t`No videos match these filters.`}
    </EmptyState>
  );
}

function VideoResults({
  listing,
  empty,
  newSince,
  isSelecting,
  onSelected,
}: Pick<Props, 'empty' | 'newSince'> & Pick<PageProps, 'isSelecting' | 'onSelected'> & { listing: Listing }) {
  const { t } = useLingui();
  const [page] = usePage();
  const box = useRef<HTMLDivElement>(null);
  const columns = fitColumns(useWidth(box), listing.columns);
  const { filter, view, isEndless, sort, order } = listing;
  const query = useQuery(videoList({ ...filter, page: isEndless || page <= 1 ? undefined : page }));
  const isOld = query.isPlaceholderData;
  useExistingPage({ data: isEndless ? undefined : query.data, isPlaceholderData: isOld });
  const common = {
    view,
    columns,
    isSelecting,
    onSelected,
    newSince,
    date: sort === 'downloaded' && listing.hasSort ? ('downloaded' as const) : ('published' as const),
    sorting: listing.hasSort
      ? {
          by: sort,
          order,
          onSort: (by: string) =>
            by === sort ? listing.setOrder(order === 'asc' ? 'desc' : 'asc') : listing.setSort(by as Sort),
        }
      : undefined,
  };
  const skeleton = <VideosSkeleton view={view} columns={columns} count={columns * 3} />;
  return (
    <div ref={box} aria-busy={query.isFetching && (query.isPending || isOld)} aria-label={t`Videos`} role="group">
      <QueryBoundary query={query} skeleton={skeleton}>
        {({ data, paginate }) => {
          if (data.length === 0 && page <= 1) return listing.filterCount > 0 ? <NoMatches listing={listing} /> : empty;
          if (isEndless)
            return (
              <EndlessVideos key={JSON.stringify(filter)} filter={filter} paginate={paginate} {...common} fallback={skeleton} />
            );
          return (
            <div className={isOld ? styles.stale : undefined}>
              <Page videos={data} paginate={paginate} filter={filter} {...common} />
            </div>
          );
        }}
      </QueryBoundary>
    </div>
  );
}

/** List of videos as cards, rows or a table, paginated or with infinite scroll. */
export function VideoListing({ listPage, scope = {}, head, empty, newSince }: Props) {
  const listing = useListing(listPage, scope);
  const [isSelecting, setIsSelecting] = useState(false);
  const onSelected = useCallback(() => setIsSelecting(false), []);
  if (!listing) return <VideosSkeleton view="grid" />;
  return (
    <div className={styles.section}>
      <ListingBar listing={listing} head={head} onSelect={() => setIsSelecting(true)} />
      <VideoResults listing={listing} empty={empty} newSince={newSince} isSelecting={isSelecting} onSelected={onSelected} />
    </div>
  );
}
