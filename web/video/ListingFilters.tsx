import { useLingui } from '@lingui/react/macro';
import { useRef, useState } from 'react';
import { Button } from '#web/ui/Button.tsx';
import { Choices } from '#web/ui/Choices.tsx';
import { Field, Switch } from '#web/ui/Field.tsx';
import type { Listing } from './use-listing.ts';
import styles from './ListingBar.module.css';

const typedMs = 300;

/** Which videos of a list are shown; open when somebody asks for it. */
export function ListingFilters({ listing }: { listing: Listing }) {
  const { t } = useLingui();
  const [height, setHeight] = useState(listing.height);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const type = (text: string) => {
    setHeight(text);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => listing.setHeight(text), typedMs);
  };
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
            setHeight('');
            listing.clear();
          }}
        >
          {t`Show everything`}
        </Button>
      )}
    </>
  );
}
