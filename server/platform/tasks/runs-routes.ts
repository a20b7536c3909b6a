import { runsCalls } from '#contract/runs.ts';
import { pageRequest, paginate } from '../http/paging.ts';
import { notFound } from '../http/http-error.ts';
import { routes } from '../http/route.ts';
import { countRuns, listRuns, notesOf, serializeRun } from './run-store.ts';
import { findTask } from './store.ts';

export const runsRoutes = routes(runsCalls, {
  'GET /api/task/runs/': async ({ query, user, url }, { db, tasks }) => {
    const wanted = { name: query.name, hasProblems: query.problems === 'true' };
    const total = await countRuns(db, wanted);
    const rows = await listRuns(db, wanted, pageRequest(query.page, user.pageSize));
    return {
      data: rows.map((row) => serializeRun(row, tasks.definition(row.name)?.title ?? row.name)),
      paginate: paginate(total, query.page, user.pageSize, url),
    };
  },

  'GET /api/task/runs/:id/': async ({ params }, { db, tasks }) => {
    const row = await findTask(db, params.id);
    if (!row) throw notFound('error.run');
    return { ...serializeRun(row, tasks.definition(row.name)?.title ?? row.name), notes: await notesOf(db, row.id) };
  },
});
