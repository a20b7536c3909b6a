import { useId, type InputHTMLAttributes, type ReactNode, type SelectHTMLAttributes } from 'react';
import styles from './Field.module.css';

/** Help text below a field, referenced by aria-describedby. */
const Help = ({ id, children }: { id: string; children: ReactNode }) =>
  children && (
    <p id={`${id}-help`} className={styles.help}>
      {children}
    </p>
  );

/** A text input with its label. */
export function Field({
  label,
  help,
  button,
  ...rest
}: {
  label: string;
  help?: ReactNode;
  /** An icon button at the end of the input. */
  button?: ReactNode;
} & InputHTMLAttributes<HTMLInputElement>) {
  const id = useId();
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <div className={button ? styles.withButton : styles.alone}>
        <input id={id} className={styles.input} {...rest} aria-describedby={help ? `${id}-help` : undefined} />
        {button}
      </div>
      <Help id={id}>{help}</Help>
    </div>
  );
}

interface Choice {
  value: string;
  label: string;
}

/** A select with a visible or visually hidden label. */
export function Select({
  label,
  isLabelHidden = false,
  help,
  choices,
  ...rest
}: { label: string; isLabelHidden?: boolean; help?: ReactNode; choices: Choice[] } & SelectHTMLAttributes<HTMLSelectElement>) {
  const id = useId();
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={isLabelHidden ? 'hidden' : undefined}>
        {label}
      </label>
      <select id={id} className={styles.select} {...rest} aria-describedby={help ? `${id}-help` : undefined}>
        {choices.map(({ value, label: name }) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
      <Help id={id}>{help}</Help>
    </div>
  );
}

/** A switch with its label. */
export function Switch({
  label,
  help,
  isOn,
  onChange,
  disabled,
  autoFocus,
}: {
  label: string;
  help?: string;
  isOn: boolean;
  onChange(isOn: boolean): void;
  disabled?: boolean;
  autoFocus?: boolean;
}) {
  const id = useId();
  return (
    <div className={styles.switch}>
      <input
        id={id}
        type="checkbox"
        role="switch"
        checked={isOn}
        disabled={disabled}
        autoFocus={autoFocus}
        onChange={(event) => onChange(event.target.checked)}
      />
      <label htmlFor={id}>
        {label}
        {help && <span className={styles.help}>{help}</span>}
      </label>
    </div>
  );
}
