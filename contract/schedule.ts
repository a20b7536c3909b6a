import { z } from 'zod';
import type { Contract } from './endpoint.ts';
import { Run } from './runs.ts';

export const Schedule = z.object({
  name: z.string(),
  /** Minute, hour, day of the week (0 = Sunday). */
  schedule: z.string(),
  schedule_human: z.string(),
  /** Start of the last run, scheduled or manual; null if there is none. */
  last_run_at: z.string().nullable(),
  /** Not in TubeArchivist: time of the next run. */
  next_run_at: z.string(),
  config: z.record(z.string(), z.int()),
  /** Not in TubeArchivist: time zone of the schedule. */
  time_zone: z.string(),
});
export type Schedule = z.infer<typeof Schedule>;

/** Not in TubeArchivist: a task that is scheduled or started by users. */
export const TaskOverview = z.object({
  name: z.string(),
  title: z.string(),
  /** It can be started by name. */
  can_start: z.boolean(),
  can_schedule: z.boolean(),
  /** Bounds and defaults of its options. */
  options: z.record(z.string(), z.object({ initial: z.int(), min: z.int(), max: z.int() })),
  /** Null: off. */
  schedule: Schedule.nullable(),
  /** By its schedule, or daily without one; null: only when it is started. */
  next_run_at: z.string().nullable(),
  last_run: Run.nullable(),
});
export type TaskOverview = z.infer<typeof TaskOverview>;

const TaskName = z.object({ name: z.string().min(1).max(100) });

export const scheduleCalls = {
  'GET /api/task/schedule/': { may: 'staff', does: 'List schedules', reply: z.array(Schedule) },
  'GET /api/task/overview/': {
    may: 'staff',
    does: 'List the tasks with their schedules and last runs (Reelkeep)',
    reply: z.object({
      /** Time zone of all schedules. */
      time_zone: z.string(),
      tasks: z.array(TaskOverview),
    }),
  },
  'GET /api/task/schedule-preview/': {
    may: 'staff',
    does: 'Check a schedule and get the time of its next run (Reelkeep)',
    query: z.object({ schedule: z.string().max(200) }),
    reply: z.object({ next_run_at: z.string() }),
  },
  'GET /api/task/schedule/:name/': { may: 'staff', does: 'Get the schedule of a task', params: TaskName, reply: Schedule },
  'POST /api/task/schedule/:name/': {
    may: 'staff',
    does: 'Create or update the schedule of a task',
    params: TaskName,
    body: z.object({
      schedule: z.string().max(200).nullish(),
      config: z.record(z.string().max(50), z.unknown()).nullish(),
    }),
    reply: Schedule,
  },
  'DELETE /api/task/schedule/:name/': { may: 'staff', does: 'Delete the schedule of a task', params: TaskName },
} satisfies Contract;
