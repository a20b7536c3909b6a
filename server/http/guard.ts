import type { FastifyReply, FastifyRequest } from 'fastify';
import { userDefaults } from '#contract/user.ts';
import type { May } from '#contract/call.ts';
import type { Archive } from '../archive.ts';
import { forbidden, Problem } from './problem.ts';
import type { User } from './route.ts';
import { noteRefusal } from './refusals.ts';
import { addCaller, callerByName, nameFromProxy } from './proxy-user.ts';
import { callerBySession, callerByToken, hasSession, sameSecret, tokenHashesOf, type Caller } from './session.ts';

const changes = (method: string) => !['GET', 'HEAD', 'OPTIONS'].includes(method);

// The contract's fourth wall (§1): a page elsewhere can make a browser send the cookie, but can neither read the second
// one nor hide where it comes from.
function csrfProblem(request: FastifyRequest, csrfToken: string): string | null {
  const sent = request.headers['x-csrftoken'];
  if (typeof sent !== 'string' || sent === '') return 'CSRF Failed: CSRF token missing.';
  if (!sameSecret(sent, csrfToken)) return 'CSRF Failed: CSRF token incorrect.';
  return originProblem(request);
}

/** `isAll`: nothing else proves that the page is ours, so what hides where it comes from is refused as well. */
function originProblem(request: FastifyRequest, isAll = false): string | null {
  const { origin, 'sec-fetch-site': from } = request.headers;
  // A browser says itself that the page is ours, and no page can make it say so; then no name of ours need be compared, that a
  // proxy may have lost.
  if (from === 'same-origin') return null;
  const isHidden = origin === undefined || origin === 'null';
  const isExtension = origin?.startsWith('moz-extension://') || origin?.startsWith('chrome-extension://');
  const isForeign = !isHidden && !isExtension && hostOf(origin) !== request.host.toLowerCase();
  const isUnproven = isAll && (origin === 'null' || isExtension || (from !== undefined && from !== 'none'));
  if (!isForeign && !isUnproven) return null;
  return `CSRF Failed: Origin checking failed - ${origin ?? from} does not match any trusted origins.`;
}

const hostOf = (origin: string) => (URL.canParse(origin) ? new URL(origin).host : '');

/**
 * Where a person comes from who opens an address: from a page of ours, from nowhere (typed, a bookmark), or from a page elsewhere,
 * which can send a browser anywhere.
 */
export function cameFrom({ headers, host }: FastifyRequest): 'ours' | 'nowhere' | 'elsewhere' {
  const { 'sec-fetch-site': from, referer } = headers;
  if (from !== undefined) return from === 'same-origin' ? 'ours' : from === 'none' ? 'nowhere' : 'elsewhere';
  // By plain http browsers say only which page it was, of ours (Referrer-Policy: same-origin) and mostly of others.
  if (referer === undefined) return 'nowhere';
  return hostOf(referer) === host.toLowerCase() ? 'ours' : 'elsewhere';
}

const besideToken = (archive: Archive, request: FastifyRequest, reply: FastifyReply) =>
  nameFromProxy(archive, request) === null ? callerBySession(archive, request, reply) : null;

async function callerOf(archive: Archive, request: FastifyRequest, reply: FastifyReply): Promise<Caller | null> {
  const { authorization } = request.headers;
  if (authorization !== undefined && /^token\b/i.test(authorization)) {
    const token = authorization.slice('token'.length).trim();
    // A session counts beside a token that does not (contract-details, 1.3), and must then prove itself as ever. A good token goes
    // first: who sends it gets links for players, and may change things without a page of ours.
    const caller = (token && (await callerByToken(archive, token))) || (await besideToken(archive, request, reply));
    if (!caller) await turnAway(request, token ? 'Invalid token.' : 'Invalid token header. No credentials provided.', null);
    return caller;
  }
  const name = nameFromProxy(archive, request);
  if (name === null) return callerBySession(archive, request, reply);
  const caller = (await callerByName(archive.db, name)) ?? (await addCaller(archive, name));
  const forged = changes(request.method) ? originProblem(request, true) : null;
  if (forged) await turnAway(request, forged, caller?.accountId ?? null);
  return caller;
}

/** Whether a caller who was let in would be let in again by the same request. Only looks: nothing is renewed or noted. */
export async function isStillIn(archive: Archive, request: FastifyRequest, { id, tokenHash }: User): Promise<boolean> {
  const { db, now } = archive;
  const account = await db.selectFrom('account').select('isDisabled').where('id', '=', id).executeTakeFirst();
  if (account?.isDisabled !== 0) return false;
  if (tokenHash !== null) return (await tokenHashesOf(db, id, now())).includes(tokenHash);
  return nameFromProxy(archive, request) !== null || hasSession(archive, request);
}

/** While the archive is being replaced nothing is changed: what came in now would be lost. */
export function refuseChanges({ maintenance }: Archive, { method }: FastifyRequest): void {
  if (maintenance.why && changes(method)) throw new Problem(503, maintenance.why, { retryAfterSeconds: 15 });
}

async function turnAway(request: FastifyRequest, why: string, account: number | null): Promise<never> {
  await noteRefusal(request, why, account);
  throw forbidden(why);
}

/** Why somebody who is known may not do this; null when they may. */
function whyNot({ csrfToken, isStaff, tokenHash }: Caller, may: May, request: FastifyRequest, bySession: boolean): string | null {
  const isForged = csrfToken !== null && changes(request.method) ? csrfProblem(request, csrfToken) : null;
  if (isForged) return isForged;
  if (may === 'staff' && !isStaff) return 'You do not have permission to perform this action.';
  if (bySession && tokenHash !== null) return 'You do not have permission to perform this action with a token.';
  return null;
}

/** Lets the caller through, or throws 403 before anything of the request is read. Answers who it is. */
export async function admit(
  archive: Archive,
  may: May,
  request: FastifyRequest,
  reply: FastifyReply,
  bySession = false,
): Promise<User | null> {
  if (may === 'anyone') return null;
  const caller = await callerOf(archive, request, reply);
  if (!caller) throw forbidden('Authentication credentials were not provided.');
  const why = whyNot(caller, may, request, bySession);
  if (why) await turnAway(request, why, caller.accountId);
  const { page_size } = { ...userDefaults, ...(JSON.parse(caller.config) as { page_size?: number }) };
  const { accountId, name, isStaff, tokenHash } = caller;
  return { id: accountId, name, isStaff, pageSize: page_size, tokenHash };
}
