import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { call } from '#web/api/call.ts';
import { exactText, sizeText } from '#web/format/numbers.ts';
import { useConfig } from '#web/user/queries.ts';
import styles from './Downloads.module.css';

const clock = (at: number, language: string) =>
  new Intl.DateTimeFormat(language, { weekday: 'short', hour: '2-digit', minute: '2-digit' }).format(at * 1000);

/** How far the whole queue is, in one line that is always there, so that nothing below it moves. */
export function Outlook() {
  const { t, i18n } = useLingui();
  const unit = useConfig()?.file_size_unit;
  const { data } = useQuery({
    queryKey: ['download', 'outlook'],
    queryFn: ({ signal }) => call('GET /api/download/outlook/', { signal }),
    refetchInterval: 30_000,
  });
  if (!data) return <p className={styles.outlook}>&nbsp;</p>;
  const { waiting, failed, running, done, bytes_left: left, done_about: end } = data;
  return (
    <p className={`${styles.outlook} number`} role="status">
      {waiting + failed === 0 && <span>{t`Nothing is waiting.`}</span>}
      {waiting > 0 && (
        <strong>{running ? t`${exactText(done)} of ${exactText(done + waiting)}` : t`${exactText(waiting)} waiting`}</strong>
      )}
      {left !== null && waiting > 0 && <span>{t`about ${sizeText(left, unit)} left`}</span>}
      {end !== null && <span>{t`done about ${clock(end, i18n.locale)}`}</span>}
      {failed > 0 && <span>{t`${exactText(failed)} failed`}</span>}
    </p>
  );
}
