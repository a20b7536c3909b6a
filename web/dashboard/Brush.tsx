import { useLingui } from '@lingui/react/macro';
import { useRef, type PointerEvent } from 'react';
import { dayText } from '#web/format/dates.ts';
import styles from './Growth.module.css';
import { dateOf } from './growth-line.ts';

export type Span = readonly [from: number, to: number];

interface Props {
  /** All there is, and what of it is looked at: days since 1970. */
  whole: Span;
  shown: Span;
  onChange(span: Span): void;
  /** The whole, drawn small. */
  path: string;
  box: string;
}

/** Chooses a part of a line: by drawing over it, by its two ends, or by their arrow keys. */
export function Brush({ whole: [first, last], shown: [from, to], onChange, path, box }: Props) {
  const { t } = useLingui();
  const anchor = useRef<number>(null);
  const percent = (day: number) => `${((day - first) / Math.max(1, last - first)) * 100}%`;
  const dayAt = ({ clientX, currentTarget }: PointerEvent<HTMLElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    return Math.round(first + Math.min(1, Math.max(0, (clientX - left) / width)) * (last - first));
  };
  const put = (a: number, b: number) => {
    const start = Math.max(first, Math.min(a, b, last - 1));
    onChange([start, Math.min(last, Math.max(a, b, start + 1))]);
  };
  const end = (label: string, day: number, move: (day: number) => void) => (
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
        if (anchor.current !== null && day !== anchor.current) put(anchor.current, day);
      }}
      onPointerUp={() => (anchor.current = null)}
      onPointerCancel={() => (anchor.current = null)}
    >
      <svg viewBox={box} preserveAspectRatio="none" aria-hidden>
        <path d={path} />
      </svg>
      <span className={styles.beyond} style={{ left: 0, width: percent(from) }} aria-hidden />
      <span className={styles.beyond} style={{ left: percent(to), right: 0 }} aria-hidden />
      {end(t`Shown from`, from, (day) => put(Math.min(day, to - 1), to))}
      {end(t`Shown until`, to, (day) => put(from, Math.max(day, from + 1)))}
    </div>
  );
}
