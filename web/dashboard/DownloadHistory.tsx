import { Plural, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { dayText } from '#web/format/dates.ts';
import { exactText, sizeText } from '#web/format/numbers.ts';
import { useConfig } from '#web/api/account.ts';
import styles from './Dashboard.module.css';
import { ChartCard } from './ChartCard.tsx';
import { history } from '#web/api/queries/stats.ts';

/** Links to the videos downloaded on that day, if any. */
function Day({ date, count, children }: { date: string; count: number; children: ReactNode }) {
  if (count === 0) return <div className={styles.day}>{children}</div>;
  return (
    <Link className={styles.day} to={`/?${new URLSearchParams({ downloaded_from: date, downloaded_to: date })}`}>
      {children}
    </Link>
  );
}

/** Downloads per day of the last week, as number of videos and bytes. */
export function DownloadHistory() {
  const { t } = useLingui();
  const unit = useConfig()?.file_size_unit;
  const query = useQuery(history);
  return (
    <ChartCard
      title={t`Download history`}
      query={query}
      height={200}
      isEmpty={(days) => days.length === 0}
      emptyText={t`No recent downloads`}
      render={(days) => {
        const maxCount = Math.max(1, ...days.map(({ count }) => count));
        const maxSize = Math.max(1, ...days.map(({ media_size: size }) => size));
        const share = (part: number, whole: number) => ({ inlineSize: `${(part / whole) * 100}%` });
        return (
          <ul className={styles.days}>
            {days.map(({ date, count, media_size: size }) => (
              <li key={date}>
                <Day date={date} count={count}>
                  <span>{dayText(date)}</span>
                  <span className={styles.track} aria-hidden>
                    <span title={t`Videos`}>
                      <span style={share(count, maxCount)} />
                    </span>
                    <span className={styles.second} title={t`Size`}>
                      <span style={share(size, maxSize)} />
                    </span>
                  </span>
                  <strong className="number">
                    <Plural value={count} one="+# video" other="+# videos" />
                  </strong>
                  <span className={`${styles.muted} number`}>{sizeText(size, unit)}</span>
                </Day>
              </li>
            ))}
          </ul>
        );
      }}
      table={(days) => ({
        head: [t`Day`, t`Videos`, t`Size`],
        rows: days.map(({ date, count, media_size: size }) => [dayText(date), exactText(count), sizeText(size, unit)]),
      })}
    />
  );
}
