import type { Selectable } from 'kysely';
import type { Archive } from '../archive.ts';
import type { OutboxTable } from '../db/tables-work.ts';
import { unseal } from '../seal.ts';
import type { Ended } from '../task/task.ts';
import type { Message } from './message.ts';
import { NotSent } from './not-sent.ts';
import { addMessages, claimMessage, dropMessage, dueMessages } from './store.ts';

const day = 86_400;
const longestWait = 3600;
// The last attempt comes a little before the day is over.
const last = day - 60;

/** How long to wait after so many attempts: a minute, then twice as long each time, at most an hour. */
export const waitAfter = (attempts: number): number => Math.min(60 * 2 ** Math.min(attempts - 1, 10), longestWait);

// The original's words, which people's filters know.
const words = { success: 'SUCCESS', failure: 'FAILURE', stopped: 'REVOKED' } as const;

/** Puts down that a task ended, for everybody who wants to hear of it. What has nothing to say is not told. */
export async function noteEnd({ id, name, title, status, result }: Ended, { db, now }: Archive): Promise<void> {
  if (!result) return;
  const message: Message = {
    id,
    title: `[Reelkeep] ${title} process ended with ${words[status]}`,
    body: result,
    kind: status === 'success' ? 'success' : status === 'failure' ? 'failure' : 'info',
    task: name,
    at: now(),
  };
  await addMessages(db, name, JSON.stringify(message), now());
}

async function attempt(archive: Archive, row: Selectable<OutboxTable>) {
  const { config, db, keys, log, now } = archive;
  const at = now();
  const age = at - row.createdAt;
  // Before it is sent the row is moved on, so nobody else sends it, and a crash meanwhile is just a failed attempt.
  const nextAt = Math.max(at + 60, Math.min(at + waitAfter(row.attempts + 1), row.createdAt + last));
  if (!(await claimMessage(db, row, nextAt))) return;
  const message = JSON.parse(row.message) as Message;
  const about = { task: message.task, attempts: row.attempts };
  const drop = (why: string) => {
    log.warn({ ...about, why }, 'a notification was not delivered and is given up');
    return dropMessage(db, row.number);
  };
  if (age >= day) return void (await drop('It is older than a day.'));
  try {
    // Loaded when there is something to tell: with all the services it takes memory that most people have no use for.
    const { send } = await import('./send.ts');
    await send(config, unseal(keys, row.sealed), message);
    await dropMessage(db, row.number);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    if (age >= last || (error instanceof NotSent && error.isPartial)) await drop(why);
  }
}

/** Sends what is due. What does not arrive is tried again until it is a day old; then one line of the log says so. */
export async function sendDue(archive: Archive): Promise<void> {
  const due = await dueMessages(archive.db, archive.now(), 2 * longestWait);
  await Promise.all(due.map((row) => attempt(archive, row)));
}
