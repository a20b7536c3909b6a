import { message, type Message } from '#contract/messages.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { userDefaults } from '#contract/user.ts';
import { scopeOf, type Call, type Scope } from '#contract/endpoint.ts';
import type { AppContext } from '../../context/app-context.ts';
import { formTypes } from '../form-body.ts';
import { renderMessages } from '../../messages/render.ts';
import { forbidden, HttpError } from '../http-error.ts';
import type { User } from '../route.ts';
import { logRefusal } from './auth-log.ts';
import { addCaller, callerByName, nameFromProxy } from './forward-auth.ts';
import { isTrustedOrigin } from './trusted-origins.ts';
import { callerBySession, callerByToken, hasSession, sameSecret, tokenHashesOf, type Caller } from './session.ts';

const changes = (method: string) => !['GET', 'HEAD', 'OPTIONS'].includes(method);

// CSRF protection: a page of another origin can make a browser send the session cookie, but can neither read the CSRF cookie nor
// hide its origin.
function csrfProblem(request: FastifyRequest, csrfToken: string): Message | null {
  const sent = request.headers['x-csrftoken'];
  if (typeof sent !== 'string' || sent === '') return message('error.csrf-missing');
  if (!sameSecret(sent, csrfToken)) return message('error.csrf-incorrect');
  return originProblem(request);
}

/** With `isAll` there is no other proof of the origin, so requests that hide it are rejected too. */
function originProblem(request: FastifyRequest, isAll = false): Message | null {
  const { origin, 'sec-fetch-site': from } = request.headers;
  // Browsers send this only for the same origin and pages cannot forge it. The host name need not be compared, which a proxy may
  // have changed.
  if (from === 'same-origin') return null;
  const isHidden = origin === undefined || origin === 'null';
  const isExtension = origin?.startsWith('moz-extension://') || origin?.startsWith('chrome-extension://');
  const isForeign = !isHidden && !isExtension && hostOf(origin) !== request.host.toLowerCase();
  const isUnproven = isAll && (origin === 'null' || isExtension || (from !== undefined && from !== 'none'));
  if (!isForeign && !isUnproven) return null;
  return message('error.csrf-origin', { origin: origin ?? String(from) });
}

/**
 * Returns whether the request comes from a page of an origin that may read the reply only because any may (`DISABLE_CORS=*`). A
 * proxy that knows users by their address would log such a page in.
 */
function mayReadReplies({ config }: AppContext, { headers, host }: FastifyRequest): boolean {
  const { origin, 'sec-fetch-site': from } = headers;
  if (origin === undefined || from === 'same-origin' || !config.corsOrigins.includes('*')) return false;
  return hostOf(origin) !== host.toLowerCase() && !isTrustedOrigin(config, origin);
}

const hostOf = (origin: string) => (URL.canParse(origin) ? new URL(origin).host : '');

/**
 * Returns whether a navigation comes from the app (`ours`), from the user (typed or bookmark: `nowhere`), or from another site
 * (`elsewhere`).
 */
export function credentialKind({ headers, host }: FastifyRequest): 'ours' | 'nowhere' | 'elsewhere' {
  const { 'sec-fetch-site': from, referer } = headers;
  if (from !== undefined) return from === 'same-origin' ? 'ours' : from === 'none' ? 'nowhere' : 'elsewhere';
  // On plain http browsers send only the Referer, for this origin (Referrer-Policy: same-origin) and for most others.
  if (referer === undefined) return 'nowhere';
  return hostOf(referer) === host.toLowerCase() ? 'ours' : 'elsewhere';
}

const callerBesideToken = (app: AppContext, request: FastifyRequest, reply: FastifyReply) =>
  nameFromProxy(app, request) === null ? callerBySession(app, request, reply) : null;

