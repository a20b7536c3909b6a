import { z } from 'zod';
import type { Contract } from './endpoint.ts';
import { MessageJson } from './message-json.ts';

/** Response of all endpoints that start a task. */
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
  /** Time of completion; the string "False" while the task runs. */
  date_done: z.string(),
});
export type TaskResult = z.infer<typeof TaskResult>;

/** Not in TubeArchivist: progress of one download. Null = unknown. */
export const DownloadProgress = z.object({
  youtube_id: z.string(),
  title: z.string(),
  /** Step, in English and as ids with parameters. */
  stage: z.string(),
  stage_messages: z.array(MessageJson),
  /** Progress of the current file; null before and after its transfer. */
  bytes: z.number().nullable(),
  total_bytes: z.number().nullable(),
  bytes_per_second: z.number().nullable(),
  seconds_left: z.number().nullable(),
});
export type DownloadProgress = z.infer<typeof DownloadProgress>;

export const Notification = z.object({
  id: z.string(),
  title: z.string(),
  group: z.string(),
  api_start: z.boolean(),
  api_stop: z.boolean(),
  /** Not in TubeArchivist: the task can be paused. */
  api_pause: z.boolean().optional(),
  level: z.enum(['info', 'error']),
  messages: z.array(z.string()),
  /** Not in TubeArchivist: name of the task. */
  name: z.string().optional(),
  /** Not in TubeArchivist: `messages` as ids with parameters. */
  lines: z.array(MessageJson).optional(),
  /** Not in TubeArchivist: progress of each download of the run. */
  downloads: z.array(DownloadProgress).optional(),
  progress: z.number().min(0).max(1).optional(),
  /** `PAUSE` is not in TubeArchivist; the command `resume` continues the task. */
  command: z.enum(['STOP', 'KILL', 'PAUSE']).optional(),
});
export type Notification = z.infer<typeof Notification>;

const TaskName = z.object({ name: z.string().min(1).max(100) });
const TaskId = z.object({ id: z.string().min(1).max(100) });

export const taskCalls = {
  'GET /api/notification/': {
    may: 'user',
    does: 'List notifications of running tasks',
    query: z.object({ filter: z.enum(['download', 'settings', 'channel']).optional() }),
    reply: z.array(Notification),
  },
  'GET /api/task/by-name/': { may: 'staff', does: 'List results of all tasks', reply: z.array(TaskResult) },
  'GET /api/task/by-name/:name/': { may: 'staff', does: 'List results of a task', params: TaskName, reply: z.array(TaskResult) },
  'POST /api/task/by-name/:name/': { may: 'staff', does: 'Start a task', params: TaskName, reply: TaskReply },
  'POST /api/task-name/:name/': {
    may: 'staff',
    does: 'Start a task (path of TubeArchivist before 0.5)',
    params: TaskName,
    reply: TaskReply,
  },
  'GET /api/task/by-id/:id/': {
    may: 'staff',
    scope: 'download',
    does: 'Get the result of a run',
    params: TaskId,
    reply: TaskResult,
  },
  'POST /api/task/by-id/:id/': {
    may: 'staff',
    does: 'Stop a run; `pause` and `resume` (Reelkeep) require `api_pause` in its notification',
    params: TaskId,
    body: z.object({ command: z.enum(['stop', 'kill', 'pause', 'resume']) }),
  },
} satisfies Contract;
