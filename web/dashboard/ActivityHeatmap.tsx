import { t } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useState, type CSSProperties, type ReactNode } from 'react';
import type { Hours } from '#contract/stats.ts';
import { dayText, hourText, todayIso, weekdayName } from '#web/format/dates.ts';
import { exactText, lengthText, videosText } from '#web/format/numbers.ts';
import { SegmentedControl } from '#web/ui/SegmentedControl.tsx';
import { ChartCard } from './ChartCard.tsx';
import styles from './ActivityHeatmap.module.css';
import { hours } from '#web/api/queries/stats.ts';
import { fillMissingDays, markScale, listDaysOfWeeks } from './week.ts';

type Metric = 'watched' | 'downloaded';
interface Cell {
  amount: number;
  valueText: string;
}
const weekdays = [1, 2, 3, 4, 5, 6, 7];
const weeks = 53;

interface HourOfWeek {
  weekday: number;
  hour: number;
}
const hoursOfWeek: HourOfWeek[] = weekdays.flatMap((weekday) => Array.from({ length: 24 }, (_, hour) => ({ weekday, hour })));
/** Finds the entry of an hour. Hours without activity have none. */
const findHour = <One extends HourOfWeek>(all: One[], { weekday, hour }: HourOfWeek) =>
  all.find((one) => one.weekday === weekday && one.hour === hour);

interface MapProps {
  label: string;
  cells: Cell[];
  /** CSS class of the cell layout. */
  kind: string | undefined;
  first: number;
  ticks: string[];
  choices?: ReactNode;
}

/** A heatmap. Larger marks stand for larger amounts; cells are read by pointer or arrow keys. */
function HeatMap({ label, cells, kind, first, ticks, choices }: MapProps) {
  const [at, setAt] = useState(first);
  const index = Math.min(at, cells.length - 1);
  const maxAmount = Math.max(...cells.map(({ amount }) => amount));
  const { valueText } = cells[index]!;
  return (
    <div className={styles.hours}>
      <div className={styles.head}>
        {choices}
        <output>
          <strong>{valueText}</strong>
        </output>
      </div>
      <div className={styles.plot} dir="ltr">
        <ul className={styles.names} aria-hidden>
          {weekdays.map((weekday) => (
            <li key={weekday}>{weekdayName(weekday, 'short')}</li>
          ))}
        </ul>
        <div className={`${styles.cells} ${kind}`} aria-hidden>
          {cells.map(({ amount, valueText: title }, n) => (
            <span
              key={n}
              className={`${styles.cell} ${n === index ? styles.current : ''}`}
              title={title}
              style={{ '--part': `${Math.round(markScale(amount, maxAmount) * 100)}%` } as CSSProperties}
              onPointerEnter={() => setAt(n)}
            />
          ))}
        </div>
        <div className={styles.ticks} aria-hidden>
          {ticks.map((tick) => (
            <span key={tick}>{tick}</span>
          ))}
        </div>
        <input
          type="range"
          aria-label={label}
          aria-valuetext={valueText}
          min={0}
          max={cells.length - 1}
          value={index}
          onChange={(event) => setAt(Number(event.target.value))}
        />
      </div>
    </div>
  );
}

const watchedText = (when: string, count: number, duration: number) =>
  count === 0 ? t`${when}: nothing` : `${when}: ${videosText(count)}, ${lengthText(duration)}`;

const weekCells = (data: Hours, metric: Metric): Cell[] =>
  hoursOfWeek.map((slot) => {
    const when = `${weekdayName(slot.weekday, 'long')}, ${hourText(slot.hour)}`;
    if (metric === 'downloaded') {
      const count = findHour(data.downloaded, slot)?.count ?? 0;
      return { amount: count, valueText: `${when}: ${videosText(count)}` };
    }
    const { count, duration } = findHour(data.watched, slot) ?? { count: 0, duration: 0 };
    return { amount: duration, valueText: watchedText(when, count, duration) };
  });

/** Watched and downloaded videos by weekday and hour. */
export function ActivityHeatmap() {
  const { t } = useLingui();
  const query = useQuery(hours);
  const [chosen, setMetric] = useState<Metric | null>(null);
  return (
    <ChartCard
      title={t`Activity by weekday and hour`}
      isWide
      query={query}
      height={260}
      isEmpty={({ watched, downloaded }) => watched.length + downloaded.length === 0}
      render={(data) => {
        const metric = chosen ?? (data.watched.length > 0 ? 'watched' : 'downloaded');
        const cells = weekCells(data, metric);
        return (
          <HeatMap
            key={metric}
            label={t`Weekday and hour`}
            kind={styles.week}
            cells={cells}
            first={cells.reduce((best, { amount }, n) => (amount > cells[best]!.amount ? n : best), 0)}
            ticks={[0, 6, 12, 18, 23].map((hour) => hourText(hour))}
            choices={
              <SegmentedControl<Metric>
                label={t`Metric`}
                choices={[
                  { value: 'watched', label: t`Watched by you` },
                  { value: 'downloaded', label: t`Downloaded` },
                ]}
                value={metric}
                onChange={setMetric}
              />
            }
          />
        );
      }}
      table={({ watched, downloaded }) => ({
        head: [t`Weekday`, t`Hour`, t`Watched by you`, t`Length`, t`Downloaded`],
        rows: hoursOfWeek.flatMap((slot) => {
          const [watchedHour, downloadedHour] = [findHour(watched, slot), findHour(downloaded, slot)];
          if (!watchedHour && !downloadedHour) return [];
          return [
            [
              weekdayName(slot.weekday, 'long'),
              hourText(slot.hour),
              exactText(watchedHour?.count ?? 0),
              lengthText(watchedHour?.duration ?? 0),
              exactText(downloadedHour?.count ?? 0),
            ],
          ];
        }),
      })}
    />
  );
}

/** Length of the videos the user finished, per day of the last 53 weeks. */
export function WatchCalendar() {
  const { t } = useLingui();
  const query = useQuery(hours);
  return (
    <ChartCard
      title={t`Watched per day`}
      isWide
      query={query}
      height={160}
      isEmpty={({ days }) => days.length === 0}
      render={({ days }) => {
        // In the server's time zone it may already be tomorrow.
        const [browserToday, lastDay] = [todayIso(), days.at(-1)!.date];
        const visibleDays = fillMissingDays(listDaysOfWeeks(browserToday > lastDay ? browserToday : lastDay, weeks), days);
        return (
          <HeatMap
            label={t`Day`}
            kind={styles.calendar}
            cells={visibleDays.map(({ date, count, duration }) => ({
              amount: duration,
              valueText: watchedText(dayText(date), count, duration),
            }))}
            first={visibleDays.findLastIndex(({ count }) => count > 0)}
            ticks={[dayText(visibleDays[0]!.date), dayText(visibleDays.at(-1)!.date)]}
          />
        );
      }}
      table={({ days }) => ({
        head: [t`Day`, t`Watched by you`, t`Length`],
        rows: days.map(({ date, count, duration }) => [dayText(date), exactText(count), lengthText(duration)]).toReversed(),
      })}
    />
  );
}
