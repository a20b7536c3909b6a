import { useLingui } from '@lingui/react/macro';
import { IconAdjustmentsHorizontal, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { Button } from '#web/ui/Button.tsx';
import { SegmentedControl } from '#web/ui/SegmentedControl.tsx';
import { Field, Select } from '#web/ui/Field.tsx';
import { useKindChoices, useWatchedChoices } from '#web/video/filters/filter-choices.ts';
import {
  availableKeys,
  completions,
  formatQuery,
  withKey,
  withoutKey,
  withType,
  parseQuery,
  type SearchType,
} from './query-words.ts';
import type { Search } from './use-search.ts';
import styles from './SearchPage.module.css';

/** Chips that add and remove the keywords of the query. Searches of all types have many, which are offered with the filters. */
function KeywordChips({ search, isOpen }: { search: Search; isOpen: boolean }) {
  const { t } = useLingui();
  const { query, put } = search;
  const { type, keys } = search.words;
  const values = completions(query);
  const more = values.length > 0 ? values : type !== 'simple' || isOpen ? availableKeys(query) : [];
  if (keys.length === 0 && more.length === 0) return null;
  return (
    <div className={styles.chips} role="group" aria-label={t`Keywords`}>
      {keys.map((key) => (
        <button
          key={key}
          type="button"
          className={`${styles.chip} ${styles.active}`}
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

/** Fields for an exact phrase and excluded words, as an alternative to quotes and minus signs. */
function PhraseFilters({ search }: { search: Search }) {
  const { t } = useLingui();
  const [phrase, setPhrase] = useState('');
  const [without, setWithout] = useState('');
  const { query, put } = search;
  const add = (terms: string) => {
    const words = parseQuery(query);
    put({ query: formatQuery({ ...words, terms: `${words.terms} ${terms}`.trim() }) });
  };
  const clean = (text: string) => text.replaceAll('"', '').trim();
  return (
    <form
      className={styles.phraseFilters}
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
      <Field label={t`Exclude words`} value={without} maxLength={200} onChange={(event) => setWithout(event.target.value)} />
      <Button type="submit" disabled={!clean(phrase) && !clean(without)}>
        {t`Add`}
      </Button>
    </form>
  );
}

function FilterFields({ search }: { search: Search }) {
  const { t } = useLingui();
  const { put } = search;
  const kinds = useKindChoices(t`All`);
  const seen = useWatchedChoices('', 'no', 'yes');
  const of = (key: string) => search.search.get(key) ?? '';
  const field = (key: string) => ({
    value: of(key),
    onChange: (event: { target: { value: string } }) => put({ [key]: event.target.value }),
  });
  return (
    <div className={styles.filterFields}>
      <Field label={t`Published from`} type="date" {...field('from')} />
      <Field label={t`Published until`} type="date" {...field('to')} />
      <Field label={t`Minimum length (minutes)`} type="number" min={0} inputMode="numeric" {...field('min')} />
      <Field label={t`Maximum length (minutes)`} type="number" min={0} inputMode="numeric" {...field('max')} />
      <Select label={t`Type`} choices={kinds} {...field('kind')} />
      <Select label={t`Watched`} choices={seen} {...field('watched')} />
      <PhraseFilters search={search} />
    </div>
  );
}

/** Search index and filters. */
export function SearchFilters({ search }: { search: Search }) {
  const { t } = useLingui();
  const [isOpen, setIsOpen] = useState(search.chosen > 0);
  const types: { value: SearchType; label: string }[] = [
    { value: 'simple', label: t`All` },
    { value: 'video', label: t`Videos` },
    { value: 'channel', label: t`Channels` },
    { value: 'playlist', label: t`Playlists` },
    { value: 'full', label: t`Transcripts` },
  ];
  return (
    <div className={styles.filters}>
      <div className={styles.bar}>
        <SegmentedControl
          label={t`Search in`}
          choices={types}
          value={search.words.type}
          onChange={(type) => search.put({ query: withType(search.query, type), in: null })}
        />
        <Button icon={<IconAdjustmentsHorizontal aria-hidden />} aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          {search.chosen > 0 ? t`Filters · ${search.chosen}` : t`Filters`}
        </Button>
        {search.chosen > 0 && (
          <Button
            kind="quiet"
            onClick={() => search.put({ from: null, to: null, min: null, max: null, kind: null, watched: null })}
          >
            {t`Clear filters`}
          </Button>
        )}
      </div>
      <KeywordChips search={search} isOpen={isOpen} />
      {isOpen && <FilterFields search={search} />}
    </div>
  );
}
