import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { IconAlertTriangleFilled, IconCheck, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import type { SiteHealth as Strip } from '#contract/stats.ts';
import { dayText } from '#web/format/dates.ts';
import { exactText } from '#web/format/numbers.ts';
import { ChartCard } from './ChartCard.tsx';
import { siteHealth } from '#web/api/queries/stats.ts';
import styles from './SiteHealth.module.css';

type Day = Strip['days'][number];

function useDayText() {
  const { t } = useLingui();
  return ({ archived, blocked, failed }: Day) =>
    archived + blocked + failed === 0
      ? t`no requests`
      : [
          t`${exactText(archived)} archived`,
          ...(blocked > 0 ? [t`${exactText(blocked)} blocked`] : []),
          ...(failed > 0 ? [t`${exactText(failed)} failed`] : []),
        ].join(', ');
}

/** Icon for the worst outcome of a day: blocked, failed, succeeded, or none without requests. */
function DayIcon({ archived, blocked, failed }: Day) {
  if (blocked > 0) return <IconX aria-hidden />;
  if (failed > 0) return <IconAlertTriangleFilled aria-hidden />;
  return archived > 0 ? <IconCheck aria-hidden /> : null;
}
const toneOf = ({ archived, blocked, failed }: Day) =>
  blocked > 0 ? styles.blocked : failed > 0 ? styles.failed : archived > 0 ? styles.ok : '';

function SiteStrips({ strips }: { strips: Strip[] }) {
  const { t } = useLingui();
  const textOfDay = useDayText();
  const days = strips[0]!.days;
  const [at, setAt] = useState(days.length - 1);
  const date = days[at]!.date;
  const siteTexts = strips.map(({ site, days: own }) => `${site}: ${textOfDay(own[at]!)}`);
  return (
    <div className={styles.strips}>
      <div className={styles.plot}>
        {strips.map(({ site, days: own }) => (
          <div key={site} className={styles.strip} aria-hidden>
            <bdi>{site}</bdi>
            <ol dir="ltr">
              {own.map((day, index) => (
                <li
                  key={day.date}
                  className={`${toneOf(day)} ${index === at ? styles.current : ''}`}
                  title={`${dayText(day.date)}: ${textOfDay(day)}`}
                  onPointerEnter={() => setAt(index)}
                >
                  <DayIcon {...day} />
                </li>
              ))}
            </ol>
          </div>
        ))}
      </div>
      <input
        type="range"
        dir="ltr"
        aria-label={t`Day`}
        aria-valuetext={`${dayText(date)}. ${siteTexts.join('. ')}`}
        min={0}
        max={days.length - 1}
        value={at}
        onChange={(event) => setAt(Number(event.target.value))}
      />
      <output>
        <strong>{dayText(date)}</strong>
        {siteTexts.map((one) => (
          <span key={one}>{one}</span>
        ))}
      </output>
      <ul className={styles.legend}>
        <li>
          <span className={styles.ok}>
            <IconCheck aria-hidden />
          </span>
          {t`all succeeded`}
        </li>
        <li>
          <span className={styles.failed}>
            <IconAlertTriangleFilled aria-hidden />
          </span>
          {t`some failed`}
        </li>
        <li>
          <span className={styles.blocked}>
            <IconX aria-hidden />
          </span>
          {t`blocked by the site`}
        </li>
      </ul>
    </div>
  );
}

/** Outcome of the requests to each site in the last 14 days. */
export function SiteHealth() {
  const { t } = useLingui();
  return (
    <ChartCard
      title={t`Site reliability`}
      isWide
      query={useQuery(siteHealth)}
      height={120}
      isEmpty={(strips) => strips.length === 0}
      render={(strips) => <SiteStrips strips={strips} />}
      table={(strips) => ({
        head: [t`Day`, t`Site`, t`Archived`, t`Blocked`, t`Failed`],
        rows: strips
          .flatMap(({ site, days }) => days.map((day) => ({ site, ...day })))
          .filter(({ archived, blocked, failed }) => archived + blocked + failed > 0)
          .toSorted((a, b) => (a.date < b.date ? 1 : a.date > b.date ? -1 : 0))
          .map(({ site, date, archived, blocked, failed }) => [
            dayText(date),
            <bdi key="site">{site}</bdi>,
            exactText(archived),
            exactText(blocked),
            exactText(failed),
          ]),
      })}
    />
  );
}
