import type { Selectable } from 'kysely';
import type { AppContext } from '../../platform/context/app-context.ts';
import type { OutboxTable } from '../../platform/db/schema/tables.ts';
import { renderMessages } from '../../platform/messages/render.ts';
import { unseal } from '../../platform/security/encryption.ts';
import type { FinishedRun } from '../../platform/context/task.ts';
import { queueMessage, type Notification } from '../../archive/outbox/queue-message.ts';
import { queueEvent } from '../../archive/outbox/queue-event.ts';
import { DeliveryError } from './errors.ts';
import { claimMessage, deleteMessage, dueMessages } from './store.ts';

const day = 86_400;
const longestWait = 3600;
// The last attempt is shortly before the message expires after one day.
const last = day - 60;

/** Returns the delay in seconds after this many attempts: exponential from one minute to one hour. */
export const retryDelay = (attempts: number): number => Math.min(60 * 2 ** Math.min(attempts - 1, 10), longestWait);

// TubeArchivist's status words, which users' filters match.
const words = { success: 'SUCCESS', failure: 'FAILURE', stopped: 'REVOKED' } as const;

/** Queues a notification about a completed task for all its targets. A task without a result is not reported. */
export async function queueTaskNotification(
  { id, name, title, status, result }: FinishedRun,
  { db, now }: AppContext,
): Promise<void> {
  if (!result) return;
  const notification: Notification = {
    id,
    title: `[Reelkeep] ${title} process ended with ${words[status]}`,
    body: renderMessages(result),
    kind: status === 'success' ? 'success' : status === 'failure' ? 'failure' : 'info',
    task: name,
    at: now(),
  };
  await queueMessage(db, name, notification);
  if (status === 'failure')
    await queueEvent(db, { event: 'task.failed', data: { task: { id, name, title }, reason: notification.body } }, now());
}

async function attempt(app: AppContext, row: Selectable<OutboxTable>) {
  const { config, db, keys, log, now } = app;
  const at = now();
  const age = at - row.createdAt;
  // The next attempt is scheduled before sending, so that no other process sends the row and a crash counts as a failed attempt.
  const nextAt = Math.max(at + 60, Math.min(at + retryDelay(row.attempts + 1), row.createdAt + last));
  if (!(await claimMessage(db, row, nextAt))) return;
  const notification = JSON.parse(row.message) as Notification;
  const about = { task: notification.task, attempts: row.attempts };
  const drop = (why: string) => {
    log.warn({ ...about, why }, 'cannot deliver a notification; giving up');
    return deleteMessage(db, row.number);
  };
  if (age >= day) return void (await drop('It is older than a day.'));
  try {
    // Imported on demand: all services together take memory that most installations do not need.
    const { send } = await import('./send.ts');
    await send(config, unseal(keys, 'notify-url', row.sealed), notification);
    await deleteMessage(db, row.number);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    if (age >= last || (error instanceof DeliveryError && error.isPartial)) await drop(why);
  }
}

/** Sends due notifications. Failed ones are retried for one day, then dropped with a log entry. */
export async function sendDueNotifications(app: AppContext): Promise<void> {
  const due = await dueMessages(app.db, app.now(), 2 * longestWait);
  await Promise.all(due.map((row) => attempt(app, row)));
}
