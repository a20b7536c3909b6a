import { createHmac } from 'node:crypto';
import type { NotifyTargets } from '#contract/notify.ts';
import type { Archive } from '../archive.ts';
import { inTransaction } from '../db/db.ts';
import { seal, unseal } from '../seal.ts';
import { addTarget, dropMessages, dropTargets, listTargets } from './store.ts';

/** Finds a URL again without being one that could be guessed at: URLs hold secrets. */
export const hashOfUrl = (key: Buffer, url: string) => createHmac('sha256', key).update(`notify ${url}`).digest('hex');

/** Where the end of each task is told. */
export async function readTargets({ db, keys, tasks, log }: Archive): Promise<NotifyTargets> {
  const targets: NotifyTargets = {};
  for (const { taskName, sealed } of await listTargets(db)) {
    const of = (targets[taskName] ??= { urls: [], title: tasks.definition(taskName)?.title ?? taskName });
    try {
      of.urls.push(unseal(keys, sealed));
    } catch {
      log.warn({ task: taskName }, 'a notification URL was sealed with another key and cannot be read');
    }
  }
  return targets;
}

/** Lets the end of a task be told to a URL. Twice is once. */
export async function keepTarget({ db, keys }: Pick<Archive, 'db' | 'keys'>, taskName: string, url: string): Promise<void> {
  await addTarget(db, { taskName, urlHash: hashOfUrl(keys.present, url), sealed: seal(keys, url) });
}

/** No longer tells the end of a task to a URL, or to any; what was still on its way goes too. Answers how many there were. */
export const dropTarget = ({ db, keys }: Archive, taskName: string, url: string | null): Promise<number> =>
  inTransaction(db, async (tx) => {
    const gone = await dropTargets(tx, taskName, url === null ? null : keys.all.map((key) => hashOfUrl(key, url)));
    if (gone.length > 0)
      await dropMessages(
        tx,
        gone.map(({ sealed }) => sealed),
      );
    return gone.length;
  });
