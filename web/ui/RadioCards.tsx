import { useId, type ReactNode } from 'react';
import styles from './RadioCards.module.css';

interface Choice<T> {
  value: T;
  label: string;
  help?: string;
}

/** One question with its answers as large radio buttons. */
export function RadioCards<T extends string>({
  legend,
  choices,
  value,
  onChange,
  children,
}: {
  legend: string;
  choices: Choice<NoInfer<T>>[];
  value: T;
  onChange(value: NoInfer<T>): void;
  children?: ReactNode;
}) {
  const name = useId();
  return (
    <fieldset className={styles.question}>
      <legend>{legend}</legend>
      <div className={styles.cards}>
        {choices.map(({ value: choice, label, help }) => (
          <label key={choice} className={styles.card}>
            <input
              type="radio"
              name={name}
              checked={choice === value}
              aria-describedby={help && `${name}-${choice}`}
              onChange={() => onChange(choice)}
            />
            <span>{label}</span>
            {help && (
              <span id={`${name}-${choice}`} className={styles.help}>
                {help}
              </span>
            )}
          </label>
        ))}
      </div>
      {children}
    </fieldset>
  );
}
