import type { KeyboardEvent, ReactNode } from 'react';
import { useInSight } from './in-sight.ts';
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

// As browsers have it for radio buttons: down is always the next one, right and left follow the way one reads.
const steps: Record<string, number> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

/** One of a few, all of them in sight where they fit; arrow keys go from one to the next, and choose it. */
export function Choices<T extends string>({ label, choices, value, onChange, isCompact = false }: Props<T>) {
  const row = useInSight<HTMLDivElement>('[aria-checked=true]', value);
  const at = choices.findIndex((choice) => choice.value === value);
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const step = event.altKey || event.ctrlKey || event.metaKey ? undefined : steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const isMirrored = /Left|Right/.test(event.key) && getComputedStyle(event.currentTarget).direction === 'rtl';
    const next = (at + (isMirrored ? -step : step) + choices.length) % choices.length;
    event.currentTarget.querySelectorAll<HTMLElement>('[role=radio]')[next]?.focus();
    onChange(choices[next]!.value);
  };
  return (
    <div ref={row} className={styles.group} role="radiogroup" aria-label={label} onKeyDown={onKeyDown}>
      {choices.map((choice, place) => (
        <button
          key={choice.value}
          type="button"
          role="radio"
          aria-checked={place === at}
          aria-label={choice.label}
          title={isCompact ? choice.label : undefined}
          tabIndex={place === Math.max(0, at) ? 0 : -1}
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
