import { useLingui } from '@lingui/react/macro';
import { IconAdjustmentsHorizontal, IconSortAscending, IconSortDescending, IconSquareCheck } from '@tabler/icons-react';
import { lazy, Suspense, useId, useState, type ReactNode } from 'react';
import { Button, IconButton } from '#web/ui/Button.tsx';
import { Select } from '#web/ui/Field.tsx';
import { ColumnSteps } from './ColumnSteps.tsx';
import { ViewChoice } from './ViewChoice.tsx';
import type { Listing, Sort } from './use-listing.ts';
import styles from './ListingBar.module.css';

const NarrowedTo = lazy(async () => ({ default: (await import('./NarrowedTo.tsx')).NarrowedTo }));
const ListingFilters = lazy(async () => ({ default: (await import('./ListingFilters.tsx')).ListingFilters }));

/** What stands above every list of videos: what it is, and what of it is shown and how. */
export function ListingBar({ listing, head, onSelect }: { listing: Listing; head: ReactNode; onSelect(): void }) {
  const { t } = useLingui();
  const [isOpen, setIsOpen] = useState(false);
  const filters = useId();
  const isDescending = listing.order === 'desc';
  const sorts: { value: Sort; label: string }[] = [
    { value: 'published', label: t`Published` },
    { value: 'downloaded', label: t`Added` },
    { value: 'views', label: t`Views` },
    { value: 'likes', label: t`Likes` },
    { value: 'duration', label: t`Length` },
    { value: 'mediasize', label: t`File size` },
    { value: 'width', label: t`Width` },
    { value: 'height', label: t`Height` },
  ];
  return (
    <div className={styles.head}>
      <div className={styles.words}>{head}</div>
      {Object.keys(listing.narrowed).length > 0 && (
        <Suspense>
          <NarrowedTo narrowed={listing.narrowed} onWiden={listing.widen} />
        </Suspense>
      )}
      <div className={styles.controls}>
        <Button
          icon={<IconAdjustmentsHorizontal aria-hidden />}
          aria-expanded={isOpen}
          aria-controls={filters}
          className={listing.chosen > 0 ? styles.some : ''}
          onClick={() => setIsOpen(!isOpen)}
        >
          {listing.chosen > 0 ? t`Filters · ${listing.chosen}` : t`Filters`}
        </Button>
        {listing.hasSort && (
          <span className={styles.order}>
            <Select
              label={t`Order`}
              isLabelHidden
              choices={sorts}
              value={listing.sort}
              onChange={(event) => listing.setSort(event.target.value as Sort)}
            />
            <IconButton
              label={isDescending ? t`Descending; make it ascending` : t`Ascending; make it descending`}
              title={isDescending ? t`Descending` : t`Ascending`}
              onClick={() => listing.setOrder(isDescending ? 'asc' : 'desc')}
            >
              {isDescending ? <IconSortDescending aria-hidden /> : <IconSortAscending aria-hidden />}
            </IconButton>
          </span>
        )}
        <ViewChoice value={listing.view} onChange={listing.setView} />
        {listing.view === 'grid' && (
          <span className={styles.columns} role="group" aria-label={t`Columns`}>
            <ColumnSteps columns={listing.columns} onChange={listing.setColumns} />
          </span>
        )}
        <IconButton label={t`Select several`} onClick={onSelect}>
          <IconSquareCheck aria-hidden />
        </IconButton>
      </div>
      <div id={filters} className={styles.filters} hidden={!isOpen}>
        {isOpen && (
          <Suspense>
            <ListingFilters listing={listing} />
          </Suspense>
        )}
      </div>
    </div>
  );
}
