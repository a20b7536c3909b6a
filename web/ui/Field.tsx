import { useId, type InputHTMLAttributes, type ReactNode, type SelectHTMLAttributes } from 'react';
import styles from './Field.module.css';

/** Help text below a field, referenced by aria-describedby. */
export const Help = ({ id, children }: { id: string; children: ReactNode }) =>
  children && (
    <p id={`${id}-help`} className={styles.help}>
      {children}
    </p>
  );

/** Error message of a field, announced when it appears. */
export const Problem = ({ id, children }: { id: string; children: ReactNode }) =>
  children && (
    <p id={`${id}-problem`} className={styles.problem} role="alert">
      {children}
    </p>
  );

/** Label, help and state of any field. */
export interface Labels {
  label: string;
  help?: ReactNode;
  /** Shown next to the label. */
  note?: ReactNode;
  problem?: ReactNode;
}

/** A label, and at its end the state of its field. */
export const Label = ({ id, label, isHidden, note }: { id: string; label: string; isHidden?: boolean; note: ReactNode }) => {
  const element = (
    <label htmlFor={id} className={isHidden ? 'hidden' : undefined}>
      {label}
    </label>
  );
  return note === undefined ? (
    element
  ) : (
    <div className={styles.head}>
      {element}
      <span className={styles.notes}>{note}</span>
    </div>
  );
};

export const descriptions = (id: string, { help, problem }: Pick<Labels, 'help' | 'problem'>) =>
  [problem && `${id}-problem`, help && `${id}-help`].filter(Boolean).join(' ') || undefined;

/** A text input with its label. */
export function Field({
  label,
  help,
  note,
  problem,
  button,
  ...rest
}: Labels & {
  /** An icon button at the end of the input. */
  button?: ReactNode;
} & InputHTMLAttributes<HTMLInputElement>) {
  const id = useId();
  return (
    <div className={styles.field}>
      <Label id={id} label={label} note={note} />
      <div className={button ? styles.withButton : styles.alone}>
        <input
          id={id}
          className={styles.input}
          {...rest}
          aria-invalid={problem ? true : undefined}
          aria-describedby={descriptions(id, { help, problem })}
        />
        {button}
      </div>
      <Problem id={id}>{problem}</Problem>
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
  note,
  problem,
  choices,
  ...rest
}: Labels & { isLabelHidden?: boolean; choices: Choice[] } & SelectHTMLAttributes<HTMLSelectElement>) {
  const id = useId();
  return (
    <div className={styles.field}>
      <Label id={id} label={label} isHidden={isLabelHidden} note={note} />
      <select
        id={id}
        className={styles.select}
        {...rest}
        aria-invalid={problem ? true : undefined}
        aria-describedby={descriptions(id, { help, problem })}
      >
        {choices.map(({ value, label: name }) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
      <Problem id={id}>{problem}</Problem>
      <Help id={id}>{help}</Help>
    </div>
  );
}

/** A switch with its label. */
export function Switch({
  label,
  help,
  note,
  problem,
  isOn,
  onChange,
  disabled,
  autoFocus,
}: {
  label: string;
  help?: string;
  /** Shown at the end of the line. */
  note?: ReactNode;
  problem?: ReactNode;
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
      <div>
        <label htmlFor={id}>
          {label}
          {help && <span className={styles.help}>{help}</span>}
        </label>
        <Problem id={id}>{problem}</Problem>
      </div>
      {note}
    </div>
  );
}
