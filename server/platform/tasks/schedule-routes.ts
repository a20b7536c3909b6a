import { message } from '#contract/messages.ts';
import { scheduleCalls } from '#contract/schedule.ts';
import { HttpError } from '../http/http-error.ts';
import { routes } from '../http/route.ts';
import { timeZone } from '../lib/format-time.ts';
import { nextRun, parseSchedule } from './cron.ts';
import { listLastRuns, serializeRun } from './run-store.ts';
import { deleteSchedule, listSchedules, setSchedule, serializeSchedule } from './schedule.ts';

const noSchedule = () => new HttpError(404, message('error.no-schedule'), { key: 'detail' });

export const scheduleRoutes = routes(scheduleCalls, {
  'GET /api/task/schedule/': async (_, { db }) => (await listSchedules(db)).map(serializeSchedule),

  'GET /api/task/overview/': async (_, app) => {
    const { db, tasks } = app;
    const [schedules, runs] = await Promise.all([listSchedules(db), listLastRuns(db)]);
    const listed = tasks.definitions().filter(({ isStartable, schedule }) => isStartable || schedule);
    return {
      time_zone: timeZone(),
      tasks: await Promise.all(
        listed.map(async ({ name, title, isStartable, schedule, nextAutomaticRun }) => {
          const row = schedules.find((one) => one.name === name);
          const next = row?.nextAt ?? (await nextAutomaticRun?.(app)) ?? null;
          const run = runs.find((one) => one.name === name);
          return {
            name,
            title,
            can_start: isStartable,
            can_schedule: schedule !== undefined,
            options: schedule?.config ?? {},
            schedule: row ? serializeSchedule(row) : null,
            next_run_at: next === null ? null : new Date(next * 1000).toISOString(),
            last_run: run ? serializeRun(run, title) : null,
          };
        }),
      ),
    };
  },

  'GET /api/task/schedule-preview/': ({ query }, { now }) => ({
    next_run_at: new Date(nextRun(parseSchedule(query.schedule), now()) * 1000).toISOString(),
  }),

  'GET /api/task/schedule/:name/': async ({ params }, { db }) => {
    const row = (await listSchedules(db)).find(({ name }) => name === params.name);
    if (!row) throw noSchedule();
    return serializeSchedule(row);
  },

  'POST /api/task/schedule/:name/': async ({ params, body }, app) => {
    const row = await setSchedule(app, params.name, body);
    app.announce('task');
    return serializeSchedule(row);
  },

  'DELETE /api/task/schedule/:name/': async ({ params }, { db, announce }) => {
    if (!(await deleteSchedule(db, params.name))) throw noSchedule();
    announce('task');
  },
});
