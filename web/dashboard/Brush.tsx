import { useLingui } from '@lingui/react/macro';
import { useRef, type PointerEvent } from 'react';
import { dayText } from '#web/format/dates.ts';
import styles from './Growth.module.css';
import { dateOf } from './growth-line.ts';

export type DayRange = readonly [from: number, to: number];

interface Props {
  /** Available and selected range, in days since 1970-01-01. */
  fullRange: DayRange;
  selectedRange: DayRange;
  onChange(span: DayRange): void;
  /** SVG path of the full range. */
  path: string;
  box: string;
}

/** Selects a range by dragging, or by its two ends and their arrow keys. */
export function Brush({ fullRange: [first, last], selectedRange: [from, to], onChange, path, box }: Props) {
  const { t } = useLingui();
  const anchor = useRef<number>(null);
  const percent = (day: number) => `${((day - first) / Math.max(1, last - first)) * 100}%`;
  const dayAt = ({ clientX, currentTarget }: PointerEvent<HTMLElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    return Math.round(first + Math.min(1, Math.max(0, (clientX - left) / width)) * (last - first));
  };
  const setRange = (a: number, b: number) => {
    const start = Math.max(first, Math.min(a, b, last - 1));
    onChange([start, Math.min(last, Math.max(a, b, start + 1))]);
  };
  const rangeEnd = (label: string, day: number, move: (day: number) => void) => (
    <input
      type="range"
      aria-label={label}
      aria-valuetext={dayText(dateOf(day))}
      min={first}
      max={last}
      value={day}
      onChange={(event) => move(Number(event.target.value))}
    />
  );
  return (
    <div
      className={styles.brush}
      dir="ltr"
      onPointerDown={(event) => {
        if (event.target instanceof HTMLInputElement) return;
        anchor.current = dayAt(event);
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={(event) => {
        const day = dayAt(event);
        if (anchor.current !== null && day !== anchor.current) setRange(anchor.current, day);
      }}
      onPointerUp={() => (anchor.current = null)}
      onPointerCancel={() => (anchor.current = null)}
    >
      <svg viewBox={box} preserveAspectRatio="none" aria-hidden>
        <path d={path} />
      </svg>
      <span className={styles.outside} style={{ left: 0, width: percent(from) }} aria-hidden />
      <span className={styles.outside} style={{ left: percent(to), right: 0 }} aria-hidden />
      {rangeEnd(t`Start of range`, from, (day) => setRange(Math.min(day, to - 1), to))}
      {rangeEnd(t`End of range`, to, (day) => setRange(from, Math.max(day, from + 1)))}
    </div>
  );
}
