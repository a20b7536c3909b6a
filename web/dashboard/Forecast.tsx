import { useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { dayText } from '#web/format/dates.ts';
import { sizeText } from '#web/format/numbers.ts';
import { useConfig } from '#web/user/queries.ts';
import styles from './Growth.module.css';
import own from './Dashboard.module.css';
import { freeAfter, type Forecast as Found } from './forecast.ts';
import { dateOf, dayOf, today } from './growth-line.ts';

const [width, height] = [600, 100];
const steps = 100;

/** When the disk is full if it goes on like this: a line, its band, and both in words. */
export function Forecast({ forecast, free }: { forecast: Found; free: number }) {
  const { t } = useLingui();
  const unit = useConfig()?.file_size_unit;
  const [at, setAt] = useState(0);
  const { over, full, soonest, latest } = forecast;
  const end = Math.max(1, Math.min(latest ?? Infinity, full * 2));
  const x = (days: number) => (Math.min(days, end) / end) * width;
  const y = (bytes: number) => height - (bytes / Math.max(1, free)) * (height - 4);
  const dayIn = (days: number) => dayText(dateOf(dayOf(today()) + Math.round(days)));
  const slowest = freeAfter(forecast, free, end).most;
  const days = (at / steps) * end;
  const { likely, least, most } = freeAfter(forecast, free, days);
  const says =
    least === most ? t`about ${sizeText(likely, unit)} free` : t`${sizeText(least, unit)} to ${sizeText(most, unit)} free`;
  return (
    <div className={styles.growth}>
      <p className={own.muted}>
        {latest === null
          ? t`At the speed of the last ${over} days it is full about ${dayIn(full)}, at the soonest ${dayIn(soonest)}.`
          : t`At the speed of the last ${over} days it is full about ${dayIn(full)}: between ${dayIn(soonest)} and ${dayIn(latest)}.`}
      </p>
      <output className={`${own.muted} number`}>
        {dayIn(days)}: {says}
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
          aria-label={t`Day of the forecast`}
          aria-valuetext={`${dayIn(days)}: ${says}`}
          min={0}
          max={steps}
          value={at}
          onChange={(event) => setAt(Number(event.target.value))}
          onPointerMove={({ clientX, currentTarget }) => {
            const { left, width: whole } = currentTarget.getBoundingClientRect();
            setAt(Math.round(Math.min(1, Math.max(0, (clientX - left) / whole)) * steps));
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
