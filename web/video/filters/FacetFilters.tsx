import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { codecName } from '#web/format/codec-name.ts';
import { exactText, gigabyteUnit, megabyteUnit, sizeText } from '#web/format/numbers.ts';
import { Field, Select } from '#web/ui/Field.tsx';
import { useDebouncedInput } from '#web/ui/use-debounced-input.ts';
import { useConfig, useIsStaff } from '#web/api/account.ts';

import type { Filter } from '#web/api/queries/video-filter.ts';
import { languageName } from '#web/format/language-name.ts';
import { RangeFilter } from './RangeFilter.tsx';
import { tagsQuery } from '#web/api/queries/tag.ts';
import { facetsQuery, type Facets } from '#web/api/queries/facets.ts';

interface Props {
  filter: Filter;
  change(some: Filter): void;
}

/** Options of a facet with their counts. The selected value is included even if no video has it any more. */
function useFacetChoices(known: Facets['codecs'] | undefined, chosen: string | undefined, nameOf: (value: string) => string) {
  const { t } = useLingui();
  const rest = chosen === undefined || known?.some(({ value }) => value === chosen) ? [] : [{ value: chosen, videos: undefined }];
  return [
    { value: '', label: t`All` },
    ...[...(known ?? []), ...rest].map(({ value, videos }) => ({
      value,
      label: videos === undefined ? nameOf(value) : `${nameOf(value)} · ${exactText(videos)}`,
    })),
  ];
}

function TagFilter({ filter, change }: Props) {
  const { t } = useLingui();
  const list = useId();
  const [text, type] = useDebouncedInput(filter.tag ?? '', (tag) => change({ tag: tag || undefined }));
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

/** Private tags of the user; those on a channel are on its videos. */
function OwnTagFilter({ filter, change }: Props) {
  const { t } = useLingui();
  const { data = [] } = useQuery(tagsQuery);
  const { own_tag: chosen } = filter;
  const names = data.filter(({ videos, channels }) => videos + channels > 0).map(({ name }) => name);
  const all = chosen === undefined || names.includes(chosen) ? names : [...names, chosen];
  if (all.length === 0) return null;
  return (
    <Select
      label={t`Your tag`}
      choices={[{ value: '', label: t`All` }, ...all.map((name) => ({ value: name, label: name }))]}
      value={chosen ?? ''}
      onChange={({ target }) => change({ own_tag: target.value || undefined })}
    />
  );
}

/** Select with the options all, yes and no. */
function YesNoFilter({
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
    { value: '', label: t`All` },
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

/** Filters by tag, subtitle language, codec, file size, transcript, file check, availability and subscription. */
export function FacetFilters({ filter, change }: Props) {
  const { t, i18n } = useLingui();
  const isStaff = useIsStaff();
  const { data } = useQuery(facetsQuery(''));
  const languageOf = (code: string) => languageName(code, i18n.locale);
  const languages = useFacetChoices(data?.subtitles, filter.subtitles?.toLowerCase(), languageOf);
  const codecs = useFacetChoices(data?.codecs, filter.codec?.toLowerCase(), codecName);
  const sizeUnit = useConfig()?.file_size_unit;
  const { bytes: megabyte, name: unitName } = megabyteUnit(sizeUnit);
  const gigabyte = gigabyteUnit(sizeUnit).bytes / megabyte;
  const [small, large] = [sizeText(100 * megabyte, sizeUnit), sizeText(gigabyte * megabyte, sizeUnit)];
  return (
    <>
      <RangeFilter
        label={t`File size (${unitName})`}
        subject="size"
        unit={megabyte}
        maxLength={8}
        presets={[
          { label: t`Under ${small}`, to: 100 },
          { label: t`${small} to ${large}`, from: 100, to: gigabyte },
          { label: t`Over ${large}`, from: gigabyte },
        ]}
        filter={filter}
        change={change}
      />
      <TagFilter filter={filter} change={change} />
      <OwnTagFilter filter={filter} change={change} />
      <Select
        label={t`Subtitle language`}
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
      <YesNoFilter
        label={t`Transcript`}
        yes={t`Available`}
        no={t`Missing`}
        value={filter.transcript}
        onChange={(transcript) => change({ transcript })}
      />
      <YesNoFilter
        label={t`File check`}
        yes={t`Failed`}
        no={t`Not failed`}
        value={filter.damaged}
        onChange={(damaged) => change({ damaged })}
      />
      <YesNoFilter
        label={t`Best quality`}
        yes={t`Fetched`}
        no={t`Not fetched`}
        value={filter.limited === undefined ? undefined : !filter.limited}
        onChange={(isBest) => change({ limited: isBest === undefined ? undefined : !isBest })}
      />
      <YesNoFilter
        label={t`At the source`}
        yes={t`Available`}
        no={t`No longer available`}
        value={filter.active}
        onChange={(active) => change({ active })}
      />
      <YesNoFilter
        label={t`Subscription`}
        yes={t`Subscribed`}
        no={t`Not subscribed`}
        value={filter.subscribed}
        onChange={(subscribed) => change({ subscribed })}
      />
      {isStaff && (
        <Select
          label={t`Cleanup candidates`}
          choices={[
            { value: '', label: t`All videos` },
            { value: 'any', label: t`All candidates` },
            { value: 'watched', label: t`Watched` },
            { value: 'unopened', label: t`Never opened` },
          ]}
          value={filter.cleanup ?? ''}
          onChange={({ target }) => change({ cleanup: (target.value || undefined) as Filter['cleanup'] })}
        />
      )}
    </>
  );
}
