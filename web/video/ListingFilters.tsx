import { useLingui } from '@lingui/react/macro';
import { Button } from '#web/ui/Button.tsx';
import { Choices } from '#web/ui/Choices.tsx';
import { Field, Switch } from '#web/ui/Field.tsx';
import { useTyped } from '#web/ui/typed.ts';
import { useKindChoices, useSeenChoices } from './filter-choices.ts';
import type { Listing, Seen } from './use-listing.ts';
import styles from './ListingBar.module.css';

/** Which videos of a list are shown; open when somebody asks for it. */
export function ListingFilters({ listing }: { listing: Listing }) {
  const { t } = useLingui();
  const kinds = useKindChoices(t`Everything`);
  const seen = useSeenChoices<Seen>('all', 'unwatched', 'watched');
  const [height, type] = useTyped(listing.height, listing.setHeight);
  return (
    <>
      {listing.hasKind && <Choices label={t`Kind`} value={listing.kind} onChange={listing.setKind} choices={kinds} />}
      <Choices label={t`Watched`} value={listing.seen} onChange={listing.setSeen} choices={seen} />
      <span className={styles.height}>
        <Field
          label={t`Height in px`}
          inputMode="numeric"
          placeholder="1080"
          maxLength={5}
          value={height}
          onChange={(event) => type(event.target.value.replace(/\D/g, ''))}
        />
      </span>
      <Switch label={t`Endless list`} isOn={listing.isEndless} onChange={listing.setEndless} />
      {listing.chosen > 0 && (
        <Button
          size="s"
          kind="quiet"
          onClick={() => {
            type('');
            listing.clear();
          }}
        >
          {t`Show everything`}
        </Button>
      )}
    </>
  );
}