async function callerOf(
  app: AppContext,
  { bearer }: Access,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Caller | null> {
  const { authorization } = request.headers;
  const [scheme] = (bearer ? /^(token|bearer)\b/i : /^token\b/i).exec(authorization ?? '') ?? [];
  if (authorization !== undefined && scheme !== undefined) {
    const token = authorization.slice(scheme.length).trim();
    // With an invalid token a valid session still counts, with its CSRF check. A valid token takes precedence: its responses
    // contain signed URLs, and its changes need no CSRF token.
    const caller = (token && (await callerByToken(app, token))) || (await callerBesideToken(app, request, reply));
    const why = message(token ? 'error.invalid-token' : 'error.no-token');
    if (!caller) await rejectRequest(app, request, why, null, bearer ? 401 : 403);
    return caller;
  }
  const name = nameFromProxy(app, request);
  if (name === null) return callerBySession(app, request, reply);
  if (mayReadReplies(app, request)) await rejectRequest(app, request, message('error.origin-needs-token'), null);
  const caller = (await callerByName(app.db, name)) ?? (await addCaller(app, name));
  const forged = changes(request.method) ? originProblem(request, true) : null;
  if (forged) await rejectRequest(app, request, forged, caller?.accountId ?? null);
  return caller;
}

/** Returns whether the same request would be authenticated again with the same rights, without renewing the session. */
export async function isStillAuthenticated(
  app: AppContext,
  request: FastifyRequest,
  { id, isStaff, tokenHash }: User,
): Promise<boolean> {
  const { db, now } = app;
  const account = await db.lookups
    .selectFrom('account')
    .select(['isDisabled', 'isStaff'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (account?.isDisabled !== 0 || Boolean(account.isStaff) !== isStaff) return false;
  if (tokenHash !== null) return (await tokenHashesOf(db, id, now())).includes(tokenHash);
  return nameFromProxy(app, request) !== null || hasSession(app, request);
}

/** Rejects changes during maintenance, because they would be lost when the data are replaced. */
export async function rejectChangesDuringMaintenance(
  { maintenance, nodes }: AppContext,
  { method }: FastifyRequest,
): Promise<void> {
  if (!changes(method)) return;
  const why = maintenance.why ?? (await nodes.otherMaintenance());
  if (why) throw new HttpError(503, why, { retryAfterSeconds: 15 });
}

async function rejectRequest(
  app: AppContext,
  request: FastifyRequest,
  why: Message,
  account: number | null,
  status = 403,
): Promise<never> {
  await logRefusal(app, request, renderMessages(why), account);
  throw new HttpError(status, why, { key: 'detail' });
}

/** Who may use an endpoint. */
type Access = Pick<Call, 'may' | 'bySession' | 'scope' | 'bearer'>;

/**
 * Whether a caller may do this: everything without a named API token, otherwise what its scopes allow. Notes are private, so no other
 * scope includes them.
 */
export const hasScope = ({ scopes }: Pick<Caller, 'scopes'>, scope: Scope): boolean =>
  scopes === null ||
  scopes.includes(scope) ||
  (scope !== 'notes' && scopes.includes('staff')) ||
  (scope === 'read' && scopes.includes('watch'));

/** Returns why an authenticated caller is not authorized, or null. */
function refusalReason(
  { csrfToken, isStaff, tokenHash, scopes }: Caller,
  access: Access,
  request: FastifyRequest,
): Message | null {
  const isForged = csrfToken !== null && changes(request.method) ? csrfProblem(request, csrfToken) : null;
  if (isForged) return isForged;
  if (access.may === 'staff' && !isStaff) return message('error.permission');
  if (access.bySession && tokenHash !== null) return message('error.permission-token');
  const scope = scopeOf(request.method, access);
  return hasScope({ scopes }, scope) ? null : message('error.token-scope', { scope });
}

/**
 * Authenticates and authorizes a request before its body is read. Returns the user.
 * @throws forbidden
 */
export async function authenticate(
  app: AppContext,
  access: Access,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<User | null> {
  if (access.may === 'anyone') {
    // A page of another origin can submit a form without a preflight, for example to log in a user as someone else.
    const isForm = changes(request.method) && formTypes.test(request.headers['content-type'] ?? '');
    const forged = isForm ? originProblem(request, true) : null;
    if (forged) await rejectRequest(app, request, forged, null);
    return null;
  }
  // Clients ask for a token when they get 401 with this header (RFC 6750 §3).
  if (access.bearer) reply.header('WWW-Authenticate', 'Bearer');
  const caller = await callerOf(app, access, request, reply);
  if (!caller) throw access.bearer ? new HttpError(401, message('error.session'), { key: 'detail' }) : forbidden('error.session');
  reply.removeHeader('WWW-Authenticate');
  const why = refusalReason(caller, access, request);
  if (why) await rejectRequest(app, request, why, caller.accountId);
  const { page_size } = { ...userDefaults, ...(JSON.parse(caller.config) as { page_size?: number }) };
  const { accountId, name, isStaff, tokenHash, scopes } = caller;
  return { id: accountId, name, isStaff, pageSize: page_size, tokenHash, scopes };
}
