import { message, plainText } from '#contract/messages.ts';
import type { Db } from '../../platform/db/db.ts';
import { newestOfCatalogue } from '../../archive/channel/scan-limits.ts';
import type { EnqueueContext } from '../download/enqueue-context.ts';
import { mergeRules, ownRulesOf } from '../../archive/queue/filter-rules.ts';
import { enqueueEntries } from '../download/enqueue-entries.ts';
import { readSettings } from '../../archive/settings/store.ts';
import { listPlaylist } from '../../archive/playlist/list-playlist.ts';

/** Returns the subscribed playlists, optionally only those with these ids. */
export const subscribedPlaylists = (db: Db, ids?: string[]) =>
  db
    .selectFrom('playlist')
    .select(['id', 'name', 'url', 'rules', 'autoStart', 'backCatalogue', 'scannedAt'])
    .where('isSubscribed', '=', 1)
    .where('kind', '=', 'regular')
    .$if(ids !== undefined, (q) => q.where('id', 'in', ids!.length > 0 ? ids! : ['']))
    .orderBy('sortName')
    .execute();

export type SubscribedPlaylist = Awaited<ReturnType<typeof subscribedPlaylists>>[number];

/** Updates the entries of a playlist and enqueues new ones from its start, in its sort order. */
export async function scanPlaylist(
  adding: EnqueueContext,
  { id, name, url, rules, scannedAt, backCatalogue }: SubscribedPlaylist,
): Promise<void> {
  const { app, work } = adding;
  const settings = await readSettings(app.db);
  const { entries } = await listPlaylist(app, url ?? `https://www.youtube.com/playlist?list=${id}`, work.signal);
  const first = scannedAt === null ? backCatalogue : null;
  const { playlist_size: configured } = settings.subscriptions;
  const size = first === 'newest' ? newestOfCatalogue : first ? null : configured;
  work.report({ messages: [plainText(name), message('queue.in-list', { count: entries.length })] });
  await enqueueEntries(adding, size ? entries.slice(0, size) : entries, {
    kind: undefined,
    rules: mergeRules(settings.rules, ownRulesOf({ rules })),
    sleepSeconds: settings.downloads.sleep_interval,
    backCatalogue: first,
    previousScanAt: scannedAt,
  });
}
