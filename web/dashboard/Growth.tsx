import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { dayText } from '#web/format/dates.ts';
import { exactText, sizeText, videosText } from '#web/format/numbers.ts';
import { Choices } from '#web/ui/Choices.tsx';
import { useConfig } from '#web/user/queries.ts';
import styles from './Dashboard.module.css';
import { Figure } from './Figure.tsx';
import { thinned, today, totals, type Point } from './growth-line.ts';
import { growth } from './queries.ts';

type What = 'bytes' | 'videos';
const [width, height] = [600, 180];
const mostPoints = 400;

function Line({ points }: { points: Point[] }) {
  const { t } = useLingui();
  const unit = useConfig()?.file_size_unit;
  const [what, setWhat] = useState<What>('bytes');
  const [at, setAt] = useState(points.length - 1);
  const [first, last] = [points[0]!, points.at(-1)!];
  const here = points[Math.min(at, points.length - 1)]!;
  const span = Math.max(1, last.day - first.day);
  const x = (point: Point) => ((point.day - first.day) / span) * width;
  const y = (point: Point) => height - (point[what] / Math.max(1, last[what])) * (height - 8);
  // It stays as it is until something comes: steps.
  const steps = points
    .map((point, place) => (place === 0 ? `M${x(point)} ${y(point)}` : `H${x(point).toFixed(1)}V${y(point).toFixed(1)}`))
    .join('');
  const textOf = (point: Point) => (what === 'videos' ? videosText(point.videos) : sizeText(point.bytes, unit));
  return (
    <div className={styles.growth}>
      <div className={styles.growthHead}>
        <Choices<What>
          label={t`What is shown`}
          choices={[
            { value: 'bytes', label: t`Size` },
            { value: 'videos', label: t`Videos` },
          ]}
          value={what}
          onChange={setWhat}
        />
        <output className="number">
          <strong>{textOf(here)}</strong> {dayText(here.date)}
        </output>
      </div>
      <div className={styles.plot}>
        <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden>
          <path className={styles.area} d={`${steps}H${width}V${height}H0Z`} />
          <path className={styles.line} d={steps} vectorEffect="non-scaling-stroke" />
          <line className={styles.cursor} x1={x(here)} x2={x(here)} y1={0} y2={height} vectorEffect="non-scaling-stroke" />
        </svg>
        <input
          type="range"
          className={styles.slider}
          aria-label={t`Day`}
          aria-valuetext={`${dayText(here.date)}: ${textOf(here)}`}
          min={0}
          max={points.length - 1}
          value={Math.min(at, points.length - 1)}
          onChange={(event) => setAt(Number(event.target.value))}
          onPointerMove={({ clientX, currentTarget }) => {
            const { left, width: whole } = currentTarget.getBoundingClientRect();
            const day = first.day + ((clientX - left) / whole) * span;
            const next = points.findIndex((point) => point.day > day);
            setAt(next === -1 ? points.length - 1 : Math.max(0, next - 1));
          }}
        />
      </div>
      <p className={styles.ends}>
        <span>{dayText(first.date)}</span>
        <span>{dayText(last.date)}</span>
      </p>
    </div>
  );
}

/** How the archive grew. */
export function Growth() {
  const { t } = useLingui();
  const unit = useConfig()?.file_size_unit;
  const query = useQuery(growth);
  return (
    <Figure
      title={t`Growth`}
      isWide
      query={query}
      height={260}
      isEmpty={(days) => days.length === 0}
      emptyWords={t`It begins with the first video.`}
      render={(days) => <Line points={thinned(totals(days, today()), mostPoints)} />}
      table={(days) => ({
        head: [t`Day`, t`Videos`, t`Size`, t`Came that day`],
        rows: totals(days, today())
          .slice(1)
          .map((point, place) => [
            dayText(point.date),
            exactText(point.videos),
            sizeText(point.bytes, unit),
            days[place] ? t`+${exactText(days[place].count)}, ${sizeText(days[place].media_size, unit)}` : '0',
          ])
          .toReversed(),
      })}
    />
  );
}
