import { isAbsolute } from 'node:path';
import type { Received } from '#contract/endpoint.ts';
import type { mediaServerCalls } from '#contract/media-server.ts';
import { playlistExists } from '../../archive/playlist/store.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { inTransaction, type Db, type Tx } from '../../platform/db/db.ts';
import { badRequest } from '../../platform/http/http-error.ts';
import type { User } from '../../platform/http/route.ts';
import { mediaServerPurpose, seal } from '../../platform/security/encryption.ts';
import { accountExists, setWatchSharing } from '../user/account/store.ts';
import { listViews } from '../view/store.ts';
import { overlaps } from './paths.ts';
import { listPersons, listPlaylists, listServers, needsToken, updatePlaylist, updateServer, type ServerRow } from './store.ts';

// Creates and changes media servers as staff entered them.

type NewServer = Received<(typeof mediaServerCalls)['POST /api/media-server/']>['body'];
type ServerChange = Received<(typeof mediaServerCalls)['POST /api/media-server/:id/']>['body'];

const maxServers = 20;
// Time for a dry run.
const secondsUntilSync = 15 * 60;

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
async function checkMappings(db: Db, mappings: NewServer['mappings']): Promise<void> {
  const roots = (await listViews(db)).map(({ root }) => root);
  for (const { from } of mappings) {
    if (!isAbsolute(from)) throw badRequest('media-server.folder-not-absolute', { folder: from });
    if (!roots.some((root) => overlaps(root, from))) throw badRequest('media-server.no-view', { folder: from });
  }
}

const forgetItems = (tx: Tx, number: number, account: number) =>
  tx.deleteFrom('mediaServerItem').where('serverNumber', '=', number).where('accountId', '=', account).execute();

/** Replaces the persons of a server. The states of those who stay are kept. @throws 400 */
async function savePersons(
  app: AppContext,
  tx: Tx,
  { number, kind, address }: Pick<ServerRow, 'number' | 'kind' | 'address'>,
  persons: NewServer['persons'],
  { keepsTokens, byId }: { keepsTokens: boolean; byId: number },
) {
  if (kind === 'kodi' && persons.length > 1) throw badRequest('media-server.one-person');
  const isTwice = (values: unknown[]) => new Set(values).size < values.length;
  if (isTwice(persons.map(({ account }) => account)) || isTwice(persons.map(({ user }) => user)))
    throw badRequest('media-server.person-twice');
  const before = new Map((await listPersons(tx, number)).map((row) => [row.accountId, row]));
  for (const { account, user, user_name: userName, token } of persons) {
    if (!(await accountExists(tx, account))) throw badRequest('media-server.person');
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

/** Replaces the playlists to push. Those that are no longer chosen are deleted on the server. @throws 400 */
async function savePlaylists(tx: Tx, { number, kind }: Pick<ServerRow, 'number' | 'kind'>, ids: string[], user: User) {
  if (kind === 'kodi' && ids.length > 0) throw badRequest('media-server.no-playlists');
  const before = (await listPlaylists(tx, number)).filter(({ isRemoved }) => !isRemoved);
  const known = new Set(before.map(({ playlistId }) => playlistId));
  for (const playlistId of new Set(ids).difference(known)) {
    if (!(await playlistExists(tx, user, playlistId))) throw badRequest('media-server.playlist');
    await tx
      .insertInto('mediaServerPlaylist')
      .values({ serverNumber: number, playlistId, chosenBy: user.id })
      .onConflict((c) =>
        c.columns(['serverNumber', 'playlistId']).doUpdateSet({ isRemoved: 0, isRecreated: 0, problem: null, chosenBy: user.id }),
      )
      .execute();
  }
  for (const row of before) if (!ids.includes(row.playlistId)) await updatePlaylist(tx, row, { isRemoved: 1 });
}

/** @throws 400 if another server has the name */
const checkName = (servers: ServerRow[], name: string) => {
  if (servers.some((server) => server.name === name)) throw badRequest('media-server.name-taken');
};

/** Adds a media server and returns its number. @throws 400 */
export async function createMediaServer(app: AppContext, body: NewServer, user: User): Promise<number> {
  const { db, keys } = app;
  const servers = await listServers(db);
  if (servers.length >= maxServers) throw badRequest('media-server.too-many', { count: maxServers });
  checkName(servers, body.name);
  const { kind, name } = body;
  const address = checkAddress(body.address);
  checkToken(kind, body.token);
  await checkMappings(db, body.mappings);
  const nextSyncAt = app.now() + secondsUntilSync;
  return inTransaction(db, async (tx) => {
    const { number } = await tx
      .insertInto('mediaServer')
      .values({ kind, name, address, mappings: JSON.stringify(body.mappings), nextSyncAt })
      .returning('number')
      .executeTakeFirstOrThrow();
    await updateServer(tx, number, { sealed: seal(keys, mediaServerPurpose({ number, address }), body.token) });
    await savePersons(app, tx, { number, kind, address }, body.persons, { keepsTokens: false, byId: user.id });
    await savePlaylists(tx, { number, kind }, body.playlists, user);
    return number;
  });
}

/** Changes what `body` has of a media server. Lists replace the present ones. @throws 400 */
export async function updateMediaServer(app: AppContext, row: ServerRow, body: ServerChange, user: User): Promise<void> {
  const { db, keys } = app;
  const { number } = row;
  const { name, token, mappings, persons, playlists } = body;
  if (name !== undefined)
    checkName(
      (await listServers(db)).filter((other) => other.number !== number),
      name,
    );
  const address = body.address === undefined ? row.address : checkAddress(body.address);
  const isMoved = address !== row.address;
  // A token is sent only to the address it was entered for.
  if (isMoved && token === undefined) throw badRequest('media-server.token-again');
  if (token !== undefined) checkToken(row.kind, token);
  if (mappings) await checkMappings(db, mappings);
  await inTransaction(db, async (tx) => {
    await updateServer(tx, number, {
      address,
      ...(name !== undefined && { name }),
      ...(mappings && { mappings: JSON.stringify(mappings) }),
      ...(token !== undefined && { sealed: seal(keys, mediaServerPurpose({ number, address }), token) }),
      // Whatever was wrong may be right now.
      ...((token !== undefined || row.state !== 'rejected') && {
        state: isMoved || token !== undefined || row.state !== 'ready' ? 'new' : 'ready',
        problem: null,
        failedIn: null,
        failures: 0,
        nextAt: 0,
      }),
      ...((persons || playlists) && { nextSyncAt: app.now() + secondsUntilSync }),
    });
    if (isMoved) await tx.updateTable('mediaServerPerson').set({ sealed: null }).where('serverNumber', '=', number).execute();
    if (persons) await savePersons(app, tx, { ...row, address }, persons, { keepsTokens: !isMoved, byId: user.id });
    if (playlists) await savePlaylists(tx, row, playlists, user);
  });
}
