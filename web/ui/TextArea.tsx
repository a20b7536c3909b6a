import { useId } from 'react';
import styles from './Field.module.css';

/** A multi-line input with its label. */
export function TextArea({
  label,
  rows,
  value,
  placeholder,
  onChange,
}: {
  label: string;
  rows: number;
  value: string;
  placeholder?: string;
  onChange(value: string): void;
}) {
  const id = useId();
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <textarea
        id={id}
        className={`${styles.input} ${styles.lines}`}
        rows={rows}
        value={value}
        placeholder={placeholder}
        spellCheck={false}
        autoCapitalize="none"
        autoComplete="off"
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  );
}
