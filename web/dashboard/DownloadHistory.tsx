import { Plural, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { dayText } from '#web/format/dates.ts';
import { exactText, sizeText } from '#web/format/numbers.ts';
import { useConfig } from '#web/user/queries.ts';
import styles from './Dashboard.module.css';
import { Figure } from './Figure.tsx';
import { history } from './queries.ts';

/** What came in the last week, day by day. */
export function DownloadHistory() {
  const { t } = useLingui();
  const unit = useConfig()?.file_size_unit;
  const query = useQuery(history);
  return (
    <Figure
      title={t`Download History`}
      query={query}
      height={200}
      isEmpty={(days) => days.length === 0}
      emptyWords={t`No recent downloads`}
      render={(days) => {
        const most = Math.max(1, ...days.map(({ count }) => count));
        return (
          <ul className={styles.days}>
            {days.map(({ date, count, media_size: size }) => (
              <li key={date}>
                <span>{dayText(date)}</span>
                <span className={styles.track} aria-hidden>
                  <span className={styles.fill} style={{ inlineSize: `${(count / most) * 100}%` }} />
                </span>
                <strong className="number">
                  <Plural value={count} one="+# Video" other="+# Videos" />
                </strong>
                <span className={`${styles.muted} number`}>{sizeText(size, unit)}</span>
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
