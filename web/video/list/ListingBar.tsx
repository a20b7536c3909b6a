import { useLingui } from '@lingui/react/macro';
import {
  IconAdjustmentsHorizontal,
  IconInfinity,
  IconSortAscending,
  IconSortDescending,
  IconSquareCheck,
} from '@tabler/icons-react';
import { useId, useState, type ReactNode } from 'react';
import { Button, IconButton } from '#web/ui/Button.tsx';
import { Select } from '#web/ui/Field.tsx';
import { useIsPhone } from '#web/ui/use-media-query.ts';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { ColumnStepper } from '../list-view/ColumnStepper.tsx';
import { ViewButton, ViewChoice } from '../list-view/ViewChoice.tsx';
import type { Listing, Sort } from '../list-view/use-listing.ts';
import styles from '../filters/ListingFilters.module.css';

// In the chunk of the filters, so that chips of filters that are set here appear without the network.
const loadFilters = () => import('../filters/ListingFilters.tsx');
const ActiveFilters = lazyComponent(async () => (await loadFilters()).ActiveFilters);
const ListingFilters = lazyComponent(async () => (await loadFilters()).ListingFilters);

/** Header of every list of videos: title, filters, order and view. */
export function ListingBar({ listing, head, onSelect }: { listing: Listing; head: ReactNode; onSelect(): void }) {
  const { t } = useLingui();
  const [isOpen, setIsOpen] = useState(false);
  const filters = useId();
  const isPhone = useIsPhone();
  const { filterCount } = listing;
  const isDescending = listing.order === 'desc';
  const sorts: { value: Sort; label: string }[] = [
    { value: 'published', label: t`Published` },
    { value: 'downloaded', label: t`Added` },
    { value: 'views', label: t`Views` },
    { value: 'likes', label: t`Likes` },
    { value: 'duration', label: t`Length` },
    { value: 'mediasize', label: t`File size` },
    { value: 'width', label: t`Width` },
    { value: 'height', label: t`Resolution` },
    { value: 'title', label: t`Title` },
  ];
  return (
    <div className={styles.head}>
      <div className={styles.label}>{head}</div>
      <div className={styles.controls}>
        <Button
          icon={<IconAdjustmentsHorizontal aria-hidden />}
          aria-expanded={isOpen}
          aria-controls={isOpen ? filters : undefined}
          aria-label={filterCount > 0 ? t`Filters · ${filterCount}` : t`Filters`}
          title={isPhone ? t`Filters` : undefined}
          className={filterCount > 0 ? styles.active : ''}
          onClick={() => setIsOpen(!isOpen)}
        >
          {isPhone ? filterCount > 0 && filterCount : filterCount > 0 ? t`Filters · ${filterCount}` : t`Filters`}
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
        {isPhone ? (
          <ViewButton listing={listing} />
        ) : (
          <>
            <ViewChoice value={listing.view} onChange={listing.setView} />
            <IconButton
              label={t`Infinite scroll`}
              aria-pressed={listing.isEndless}
              onClick={() => listing.setEndless(!listing.isEndless)}
            >
              <IconInfinity aria-hidden />
            </IconButton>
          </>
        )}
        {listing.view === 'grid' && (
          <span className={styles.columns} role="group" aria-label={t`Columns`}>
            <ColumnStepper columns={listing.columns} onChange={listing.setColumns} />
          </span>
        )}
        <IconButton label={t`Select multiple`} onClick={onSelect}>
          <IconSquareCheck aria-hidden />
        </IconButton>
      </div>
      {isOpen && <ListingFilters listing={listing} id={filters} onClose={() => setIsOpen(false)} />}
      {filterCount > 0 && <ActiveFilters listing={listing} />}
    </div>
  );
}
