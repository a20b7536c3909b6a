import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { codecName } from '#web/format/codec-name.ts';
import { exactText, millionBytes } from '#web/format/numbers.ts';
import { Field, Select } from '#web/ui/Field.tsx';
import { useTyped } from '#web/ui/typed.ts';
import { useConfig } from '#web/user/queries.ts';

import type { Filter } from './filter-address.ts';
import { TypedNumber } from './TypedNumber.tsx';
import { facetsQuery, type Facets } from './queries.ts';
import styles from './ListingBar.module.css';

interface Props {
  filter: Filter;
  change(some: Filter): void;
}

/** What there is of one kind, and how often; what is chosen is among it, though nothing may have it any more. */
function useFacetChoices(known: Facets['codecs'] | undefined, chosen: string | undefined, nameOf: (value: string) => string) {
  const { t } = useLingui();
  const rest = chosen === undefined || known?.some(({ value }) => value === chosen) ? [] : [{ value: chosen, videos: undefined }];
  return [
    { value: '', label: t`Any` },
    ...[...(known ?? []), ...rest].map(({ value, videos }) => ({
      value,
      label: videos === undefined ? nameOf(value) : `${nameOf(value)} · ${exactText(videos)}`,
    })),
  ];
}

function Tag({ filter, change }: Props) {
  const { t } = useLingui();
  const list = useId();
  const [text, type] = useTyped(filter.tag ?? '', (tag) => change({ tag: tag || undefined }));
  const { data } = useQuery(facetsQuery(filter.tag ?? ''));
  return (
    <>
      <Field label={t`Tag`} value={text} maxLength={200} list={list} onChange={(event) => type(event.target.value)} />
      <datalist id={list}>
        {data?.tags.map(({ value }) => (
          <option key={value} value={value} />
        ))}
      </datalist>
    </>
  );
}

/** Whether something is so, is not so, or may be either. */
function Either({
  label,
  yes,
  no,
  value,
  onChange,
}: {
  label: string;
  yes: string;
  no: string;
  value: boolean | undefined;
  onChange(value?: boolean): void;
}) {
  const { t } = useLingui();
  const choices = [
    { value: '', label: t`Either` },
    { value: 'true', label: yes },
    { value: 'false', label: no },
  ];
  return (
    <Select
      label={label}
      choices={choices}
      value={value === undefined ? '' : String(value)}
      onChange={({ target }) => onChange(target.value === '' ? undefined : target.value === 'true')}
    />
  );
}

/** What videos have beside their numbers: tags, languages of subtitles, a codec, a size, lines to search in, damage. */
export function FacetFilters({ filter, change }: Props) {
  const { t, i18n } = useLingui();
  const { data } = useQuery(facetsQuery(''));
  const names = new Intl.DisplayNames(i18n.locale, { type: 'language', fallback: 'code' });
  const languageOf = (code: string) => {
    try {
      return names.of(code) ?? code;
    } catch {
      return code; // a site has codes of its own
    }
  };
  const languages = useFacetChoices(data?.subtitles, filter.subtitles?.toLowerCase(), languageOf);
  const codecs = useFacetChoices(data?.codecs, filter.codec?.toLowerCase(), codecName);
  const { bytes, name } = millionBytes(useConfig()?.file_size_unit);
  const size = (key: 'min_size' | 'max_size', label: string) => {
    const known = filter[key];
    return (
      <TypedNumber
        label={label}
        maxLength={8}
        value={known === undefined ? undefined : Math.round(known / bytes)}
        onTyped={(typed) => change({ [key]: typed === undefined ? undefined : typed * bytes })}
      />
    );
  };
  return (
    <>
      <span className={`${styles.pair} ${styles.wide}`}>
        <Tag filter={filter} change={change} />
      </span>
      <span className={styles.pair}>
        <Select
          label={t`Subtitles in`}
          choices={languages}
          value={filter.subtitles?.toLowerCase() ?? ''}
          onChange={({ target }) => change({ subtitles: target.value || undefined })}
        />
        <Select
          label={t`Video codec`}
          choices={codecs}
          value={filter.codec?.toLowerCase() ?? ''}
          onChange={({ target }) => change({ codec: target.value || undefined })}
        />
      </span>
      <span className={styles.pair} role="group" aria-label={t`File size`}>
        {size('min_size', t`At least (${name})`)}
        {size('max_size', t`At most (${name})`)}
      </span>
      <span className={styles.pair}>
        <Either
          label={t`Transcript`}
          yes={t`With one`}
          no={t`Without one`}
          value={filter.transcript}
          onChange={(transcript) => change({ transcript })}
        />
        <Either
          label={t`Check of the file`}
          yes={t`Failed`}
          no={t`Not failed`}
          value={filter.damaged}
          onChange={(damaged) => change({ damaged })}
        />
      </span>
    </>
  );
}
