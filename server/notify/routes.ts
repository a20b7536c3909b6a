import { randomUUID } from 'node:crypto';
import { notifyCalls } from '#contract/notify.ts';
import type { Archive } from '../archive.ts';
import { Misfit } from '../http/parse.ts';
import { refused } from '../http/problem.ts';
import { routes } from '../http/route.ts';
import { BadUrl, NotSent } from './not-sent.ts';
import { parseUrl } from './parse-url.ts';
import { dropTarget, keepTarget, readTargets } from './targets.ts';

const noTask = (name: string) => {
  const sentence = `"${name}" is not a valid choice.`;
  return new Misfit({ task_name: [sentence] }, sentence);
};

const sentenceOf = (error: unknown): string => {
  if (error instanceof BadUrl || error instanceof NotSent) return error.message;
  throw error;
};

const isUrl = (url: string): boolean => {
  try {
    return Boolean(parseUrl(url));
  } catch {
    return false;
  }
};

async function sendTest({ config, now, tasks }: Archive, url: string, taskName: string | null | undefined) {
  const { send } = await import('./send.ts');
  const of = taskName ? tasks.definition(taskName) : undefined;
  await send(config, url, {
    id: randomUUID(),
    title: '[Reelkeep] Test notification',
    body: of ? `This is how the end of "${of.title}" will be told.` : 'This is how the end of a task will be told.',
    kind: 'info',
    task: of?.name ?? null,
    at: now(),
  });
}

export const notifyRoutes = routes(notifyCalls, {
  'GET /api/task/notification/': (_, archive) => readTargets(archive),

  'POST /api/task/notification/': async ({ body }, archive) => {
    if (!archive.tasks.definition(body.task_name)) throw noTask(body.task_name);
    const { checkUrl } = await import('./send.ts');
    await checkUrl(body.url).catch((error: unknown) => {
      throw refused(sentenceOf(error));
    });
    await keepTarget(archive, body.task_name, body.url);
    archive.announce('task');
    return readTargets(archive);
  },

  'DELETE /api/task/notification/': async ({ body }, archive) => {
    const dropped = await dropTarget(archive, body.task_name, body.url ?? null);
    // A task that this version no longer has can still be cleared.
    if (dropped === 0 && !archive.tasks.definition(body.task_name)) throw noTask(body.task_name);
    archive.announce('task');
  },

  'POST /api/task/notification/test/': async ({ body, reply }, archive) => {
    const failed = (message: string) => {
      reply.code(400);
      return { success: false, message };
    };
    if (!isUrl(body.url)) return failed(`Invalid notification URL format: ${body.url}`);
    try {
      await sendTest(archive, body.url, body.task_name);
      return { success: true, message: 'Test notification sent successfully' };
    } catch (error) {
      return failed(`Notification error: ${sentenceOf(error)}`);
    }
  },
});
