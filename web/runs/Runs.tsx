import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router';
import { told, toldName } from '#web/api/told.ts';
import { useAddress } from '#web/ui/address.ts';
import { Choices } from '#web/ui/Choices.tsx';
import { Loaded } from '#web/ui/Loaded.tsx';
import { Pager, usePage } from '#web/ui/Pager.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { OneRun } from './OneRun.tsx';
import { pathOfRun, runsQuery } from './queries.ts';
import { RunFacts, RunOutcome } from './RunLine.tsx';
import styles from './Runs.module.css';

function List() {
  const { t } = useLingui();
  const [search, put] = useAddress();
  const [page, setPage] = usePage();
  const [name, isTrouble] = [search.get('name'), search.get('trouble') === 'true'];
  const query = useQuery(
    runsQuery({ ...(name && { name }), ...(isTrouble && { trouble: 'true' as const }), ...(page > 1 && { page }) }),
  );
  return (
    <section className={styles.page} aria-labelledby="runs">
      <div className={styles.head}>
        <h2 id="runs">{name ? t`Runs of ${toldName('task', name, query.data?.data[0]?.title ?? name)}` : t`What ran`}</h2>
        <Choices
          label={t`Which runs`}
          choices={[
            { value: 'all', label: t`All` },
            { value: 'trouble', label: t`With problems` },
          ]}
          value={isTrouble ? 'trouble' : 'all'}
          onChange={(value) => put({ trouble: value === 'trouble' ? 'true' : null, page: null })}
        />
        {name && (
          <Link to="/settings/runs/" className={styles.link}>
            <Trans>Of all tasks</Trans>
          </Link>
        )}
      </div>
      <Loaded query={query} skeleton={<Skeleton height={400} />}>
        {({ data, paginate }) => (
          <>
            {data.length === 0 && (
              <p className={styles.facts}>{isTrouble ? t`Nothing went wrong in the last 30 days.` : t`Nothing has run yet.`}</p>
            )}
            <ul className={styles.list}>
              {data.map((run) => (
                <li key={run.id} className={styles.row}>
                  <RunOutcome run={run} />
                  <div>
                    <Link to={pathOfRun(run.id)} className={styles.title}>
                      {toldName('task', run.name, run.title)}
                    </Link>
                    <RunFacts run={run} />
                    {run.result && <p className={styles.result}>{told(run.result, run.result_said)}</p>}
                  </div>
                </li>
              ))}
            </ul>
            <Pager page={page} total={paginate.total_hits} size={paginate.page_size} onChange={setPage} />
          </>
        )}
      </Loaded>
    </section>
  );
}

/** Everything that ran in the last month, and what each run did. */
export function Runs() {
  const [search] = useSearchParams();
  const id = search.get('run');
  return id ? <OneRun id={id} /> : <List />;
}
