import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { GrowthEvent } from '#contract/stats.ts';
import { dayText } from '#web/format/dates.ts';
import { exactText, sizeText, videosText } from '#web/format/numbers.ts';
import { Button } from '#web/ui/Button.tsx';
import { Choices } from '#web/ui/Choices.tsx';
import { useConfig } from '#web/user/queries.ts';
import { Brush, type Span } from './Brush.tsx';
import { Figure } from './Figure.tsx';
import styles from './Growth.module.css';
import { GrowthEvents, Marks } from './GrowthEvents.tsx';
import { dayOf, thinned, today, totals, within, type Point } from './growth-line.ts';
import { growth, growthEvents } from './queries.ts';

type What = 'bytes' | 'videos';
const [width, height] = [600, 180];
const mostPoints = 400;

/** A line of steps, as it stays as it is until something comes. */
function stepsOf(points: Point[], what: What) {
  const [first, last] = [points[0]!, points.at(-1)!];
  const span = Math.max(1, last.day - first.day);
  const x = (point: Point) => ((point.day - first.day) / span) * width;
  const y = (point: Point) => height - ((point[what] - first[what]) / Math.max(1, last[what] - first[what])) * (height - 8);
  const path = points
    .map((point, place) => (place === 0 ? `M${x(point)} ${y(point)}` : `H${x(point).toFixed(1)}V${y(point).toFixed(1)}`))
    .join('');
  return { x, path };
}

function Line({ points, events }: { points: Point[]; events: GrowthEvent[] }) {
  const { t } = useLingui();
  const unit = useConfig()?.file_size_unit;
  const [what, setWhat] = useState<What>('bytes');
  const whole: Span = [points[0]!.day, points.at(-1)!.day];
  const [chosen, setChosen] = useState<Span | null>(null);
  const [from, to] = chosen ?? whole;
  const isZoomed = from > whole[0] || to < whole[1];
  const part = thinned(within(points, from, to), mostPoints);
  const [at, setAt] = useState<number | null>(null);
  const place = Math.min(at ?? part.length - 1, part.length - 1);
  const [first, last, here] = [part[0]!, part.at(-1)!, part[place]!];
  const { x, path } = stepsOf(part, what);
  const textOf = (point: Point) => (what === 'videos' ? videosText(point.videos) : sizeText(point.bytes, unit));
  const look = (span: Span | null) => {
    setChosen(span);
    setAt(null);
  };
  const inSight = events.filter(({ date }) => dayOf(date) >= from && dayOf(date) <= to);
  return (
    <div className={styles.growth}>
      <div className={styles.head}>
        <Choices<What>
          label={t`What is shown`}
          choices={[
            { value: 'bytes', label: t`Size` },
            { value: 'videos', label: t`Videos` },
          ]}
          value={what}
          onChange={setWhat}
        />
        {isZoomed && (
          <Button size="s" kind="quiet" onClick={() => look(null)}>
            {t`The whole time`}
          </Button>
        )}
        <output className="number">
          <strong>{textOf(here)}</strong> {dayText(here.date)}
        </output>
      </div>
      <div className={styles.plot} dir="ltr">
        <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden>
          <path className={styles.area} d={`${path}H${width}V${height}H0Z`} />
          <path className={styles.line} d={path} vectorEffect="non-scaling-stroke" />
          <line className={styles.cursor} x1={x(here)} x2={x(here)} y1={0} y2={height} vectorEffect="non-scaling-stroke" />
        </svg>
        <Marks events={inSight} from={from} to={to} />
        <input
          type="range"
          className={styles.slider}
          aria-label={t`Day`}
          aria-valuetext={`${dayText(here.date)}: ${textOf(here)}`}
          min={0}
          max={part.length - 1}
          value={place}
          onChange={(event) => setAt(Number(event.target.value))}
          onPointerMove={({ clientX, currentTarget }) => {
            const { left, width: whole } = currentTarget.getBoundingClientRect();
            const day = first.day + ((clientX - left) / whole) * (last.day - first.day);
            const next = part.findIndex((point) => point.day > day);
            setAt(next === -1 ? part.length - 1 : Math.max(0, next - 1));
          }}
        />
      </div>
      <p className={styles.ends} dir="ltr">
        <span>{dayText(first.date)}</span>
        <span>{dayText(last.date)}</span>
      </p>
      {whole[1] - whole[0] > 1 && (
        <Brush
          whole={whole}
          shown={[from, to]}
          onChange={look}
          path={`${stepsOf(thinned(points, mostPoints), what).path}V${height}H0Z`}
          box={`0 0 ${width} ${height}`}
        />
      )}
      <GrowthEvents events={inSight} />
    </div>
  );
}

/** How the archive grew, as a whole or some time of it, and what may explain how. */
export function Growth() {
  const { t } = useLingui();
  const unit = useConfig()?.file_size_unit;
  const query = useQuery(growth);
  const events = useQuery(growthEvents).data ?? [];
  return (
    <Figure
      title={t`Growth`}
      isWide
      query={query}
      height={320}
      isEmpty={(days) => days.length === 0}
      emptyWords={t`It begins with the first video.`}
      render={(days) => <Line points={totals(days, today())} events={events} />}
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
