import { Plural, useLingui } from '@lingui/react/macro';
import { IconAlertTriangle, IconCircleCheck, IconCircleX, IconClock, IconPlayerStop } from '@tabler/icons-react';
import type { Run } from '#contract/runs.ts';
import { agoText } from '#web/format/dates.ts';
import { RelativeTime } from '#web/format/RelativeTime.tsx';
import { exactText, lengthText } from '#web/format/numbers.ts';
import styles from './Runs.module.css';

export function RunStatusIcon({ run }: { run: Run }) {
  const { t } = useLingui();
  if (run.status === 'failure') return <IconCircleX className={styles.bad} aria-label={t`Failed`} />;
  if (run.status === 'stopped') return <IconPlayerStop className={styles.quiet} aria-label={t`Stopped`} />;
  if (run.status !== 'success') return <IconClock className={styles.warn} aria-label={t`Running`} />;
  return run.problems > 0 ? (
    <IconAlertTriangle className={styles.warn} aria-label={t`Finished with problems`} />
  ) : (
    <IconCircleCheck className={styles.good} aria-label={t`Finished`} />
  );
}

/** Time, duration and counts of a run in one line. */
export function RunSummary({ run }: { run: Run }) {
  const { t } = useLingui();
  const at = run.started ?? run.queued;
  return (
    <p className={styles.facts}>
      <RelativeTime at={at}>{agoText(at)}</RelativeTime>
      {run.started !== null && run.ended !== null && <span>{t`took ${lengthText(run.ended - run.started)}`}</span>}
      {run.new > 0 && <span>{t`${exactText(run.new)} new`}</span>}
      {run.left_out > 0 && <span>{t`${exactText(run.left_out)} skipped`}</span>}
      {run.problems > 0 && (
        <span>
          <Plural value={run.problems} one="# problem" other="# problems" />
        </span>
      )}
    </p>
  );
}
