import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router';
import { messageText } from '#web/i18n/message-text.ts';
import { useQueryParams } from '#web/ui/use-search-params.ts';
import { SegmentedControl } from '#web/ui/SegmentedControl.tsx';
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx';
import { Pager, usePage, useExistingPage } from '#web/ui/Pager.tsx';
import { taskName, taskNames } from '#web/tasks/task-names.ts';
import { Select } from '#web/ui/Field.tsx';
import { RunPage } from './RunPage.tsx';
import { pathOfRun, runsQuery } from '#web/api/queries/run.ts';
import { RunSummary, RunStatusIcon } from './RunLine.tsx';
import styles from './Runs.module.css';

/** All tasks, and the chosen one even if it is unknown. */
const taskChoices = (name: string | null) => [...new Set([...taskNames, ...(name ? [name] : [])])];

function RunList() {
  const { t } = useLingui();
  const [search, setParams] = useQueryParams();
  const [page, setPage] = usePage();
  const [name, onlyProblems] = [search.get('name'), search.get('problems') === 'true'];
  const query = useQuery(
    runsQuery({ ...(name && { name }), ...(onlyProblems && { problems: 'true' as const }), ...(page > 1 && { page }) }),
  );
  useExistingPage(query);
  return (
    <section className={styles.page} aria-labelledby="runs">
      <div className={styles.head}>
        <h2 id="runs" className="hidden">
          {t`Task history`}
        </h2>
        <Select
          label={t`Task`}
          isLabelHidden
          choices={[
            { value: '', label: t`All tasks` },
            ...taskChoices(name).map((value) => ({ value, label: taskName(value, value) })),
          ]}
          value={name ?? ''}
          onChange={({ target }) => setParams({ name: target.value || null, page: null })}
        />
        <SegmentedControl
          label={t`Filter runs`}
          choices={[
            { value: 'all', label: t`All` },
            { value: 'problems', label: t`With problems` },
          ]}
          value={onlyProblems ? 'problems' : 'all'}
          onChange={(value) => setParams({ problems: value === 'problems' ? 'true' : null, page: null })}
        />
      </div>
      <QueryBoundary query={query} skeleton={400}>
        {({ data, paginate }) => (
          <>
            {data.length === 0 && (
              <p className={styles.facts}>{onlyProblems ? t`No problems in the last 30 days.` : t`No tasks have run yet.`}</p>
            )}
            <ul className={styles.list}>
              {data.map((run) => (
                <li key={run.id} className={styles.row}>
                  <RunStatusIcon run={run} />
                  <div>
                    <Link to={pathOfRun(run.id)} className={styles.title}>
                      {taskName(run.name, run.title)}
                    </Link>
                    <RunSummary run={run} />
                    {run.result && <p className={styles.result}>{messageText(run.result_messages, run.result)}</p>}
                  </div>
                </li>
              ))}
            </ul>
            <Pager page={page} total={paginate.total_hits} size={paginate.page_size} onChange={setPage} />
          </>
        )}
      </QueryBoundary>
    </section>
  );
}

/** Runs of the last 30 days. */
export function Runs() {
  const [search] = useSearchParams();
  const id = search.get('run');
  return id ? <RunPage id={id} /> : <RunList />;
}
