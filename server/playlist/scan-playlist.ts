import type { Db } from '../db/db.ts';
import type { Adding } from '../download/adding.ts';
import { mergeRules, ownRulesOf } from '../download/rules.ts';
import { takeEntries } from '../download/take-entries.ts';
import { currentSettings } from '../settings/read.ts';
import { listPlaylist } from './list-playlist.ts';

/** The playlists that are subscribed to, or those of them with these ids. */
export const subscribedPlaylists = (db: Db, ids?: string[]) =>
  db
    .selectFrom('playlist')
    .select(['id', 'name', 'url', 'rules'])
    .where('isSubscribed', '=', 1)
    .where('kind', '=', 'regular')
    .$if(ids !== undefined, (q) => q.where('id', 'in', ids!.length > 0 ? ids! : ['']))
    .orderBy('sortName')
    .execute();

/** Brings a playlist up to date, and takes what is new of its first entries, in the order chosen for it. */
export async function scanPlaylist(
  adding: Adding,
  { id, name, url, rules }: { id: string; name: string; url: string | null; rules: string | null },
): Promise<void> {
  const { archive, work } = adding;
  const settings = await currentSettings(archive);
  const { entries } = await listPlaylist(archive, url ?? `https://www.youtube.com/playlist?list=${id}`, work.signal);
  const { playlist_size: size } = settings.subscriptions;
  work.report({ messages: [name, `${entries.length} entries`] });
  await takeEntries(adding, size ? entries.slice(0, size) : entries, {
    kind: undefined,
    rules: mergeRules(settings.rules, ownRulesOf({ rules })),
    sleepSeconds: settings.downloads.sleep_interval,
  });
}
