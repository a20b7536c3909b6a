import { Plural, useLingui } from '@lingui/react/macro';
import { IconAlertTriangle, IconCircleCheck, IconCircleX, IconClock, IconPlayerStop } from '@tabler/icons-react';
import type { Run } from '#contract/runs.ts';
import { agoText } from '#web/format/dates.ts';
import { Moment } from '#web/format/Moment.tsx';
import { exactText, lengthText } from '#web/format/numbers.ts';
import styles from './Runs.module.css';

/** How a run came out, as a sign with a name. */
export function RunOutcome({ run }: { run: Run }) {
  const { t } = useLingui();
  if (run.status === 'failure') return <IconCircleX className={styles.bad} aria-label={t`Failed`} />;
  if (run.status === 'stopped') return <IconPlayerStop className={styles.quiet} aria-label={t`Stopped`} />;
  if (run.status !== 'success') return <IconClock className={styles.now} aria-label={t`Going on`} />;
  return run.problems > 0 ? (
    <IconAlertTriangle className={styles.now} aria-label={t`Done, with problems`} />
  ) : (
    <IconCircleCheck className={styles.good} aria-label={t`Done`} />
  );
}

/** What a run says of itself in one line. */
export function RunFacts({ run }: { run: Run }) {
  const { t } = useLingui();
  const at = run.started ?? run.queued;
  return (
    <p className={styles.facts}>
      <Moment at={at}>{agoText(at)}</Moment>
      {run.started !== null && run.ended !== null && <span>{t`took ${lengthText(run.ended - run.started)}`}</span>}
      {run.new > 0 && <span>{t`${exactText(run.new)} new`}</span>}
      {run.left_out > 0 && <span>{t`${exactText(run.left_out)} left out`}</span>}
      {run.problems > 0 && (
        <span>
          <Plural value={run.problems} one="# problem" other="# problems" />
        </span>
      )}
    </p>
  );
}
