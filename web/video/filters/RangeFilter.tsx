import { useLingui } from '@lingui/react/macro';
import { Button } from '#web/ui/Button.tsx';
import { useState } from 'react';
import type { Filter } from '#web/api/queries/video-filter.ts';
import { NumberFilter } from './NumberFilter.tsx';
import styles from './ListingFilters.module.css';

type Subject = 'duration' | 'size';

interface Props {
  label: string;
  subject: Subject;
  /** Seconds or bytes of the unit that the user types. */
  unit: number;
  /** Common ranges, in the unit. */
  presets: { label: string; from?: number; to?: number }[];
  maxLength?: number;
  filter: Filter;
  change(some: Filter): void;
}

/** Fields for the lowest and highest length or file size, with common ranges as buttons. */
export function RangeFilter({ label, subject, unit, presets, maxLength, filter, change }: Props) {
  const { t } = useLingui();
  // Remounts the fields with a preset, so that half-typed values do not follow it.
  const [presetCount, setPresetCount] = useState(0);
  const [minKey, maxKey] = [`min_${subject}`, `max_${subject}`] as const;
  const typed = (key: typeof minKey | typeof maxKey) => {
    const value = filter[key];
    return value === undefined ? undefined : Math.round(value / unit);
  };
  const scale = (number: number | undefined) => (number === undefined ? undefined : number * unit);
  const field = (name: string, key: typeof minKey | typeof maxKey) => (
    <NumberFilter
      label={name}
      {...(maxLength && { maxLength })}
      value={typed(key)}
      onTyped={(number) => change({ [key]: scale(number) })}
    />
  );
  return (
    <fieldset className={styles.group}>
      <legend>{label}</legend>
      <div className={styles.range}>
        <div className={styles.pair} key={presetCount}>
          {field(t`From`, minKey)}
          {field(t`To`, maxKey)}
        </div>
        <div className={styles.presets}>
          {presets.map(({ label: name, from, to }) => {
            const isOn = filter[minKey] === scale(from) && filter[maxKey] === scale(to);
            return (
              <Button
                key={name}
                size="s"
                className={isOn ? styles.active : ''}
                aria-pressed={isOn}
                onClick={() => {
                  setPresetCount(presetCount + 1);
                  change({ [minKey]: isOn ? undefined : scale(from), [maxKey]: isOn ? undefined : scale(to) });
                }}
              >
                {name}
              </Button>
            );
          })}
        </div>
      </div>
    </fieldset>
  );
}
