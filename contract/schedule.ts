import { z } from 'zod';
import type { Contract } from './call.ts';

export const Schedule = z.object({
  name: z.string(),
  /** Minute, hour, day of the week (0 is Sunday). */
  schedule: z.string(),
  schedule_human: z.string(),
  last_run_at: z.string().nullable(),
  /** Ours: when it runs next. */
  next_run_at: z.string(),
  config: z.record(z.string(), z.int()),
});
export type Schedule = z.infer<typeof Schedule>;

const TaskName = z.object({ name: z.string().min(1).max(100) });

export const scheduleCalls = {
  'GET /api/task/schedule/': { may: 'staff', does: 'What runs by itself, and when', reply: z.array(Schedule) },
  'GET /api/task/schedule/:name/': { may: 'staff', does: 'When a task runs by itself', params: TaskName, reply: Schedule },
  'POST /api/task/schedule/:name/': {
    may: 'staff',
    does: 'Let a task run by itself',
    params: TaskName,
    body: z.object({
      schedule: z.string().max(200).nullish(),
      config: z.record(z.string().max(50), z.unknown()).nullish(),
    }),
    reply: Schedule,
  },
  'DELETE /api/task/schedule/:name/': { may: 'staff', does: 'No longer let a task run by itself', params: TaskName },
} satisfies Contract;
