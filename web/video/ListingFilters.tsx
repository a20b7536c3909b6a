import { useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { Button } from '#web/ui/Button.tsx';
import { Choices } from '#web/ui/Choices.tsx';
import { Field, Switch } from '#web/ui/Field.tsx';
import { useTyped } from '#web/ui/typed.ts';
import { useKindChoices, useSeenChoices } from './filter-choices.ts';
import type { Listing, Seen } from './use-listing.ts';
import styles from './ListingBar.module.css';

interface TypedProps {
  label: string;
  value: string;
  onTyped(text: string): void;
  placeholder?: string;
}

/** A number that takes effect a moment after it was typed. */
function Typed({ value, onTyped, ...rest }: TypedProps) {
  const [text, type] = useTyped(value, onTyped);
  return (
    <Field
      {...rest}
      inputMode="numeric"
      maxLength={5}
      value={text}
      onChange={(event) => type(event.target.value.replace(/\D/g, ''))}
    />
  );
}

/** Which videos of a list are shown; open when somebody asks for it. */
export function ListingFilters({ listing }: { listing: Listing }) {
  const { t } = useLingui();
  const kinds = useKindChoices(t`Everything`);
  const seen = useSeenChoices<Seen>('all', 'unwatched', 'watched');
  const { bounds, setBounds } = listing;
  // What is half typed when everything is shown again is forgotten.
  const [round, setRound] = useState(0);
  return (
    <>
      {listing.hasKind && <Choices label={t`Kind`} value={listing.kind} onChange={listing.setKind} choices={kinds} />}
      <Choices label={t`Watched`} value={listing.seen} onChange={listing.setSeen} choices={seen} />
      <span className={styles.small}>
        <Typed key={round} label={t`Height in px`} placeholder="1080" value={listing.height} onTyped={listing.setHeight} />
      </span>
      <span className={styles.pair} role="group" aria-label={t`Published`}>
        <Field
          label={t`Published from`}
          type="date"
          value={bounds.from}
          onChange={(event) => setBounds({ from: event.target.value })}
        />
        <Field label={t`until`} type="date" value={bounds.to} onChange={(event) => setBounds({ to: event.target.value })} />
      </span>
      <span className={styles.pair} role="group" aria-label={t`Length`} key={`length ${round}`}>
        <Typed label={t`At least (minutes)`} value={bounds.min} onTyped={(min) => setBounds({ min })} />
        <Typed label={t`At most (minutes)`} value={bounds.max} onTyped={(max) => setBounds({ max })} />
      </span>
      <Switch label={t`Endless list`} isOn={listing.isEndless} onChange={listing.setEndless} />
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
