import { useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { SaveAsList } from '#web/smart-list-form/SaveAsList.tsx';
import { Button } from '#web/ui/Button.tsx';
import { SegmentedControl } from '#web/ui/SegmentedControl.tsx';
import { Field } from '#web/ui/Field.tsx';
import { Sheet, useHasSheets } from '#web/ui/Sheet.tsx';
export { ActiveFilters } from './ActiveFilters.tsx';
import { FacetFilters } from './FacetFilters.tsx';
import { useKindChoices, useWatchedChoices } from './filter-choices.ts';
import { NumberFilter } from './NumberFilter.tsx';
import { RangeFilter } from './RangeFilter.tsx';
import type { Listing, WatchedFilter } from '../list-view/use-listing.ts';
import styles from './ListingFilters.module.css';

const minute = 60;

function Fields({ listing }: { listing: Listing }) {
  const { t } = useLingui();
  const kinds = useKindChoices(t`All`);
  const watchedChoices = useWatchedChoices<WatchedFilter>('all', 'unwatched', 'watched');
  const { filter, change } = listing;
  // Remounts the fields, so that half-typed values are cleared with the filters.
  const [resetCount, setResetCount] = useState(0);
  return (
    <>
      {listing.hasKind && (
        <div className={styles.group}>
          <span aria-hidden>{t`Type`}</span>
          <SegmentedControl label={t`Type`} value={listing.kind} onChange={listing.setKind} choices={kinds} />
        </div>
      )}
      {listing.hasWatchedFilter && (
        <div className={styles.group}>
          <span aria-hidden>{t`Watched`}</span>
          <SegmentedControl
            label={t`Watched`}
            value={listing.watchedFilter}
            onChange={listing.setWatchedFilter}
            choices={watchedChoices}
          />
        </div>
      )}
      <NumberFilter
        key={`height ${resetCount}`}
        label={t`Resolution (px)`}
        placeholder="1080"
        value={filter.height}
        onTyped={(height) => change({ height })}
      />
      <RangeFilter
        key={`length ${resetCount}`}
        label={t`Length (minutes)`}
        subject="duration"
        unit={minute}
        presets={[
          { label: t`Under 10 min`, to: 10 },
          { label: t`10 to 30 min`, from: 10, to: 30 },
          { label: t`Over 30 min`, from: 30 },
        ]}
        filter={filter}
        change={change}
      />
      <fieldset className={styles.group}>
        <legend>{t`Published`}</legend>
        <div className={styles.pair}>
          <Field
            label={t`From`}
            type="date"
            value={filter.from ?? ''}
            onChange={(event) => change({ from: event.target.value || undefined })}
          />
          <Field
            label={t`To`}
            type="date"
            value={filter.to ?? ''}
            onChange={(event) => change({ to: event.target.value || undefined })}
          />
        </div>
      </fieldset>
      <FacetFilters key={`facets ${resetCount}`} filter={filter} change={change} />
      <div className={styles.actions}>
        <SaveAsList filter={filter} onCreated={listing.clearStoredFilters} />
        {listing.filterCount > 0 && (
          <Button
            size="s"
            kind="quiet"
            onClick={() => {
              setResetCount(resetCount + 1);
              listing.clearFilters();
            }}
          >
            {t`Clear filters`}
          </Button>
        )}
      </div>
    </>
  );
}

/** Filters of a list of videos: below its bar, or in a sheet on phones. */
export function ListingFilters({ listing, id, onClose }: { listing: Listing; id: string; onClose(): void }) {
  const { t } = useLingui();
  if (!useHasSheets())
    return (
      <div id={id} className={styles.filters}>
        <Fields listing={listing} />
      </div>
    );
  return (
    <Sheet title={t`Filters`} onClose={onClose}>
      <div className={styles.fields}>
        <Fields listing={listing} />
      </div>
    </Sheet>
  );
}
