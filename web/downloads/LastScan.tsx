import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { IconChevronRight } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { agoText } from '#web/format/dates.ts';
import { RelativeTime } from '#web/format/RelativeTime.tsx';
import { exactText } from '#web/format/numbers.ts';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { pathOfHistory, pathOfRun, runQuery, runsQuery } from '#web/api/queries/run.ts';
import styles from './Downloads.module.css';

const RunNotes = lazyComponent(async () => (await import('#web/runs/RunNotes.tsx')).RunNotes);

/** Summary of the last subscription scan: new items, items skipped by rules with the reason, failures. */
export function LastScan() {
  const { t } = useLingui();
  const [isOpen, setIsOpen] = useState(false);
  const { data: runs, isPending } = useQuery(runsQuery({ name: 'update_subscribed' }));
  // A running scan has its own notice, so only finished scans are shown here.
  const last = runs?.data.find(({ ended }) => ended !== null);
  const run = useQuery({ ...runQuery(last?.id ?? ''), enabled: isOpen && last !== undefined }).data;
  if (isPending) return <Skeleton height={46} />;
  if (!last)
    return (
      <p className={`${styles.scan} ${styles.noScan}`}>
        <Trans>No scan of the subscriptions yet.</Trans>
      </p>
    );
  const ended = last.ended!;
  return (
    <section className={styles.scan} aria-label={t`Last scan`}>
      <button type="button" className={styles.scanHead} aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        <IconChevronRight aria-hidden />
        <strong>
          <Trans>Last scan</Trans>
        </strong>
        <RelativeTime at={ended}>{agoText(ended)}</RelativeTime>
        <span>{t`${exactText(last.new)} new`}</span>
        <span>{t`${exactText(last.left_out)} skipped by rules`}</span>
        <span>{t`${exactText(last.problems)} failed`}</span>
      </button>
      {isOpen && run && (
        <div className={styles.scanBody}>
          <RunNotes notes={run.notes.filter(({ kind }) => kind !== 'step')} />
          {run.new + run.left_out + run.problems === 0 && (
            <p>
              <Trans>No new videos.</Trans>
            </p>
          )}
          <p className={styles.links}>
            <Link to={pathOfRun(last.id)}>
              <Trans>View scan log</Trans>
            </Link>
            <Link to={pathOfHistory('update_subscribed')}>
              <Trans>Previous scans</Trans>
            </Link>
          </p>
        </div>
      )}
    </section>
  );
}
