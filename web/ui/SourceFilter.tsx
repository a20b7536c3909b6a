import { Choices } from './Choices.tsx';

interface Props {
  label: string;
  names: { all: string; subscribed: string; unsubscribed: string };
  /** Null: it does not matter. */
  value: boolean | null;
  onChange(value: boolean | null): void;
}

/** All, those that are subscribed to, or those that are not. */
export const SourceFilter = ({ label, names, value, onChange }: Props) => (
  <Choices
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
