import { z } from 'zod';
import type { Contract } from './call.ts';
import { Said } from './said.ts';

/** The answer of every call that starts work in the background. */
export const TaskReply = z.object({
  message: z.string().optional(),
  task_id: z.string(),
  task_name: z.string().optional(),
  status: z.string().optional(),
  filename: z.string().optional(),
});
export type TaskReply = z.infer<typeof TaskReply>;

export const TaskResult = z.object({
  task_id: z.string(),
  name: z.string(),
  status: z.enum(['PENDING', 'STARTED', 'SUCCESS', 'FAILURE', 'RETRY', 'REVOKED']),
  result: z.string().nullable(),
  traceback: z.string().nullable(),
  /** The text "False" while the task runs, else when it ended. */
  date_done: z.string(),
});
export type TaskResult = z.infer<typeof TaskResult>;

export const Notification = z.object({
  id: z.string(),
  title: z.string(),
  group: z.string(),
  api_start: z.boolean(),
  api_stop: z.boolean(),
  level: z.enum(['info', 'error']),
  messages: z.array(z.string()),
  /** Ours: the name of the task, and each message by its codes. */
  name: z.string().optional(),
  said: z.array(Said).optional(),
  progress: z.number().min(0).max(1).optional(),
  command: z.enum(['STOP', 'KILL']).optional(),
});
export type Notification = z.infer<typeof Notification>;

const TaskName = z.object({ name: z.string().min(1).max(100) });
const TaskId = z.object({ id: z.string().min(1).max(100) });

export const taskCalls = {
  'GET /api/notification/': {
    may: 'user',
    does: 'What is going on now',
    query: z.object({ filter: z.enum(['download', 'settings', 'channel']).optional() }),
    reply: z.array(Notification),
  },
  'GET /api/task/by-name/': { may: 'staff', does: 'Results of all tasks', reply: z.array(TaskResult) },
  'GET /api/task/by-name/:name/': { may: 'staff', does: 'Results of one task', params: TaskName, reply: z.array(TaskResult) },
  'POST /api/task/by-name/:name/': { may: 'staff', does: 'Start a task', params: TaskName, reply: TaskReply },
  'GET /api/task/by-id/:id/': { may: 'staff', does: 'The result of one run', params: TaskId, reply: TaskResult },
  'POST /api/task/by-id/:id/': {
    may: 'staff',
    does: 'Stop a run',
    params: TaskId,
    body: z.object({ command: z.enum(['stop', 'kill']) }),
  },
} satisfies Contract;
