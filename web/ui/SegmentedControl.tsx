import type { KeyboardEvent, ReactNode } from 'react';
import { useScrollIntoView } from './use-scroll-into-view.ts';
import styles from './SegmentedControl.module.css';

interface Choice<T> {
  value: T;
  label: string;
  icon?: ReactNode;
}
interface Props<T> {
  /** Accessible name. */
  label: string;
  choices: Choice<T>[];
  value: T;
  onChange(value: T): void;
  /** Shows icons only, with tooltips. */
  isCompact?: boolean;
}

// Like native radio buttons: down is always the next one; right and left follow the text direction.
const steps: Record<string, number> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

/** A radio group shown as buttons. Arrow keys select the next or previous choice. */
export function SegmentedControl<T extends string>({ label, choices, value, onChange, isCompact = false }: Props<T>) {
  const group = useScrollIntoView<HTMLDivElement>('[aria-checked=true]', value);
  const selectedIndex = choices.findIndex((choice) => choice.value === value);
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const step = event.altKey || event.ctrlKey || event.metaKey ? undefined : steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const isMirrored = /Left|Right/.test(event.key) && getComputedStyle(event.currentTarget).direction === 'rtl';
    const next = (selectedIndex + (isMirrored ? -step : step) + choices.length) % choices.length;
    event.currentTarget.querySelectorAll<HTMLElement>('[role=radio]')[next]?.focus();
    onChange(choices[next]!.value);
  };
  return (
    <div ref={group} className={styles.group} role="radiogroup" aria-label={label} onKeyDown={onKeyDown}>
      {choices.map((choice, index) => (
        <button
          key={choice.value}
          type="button"
          role="radio"
          aria-checked={index === selectedIndex}
          aria-label={choice.label}
          title={isCompact ? choice.label : undefined}
          tabIndex={index === Math.max(0, selectedIndex) ? 0 : -1}
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
