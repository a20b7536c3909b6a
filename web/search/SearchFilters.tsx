import { useLingui } from '@lingui/react/macro';
import { IconAdjustmentsHorizontal, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { Button } from '#web/ui/Button.tsx';
import { Choices } from '#web/ui/Choices.tsx';
import { Field, Select } from '#web/ui/Field.tsx';
import { useKindChoices, useSeenChoices } from '#web/video/filter-choices.ts';
import { keysToAdd, queryOf, withKey, withoutKey, withType, wordsOf, type SearchType } from './query-words.ts';
import type { Search } from './use-search.ts';
import styles from './SearchPage.module.css';

/** The keywords of the query, to take away and to add; nobody has to remember them. */
function Keys({ search }: { search: Search }) {
  const { t } = useLingui();
  const { query, put } = search;
  const { keys } = search.words;
  const more = keysToAdd(query);
  if (keys.length === 0 && more.length === 0) return null;
  return (
    <div className={styles.chips} role="group" aria-label={t`Keywords`}>
      {keys.map((key) => (
        <button
          key={key}
          type="button"
          className={`${styles.chip} ${styles.set}`}
          aria-label={t`Remove ${key}`}
          onClick={() => put({ query: withoutKey(query, key) })}
        >
          {key} <IconX aria-hidden />
        </button>
      ))}
      {more.map((key) => (
        <button
          key={key}
          type="button"
          className={styles.chip}
          aria-label={t`Add ${key}`}
          onClick={() => {
            put({ query: withKey(query, key) });
            document.querySelector<HTMLInputElement>('[role=search] input')?.focus();
          }}
        >
          {key}
        </button>
      ))}
    </div>
  );
}

/** A phrase and words to leave out, for those who do not write quotes and minus signs. */
function Exactly({ search }: { search: Search }) {
  const { t } = useLingui();
  const [phrase, setPhrase] = useState('');
  const [without, setWithout] = useState('');
  const { query, put } = search;
  const add = (terms: string) => {
    const words = wordsOf(query);
    put({ query: queryOf({ ...words, terms: `${words.terms} ${terms}`.trim() }) });
  };
  const clean = (text: string) => text.replaceAll('"', '').trim();
  return (
    <form
      className={styles.exactly}
      onSubmit={(event) => {
        event.preventDefault();
        const quoted = clean(phrase) && `"${clean(phrase)}"`;
        const left = clean(without) && `-"${clean(without)}"`;
        if (quoted || left) add([quoted, left].filter(Boolean).join(' '));
        setPhrase('');
        setWithout('');
      }}
    >
      <Field label={t`Exact phrase`} value={phrase} maxLength={200} onChange={(event) => setPhrase(event.target.value)} />
      <Field label={t`Without`} value={without} maxLength={200} onChange={(event) => setWithout(event.target.value)} />
      <Button type="submit" disabled={!clean(phrase) && !clean(without)}>
        {t`Add`}
      </Button>
    </form>
  );
}

function Narrow({ search }: { search: Search }) {
  const { t } = useLingui();
  const { put } = search;
  const kinds = useKindChoices(t`Everything`);
  const seen = useSeenChoices('', 'no', 'yes');
  const of = (key: string) => search.search.get(key) ?? '';
  const field = (key: string) => ({
    value: of(key),
    onChange: (event: { target: { value: string } }) => put({ [key]: event.target.value }),
  });
  return (
    <div className={styles.narrow}>
      <Field label={t`Published from`} type="date" {...field('from')} />
      <Field label={t`until`} type="date" {...field('to')} />
      <Field label={t`At least (minutes)`} type="number" min={0} inputMode="numeric" {...field('min')} />
      <Field label={t`At most (minutes)`} type="number" min={0} inputMode="numeric" {...field('max')} />
      <Select label={t`Kind`} choices={kinds} {...field('kind')} />
      <Select label={t`Watched`} choices={seen} {...field('watched')} />
      <Exactly search={search} />
    </div>
  );
}

/** Where one searches, and what narrows it. */
export function SearchFilters({ search }: { search: Search }) {
  const { t } = useLingui();
  const [isOpen, setIsOpen] = useState(search.chosen > 0);
  const types: { value: SearchType; label: string }[] = [
    { value: 'simple', label: t`Everything` },
    { value: 'video', label: t`Videos` },
    { value: 'channel', label: t`Channels` },
    { value: 'playlist', label: t`Playlists` },
    { value: 'full', label: t`Spoken` },
  ];
  return (
    <div className={styles.filters}>
      <div className={styles.bar}>
        <Choices
          label={t`Search in`}
          choices={types}
          value={search.words.type}
          onChange={(type) => search.put({ query: withType(search.query, type) })}
        />
        <Button icon={<IconAdjustmentsHorizontal aria-hidden />} aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          {search.chosen > 0 ? t`Filters · ${search.chosen}` : t`Filters`}
        </Button>
        {search.chosen > 0 && (
          <Button
            kind="quiet"
            onClick={() => search.put({ from: null, to: null, min: null, max: null, kind: null, watched: null })}
          >
            {t`Without filters`}
          </Button>
        )}
      </div>
      <Keys search={search} />
      {isOpen && <Narrow search={search} />}
    </div>
  );
}
