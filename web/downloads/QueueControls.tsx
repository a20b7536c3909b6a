import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { exactText } from '#web/format/numbers.ts';
import { SegmentedControl } from '#web/ui/SegmentedControl.tsx';
import { Select } from '#web/ui/Field.tsx';
import { SearchInput } from '#web/ui/SearchInput.tsx';
import { useKindChoices } from '#web/video/filters/filter-choices.ts';
import { channelsInQueue } from '#web/api/queries/download.ts';
import type { Filter } from './filter.ts';
import styles from './Downloads.module.css';

/** Filters of the queue. All of them are in the address. */
export function QueueControls({ filter, set }: { filter: Filter; set(some: Record<string, string>): void }) {
  const { t } = useLingui();
  const { data: channels } = useQuery(channelsInQueue(filter.list === 'ignored' ? 'ignore' : 'pending'));
  const kinds = useKindChoices(t`All types`);
  return (
    <div className={styles.controls}>
      <SegmentedControl
        label={t`List`}
        choices={[
          { value: 'queue', label: t`Queue` },
          { value: 'live', label: t`Live` },
          { value: 'ignored', label: t`Ignored` },
        ]}
        value={filter.list}
        onChange={(list) => set({ ignored: list === 'ignored' ? 'true' : '', live: list === 'live' ? 'true' : '' })}
      />
      <SearchInput className={styles.search} label={t`Search the queue`} value={filter.q} onChange={(q) => set({ q })} />
      {filter.list === 'queue' && (
        <Select
          label={t`Status`}
          isLabelHidden
          choices={[
            { value: '', label: t`All` },
            { value: 'true', label: t`Failed` },
            { value: 'false', label: t`Waiting` },
          ]}
          value={filter.error === undefined ? '' : String(filter.error)}
          onChange={(event) => set({ error: event.target.value })}
        />
      )}
      <Select
        label={t`Type`}
        isLabelHidden
        choices={kinds}
        value={filter.kind ?? ''}
        onChange={(event) => set({ 'vid-type': event.target.value })}
      />
      <Select
        label={t`Channel`}
        isLabelHidden
        choices={[
          { value: '', label: t`All channels` },
          // Items that failed before their channel was known are in no channel.
          ...(channels?.buckets
            .filter(({ key: [, id] }) => id)
            .map(({ key: [, id = ''], channel_name: name, doc_count: count }) => ({
              value: id,
              label: `${name || t`Unknown`} (${exactText(count)})`,
            })) ?? []),
        ]}
        value={filter.channel}
        onChange={(event) => set({ channel: event.target.value })}
      />
    </div>
  );
}
