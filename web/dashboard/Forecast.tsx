import { useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { dayText } from '#web/format/dates.ts';
import { sizeText } from '#web/format/numbers.ts';
import { useConfig } from '#web/api/account.ts';
import styles from './Growth.module.css';
import own from './Dashboard.module.css';
import { freeSpaceAfter, type Forecast as Found } from './forecast.ts';
import { dateOf, dayOf, today } from './growth-line.ts';

const [width, height] = [600, 100];
const steps = 100;

/** Forecast of the free space: a line, its confidence band, and a text. */
export function Forecast({ forecast, free }: { forecast: Found; free: number }) {
  const { t } = useLingui();
  const unit = useConfig()?.file_size_unit;
  const [step, setStep] = useState(0);
  const { over, full, soonest, latest } = forecast;
  const end = Math.max(1, Math.min(latest ?? Infinity, full * 2));
  const x = (days: number) => (Math.min(days, end) / end) * width;
  const y = (bytes: number) => height - (bytes / Math.max(1, free)) * (height - 4);
  const dayIn = (days: number) => dayText(dateOf(dayOf(today()) + Math.round(days)));
  const slowest = freeSpaceAfter(forecast, free, end).most;
  const days = (step / steps) * end;
  const { likely, least, most } = freeSpaceAfter(forecast, free, days);
  const freeText =
    least === most ? t`about ${sizeText(likely, unit)} free` : t`${sizeText(least, unit)} to ${sizeText(most, unit)} free`;
  return (
    <div className={styles.growth}>
      <p className={own.muted}>
        {latest === null
          ? t`At the rate of the last ${over} days, the disk is full around ${dayIn(full)}, ${dayIn(soonest)} at the earliest.`
          : t`At the rate of the last ${over} days, the disk is full around ${dayIn(full)} (between ${dayIn(soonest)} and ${dayIn(latest)}).`}
      </p>
      <output className={`${own.muted} number`}>
        {dayIn(days)}: {freeText}
      </output>
      <div className={`${styles.plot} ${styles.low}`} dir="ltr">
        <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden>
          <path className={styles.band} d={`M0 ${y(free)}L${x(soonest)} ${height}H${x(end)}V${y(slowest)}Z`} />
          <path className={styles.line} d={`M0 ${y(free)}L${x(full)} ${height}`} vectorEffect="non-scaling-stroke" />
          <line className={styles.cursor} x1={x(days)} x2={x(days)} y1={0} y2={height} vectorEffect="non-scaling-stroke" />
        </svg>
        <input
          type="range"
          className={styles.slider}
          aria-label={t`Forecast date`}
          aria-valuetext={`${dayIn(days)}: ${freeText}`}
          min={0}
          max={steps}
          value={step}
          onChange={(event) => setStep(Number(event.target.value))}
          onPointerMove={({ clientX, currentTarget }) => {
            const { left, width: whole } = currentTarget.getBoundingClientRect();
            setStep(Math.round(Math.min(1, Math.max(0, (clientX - left) / whole)) * steps));
          }}
        />
      </div>
      <p className={styles.ends} dir="ltr">
        <span>{dayIn(0)}</span>
        <span>{dayIn(end)}</span>
      </p>
    </div>
  );
}
