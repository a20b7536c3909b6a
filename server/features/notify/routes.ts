import { randomUUID } from 'node:crypto';
import { message, type Message } from '#contract/messages.ts';
import { MessageError } from '../../platform/messages/message-error.ts';
import { renderMessages } from '../../platform/messages/render.ts';
import { notifyCalls, type NotifyTargets } from '#contract/notify.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { ValidationError } from '../../platform/http/validate.ts';
import { badRequest, HttpError } from '../../platform/http/http-error.ts';
import { routes } from '../../platform/http/route.ts';
import { isMasked } from './mask-url.ts';
import { parseUrl } from './parse-url.ts';
import { deleteTarget, readTargets, saveTarget, titleOf, unmaskUrls } from './target-store.ts';

const noTask = (name: string) => {
  const sentence = `"${name}" is not a valid choice.`;
  return new ValidationError({ task_name: [sentence] }, sentence);
};

const deliveryMessages = (error: unknown): Message[] => {
  if (error instanceof MessageError) return error.messages;
  throw error;
};

const isUrl = (url: string): boolean => {
  try {
    return Boolean(parseUrl(url));
  } catch {
    return false;
  }
};

async function sendTest(app: AppContext, url: string, taskName: string | null | undefined) {
  const { send } = await import('./send.ts');
  const title = taskName ? titleOf(app, taskName) : undefined;
  await send(app.config, url, {
    id: randomUUID(),
    title: '[Reelkeep] Test notification',
    body: title ? `Notifications about "${title}" look like this.` : 'Notifications about a task look like this.',
    kind: 'info',
    task: (taskName && app.tasks.definition(taskName)?.name) || null,
    at: app.now(),
  });
}

const schemeOf = (url: string) => `${url.split(':', 1)[0]}://…`;

/** Reduces the URLs to their schemes, without secrets: `ntfys://…`. */
const schemesOf = (targets: NotifyTargets): NotifyTargets =>
  Object.fromEntries(
    Object.entries(targets).map(([task, { urls, title }]) => [task, { urls: urls.map(schemeOf), title, targets: [] }]),
  );

/** Returns the full URL of a masked one. @throws 400 if several URLs have the same masked form. */
async function wholeUrl(app: AppContext, url: string, taskName?: string | null): Promise<string> {
  if (!isMasked(url)) return url;
  const [whole, another] = new Set(await unmaskUrls(app, url, taskName));
  if (another !== undefined) throw badRequest('error.url-several');
  return whole ?? url;
}

export const notifyRoutes = routes(notifyCalls, {
  'GET /api/task/notification/': async ({ user }, app) => {
    const targets = await readTargets(app);
    return user.isStaff ? targets : schemesOf(targets);
  },

  'POST /api/task/notification/': async ({ body }, app) => {
    if (!titleOf(app, body.task_name)) throw noTask(body.task_name);
    if (isMasked(body.url)) throw badRequest('error.url-masked');
    const { checkUrl } = await import('./send.ts');
    await checkUrl(body.url).catch((error: unknown) => {
      throw new HttpError(400, deliveryMessages(error));
    });
    await saveTarget(app, body.task_name, body.url);
    app.announce('task');
    return readTargets(app);
  },

  'DELETE /api/task/notification/': async ({ body }, app) => {
    const { task_name: task, url, id } = body;
    const which = id ? { id } : url ? { url: await wholeUrl(app, url, task) } : 'all';
    const dropped = await deleteTarget(app, task, which);
    // Targets of a task that this version no longer has can still be deleted.
    if (dropped === 0 && !titleOf(app, body.task_name)) throw noTask(body.task_name);
    app.announce('task');
  },

  'POST /api/task/notification/test/': async ({ body, reply }, app) => {
    const result = (success: boolean, text: Message) => {
      if (!success) reply.code(400);
      return { success, message: renderMessages(text), messages: [text] };
    };
    if (!isUrl(body.url)) return result(false, message('notify.url', { url: body.url }));
    try {
      await sendTest(app, await wholeUrl(app, body.url, body.task_name), body.task_name);
      return result(true, message('notify.sent'));
    } catch (error) {
      return result(false, message('notify.error', { why: deliveryMessages(error) }));
    }
  },
});
