import { IconSearch } from '@tabler/icons-react';
import styles from './SearchInput.module.css';
import { useDebouncedInput } from './use-debounced-input.ts';

/** A search field that filters a list while typing. `className` gives its place. */
export function SearchInput({
  label,
  value,
  onChange,
  className = '',
}: {
  label: string;
  value: string;
  onChange(text: string): void;
  className?: string | undefined;
}) {
  const [text, type] = useDebouncedInput(value, onChange);
  return (
    <label className={`${styles.search} ${className}`}>
      <IconSearch aria-hidden />
      <span className="hidden">{label}</span>
      <input type="search" value={text} placeholder={label} onChange={(event) => type(event.target.value)} />
    </label>
  );
}
