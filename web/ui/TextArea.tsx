import { useId, type KeyboardEvent } from 'react';
import { descriptions, Help, Label, Problem, type Labels } from './Field.tsx';
import styles from './Field.module.css';

/** A multi-line input with its label. */
export function TextArea({
  label,
  help,
  note,
  problem,
  rows,
  value,
  placeholder,
  isProse = false,
  onChange,
  onBlur,
  onKeyDown,
}: Labels & {
  rows: number;
  value: string;
  placeholder?: string | undefined;
  /** A text of a person; otherwise lines such as addresses. */
  isProse?: boolean;
  onChange(value: string): void;
  onBlur?(): void;
  onKeyDown?(event: KeyboardEvent): void;
}) {
  const id = useId();
  return (
    <div className={styles.field}>
      <Label id={id} label={label} note={note} />
      <textarea
        id={id}
        className={`${styles.input} ${isProse ? styles.prose : styles.lines}`}
        rows={rows}
        value={value}
        placeholder={placeholder}
        spellCheck={isProse}
        autoCapitalize={isProse ? 'sentences' : 'none'}
        autoComplete="off"
        aria-invalid={problem ? true : undefined}
        aria-describedby={descriptions(id, { help, problem })}
        onChange={(event) => onChange(event.target.value)}
        onBlur={onBlur}
        onKeyDown={onKeyDown}
      />
      <Problem id={id}>{problem}</Problem>
      <Help id={id}>{help}</Help>
    </div>
  );
}
