import { Plural, useLingui } from '@lingui/react/macro';
import { IconAlertTriangleFilled, IconSquareRotatedFilled } from '@tabler/icons-react';
import type { GrowthEvent } from '#contract/stats.ts';
import { dayText } from '#web/format/dates.ts';
import styles from './Growth.module.css';
import { dayOf } from './growth-line.ts';

function useWords() {
  const { t } = useLingui();
  return ({ kind, what }: GrowthEvent) => (kind === 'ytdlp' ? t`yt-dlp ${what} from here on` : t`${what} turned us away`);
}

/** A triangle where a site turned us away, a diamond where yt-dlp was changed. */
const Sign = ({ kind }: Pick<GrowthEvent, 'kind'>) =>
  kind === 'block' ? (
    <IconAlertTriangleFilled className={styles.block} aria-hidden />
  ) : (
    <IconSquareRotatedFilled className={styles.update} aria-hidden />
  );

/** Where in the plot something happened; the list below says it in words. */
export function Marks({ events, from, to }: { events: GrowthEvent[]; from: number; to: number }) {
  const words = useWords();
  return events.map((event) => (
    <span
      key={`${event.date} ${event.kind} ${event.what}`}
      className={styles.mark}
      style={{ left: `${((dayOf(event.date) - from) / Math.max(1, to - from)) * 100}%` }}
      title={`${dayText(event.date)}: ${words(event)}`}
      aria-hidden
    >
      <Sign kind={event.kind} />
    </span>
  ));
}

/** What happened in the time that is shown, in words. */
export function GrowthEvents({ events }: { events: GrowthEvent[] }) {
  const words = useWords();
  if (events.length === 0) return null;
  return (
    <details className={styles.events}>
      <summary>
        <Plural value={events.length} one="What is marked: # event" other="What is marked: # events" />
      </summary>
      <ul>
        {events.map((event) => (
          <li key={`${event.date} ${event.kind} ${event.what}`}>
            <Sign kind={event.kind} /> {dayText(event.date)}: {words(event)}
          </li>
        ))}
      </ul>
    </details>
  );
}
