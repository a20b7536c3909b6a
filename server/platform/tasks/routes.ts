import { message } from '#contract/messages.ts';
import { taskCalls, type TaskReply } from '#contract/task.ts';
import type { AppContext } from '../context/app-context.ts';
import { notFound, badRequest } from '../http/http-error.ts';
import { routes } from '../http/route.ts';
import { renderMessages } from '../messages/render.ts';
import { serializeNotification, serializeResult, withoutLinks } from './shape.ts';
import { current, findTask, listTasks } from './store.ts';

async function startNamed(tasks: AppContext['tasks'], name: string): Promise<TaskReply> {
  const definition = tasks.definition(name);
  if (!definition) throw notFound('error.no-task-name');
  if (!definition.isStartable) throw notFound('error.not-startable');
  const { id, wasRunning } = await tasks.startByName(name);
  return {
    task_id: id,
    task_name: name,
    status: 'PENDING',
    ...(wasRunning && { message: renderMessages(message('run.already-running', { title: definition.title })) }),
  };
}

export const taskRoutes = routes(taskCalls, {
  'GET /api/notification/': async ({ query, user }, { db, now, tasks }) => {
    const prefix = query.filter === 'settings' ? 'setting' : query.filter;
    const rows = await current(db, now());
    const notices = rows.flatMap((row) => serializeNotification(row, tasks.definition(row.name)) ?? []);
    const wanted = prefix ? notices.filter((notice) => notice.group.startsWith(prefix)) : notices;
    return user.isStaff ? wanted : wanted.map(withoutLinks);
  },

  'GET /api/task/by-name/': async (_, { db }) => (await listTasks(db)).map(serializeResult),

  'GET /api/task/by-name/:name/': async ({ params }, { db, tasks }) => {
    if (!tasks.definition(params.name)) throw notFound('error.no-task-name');
    return (await listTasks(db, params.name)).map(serializeResult);
  },

  'POST /api/task/by-name/:name/': ({ params }, { tasks }) => startNamed(tasks, params.name),
  'POST /api/task-name/:name/': ({ params }, { tasks }) => startNamed(tasks, params.name),

  'GET /api/task/by-id/:id/': async ({ params }, { db }) => {
    const row = await findTask(db, params.id);
    if (!row) throw notFound('error.no-task-id');
    return serializeResult(row);
  },

  'POST /api/task/by-id/:id/': async ({ params, body }, { db, tasks }) => {
    const row = await findTask(db, params.id);
    if (!row) throw notFound('error.no-task-id');
    const { command } = body;
    if (command === 'pause' || command === 'resume') {
      if (!tasks.definition(row.name)?.isPausable) throw badRequest('error.not-pausable');
      if (!(await tasks.pause(row.id, command === 'pause'))) throw badRequest('error.task-ended');
      return;
    }
    if (!tasks.definition(row.name)?.isStoppable)
      throw badRequest(command === 'stop' ? 'error.not-stoppable' : 'error.not-killable');
    if (!(await tasks.stop(row.id, command === 'stop' ? 'STOP' : 'KILL'))) throw badRequest('error.task-ended');
  },
});
