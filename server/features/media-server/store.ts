import type { Selectable, Updateable } from 'kysely';
import { message, type Message } from '#contract/messages.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import type { Db, Tx } from '../../platform/db/db.ts';
import type { MediaServerPlaylistTable, MediaServerRefreshTable, MediaServerTable } from '../../platform/db/schema/tables.ts';
import { storeMessages } from '../../platform/messages/stored.ts';
import { mediaServerPurpose, unseal } from '../../platform/security/encryption.ts';
import type { RemotePerson, ServerAccess } from './client.ts';
import { MediaServerError } from './connection.ts';
import type { Mapping } from './paths.ts';

export type ServerRow = Selectable<MediaServerTable>;
export type PlaylistRow = Selectable<MediaServerPlaylistTable>;
export type RefreshRow = Selectable<MediaServerRefreshTable>;

export const listServers = (db: Db) => db.selectFrom('mediaServer').selectAll().orderBy('name').execute();

export const findServer = (db: Db, number: number): Promise<ServerRow | undefined> =>
  db.selectFrom('mediaServer').selectAll().where('number', '=', number).executeTakeFirst();

export const updateServer = (db: Db | Tx, number: number, change: Updateable<MediaServerTable>) =>
  db.updateTable('mediaServer').set(change).where('number', '=', number).execute();

/** Returns whether the server existed. */
export const deleteServer = async (db: Db, number: number): Promise<boolean> =>
  (await db.deleteFrom('mediaServer').where('number', '=', number).executeTakeFirst()).numDeletedRows > 0n;

/** Returns the number of folders that the server is yet to refresh. */
export const countPendingRefreshes = async (db: Db, serverNumber: number): Promise<number> =>
  (
    await db
      .selectFrom('mediaServerRefresh')
      .select((e) => e.fn.countAll<number>().as('pending'))
      .where('serverNumber', '=', serverNumber)
      .executeTakeFirstOrThrow()
  ).pending;

export const mappingsOf = ({ mappings }: Pick<ServerRow, 'mappings'>) => JSON.parse(mappings) as Mapping[];

/** Returns the persons of a server with the names of their accounts. */
export const listPersons = (db: Db, serverNumber: number) =>
  db
    .selectFrom('mediaServerPerson')
    .innerJoin('account', 'account.id', 'mediaServerPerson.accountId')
    .selectAll('mediaServerPerson')
    .select(['account.name as accountName', 'account.sharesWatchState'])
    .where('serverNumber', '=', serverNumber)
    .orderBy('account.normalizedName')
    .execute();
export type NamedPerson = Awaited<ReturnType<typeof listPersons>>[number];

export const listPlaylists = (db: Db, serverNumber: number): Promise<PlaylistRow[]> =>
  db.selectFrom('mediaServerPlaylist').selectAll().where('serverNumber', '=', serverNumber).orderBy('playlistId').execute();

/** Returns the playlists to push. The next synchronization deletes those on the server that no longer exist here. */
export const listChosenPlaylists = (db: Db, serverNumber: number) =>
  db
    .selectFrom('mediaServerPlaylist')
    .innerJoin('playlist', 'playlist.id', 'mediaServerPlaylist.playlistId')
    .select(['playlist.id', 'playlist.name', 'mediaServerPlaylist.problem'])
    .where('serverNumber', '=', serverNumber)
    .where('isRemoved', '=', 0)
    .orderBy('playlistId')
    .execute();

export const updatePlaylist = (
  db: Db,
  { serverNumber, playlistId }: Pick<PlaylistRow, 'serverNumber' | 'playlistId'>,
  change: Updateable<MediaServerPlaylistTable>,
) =>
  db
    .updateTable('mediaServerPlaylist')
    .set(change)
    .where('serverNumber', '=', serverNumber)
    .where('playlistId', '=', playlistId)
    .execute();

/** Decrypts a token of a server or person. @throws MediaServerError */
function openToken({ keys }: Pick<AppContext, 'keys'>, server: ServerRow, sealed: string | null): string {
  try {
    if (sealed !== null) return unseal(keys, mediaServerPurpose(server), sealed);
  } catch {
    // of another key or address
  }
  throw new MediaServerError(message('media-server.token-missing'), 'token');
}

/** @throws MediaServerError if the token cannot be decrypted */
export const accessTo = (app: Pick<AppContext, 'keys'>, row: ServerRow, signal?: AbortSignal): ServerAccess => ({
  kind: row.kind,
  address: row.address,
  token: openToken(app, row, row.sealed),
  signal,
});

/** Account of the owner of a Plex server, who is the one of its token. */
const plexOwner = '1';

/** Returns whether a person would get the watch state of the owner of a Plex server. */
export const needsToken = (kind: ServerRow['kind'], userId: string, hasToken: boolean) =>
  kind === 'plex' && userId !== plexOwner && !hasToken;

/** @throws MediaServerError if the token of the person is missing or cannot be decrypted */
export function remotePerson(app: Pick<AppContext, 'keys'>, server: ServerRow, person: NamedPerson): RemotePerson {
  const { userId, userName, sealed } = person;
  if (needsToken(server.kind, userId, sealed !== null))
    throw new MediaServerError(message('media-server.person-token', { name: userName }), 'other');
  return { userId, token: sealed === null ? null : openToken(app, server, sealed) };
}

// Attempts after 1, 2, 4 … minutes, at most 6 hours apart: the last one after about a day.
const maxFailures = 12;
const longestPause = 6 * 3600;

type Activity = NonNullable<ServerRow['failedIn']>;

/** Records that an activity succeeded. It does not end the failure of another one, which would then be repeated for ever. */
export async function recordSuccess(
  db: Db,
  number: number,
  activity: Activity,
  change: Updateable<MediaServerTable> = {},
): Promise<void> {
  const row = await findServer(db, number);
  if (!row) return;
  const endsFailure = activity === 'test' || row.failedIn === null || row.failedIn === 'test' || row.failedIn === activity;
  await updateServer(db, number, {
    ...(endsFailure && { state: 'ready', problem: null, failedIn: null, failures: 0, nextAt: 0 }),
    ...change,
  });
}

/**
 * Records why an activity failed and when the next attempt is. A rejected token stops all automatic requests until it is changed,
 * and so do too many failures until a test succeeds.
 */
export async function recordFailure(
  { db, now }: AppContext,
  number: number,
  failedIn: Activity,
  error: MediaServerError,
): Promise<void> {
  const row = await findServer(db, number);
  if (!row) return;
  const failures = row.failures + 1;
  const isStopped = failures >= maxFailures;
  const messages: Message[] = [
    ...error.messages,
    ...(isStopped && error.failure !== 'token' ? [message('media-server.gave-up', { count: maxFailures })] : []),
  ];
  await updateServer(db, number, {
    state: error.failure === 'token' ? 'rejected' : isStopped ? 'stopped' : 'retrying',
    problem: storeMessages(messages),
    failedIn,
    failures,
    failedAt: now(),
    nextAt: now() + Math.min(60 * 2 ** (failures - 1), longestPause),
  });
}
