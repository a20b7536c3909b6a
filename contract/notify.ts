import { z } from 'zod';
import type { Contract } from './call.ts';
import { text } from './values.ts';

/** Where the end of each task is told; the URLs hold secrets, so staff alone see them. */
export const NotifyTargets = z.record(z.string(), z.object({ urls: z.array(z.string()), title: z.string() }));
export type NotifyTargets = z.infer<typeof NotifyTargets>;

export const NotifyTest = z.object({ success: z.boolean(), message: z.string() });
export type NotifyTest = z.infer<typeof NotifyTest>;

const TaskName = text(100);
/** In Apprise's syntax: `ntfys://ntfy.sh/topic`, `mailtos://user:password@gmail.com` … */
const Url = text(2000);

export const notifyCalls = {
  'GET /api/task/notification/': { may: 'staff', does: 'Where the end of tasks is told', reply: NotifyTargets },
  'POST /api/task/notification/': {
    may: 'staff',
    does: 'Tell the end of a task there too',
    body: z.object({ task_name: TaskName, url: Url }),
    reply: NotifyTargets,
  },
  'DELETE /api/task/notification/': {
    may: 'staff',
    does: 'No longer tell the end of a task there, or anywhere',
    body: z.object({ task_name: TaskName, url: Url.nullish() }),
  },
  'POST /api/task/notification/test/': {
    may: 'staff',
    does: 'Send a notification to try a URL',
    body: z.object({ url: Url, task_name: TaskName.nullish() }),
    reply: NotifyTest,
    refusal: NotifyTest,
  },
} satisfies Contract;
