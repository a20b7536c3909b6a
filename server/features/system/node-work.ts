import type { AppContext } from '../../platform/context/app-context.ts';

const maxRuns = 100;

/** Finds the runs and the number of downloads that these starts of nodes (AppContext.runId) hold. */
export async function findWorkOf({ db, tasks }: Pick<AppContext, 'db' | 'tasks'>, runIds: string[]) {
  if (runIds.length === 0) return () => ({ runs: [], downloads: 0 });
  const runs = await db
    .selectFrom('task')
    .select(['id', 'name', 'leasedBy'])
    .where('status', '=', 'running')
    .where('leasedBy', 'in', runIds)
    .orderBy('startedAt')
    .orderBy('id')
    .limit(maxRuns)
    .execute();
  const downloads = await db
    .selectFrom('download')
    .select((e) => ['leasedBy', e.fn.countAll<number>().as('count')])
    .where('leaseUntil', 'is not', null) // the condition of the index
    .where('leasedBy', 'in', runIds)
    .groupBy('leasedBy')
    .execute();
  return (runId: string) => ({
    runs: runs
      .filter(({ leasedBy }) => leasedBy === runId)
      .map(({ id, name }) => ({ id, name, title: tasks.definition(name)?.title ?? name })),
    downloads: Number(downloads.find(({ leasedBy }) => leasedBy === runId)?.count ?? 0),
  });
}
