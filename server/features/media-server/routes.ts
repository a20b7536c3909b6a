import { isAbsolute } from 'node:path';
import { mediaServerCalls, type MediaServer, type MediaServerReport } from '#contract/media-server.ts';
import { message, type Message } from '#contract/messages.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { inTransaction, type Db, type Tx } from '../../platform/db/db.ts';
import { badRequest, HttpError, notFound } from '../../platform/http/http-error.ts';
import { routes, type User } from '../../platform/http/route.ts';
import { renderMessages } from '../../platform/messages/render.ts';
import { parseMessages } from '../../platform/messages/stored.ts';
import { storeMessages } from '../../platform/messages/stored.ts';
import { mediaServerPurpose, seal } from '../../platform/security/encryption.ts';
import { setWatchSharing } from '../user/account/store.ts';
import { isVisibleTo } from '../../platform/db/schema/playlist-access.ts';
import { listViews } from '../view/store.ts';
import { withClient } from './client.ts';
import { MediaServerError } from './connection.ts';
import { overlaps } from './paths.ts';
import {
  accessTo,
  findServer,
  listPersons,
  listPlaylists,
  listServers,
  mappingsOf,
  needsToken,
  recordFailure,
  updateServer,
  type ServerRow,
} from './store.ts';
import { syncMediaServer } from './sync-task.ts';
import { testServer } from './test-connection.ts';

const maxServers = 20;
// Time for a dry run.
const secondsUntilSync = 15 * 60;

const problemOf = (column: string | null) => {
  const messages: Message[] | null = parseMessages(column);
  return { problem: messages && renderMessages(messages), problem_messages: messages };
};

const isSyncing = async ({ tasks, state }: AppContext, number: number) =>
  state.mediaServerSyncs.has(number) ||
  ((await tasks.activeInputs('sync_media_server')) as { server: number }[]).some(({ server }) => server === number);

async function shape(app: AppContext, row: ServerRow): Promise<MediaServer> {
  const { db } = app;
  const playlists = (await listPlaylists(db, row.number)).filter(({ isRemoved }) => !isRemoved);
  const ids = playlists.map(({ playlistId }) => playlistId);
  const names = new Map(
    ids.length === 0
      ? []
      : (await db.selectFrom('playlist').select(['id', 'name']).where('id', 'in', ids).execute()).map(({ id, name }) => [
          id,
          name,
        ]),
  );
  const { pending } = await db
    .selectFrom('mediaServerRefresh')
    .select((e) => e.fn.countAll<number>().as('pending'))
    .where('serverNumber', '=', row.number)
    .executeTakeFirstOrThrow();
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
    // Names of deleted playlists are gone; the next synchronization deletes them on the server.
    playlists: playlists.flatMap(({ playlistId, problem }) => {
      const name = names.get(playlistId);
      return name === undefined ? [] : [{ id: playlistId, name, ...problemOf(problem) }];
    }),
    state: row.state,
    ...problemOf(row.problem),
    failed: row.failedAt,
    retry_at: row.state === 'retrying' ? row.nextAt : null,
    refreshed: row.refreshedAt,
    synced: row.syncedAt,
    pending,
    is_syncing: await isSyncing(app, row.number),
  };
}

async function serverOf(db: Db, number: number): Promise<ServerRow> {
  const row = await findServer(db, number);
  if (!row) throw notFound('media-server.none');
  return row;
}

/** Returns the address without a slash at its end. @throws 400 */
function checkAddress(address: string): string {
  if (!URL.canParse(address)) throw badRequest('media-server.invalid-address');
  const { protocol, hostname, username, password, search, hash, href } = new URL(address);
  const isPlain = hostname !== '' && username === '' && password === '' && search === '' && hash === '';
  if (!['http:', 'https:'].includes(protocol) || !isPlain) throw badRequest('media-server.invalid-address');
  return href.replace(/\/+$/, '');
}

