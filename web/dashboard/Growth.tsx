import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { GrowthEvent } from '#contract/stats.ts';
import { dayText } from '#web/format/dates.ts';
import { exactText, sizeText, videosText } from '#web/format/numbers.ts';
import { Button } from '#web/ui/Button.tsx';
import { SegmentedControl } from '#web/ui/SegmentedControl.tsx';
import { useConfig } from '#web/api/account.ts';
import { Brush, type DayRange } from './Brush.tsx';
import { ChartCard } from './ChartCard.tsx';
import styles from './Growth.module.css';
import { GrowthEvents, EventMarkers } from './GrowthEvents.tsx';
import { dayOf, downsample, today, cumulativeTotals, sliceRange, type Point } from './growth-line.ts';
import { growth, growthEvents } from '#web/api/queries/stats.ts';

type Metric = 'bytes' | 'videos';
const [width, height] = [600, 180];
const maxPoints = 400;

/** SVG path of a step line. */
function stepPath(points: Point[], metric: Metric) {
  const [first, last] = [points[0]!, points.at(-1)!];
  const span = Math.max(1, last.day - first.day);
  const x = (point: Point) => ((point.day - first.day) / span) * width;
  const y = (point: Point) =>
    height - ((point[metric] - first[metric]) / Math.max(1, last[metric] - first[metric])) * (height - 8);
  const path = points
    .map((point, index) => (index === 0 ? `M${x(point)} ${y(point)}` : `H${x(point).toFixed(1)}V${y(point).toFixed(1)}`))
    .join('');
  return { x, path };
}

function Line({ points, events }: { points: Point[]; events: GrowthEvent[] }) {
  const { t } = useLingui();
  const unit = useConfig()?.file_size_unit;
  const [metric, setMetric] = useState<Metric>('bytes');
  const fullRange: DayRange = [points[0]!.day, points.at(-1)!.day];
  const [selectedRange, setSelectedRange] = useState<DayRange | null>(null);
  const [from, to] = selectedRange ?? fullRange;
  const isZoomed = from > fullRange[0] || to < fullRange[1];
  const part = downsample(sliceRange(points, from, to), maxPoints);
  const [at, setAt] = useState<number | null>(null);
  const index = Math.min(at ?? part.length - 1, part.length - 1);
  const [first, last, here] = [part[0]!, part.at(-1)!, part[index]!];
  const { x, path } = stepPath(part, metric);
  const textOf = (point: Point) => (metric === 'videos' ? videosText(point.videos) : sizeText(point.bytes, unit));
  const selectRange = (span: DayRange | null) => {
    setSelectedRange(span);
    setAt(null);
  };
  const visibleEvents = events.filter(({ date }) => dayOf(date) >= from && dayOf(date) <= to);
  return (
    <div className={styles.growth}>
      <div className={styles.head}>
        <SegmentedControl<Metric>
          label={t`Metric`}
          choices={[
            { value: 'bytes', label: t`Size` },
            { value: 'videos', label: t`Videos` },
          ]}
          value={metric}
          onChange={setMetric}
        />
        {isZoomed && (
          <Button size="s" kind="quiet" onClick={() => selectRange(null)}>
            {t`All time`}
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
        <EventMarkers events={visibleEvents} from={from} to={to} />
        <input
          type="range"
          className={styles.slider}
          aria-label={t`Day`}
          aria-valuetext={`${dayText(here.date)}: ${textOf(here)}`}
          min={0}
          max={part.length - 1}
          value={index}
          onChange={(event) => setAt(Number(event.target.value))}
          onPointerMove={({ clientX, currentTarget }) => {
            const { left, width: plotWidth } = currentTarget.getBoundingClientRect();
            const day = first.day + ((clientX - left) / plotWidth) * (last.day - first.day);
            const next = part.findIndex((point) => point.day > day);
            setAt(next === -1 ? part.length - 1 : Math.max(0, next - 1));
          }}
        />
      </div>
      <p className={styles.ends} dir="ltr">
        <span>{dayText(first.date)}</span>
        <span>{dayText(last.date)}</span>
      </p>
      {fullRange[1] - fullRange[0] > 1 && (
        <Brush
          fullRange={fullRange}
          selectedRange={[from, to]}
          onChange={selectRange}
          path={`${stepPath(downsample(points, maxPoints), metric).path}V${height}H0Z`}
          box={`0 0 ${width} ${height}`}
        />
      )}
      <GrowthEvents events={visibleEvents} />
    </div>
  );
}

/** Growth of the archive over a selectable range, with events. */
export function Growth() {
  const { t } = useLingui();
  const unit = useConfig()?.file_size_unit;
  const query = useQuery(growth);
  const events = useQuery(growthEvents).data ?? [];
  return (
    <ChartCard
      title={t`Growth`}
      isWide
      query={query}
      height={320}
      // One day would be a vertical line.
      isEmpty={(days) => days.length < 2}
      render={(days) => <Line points={cumulativeTotals(days, today())} events={events} />}
      table={(days) => ({
        head: [t`Day`, t`Videos`, t`Size`, t`Added that day`],
        rows: cumulativeTotals(days, today())
          .slice(1)
          .map((point, index) => [
            dayText(point.date),
            exactText(point.videos),
            sizeText(point.bytes, unit),
            days[index] ? t`+${exactText(days[index].count)}, ${sizeText(days[index].media_size, unit)}` : '0',
          ])
          .toReversed(),
      })}
    />
  );
}
