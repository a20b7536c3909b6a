import { Plural, useLingui } from '@lingui/react/macro';
import { IconAlertTriangleFilled, IconSquareRotatedFilled } from '@tabler/icons-react';
import type { GrowthEvent } from '#contract/stats.ts';
import { dayText } from '#web/format/dates.ts';
import styles from './Growth.module.css';
import { dayOf } from './growth-line.ts';

function useEventText() {
  const { t } = useLingui();
  return ({ kind, what }: GrowthEvent) => (kind === 'ytdlp' ? t`Switched to yt-dlp ${what}` : t`Blocked by ${what}`);
}

/** A triangle for a block by a site, a diamond for a change of yt-dlp. */
const EventIcon = ({ kind }: Pick<GrowthEvent, 'kind'>) =>
  kind === 'block' ? (
    <IconAlertTriangleFilled className={styles.block} aria-hidden />
  ) : (
    <IconSquareRotatedFilled className={styles.update} aria-hidden />
  );

/** Markers of the events in the plot. The list below it has the texts. */
export function EventMarkers({ events, from, to }: { events: GrowthEvent[]; from: number; to: number }) {
  const eventText = useEventText();
  return events.map((event) => (
    <span
      key={`${event.date} ${event.kind} ${event.what}`}
      className={styles.mark}
      style={{ left: `${((dayOf(event.date) - from) / Math.max(1, to - from)) * 100}%` }}
      title={`${dayText(event.date)}: ${eventText(event)}`}
      aria-hidden
    >
      <EventIcon kind={event.kind} />
    </span>
  ));
}

/** Lists the events of the selected range. */
export function GrowthEvents({ events }: { events: GrowthEvent[] }) {
  const eventText = useEventText();
  if (events.length === 0) return null;
  return (
    <details className={styles.events}>
      <summary>
        <Plural value={events.length} one="# event" other="# events" />
      </summary>
      <ul>
        {events.map((event) => (
          <li key={`${event.date} ${event.kind} ${event.what}`}>
            <EventIcon kind={event.kind} /> {dayText(event.date)}: {eventText(event)}
          </li>
        ))}
      </ul>
    </details>
  );
}
