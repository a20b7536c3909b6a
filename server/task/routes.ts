import { taskCalls } from '#contract/task.ts';
import { notFound, Problem, refused } from '../http/problem.ts';
import { routes } from '../http/route.ts';
import { shapeNotification, shapeResult } from './shape.ts';
import { current, findTask, listTasks } from './store.ts';

export const taskRoutes = routes(taskCalls, {
  'GET /api/notification/': async ({ query }, { db, now, tasks }) => {
    const prefix = query.filter === 'settings' ? 'setting' : query.filter;
    const rows = await current(db, now());
    const notices = rows.flatMap((row) => shapeNotification(row, tasks.definition(row.name)) ?? []);
    return prefix ? notices.filter((notice) => notice.group.startsWith(prefix)) : notices;
  },

  'GET /api/task/by-name/': async (_, { db }) => (await listTasks(db)).map(shapeResult),

  'GET /api/task/by-name/:name/': async ({ params }, { db, tasks }) => {
    if (!tasks.definition(params.name)) throw notFound('task name');
    return (await listTasks(db, params.name)).map(shapeResult);
  },

  'POST /api/task/by-name/:name/': async ({ params }, { tasks }) => {
    const definition = tasks.definition(params.name);
    if (!definition) throw notFound('task name');
    if (!definition.isStartable) throw new Problem(404, 'can not start task through this endpoint');
    const { id, wasRunning } = await tasks.startByName(params.name);
    return {
      task_id: id,
      task_name: params.name,
      status: 'PENDING',
      ...(wasRunning && { message: `${definition.title} is already running.` }),
    };
  },

  'GET /api/task/by-id/:id/': async ({ params }, { db }) => {
    const row = await findTask(db, params.id);
    if (!row) throw notFound('task ID');
    return shapeResult(row);
  },

  'POST /api/task/by-id/:id/': async ({ params, body }, { db, tasks }) => {
    const row = await findTask(db, params.id);
    if (!row) throw notFound('task ID');
    const verb = body.command === 'stop' ? 'stopped' : 'killed';
    if (!tasks.definition(row.name)?.isStoppable) throw refused(`task can not be ${verb}`);
    if (!(await tasks.stop(row.id, body.command === 'stop' ? 'STOP' : 'KILL'))) throw refused('The task has ended already.');
  },
});
