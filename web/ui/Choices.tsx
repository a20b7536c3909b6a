import type { ReactNode } from 'react';
import styles from './Choices.module.css';

interface Choice<T> {
  value: T;
  label: string;
  icon?: ReactNode;
}
interface Props<T> {
  /** For those who cannot see what it is about. */
  label: string;
  choices: Choice<T>[];
  value: T;
  onChange(value: T): void;
  /** Only pictures are shown; names on hover. */
  isCompact?: boolean;
}

/** One of a few, all of them in sight. */
export function Choices<T extends string>({ label, choices, value, onChange, isCompact = false }: Props<T>) {
  return (
    <div className={styles.group} role="radiogroup" aria-label={label}>
      {choices.map((choice) => (
        <button
          key={choice.value}
          type="button"
          role="radio"
          aria-checked={choice.value === value}
          aria-label={choice.label}
          title={isCompact ? choice.label : undefined}
          className={styles.choice}
          onClick={() => onChange(choice.value)}
        >
          {choice.icon}
          {!isCompact && <span>{choice.label}</span>}
        </button>
      ))}
    </div>
  );
}