/** @throws 400 if a token cannot be sent to a server of this kind */
function checkToken(kind: ServerRow['kind'], token: string): void {
  if (kind === 'kodi' ? !token.includes(':') : !/^[!#-~]+$/.test(token))
    throw badRequest(kind === 'kodi' ? 'media-server.no-password' : 'media-server.token-format');
}

/** @throws 400 if a folder is not that of a view, or around or in one */
async function checkMappings(db: Db, mappings: MediaServer['mappings']): Promise<void> {
  const roots = (await listViews(db)).map(({ root }) => root);
  for (const { from } of mappings) {
    if (!isAbsolute(from)) throw badRequest('media-server.folder-not-absolute', { folder: from });
    if (!roots.some((root) => overlaps(root, from))) throw badRequest('media-server.no-view', { folder: from });
  }
}

interface PersonBody {
  account: number;
  user: string;
  user_name: string;
  token?: string | null | undefined;
}

/** Replaces the persons of a server. The states of those who stay are kept. @throws 400 */
async function savePersons(
  app: AppContext,
  tx: Tx,
  { number, kind, address }: Pick<ServerRow, 'number' | 'kind' | 'address'>,
  persons: PersonBody[],
  { keepsTokens, byId }: { keepsTokens: boolean; byId: number },
) {
  if (kind === 'kodi' && persons.length > 1) throw badRequest('media-server.one-person');
  const isTwice = (values: unknown[]) => new Set(values).size < values.length;
  if (isTwice(persons.map(({ account }) => account)) || isTwice(persons.map(({ user }) => user)))
    throw badRequest('media-server.person-twice');
  const before = new Map(
    (await tx.selectFrom('mediaServerPerson').selectAll().where('serverNumber', '=', number).execute()).map((row) => [
      row.accountId,
      row,
    ]),
  );
  for (const { account, user, user_name: userName, token } of persons) {
    const exists = await tx.selectFrom('account').select('id').where('id', '=', account).executeTakeFirst();
    if (!exists) throw badRequest('media-server.person');
    const old = before.get(account);
    before.delete(account);
    // Users who choose themselves agree. Saving other settings does not agree again.
    if (account === byId && old?.userId !== user) await setWatchSharing(tx, account, true);
    // Another user there has other states.
    if (old && old.userId !== user) await forgetItems(tx, number, account);
    const isSame = old?.userId === user && keepsTokens;
    const sealed =
      typeof token === 'string'
        ? seal(app.keys, mediaServerPurpose({ number, address }), token)
        : token === undefined && isSame
          ? old.sealed
          : null;
    if (needsToken(kind, user, sealed !== null)) throw badRequest('media-server.person-token', { name: userName });
    const row = { userId: user, userName, sealed, problem: isSame && token === undefined ? old.problem : null };
    await tx
      .insertInto('mediaServerPerson')
      .values({ serverNumber: number, accountId: account, ...row })
      .onConflict((c) => c.columns(['serverNumber', 'accountId']).doUpdateSet(row))
      .execute();
  }
  for (const account of before.keys()) {
    await forgetItems(tx, number, account);
    await tx.deleteFrom('mediaServerPerson').where('serverNumber', '=', number).where('accountId', '=', account).execute();
  }
}

const forgetItems = (tx: Tx, number: number, account: number) =>
  tx.deleteFrom('mediaServerItem').where('serverNumber', '=', number).where('accountId', '=', account).execute();

/** Replaces the playlists to push. Those that are no longer chosen are deleted on the server. @throws 400 */
async function savePlaylists(tx: Tx, { number, kind }: Pick<ServerRow, 'number' | 'kind'>, ids: string[], user: User) {
  if (kind === 'kodi' && ids.length > 0) throw badRequest('media-server.no-playlists');
  const before = await tx.selectFrom('mediaServerPlaylist').selectAll().where('serverNumber', '=', number).execute();
  const known = new Set(before.filter(({ isRemoved }) => !isRemoved).map(({ playlistId }) => playlistId));
  const fresh = [...new Set(ids)].filter((id) => !known.has(id));
  for (const id of fresh) {
    const found = await tx.selectFrom('playlist').select('id').where('id', '=', id).where(isVisibleTo(user)).executeTakeFirst();
    if (!found) throw badRequest('media-server.playlist');
    await tx
      .insertInto('mediaServerPlaylist')
      .values({ serverNumber: number, playlistId: id, chosenBy: user.id })
      .onConflict((c) =>
        c.columns(['serverNumber', 'playlistId']).doUpdateSet({ isRemoved: 0, isRecreated: 0, problem: null, chosenBy: user.id }),
      )
      .execute();
  }
  for (const id of known)
    if (!ids.includes(id))
      await tx
        .updateTable('mediaServerPlaylist')
        .set({ isRemoved: 1 })
        .where('serverNumber', '=', number)
        .where('playlistId', '=', id)
        .execute();
}

async function checkName(db: Db, name: string, number?: number) {
  const other = await db.selectFrom('mediaServer').select('number').where('name', '=', name).executeTakeFirst();
  if (other && other.number !== number) throw badRequest('media-server.name-taken');
}

export const mediaServerRoutes = routes(mediaServerCalls, {
  'GET /api/media-server/': async (_, app) => {
    const data = [];
    for (const row of await listServers(app.db)) data.push(await shape(app, row));
    return { data };
  },

  'POST /api/media-server/': async ({ body, user }, app) => {
    const { db, keys } = app;
    if ((await listServers(db)).length >= maxServers) throw badRequest('media-server.too-many', { count: maxServers });
    await checkName(db, body.name);
    const address = checkAddress(body.address);
    checkToken(body.kind, body.token);
    await checkMappings(db, body.mappings);
    const number = await inTransaction(db, async (tx) => {
      const { number: created } = await tx
        .insertInto('mediaServer')
        .values({
          kind: body.kind,
          name: body.name,
          address,
          mappings: JSON.stringify(body.mappings),
          nextSyncAt: app.now() + secondsUntilSync,
        })
        .returning('number')
        .executeTakeFirstOrThrow();
      await updateServer(tx, created, { sealed: seal(keys, mediaServerPurpose({ number: created, address }), body.token) });
      await savePersons(app, tx, { number: created, kind: body.kind, address }, body.persons, {
        keepsTokens: false,
        byId: user.id,
      });
      await savePlaylists(tx, { number: created, kind: body.kind }, body.playlists, user);
      return created;
    });
    app.announce('media-server');
    return shape(app, await serverOf(db, number));
  },

  'POST /api/media-server/:id/': async ({ params, body, user }, app) => {
    const { db, keys } = app;
    const row = await serverOf(db, params.id);
    if (body.name !== undefined) await checkName(db, body.name, row.number);
    const address = body.address === undefined ? row.address : checkAddress(body.address);
    const isMoved = address !== row.address;
    // A token is sent only to the address it was entered for.
    if (isMoved && body.token === undefined) throw badRequest('media-server.token-again');
    if (body.token !== undefined) checkToken(row.kind, body.token);
    if (body.mappings) await checkMappings(db, body.mappings);
    await inTransaction(db, async (tx) => {
      await updateServer(tx, row.number, {
        address,
        ...(body.name !== undefined && { name: body.name }),
        ...(body.mappings && { mappings: JSON.stringify(body.mappings) }),
        ...(body.token !== undefined && { sealed: seal(keys, mediaServerPurpose({ number: row.number, address }), body.token) }),
        // Whatever was wrong may be right now.
        ...((body.token !== undefined || row.state !== 'rejected') && {
          state: isMoved || body.token !== undefined || row.state !== 'ready' ? 'new' : 'ready',
          problem: null,
          failedIn: null,
          failures: 0,
          nextAt: 0,
        }),
        ...((body.persons || body.playlists) && { nextSyncAt: app.now() + secondsUntilSync }),
      });
      if (isMoved)
        await tx.updateTable('mediaServerPerson').set({ sealed: null }).where('serverNumber', '=', row.number).execute();
      if (body.persons) await savePersons(app, tx, { ...row, address }, body.persons, { keepsTokens: !isMoved, byId: user.id });
      if (body.playlists) await savePlaylists(tx, row, body.playlists, user);
    });
    app.announce('media-server');
    return shape(app, await serverOf(db, row.number));
  },

  'DELETE /api/media-server/:id/': async ({ params }, app) => {
    await serverOf(app.db, params.id);
    await app.db.deleteFrom('mediaServer').where('number', '=', params.id).execute();
    app.announce('media-server');
  },

  'POST /api/media-server/:id/test/': async ({ params }, app) => testServer(app, await serverOf(app.db, params.id)),

  'GET /api/media-server/:id/user/': async ({ params }, app) => {
    const row = await serverOf(app.db, params.id);
    try {
      return { data: await withClient(app, accessTo(app, row), (client) => client.users()) };
    } catch (error) {
      if (!(error instanceof MediaServerError)) throw error;
      await recordFailure(app, row.number, 'test', error);
      app.announce('media-server');
      throw new HttpError(400, error.messages);
    }
  },

  'GET /api/media-server/:id/sync/': async ({ params }, app) => {
    const { report } = await serverOf(app.db, params.id);
    return { report: report === null ? null : (JSON.parse(report) as MediaServerReport) };
  },

  'POST /api/media-server/:id/sync/': async ({ params, body }, app) => {
    const row = await serverOf(app.db, params.id);
    if (await isSyncing(app, row.number)) throw new HttpError(409, message('run.already-running', { title: row.name }));
    const { id } = await app.tasks.start(syncMediaServer, { server: row.number, dryRun: body?.dry_run ?? false });
    app.announce('media-server');
    return { message: 'task started', task_id: id };
  },
});
