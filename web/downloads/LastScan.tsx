import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { IconChevronRight } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { agoText } from '#web/format/dates.ts';
import { Moment } from '#web/format/Moment.tsx';
import { exactText } from '#web/format/numbers.ts';
import { RunNotes } from '#web/runs/RunNotes.tsx';
import { pathOfRun, runQuery, runsQuery } from '#web/runs/queries.ts';
import styles from './Downloads.module.css';

/** What the last scan of the subscriptions brought: new, left out with the reason, failed. */
export function LastScan() {
  const { t } = useLingui();
  const [isOpen, setIsOpen] = useState(false);
  const runs = useQuery(runsQuery({ name: 'update_subscribed' })).data?.data ?? [];
  // One that is under way says so by itself; the one before it has been told already.
  const last = runs.find(({ ended }) => ended !== null);
  const run = useQuery({ ...runQuery(last?.id ?? ''), enabled: isOpen && last !== undefined }).data;
  if (!last) return null;
  const ended = last.ended!;
  return (
    <section className={styles.scan} aria-label={t`Last scan`}>
      <button type="button" className={styles.scanHead} aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        <IconChevronRight aria-hidden />
        <strong>
          <Trans>Last scan</Trans>
        </strong>
        <Moment at={ended}>{agoText(ended)}</Moment>
        <span>{t`${exactText(last.new)} new`}</span>
        <span>{t`${exactText(last.left_out)} left out`}</span>
        <span>{t`${exactText(last.problems)} failed`}</span>
      </button>
      {isOpen && run && (
        <div className={styles.scanBody}>
          <RunNotes notes={run.notes.filter(({ kind }) => kind !== 'step')} />
          {run.new + run.left_out + run.problems === 0 && (
            <p>
              <Trans>Nothing new: everything that is wanted is here.</Trans>
            </p>
          )}
          <p className={styles.links}>
            <Link to={pathOfRun(last.id)}>
              <Trans>The log of this scan</Trans>
            </Link>
            <Link to="/settings/runs/?name=update_subscribed">
              <Trans>Earlier scans</Trans>
            </Link>
          </p>
        </div>
      )}
    </section>
  );
}
