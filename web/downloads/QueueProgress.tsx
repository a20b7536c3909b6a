import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { soonText } from '#web/format/dates.ts';
import { exactText, sizeText } from '#web/format/numbers.ts';
import { useConfig } from '#web/api/account.ts';
import { queueEtaQuery } from '#web/api/queries/download.ts';
import styles from './Downloads.module.css';

/** Progress of the whole queue in one line. It is always rendered, so that the content below does not jump. */
export function QueueProgress() {
  const { t } = useLingui();
  const unit = useConfig()?.file_size_unit;
  const { data } = useQuery(queueEtaQuery);
  if (!data) return <p className={styles.progress}>&nbsp;</p>;
  const { waiting, failed, running, done, bytes_left: left, done_about: end } = data;
  return (
    <p className={`${styles.progress} number`} role="status">
      {waiting + failed === 0 && <span>{t`Queue is empty.`}</span>}
      {waiting > 0 && (
        <strong>{running ? t`${exactText(done)} of ${exactText(done + waiting)}` : t`${exactText(waiting)} waiting`}</strong>
      )}
      {left !== null && waiting > 0 && <span>{t`about ${sizeText(left, unit)} left`}</span>}
      {end !== null && <span>{t`done around ${soonText(end)}`}</span>}
      {failed > 0 && <span>{t`${exactText(failed)} failed`}</span>}
    </p>
  );
}
