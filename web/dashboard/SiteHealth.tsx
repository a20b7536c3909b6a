import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { IconAlertTriangleFilled, IconCheck, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import type { SiteHealth as Strip } from '#contract/stats.ts';
import { dayText } from '#web/format/dates.ts';
import { exactText } from '#web/format/numbers.ts';
import { Figure } from './Figure.tsx';
import { siteHealth } from './queries.ts';
import styles from './SiteHealth.module.css';

type Day = Strip['days'][number];

function useWords() {
  const { t } = useLingui();
  return ({ archived, blocked, failed }: Day) =>
    archived + blocked + failed === 0
      ? t`nothing asked for`
      : [
          t`${exactText(archived)} archived`,
          ...(blocked > 0 ? [t`turned away ${exactText(blocked)}×`] : []),
          ...(failed > 0 ? [t`${exactText(failed)} failed`] : []),
        ].join(', ');
}

/** A day by its worst: turned away, something failed, all well, or nothing asked for. */
function Sign({ archived, blocked, failed }: Day) {
  if (blocked > 0) return <IconX aria-hidden />;
  if (failed > 0) return <IconAlertTriangleFilled aria-hidden />;
  return archived > 0 ? <IconCheck aria-hidden /> : null;
}
const toneOf = ({ archived, blocked, failed }: Day) =>
  blocked > 0 ? styles.blocked : failed > 0 ? styles.failed : archived > 0 ? styles.ok : '';

function Strips({ strips }: { strips: Strip[] }) {
  const { t } = useLingui();
  const words = useWords();
  const days = strips[0]!.days;
  const [at, setAt] = useState(days.length - 1);
  const date = days[at]!.date;
  const says = strips.map(({ site, days: own }) => `${site}: ${words(own[at]!)}`);
  return (
    <div className={styles.strips}>
      <div className={styles.plot}>
        {strips.map(({ site, days: own }) => (
          <div key={site} className={styles.strip} aria-hidden>
            <bdi>{site}</bdi>
            <ol dir="ltr">
              {own.map((day, place) => (
                <li
                  key={day.date}
                  className={`${toneOf(day)} ${place === at ? styles.here : ''}`}
                  title={`${dayText(day.date)}: ${words(day)}`}
                  onPointerEnter={() => setAt(place)}
                >
                  <Sign {...day} />
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
        aria-valuetext={`${dayText(date)}. ${says.join('. ')}`}
        min={0}
        max={days.length - 1}
        value={at}
        onChange={(event) => setAt(Number(event.target.value))}
      />
      <output>
        <strong>{dayText(date)}</strong>
        {says.map((one) => (
          <span key={one}>{one}</span>
        ))}
      </output>
      <ul className={styles.legend}>
        <li>
          <span className={styles.ok}>
            <IconCheck aria-hidden />
          </span>
          {t`everything came`}
        </li>
        <li>
          <span className={styles.failed}>
            <IconAlertTriangleFilled aria-hidden />
          </span>
          {t`something failed`}
        </li>
        <li>
          <span className={styles.blocked}>
            <IconX aria-hidden />
          </span>
          {t`the site turned us away`}
        </li>
      </ul>
    </div>
  );
}

/** How each site answered in the last two weeks. */
export function SiteHealth() {
  const { t } = useLingui();
  return (
    <Figure
      title={t`How sites answer`}
      isWide
      query={useQuery(siteHealth)}
      height={120}
      isEmpty={(strips) => strips.length === 0}
      emptyWords={t`Nothing was asked of any site in the last 14 days.`}
      render={(strips) => <Strips strips={strips} />}
      table={(strips) => ({
        head: [t`Day`, t`Site`, t`Archived`, t`Turned away`, t`Failed`],
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
