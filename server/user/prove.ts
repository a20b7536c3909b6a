import type { FastifyRequest } from 'fastify';
import type { Archive } from '../archive.ts';
import { decoded } from '../decoded.ts';
import { forbidden, Problem, refused } from '../http/problem.ts';
import { nameFromProxy } from '../http/proxy-user.ts';
import type { Route, User } from '../http/route.ts';
import { provedAtOf } from '../http/session.ts';
import { isPassword } from './password.ts';
import { findAccount } from './store.ts';
import { noteProof, throttle, whoHas } from './whose-password.ts';

// How long a login counts as a proof of who sits there: decision 0027.
const freshSeconds = 10 * 60;

export interface Caller {
  user: User;
  request: FastifyRequest;
}

/** Whether that was so little time ago, by a clock that may have been set meanwhile, that it still proves something. */
export const isFresh = ({ now }: Pick<Archive, 'now'>, provedAt: number) => Math.abs(now() - provedAt) <= freshSeconds;

/** What was typed to confirm a call. A password may have signs that no header can carry. */
export function saidIn({ headers }: FastifyRequest): string | undefined {
  const said = headers['x-reelkeep-confirm'];
  return typeof said !== 'string' || said === '' ? undefined : decoded(said);
}

/** Whether an account has a password that is kept here, and counts. */
const hasOwnPassword = async ({ config, db }: Archive, id: number) =>
  config.hasPasswords && (await findAccount(db, id)).passwordHash !== '';

/** Whether somebody logs in at the OpenID provider. */
const isOfProvider = async ({ db }: Archive, id: number) =>
  (await db.selectFrom('identity').select('accountId').where('accountId', '=', id).executeTakeFirst()) !== undefined;

/** Whether somebody has a password that can be asked here: of ours, or of the directory. Others log in at a provider or a proxy. */
export async function hasPassword(archive: Archive, { id }: User): Promise<boolean> {
  const { config } = archive;
  if (await hasOwnPassword(archive, id)) return true;
  return config.ldap !== undefined && !config.userHeader && !(await isOfProvider(archive, id));
}

const ofDirectory = 'The password that you log in with is that of the directory (LDAP). Change it there.';

/** Throws a refusal that says where somebody's password is changed, when it is not kept here. */
export async function refuseElsewhere(archive: Archive, { id }: User): Promise<void> {
  const { config } = archive;
  if (await hasOwnPassword(archive, id)) return;
  if (config.userHeader) throw refused('You have no password here: a proxy logs you in. Change the one that you use there.');
  if (config.oidc && (await isOfProvider(archive, id)))
    throw refused('You have no password here: you log in at the OpenID provider. Change the one that you use there.');
  throw refused(config.ldap ? ofDirectory : 'You have no password here. Staff can give you one (Settings, People).');
}

/** Whether this is the caller's own password here; throws a refusal that says where to change it when it is the directory's. */
export async function isOwnPassword(archive: Archive, { user, request }: Caller, password: string): Promise<boolean> {
  const { passwordHash } = await findAccount(archive.db, user.id);
  if (await isPassword(password, passwordHash)) return true;
  if (archive.config.ldap && (await whoHas(archive, user.name, password))?.id === user.id) {
    noteProof(request, { account: user.id, by: 'password', isRight: true });
    await throttle.succeeded(request.ip, user.name);
    throw refused(ofDirectory);
  }
  return false;
}

/** Whether this is the caller's password; counts and writes down the try as those of the login. */
export async function isTheirPassword(archive: Archive, { user, request }: Caller, password: string): Promise<boolean> {
  await throttle.attempt(request.ip, user.name);
  const isRight = (await whoHas(archive, user.name, password))?.id === user.id;
  noteProof(request, { account: user.id, by: 'password', isRight });
  if (isRight) await throttle.succeeded(request.ip, user.name);
  else archive.meter.loginFailures.inc();
  return isRight;
}

/**
 * Lets a call go on whose caller has logged in within minutes, or sends their password along: that somebody has a session proves
 * neither. Throws a refusal that says what to send; to be called before anything is changed.
 */
export async function prove(archive: Archive, caller: Caller): Promise<void> {
  const { user, request } = caller;
  if (user.tokenHash !== null) throw forbidden('You do not have permission to perform this action with a token.');
  if (nameFromProxy(archive, request) !== null) return; // the proxy says so with each request, and there is no session
  const said = saidIn(request);
  const isProven =
    said === undefined ? isFresh(archive, await provedAtOf(archive.db, request)) : await isTheirPassword(archive, caller, said);
  if (isProven) return;
  const by = (await hasPassword(archive, user)) ? 'password' : 'login';
  const why =
    said !== undefined
      ? 'That is not your present password.'
      : by === 'password'
        ? 'This changes who may come in. Prove that it is you: send your password, percent-encoded, in the header X-Reelkeep-Confirm.'
        : 'This changes who may come in. Prove that it is you: log in again, and then do this within ten minutes.';
  throw new Problem(400, why, { more: { prove: { by } } });
}

/** A call that makes or changes what lets people in asks for that first. */
export const afterProof = (route: Route): Route =>
  route.call.proven
    ? {
        ...route,
        async handle(received, archive) {
          await prove(archive, received);
          return route.handle(received, archive);
        },
      }
    : route;
