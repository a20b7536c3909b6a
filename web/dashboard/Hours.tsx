import { t } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useState, type CSSProperties, type ReactNode } from 'react';
import type { Hours as Both } from '#contract/stats.ts';
import { dayText, hourText, todayIso, weekdayName } from '#web/format/dates.ts';
import { exactText, lengthText, videosText } from '#web/format/numbers.ts';
import { Choices } from '#web/ui/Choices.tsx';
import { Figure } from './Figure.tsx';
import styles from './Hours.module.css';
import { hours } from './queries.ts';
import { onEach, partOf, weeksUntil } from './week.ts';

type What = 'watched' | 'downloaded';
interface Cell {
  amount: number;
  says: string;
}
const weekdays = [1, 2, 3, 4, 5, 6, 7];
const weeks = 53;

interface HourOfWeek {
  weekday: number;
  hour: number;
}
const hoursOfWeek: HourOfWeek[] = weekdays.flatMap((weekday) => Array.from({ length: 24 }, (_, hour) => ({ weekday, hour })));
/** What is told of an hour; of those in which nothing happened there is nothing. */
const toldOf = <One extends HourOfWeek>(all: One[], { weekday, hour }: HourOfWeek) =>
  all.find((one) => one.weekday === weekday && one.hour === hour);

interface MapProps {
  label: string;
  cells: Cell[];
  /** How the cells stand. */
  kind: string | undefined;
  first: number;
  ticks: string[];
  choices?: ReactNode;
}

/** A field of cells in which marks are the larger the more there is; read by pointer and by keys. */
function HeatMap({ label, cells, kind, first, ticks, choices }: MapProps) {
  const [at, setAt] = useState(first);
  const place = Math.min(at, cells.length - 1);
  const most = Math.max(...cells.map(({ amount }) => amount));
  const { says } = cells[place]!;
  return (
    <div className={styles.hours}>
      <div className={styles.head}>
        {choices}
        <output>
          <strong>{says}</strong>
        </output>
      </div>
      <div className={styles.plot} dir="ltr">
        <ul className={styles.names} aria-hidden>
          {weekdays.map((weekday) => (
            <li key={weekday}>{weekdayName(weekday, 'short')}</li>
          ))}
        </ul>
        <div className={`${styles.cells} ${kind}`} aria-hidden>
          {cells.map(({ amount, says: title }, n) => (
            <span
              key={n}
              className={`${styles.cell} ${n === place ? styles.here : ''}`}
              title={title}
              style={{ '--part': `${Math.round(partOf(amount, most) * 100)}%` } as CSSProperties}
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
          aria-valuetext={says}
          min={0}
          max={cells.length - 1}
          value={place}
          onChange={(event) => setAt(Number(event.target.value))}
        />
      </div>
    </div>
  );
}

const watchedText = (when: string, count: number, duration: number) =>
  count === 0 ? t`${when}: nothing` : `${when}: ${videosText(count)}, ${lengthText(duration)}`;

const weekCells = (data: Both, what: What): Cell[] =>
  hoursOfWeek.map((place) => {
    const when = `${weekdayName(place.weekday, 'long')}, ${hourText(place.hour)}`;
    if (what === 'downloaded') {
      const count = toldOf(data.downloaded, place)?.count ?? 0;
      return { amount: count, says: `${when}: ${videosText(count)}` };
    }
    const { count, duration } = toldOf(data.watched, place) ?? { count: 0, duration: 0 };
    return { amount: duration, says: watchedText(when, count, duration) };
  });

/** In which hours of which weekdays somebody watches, and videos come. */
export function HoursOfWeek() {
  const { t } = useLingui();
  const query = useQuery(hours);
  const [chosen, setWhat] = useState<What | null>(null);
  return (
    <Figure
      title={t`Hours of the week`}
      isWide
      query={query}
      height={260}
      isEmpty={({ watched, downloaded }) => watched.length + downloaded.length === 0}
      emptyWords={t`Nothing was watched or downloaded in the last 53 weeks.`}
      render={(data) => {
        const what = chosen ?? (data.watched.length > 0 ? 'watched' : 'downloaded');
        const cells = weekCells(data, what);
        return (
          <HeatMap
            key={what}
            label={t`Hour of the week`}
            kind={styles.week}
            cells={cells}
            first={cells.reduce((best, { amount }, n) => (amount > cells[best]!.amount ? n : best), 0)}
            ticks={[0, 6, 12, 18, 23].map((hour) => hourText(hour))}
            choices={
              <Choices<What>
                label={t`What is shown`}
                choices={[
                  { value: 'watched', label: t`You finished` },
                  { value: 'downloaded', label: t`Downloaded` },
                ]}
                value={what}
                onChange={setWhat}
              />
            }
          />
        );
      }}
      table={({ watched, downloaded }) => ({
        head: [t`Weekday`, t`Hour`, t`You finished`, t`Length`, t`Downloaded`],
        rows: hoursOfWeek.flatMap((place) => {
          const [seen, came] = [toldOf(watched, place), toldOf(downloaded, place)];
          if (!seen && !came) return [];
          return [
            [
              weekdayName(place.weekday, 'long'),
              hourText(place.hour),
              exactText(seen?.count ?? 0),
              lengthText(seen?.duration ?? 0),
              exactText(came?.count ?? 0),
            ],
          ];
        }),
      })}
    />
  );
}

/** How long what somebody finished on each day of the last year is. */
export function WatchedDays() {
  const { t } = useLingui();
  const query = useQuery(hours);
  return (
    <Figure
      title={t`Watched day by day`}
      isWide
      query={query}
      height={160}
      isEmpty={({ days }) => days.length === 0}
      emptyWords={t`Nothing was watched in the last 53 weeks.`}
      render={({ days }) => {
        // Where the server lives it may be tomorrow already.
        const [here, there] = [todayIso(), days.at(-1)!.date];
        const shown = onEach(weeksUntil(here > there ? here : there, weeks), days);
        return (
          <HeatMap
            label={t`Day`}
            kind={styles.calendar}
            cells={shown.map(({ date, count, duration }) => ({
              amount: duration,
              says: watchedText(dayText(date), count, duration),
            }))}
            first={shown.findLastIndex(({ count }) => count > 0)}
            ticks={[dayText(shown[0]!.date), dayText(shown.at(-1)!.date)]}
          />
        );
      }}
      table={({ days }) => ({
        head: [t`Day`, t`You finished`, t`Length`],
        rows: days.map(({ date, count, duration }) => [dayText(date), exactText(count), lengthText(duration)]).toReversed(),
      })}
    />
  );
}
