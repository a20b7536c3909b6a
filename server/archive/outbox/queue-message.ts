import type { NotifyEvent } from '#contract/notify.ts';
import type { Db } from '../../platform/db/db.ts';

/** A notification message. */
export interface Notification {
  /** Constant across retries, so that receivers can ignore duplicates. */
  id: string;
  title: string;
  body: string;
  kind: 'info' | 'success' | 'failure';
  /** Name of the completed task. */
  task: string | null;
  /** Set for an event: its name and data (docs/webhooks.md). */
  event?: NotifyEvent['event'];
  data?: NotifyEvent['data'];
  /** Time of the event, epoch seconds. */
  at: number;
}

/** Adds one message for each target of a task or event, in one statement. Part of the caller's transaction. */
export const queueMessage = (db: Db, subject: string, message: Notification) =>
  db
    .insertInto('outbox')
    .columns(['sealed', 'message', 'nextAt', 'createdAt'])
    .expression((q) =>
      q
        .selectFrom('notifyTarget')
        .where('taskName', '=', subject)
        .select((s) => [
          'sealed',
          s.cast<string>(s.val(JSON.stringify(message)), 'text').as('message'),
          s.cast<number>(s.val(message.at), 'bigint').as('nextAt'),
          s.cast<number>(s.val(message.at), 'bigint').as('createdAt'),
        ]),
    )
    .execute();
