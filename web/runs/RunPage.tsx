import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { IconArrowLeft } from '@tabler/icons-react';
import { Link } from 'react-router';
import { messageText } from '#web/i18n/message-text.ts';
import { TextWithLinks } from '#web/settings-pages/TextWithLinks.tsx';
import { taskName } from '#web/tasks/task-names.ts';
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx';
import { runQuery } from '#web/api/queries/run.ts';
import { RunSummary, RunStatusIcon } from './RunLine.tsx';
import { RunNotes } from './RunNotes.tsx';
import styles from './Runs.module.css';

/** Details of a run. */
export function RunPage({ id }: { id: string }) {
  const { t } = useLingui();
  const query = useQuery(runQuery(id));
  return (
    <section className={styles.page} aria-labelledby="run">
      <p>
        <Link to="/settings/scheduling/history/" className={styles.link}>
          <IconArrowLeft aria-hidden /> <Trans>All runs</Trans>
        </Link>
      </p>
      <QueryBoundary query={query} skeleton={300}>
        {(run) => (
          <>
            <div className={styles.row}>
              <RunStatusIcon run={run} />
              <div>
                <h2 id="run">{taskName(run.name, run.title)}</h2>
                <RunSummary run={run} />
                {run.result && (
                  <p className={styles.result}>
                    <TextWithLinks text={messageText(run.result_messages, run.result)} />
                  </p>
                )}
              </div>
            </div>
            <RunNotes notes={run.notes} />
            {run.notes.length === 0 && <p className={styles.facts}>{t`No messages.`}</p>}
            {run.new + run.left_out + run.problems > 1000 && (
              <p className={styles.facts}>{t`Only the first 1,000 entries are stored; the counts include all of them.`}</p>
            )}
          </>
        )}
      </QueryBoundary>
    </section>
  );
}
