import { useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { SaveAsList } from '#web/lists/SaveAsList.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Choices } from '#web/ui/Choices.tsx';
import { Field, Switch } from '#web/ui/Field.tsx';
import { FacetFilters } from './FacetFilters.tsx';
import { useKindChoices, useSeenChoices } from './filter-choices.ts';
import { TypedNumber } from './TypedNumber.tsx';
import type { Listing, Seen } from './use-listing.ts';
import styles from './ListingBar.module.css';

const minuteSeconds = 60;
const minutesOf = (seconds: number | undefined) => (seconds === undefined ? undefined : Math.round(seconds / minuteSeconds));
const secondsOf = (minutes: number | undefined) => (minutes === undefined ? undefined : minutes * minuteSeconds);

/** Which videos of a list are shown; open when somebody asks for it. */
export function ListingFilters({ listing }: { listing: Listing }) {
  const { t } = useLingui();
  const kinds = useKindChoices(t`Everything`);
  const seen = useSeenChoices<Seen>('all', 'unwatched', 'watched');
  const { filter, change } = listing;
  // What is half typed when everything is shown again is forgotten.
  const [round, setRound] = useState(0);
  return (
    <>
      {listing.hasKind && <Choices label={t`Kind`} value={listing.kind} onChange={listing.setKind} choices={kinds} />}
      <Choices label={t`Watched`} value={listing.seen} onChange={listing.setSeen} choices={seen} />
      <span className={styles.small}>
        <TypedNumber
          key={round}
          label={t`Height in px`}
          placeholder="1080"
          value={filter.height}
          onTyped={(height) => change({ height })}
        />
      </span>
      <span className={`${styles.pair} ${styles.dates}`} role="group" aria-label={t`Published`}>
        <Field
          label={t`Published from`}
          type="date"
          value={filter.from ?? ''}
          onChange={(event) => change({ from: event.target.value || undefined })}
        />
        <Field
          label={t`until`}
          type="date"
          value={filter.to ?? ''}
          onChange={(event) => change({ to: event.target.value || undefined })}
        />
      </span>
      <span className={styles.pair} role="group" aria-label={t`Length`} key={`length ${round}`}>
        <TypedNumber
          label={t`At least (minutes)`}
          value={minutesOf(filter.min_duration)}
          onTyped={(minutes) => change({ min_duration: secondsOf(minutes) })}
        />
        <TypedNumber
          label={t`At most (minutes)`}
          value={minutesOf(filter.max_duration)}
          onTyped={(minutes) => change({ max_duration: secondsOf(minutes) })}
        />
      </span>
      <FacetFilters key={`facets ${round}`} filter={filter} change={change} />
      <Switch label={t`Endless list`} isOn={listing.isEndless} onChange={listing.setEndless} />
      <SaveAsList filter={filter} />
      {listing.chosen > 0 && (
        <Button
          size="s"
          kind="quiet"
          onClick={() => {
            setRound(round + 1);
            listing.clear();
          }}
        >
          {t`Show everything`}
        </Button>
      )}
    </>
  );
}
