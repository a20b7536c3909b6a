import { message } from '#contract/messages.ts';
import type { FastifyRequest } from 'fastify';
import type { AppContext } from '../../../platform/context/app-context.ts';
import { safeDecodeUri } from '../../../platform/lib/safe-decode-uri.ts';
import { forbidden, HttpError, badRequest } from '../../../platform/http/http-error.ts';
import { nameFromProxy } from '../../../platform/http/auth/forward-auth.ts';
import { renderMessages } from '../../../platform/messages/render.ts';
import type { Route, User } from '../../../platform/http/route.ts';
import { reauthenticatedAt } from '../../../platform/http/auth/session.ts';
import { matchesPassword } from './password.ts';
import { findAccount } from '../account/store.ts';
import { recordReauthentication, verifyCredentials } from './verify-credentials.ts';

// How long a login counts as recent: docs/decisions/reauthentication.md.
const freshSeconds = 10 * 60;

export interface Caller {
  user: User;
  request: FastifyRequest;
}

/** Returns whether an authentication is recent. The difference is absolute, because the clock can be set back. */
export const isFresh = ({ now }: Pick<AppContext, 'now'>, authenticatedAt: number) =>
  Math.abs(now() - authenticatedAt) <= freshSeconds;

/** Returns the confirmation header, percent-decoded, because passwords can have characters that headers cannot. */
export function passwordFrom({ headers }: FastifyRequest): string | undefined {
  const header = headers['x-reelkeep-confirm'];
  return typeof header !== 'string' || header === '' ? undefined : safeDecodeUri(header);
}

/** Returns whether an account has a local password and local passwords are enabled. */
const hasLocalPassword = async ({ config, db }: AppContext, id: number) =>
  config.hasPasswords && (await findAccount(db, id)).passwordHash !== '';

/** Returns whether an account is linked with the OpenID provider. */
const isOfProvider = async ({ db }: AppContext, id: number) =>
  (await db.selectFrom('identity').select('accountId').where('accountId', '=', id).executeTakeFirst()) !== undefined;

/**
 * Returns whether a user has a password that Reelkeep can verify: local or in the directory. Others log in at a provider or a
 * proxy.
 */
export async function hasPassword(app: AppContext, { id }: User): Promise<boolean> {
  const { config } = app;
  if (await hasLocalPassword(app, id)) return true;
  return config.ldap !== undefined && !config.userHeader && !(await isOfProvider(app, id));
}

/** @throws 400 with the place to change the password, if it is not stored locally. */
export async function refuseExternalPassword(app: AppContext, { id }: User): Promise<void> {
  const { config } = app;
  if (await hasLocalPassword(app, id)) return;
  if (config.userHeader) throw badRequest('error.password-proxy');
  if (config.oidc && (await isOfProvider(app, id))) throw badRequest('error.password-provider');
  throw badRequest(config.ldap ? 'error.password-directory' : 'error.password-none');
}

/**
 * Returns whether this is the caller's local password. @throws 400 if it is the password of the directory, which is changed
 * there.
 */
export async function isOwnPassword(app: AppContext, { user, request }: Caller, password: string): Promise<boolean> {
  const { passwordHash } = await findAccount(app.db, user.id);
  if (await matchesPassword(password, passwordHash)) return true;
  if (app.config.ldap && (await verifyCredentials(app, user.name, password))?.id === user.id) {
    recordReauthentication(request, { account: user.id, by: 'password', isRight: true });
    await app.state.loginThrottle.succeeded(request.ip, user.name);
    throw badRequest('error.password-directory');
  }
  return false;
}

/** Returns whether this is the caller's password. The attempt is limited and logged like a login. */
export async function isCurrentPassword(app: AppContext, { user, request }: Caller, password: string): Promise<boolean> {
  await app.state.loginThrottle.attempt(app, request.ip, user.name);
  const isRight = (await verifyCredentials(app, user.name, password))?.id === user.id;
  recordReauthentication(request, { account: user.id, by: 'password', isRight });
  if (isRight) await app.state.loginThrottle.succeeded(request.ip, user.name);
  else app.metrics.loginFailures.inc();
  return isRight;
}

/**
 * Requires a login within the last minutes or the password in the request, because a session alone proves neither. @throws with
 * the required confirmation. Call it before any change.
 */
export async function reauthenticate(app: AppContext, caller: Caller): Promise<void> {
  const { user, request } = caller;
  if (user.tokenHash !== null) throw forbidden('error.permission-token');
  if (nameFromProxy(app, request) !== null) return; // the proxy authenticates each request, and there is no session
  const confirmation = passwordFrom(request);
  // The header can contain the number that confirms a large deletion, which is not a password.
  const isProven =
    isFresh(app, await reauthenticatedAt(app.db, request)) ||
    (confirmation !== undefined && (await isCurrentPassword(app, caller, confirmation)));
  if (isProven) return;
  const by = (await hasPassword(app, user)) ? 'password' : 'login';
  const why =
    confirmation !== undefined
      ? message('error.current-password')
      : by === 'password'
        ? message('reauth.password')
        : message('reauth.login');
  // TubeArchivist's web app reads `message` only.
  throw new HttpError(400, why, { more: { prove: { by }, message: renderMessages(why) } });
}

/** Requires a recent login for routes that create or change credentials. */
export const requireRecentLogin = (route: Route): Route =>
  route.call.proven
    ? {
        ...route,
        async handle(received, app) {
          await reauthenticate(app, received);
          return route.handle(received, app);
        },
      }
    : route;
