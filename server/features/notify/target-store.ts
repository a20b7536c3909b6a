import { messages } from '#contract/messages.ts';
import type { NotifyTargets } from '#contract/notify.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { inTransaction } from '../../platform/db/db.ts';
import { hashOfUrl, seal, unseal } from '../../platform/security/encryption.ts';
import { maskUrl } from './mask-url.ts';
import { addTarget, deleteMessages, deleteTargets, listTargets } from './store.ts';

/** Returns the targets whose URLs can be decrypted, with full URLs. */
async function openTargets({ db, keys, log }: AppContext) {
  return (await listTargets(db)).flatMap(({ number, taskName, sealed }) => {
    try {
      return [{ number, taskName, url: unseal(keys, 'notify-url', sealed) }];
    } catch {
      log.warn({ task: taskName }, 'cannot decrypt a notification URL; it was encrypted with another key');
      return [];
    }
  });
}

/** Returns the title of a task or an event; undefined if there is none with this name. */
export const titleOf = ({ tasks }: AppContext, name: string): string | undefined =>
  tasks.definition(name)?.title ?? (messages as Record<string, string>)[`event.${name}`];

/** Returns the targets of each task, with masked secrets. */
export async function readTargets(app: AppContext): Promise<NotifyTargets> {
  const targets: NotifyTargets = {};
  for (const { number, taskName, url } of await openTargets(app)) {
    const title = titleOf(app, taskName) ?? taskName;
    const of = (targets[taskName] ??= { urls: [], title, targets: [] });
    of.urls.push(maskUrl(url));
    of.targets.push({ id: number, url: maskUrl(url) });
  }
  return targets;
}

/** Returns the full URLs, of one task or all, that have this masked form. */
export const unmaskUrls = async (app: AppContext, masked: string, taskName?: string | null): Promise<string[]> =>
  (await openTargets(app))
    .filter((one) => (!taskName || one.taskName === taskName) && maskUrl(one.url) === masked)
    .map(({ url }) => url);

/** Adds a target to a task. Adding an existing target has no effect. */
export async function saveTarget({ db, keys }: Pick<AppContext, 'db' | 'keys'>, taskName: string, url: string): Promise<void> {
  await addTarget(db, { taskName, urlHash: hashOfUrl(keys.present, url), sealed: seal(keys, 'notify-url', url) });
}

/** Selects targets of a task: by number, by URL, or all. */
export type TargetSelector = { id: number } | { url: string } | 'all';

/** Deletes targets of a task with their pending messages. Returns the number of deleted targets. */
export const deleteTarget = ({ db, keys }: AppContext, taskName: string, which: TargetSelector): Promise<number> =>
  inTransaction(db, async (tx) => {
    const gone = await deleteTargets(
      tx,
      taskName,
      which === 'all' || 'id' in which ? which : { hashes: keys.all.map((key) => hashOfUrl(key, which.url)) },
    );
    if (gone.length > 0)
      await deleteMessages(
        tx,
        gone.map(({ sealed }) => sealed),
      );
    return gone.length;
  });
