import { useLingui } from '@lingui/react/macro';
import { useRef, useState } from 'react';
import { Button } from '#web/ui/Button.tsx';
import { Choices } from '#web/ui/Choices.tsx';
import { Field, Switch } from '#web/ui/Field.tsx';
import type { Listing } from './use-listing.ts';
import styles from './ListingBar.module.css';

const typedMs = 300;

interface TypedProps {
  label: string;
  value: string;
  onTyped(text: string): void;
  placeholder?: string;
}

/** A number that takes effect a moment after it was typed. */
function Typed({ value, onTyped, ...rest }: TypedProps) {
  const [text, setText] = useState(value);
  const [before, setBefore] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  if (before !== value) {
    // Changed from elsewhere: another address, everything shown again.
    setBefore(value);
    setText(value);
  }
  const type = (typed: string) => {
    setText(typed);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => onTyped(typed), typedMs);
  };
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
  const { bounds, setBounds } = listing;
  return (
    <>
      {listing.hasKind && (
        <Choices
          label={t`Kind`}
          value={listing.kind}
          onChange={listing.setKind}
          choices={[
            { value: '', label: t`Everything` },
            { value: 'videos', label: t`Videos` },
            { value: 'shorts', label: t`Shorts` },
            { value: 'streams', label: t`Streams` },
          ]}
        />
      )}
      <Choices
        label={t`Watched`}
        value={listing.seen}
        onChange={listing.setSeen}
        choices={[
          { value: 'all', label: t`Watched or not` },
          { value: 'unwatched', label: t`Not watched` },
          { value: 'watched', label: t`Only watched` },
        ]}
      />
      <span className={styles.small}>
        <Typed label={t`Height in px`} placeholder="1080" value={listing.height} onTyped={listing.setHeight} />
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
      <span className={styles.pair} role="group" aria-label={t`Length`}>
        <Typed label={t`At least (minutes)`} value={bounds.min} onTyped={(min) => setBounds({ min })} />
        <Typed label={t`At most (minutes)`} value={bounds.max} onTyped={(max) => setBounds({ max })} />
      </span>
      <Switch label={t`Endless list`} isOn={listing.isEndless} onChange={listing.setEndless} />
      {listing.chosen > 0 && (
        <Button size="s" kind="quiet" onClick={listing.clear}>
          {t`Show everything`}
        </Button>
      )}
    </>
  );
}
