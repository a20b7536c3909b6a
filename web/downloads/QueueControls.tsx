import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { IconSearch } from '@tabler/icons-react';
import { exactText } from '#web/format/numbers.ts';
import { Choices } from '#web/ui/Choices.tsx';
import { Select } from '#web/ui/Field.tsx';
import { useTyped } from '#web/ui/typed.ts';
import { useKindChoices } from '#web/video/filter-choices.ts';
import { channelsInQueue } from './queries.ts';
import type { Filter } from './filter.ts';
import styles from './Downloads.module.css';

function Search({ words, onChange }: { words: string; onChange(words: string): void }) {
  const { t } = useLingui();
  const [text, type] = useTyped(words, onChange);
  return (
    <label className={styles.search}>
      <IconSearch aria-hidden />
      <span className="hidden">{t`Search the queue`}</span>
      <input type="search" value={text} placeholder={t`Search the queue`} onChange={(event) => type(event.target.value)} />
    </label>
  );
}

/** What of the queue is shown; all of it stands in the address. */
export function QueueControls({ filter, set }: { filter: Filter; set(name: string, value: string): void }) {
  const { t } = useLingui();
  const { data: channels } = useQuery(channelsInQueue(filter.isIgnored ? 'ignore' : 'pending'));
  const kinds = useKindChoices(t`Every kind`);
  return (
    <div className={styles.controls}>
      <Choices
        label={t`List`}
        choices={[
          { value: 'queue', label: t`Queue` },
          { value: 'ignored', label: t`Ignored` },
        ]}
        value={filter.isIgnored ? 'ignored' : 'queue'}
        onChange={(value) => set('ignored', value === 'ignored' ? 'true' : '')}
      />
      <Search words={filter.q} onChange={(words) => set('q', words)} />
      {!filter.isIgnored && (
        <Select
          label={t`State`}
          isLabelHidden
          choices={[
            { value: '', label: t`All` },
            { value: 'true', label: t`Failed` },
            { value: 'false', label: t`Waiting` },
          ]}
          value={filter.error === undefined ? '' : String(filter.error)}
          onChange={(event) => set('error', event.target.value)}
        />
      )}
      <Select
        label={t`Kind`}
        isLabelHidden
        choices={kinds}
        value={filter.kind ?? ''}
        onChange={(event) => set('vid-type', event.target.value)}
      />
      <Select
        label={t`Channel`}
        isLabelHidden
        choices={[
          { value: '', label: t`Every channel` },
          // What failed before its channel was known has none to be chosen by.
          ...(channels?.buckets
            .filter(({ key: [, id] }) => id)
            .map(({ key: [name = '', id = ''], doc_count: count }) => ({
              value: id,
              label: `${name || t`Unknown`} (${exactText(count)})`,
            })) ?? []),
        ]}
        value={filter.channel}
        onChange={(event) => set('channel', event.target.value)}
      />
    </div>
  );
}
