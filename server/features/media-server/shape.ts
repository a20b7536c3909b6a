import type { MediaServer } from '#contract/media-server.ts';
import { message } from '#contract/messages.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { renderMessages } from '../../platform/messages/render.ts';
import { parseMessages, storeMessages } from '../../platform/messages/stored.ts';
import { countPendingRefreshes, listChosenPlaylists, listPersons, mappingsOf, type ServerRow } from './store.ts';

const problemOf = (column: string | null) => {
  const messages = parseMessages(column);
  return { problem: messages && renderMessages(messages), problem_messages: messages };
};

/** Whether a synchronization of a server runs or is queued. */
export const isSyncing = async ({ tasks, state }: AppContext, number: number) =>
  state.mediaServerSyncs.has(number) ||
  ((await tasks.activeInputs('sync_media_server')) as { server: number }[]).some(({ server }) => server === number);

/** Returns a media server as JSON of the API. */
export async function serializeServer(app: AppContext, row: ServerRow): Promise<MediaServer> {
  const { db } = app;
  return {
    id: row.number,
    kind: row.kind,
    name: row.name,
    address: row.address,
    has_token: row.sealed !== null,
    mappings: mappingsOf(row),
    persons: (await listPersons(db, row.number)).map((person) => ({
      account: person.accountId,
      account_name: person.accountName,
      user: person.userId,
      user_name: person.userName,
      has_token: person.sealed !== null,
      ...problemOf(person.sharesWatchState ? person.problem : storeMessages(message('media-server.no-consent'))),
    })),
    playlists: (await listChosenPlaylists(db, row.number)).map(({ id, name, problem }) => ({ id, name, ...problemOf(problem) })),
    state: row.state,
    ...problemOf(row.problem),
    failed: row.failedAt,
    retry_at: row.state === 'retrying' ? row.nextAt : null,
    refreshed: row.refreshedAt,
    synced: row.syncedAt,
    pending: await countPendingRefreshes(db, row.number),
    is_syncing: await isSyncing(app, row.number),
  };
}
