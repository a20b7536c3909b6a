import { scheduleCalls } from '#contract/schedule.ts';
import { Problem } from '../http/problem.ts';
import { routes } from '../http/route.ts';
import { dropSchedule, findSchedule, listSchedules, setSchedule, shapeSchedule } from './schedule.ts';

const noSchedule = () => new Problem(404, 'No CustomPeriodicTask matches the given query.', { key: 'detail' });

export const scheduleRoutes = routes(scheduleCalls, {
  'GET /api/task/schedule/': async (_, { db }) => (await listSchedules(db)).map(shapeSchedule),

  'GET /api/task/schedule/:name/': async ({ params }, { db }) => {
    const row = await findSchedule(db, params.name);
    if (!row) throw noSchedule();
    return shapeSchedule(row);
  },

  'POST /api/task/schedule/:name/': async ({ params, body }, archive) => {
    const row = await setSchedule(archive, params.name, body);
    archive.announce('task');
    return shapeSchedule(row);
  },

  'DELETE /api/task/schedule/:name/': async ({ params }, { db, announce }) => {
    if (!(await dropSchedule(db, params.name))) throw noSchedule();
    announce('task');
  },
});
