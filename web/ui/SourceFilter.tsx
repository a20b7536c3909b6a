import { SegmentedControl } from './SegmentedControl.tsx';

interface Props {
  label: string;
  names: { all: string; subscribed: string; unsubscribed: string };
  /** Null: no filter. */
  value: boolean | null;
  onChange(value: boolean | null): void;
}

/** Filters by subscription. */
export const SourceFilter = ({ label, names, value, onChange }: Props) => (
  <SegmentedControl
    label={label}
    choices={[
      { value: 'all', label: names.all },
      { value: 'true', label: names.subscribed },
      { value: 'false', label: names.unsubscribed },
    ]}
    value={value === null ? 'all' : (String(value) as 'true' | 'false')}
    onChange={(next) => onChange(next === 'all' ? null : next === 'true')}
  />
);
