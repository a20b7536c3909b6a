import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { IconArrowLeft } from '@tabler/icons-react';
import { Link } from 'react-router';
import { told, toldName } from '#web/api/told.ts';
import { Loaded } from '#web/ui/Loaded.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { runQuery } from './queries.ts';
import { RunFacts, RunOutcome } from './RunLine.tsx';
import { RunNotes } from './RunNotes.tsx';
import styles from './Runs.module.css';

/** One run: when, how long, how it came out, and line by line what it did. */
export function OneRun({ id }: { id: string }) {
  const { t } = useLingui();
  const query = useQuery(runQuery(id));
  return (
    <section className={styles.page} aria-labelledby="run">
      <p>
        <Link to="/settings/runs/" className={styles.link}>
          <IconArrowLeft aria-hidden /> <Trans>All runs</Trans>
        </Link>
      </p>
      <Loaded query={query} skeleton={<Skeleton height={300} />}>
        {(run) => (
          <>
            <div className={styles.row}>
              <RunOutcome run={run} />
              <div>
                <h2 id="run">{toldName('task', run.name, run.title)}</h2>
                <RunFacts run={run} />
                {run.result && <p className={styles.result}>{told(run.result, run.result_said)}</p>}
              </div>
            </div>
            <RunNotes notes={run.notes} />
            {run.notes.length === 0 && <p className={styles.facts}>{t`It had nothing to say.`}</p>}
            {run.new + run.left_out + run.problems > 1000 && (
              <p className={styles.facts}>{t`The first thousand lines are kept; the counts are of all.`}</p>
            )}
          </>
        )}
      </Loaded>
    </section>
  );
}
