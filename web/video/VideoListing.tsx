import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { IconMoodEmpty } from '@tabler/icons-react';
import { lazy, Suspense, useCallback, useEffect, useRef, useState, type ReactNode } from 'react';
import type { Paginate } from '#contract/page.ts';
import type { Video } from '#contract/video.ts';
import { Button } from '#web/ui/Button.tsx';
import { Loaded } from '#web/ui/Loaded.tsx';
import { Empty } from '#web/ui/Note.tsx';
import { Pager, usePage, usePageKeys } from '#web/ui/Pager.tsx';
import { columnsIn, useWidth } from './columns.ts';
import { ListingBar } from './ListingBar.tsx';
import { useListKeys } from './list-keys.ts';
import { videoList, type VideoFilter } from './queries.ts';
import { useSelection } from './selection.ts';
import { SelectionBar } from './SelectionBar.tsx';
import { useListing, type Listing, type Place, type Scope, type Sort } from './use-listing.ts';
import type { Shown } from './shown.ts';
import { Videos, VideosSkeleton } from './Videos.tsx';
import styles from './VideoListing.module.css';

const EndlessVideos = lazy(async () => ({ default: (await import('./EndlessVideos.tsx')).EndlessVideos }));

interface Props {
  place: Place;
  scope?: Scope;
  /** What the list is, and its totals. */
  head: ReactNode;
  /** What is said when there is nothing at all. */
  empty: ReactNode;
  newSince?: number | undefined;
}

interface PageProps extends Pick<Shown, 'view' | 'columns' | 'date' | 'newSince' | 'sorting'> {
  videos: Video[];
  paginate: Paginate;
  filter: VideoFilter;
  isSelecting: boolean;
  onSelected(): void;
}

/** One page of them. */
function Page({ videos, paginate, filter, isSelecting, onSelected, view, columns, ...rest }: PageProps) {
  const [page, setPage] = usePage();
  usePageKeys({ page, total: paginate.total_hits, size: paginate.page_size, onChange: setPage });
  const videoAt = useCallback((at: number) => videos[at], [videos]);
  const selection = useSelection({ count: videos.length, videoAt, list: JSON.stringify(filter) });
  const across = view === 'grid' ? columns : 1;
  const keys = useListKeys({ count: videos.length, columns: across, videoAt, selection });
  return (
    <>
      <Videos
        {...rest}
        items={videos.map((video, at) => ({ at, video }))}
        total={videos.length}
        view={view}
        columns={columns}
        selection={selection}
        {...keys}
      />
      <SelectionBar selection={selection} filter={filter} total={paginate.total_hits} isAsked={isSelecting} onEnd={onSelected} />
      <Pager page={page} total={paginate.total_hits} size={paginate.page_size} onChange={setPage} />
    </>
  );
}

function NothingLikeThat({ listing }: { listing: Listing }) {
  const { t } = useLingui();
  return (
    <Empty
      icon={<IconMoodEmpty />}
      title={t`Nothing like that`}
      action={<Button onClick={listing.clear}>{t`Show everything`}</Button>}
    >
      {t`No video matches what is chosen above.`}
    </Empty>
  );
}

function Listed({
  listing,
  empty,
  newSince,
  isSelecting,
  onSelected,
}: Pick<Props, 'empty' | 'newSince'> & Pick<PageProps, 'isSelecting' | 'onSelected'> & { listing: Listing }) {
  const { t } = useLingui();
  const [page, setPage] = usePage();
  const box = useRef<HTMLDivElement>(null);
  const columns = columnsIn(useWidth(box), listing.columns);
  const { filter, view, isEndless, sort, order } = listing;
  const query = useQuery(videoList({ ...filter, page: isEndless || page <= 1 ? undefined : page }));
  const isOld = query.isPlaceholderData;
  const lastPage = query.data && !isOld ? query.data.paginate.last_page : 0;
  const isBeyond = Boolean(query.data && !isOld && query.data.data.length === 0 && page > 1);
  // What stood on the last page has been watched or deleted: the page before it is meant.
  useEffect(() => {
    if (isBeyond) setPage(lastPage > 0 ? lastPage : 0);
  }, [isBeyond, lastPage, setPage]);
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
      <Loaded query={query} skeleton={skeleton}>
        {({ data, paginate }) => {
          if (data.length === 0 && page <= 1) return listing.chosen > 0 ? <NothingLikeThat listing={listing} /> : empty;
          if (isEndless)
            return (
              <Suspense fallback={skeleton}>
                <EndlessVideos key={JSON.stringify(filter)} filter={filter} paginate={paginate} {...common} />
              </Suspense>
            );
          return (
            <div className={isOld ? styles.old : undefined}>
              <Page videos={data} paginate={paginate} filter={filter} {...common} />
            </div>
          );
        }}
      </Loaded>
    </div>
  );
}

/** Every list of videos there is, the same everywhere: in cards, rows or a table, page by page or without end. */
export function VideoListing({ place, scope = {}, head, empty, newSince }: Props) {
  const listing = useListing(place, scope);
  const [isSelecting, setIsSelecting] = useState(false);
  const onSelected = useCallback(() => setIsSelecting(false), []);
  if (!listing) return <VideosSkeleton view="grid" />;
  return (
    <div className={styles.section}>
      <ListingBar listing={listing} head={head} onSelect={() => setIsSelecting(true)} />
      <Listed listing={listing} empty={empty} newSince={newSince} isSelecting={isSelecting} onSelected={onSelected} />
    </div>
  );
}
