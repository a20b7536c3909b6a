import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Scope } from '#contract/endpoint.ts';
import type { AppContext } from '../../context/app-context.ts';
import { temporaryFailure, type Db } from '../../db/db.ts';

const day = 86_400;
// Two days, or a year with "remember me"; both are renewed by use.
const lifeSeconds = (remember: boolean) => (remember ? 365 * day : 2 * day);
// The expiry of a session is renewed at most once an hour, so that reads do not write at every request.
const renewAfterSeconds = 3600;

const hashOf = (secret: string) => createHash('sha256').update(secret).digest('hex');

/** Compares two secrets in constant time. */
export const sameSecret = (a: string, b: string) =>
  timingSafeEqual(createHash('sha256').update(a).digest(), createHash('sha256').update(b).digest());

/** An authenticated caller. */
export interface Caller {
  accountId: number;
  name: string;
  isStaff: boolean;
  /** Settings of the user, JSON. */
  config: string;
  /** Set for a session, whose changes require this token. */
  csrfToken: string | null;
  /** Set for an API token. */
  tokenHash: string | null;
  /** Set for a named API token, which is limited to these. */
  scopes: readonly Scope[] | null;
}

const cookieOf = (request: FastifyRequest, name: string) => request.cookies[name] ?? '';

function setCookies(reply: FastifyReply, request: FastifyRequest, key: string, csrfToken: string, maxAge: number) {
  const path = request.basePath || '/';
  const common = { path, sameSite: 'lax', secure: request.protocol === 'https', maxAge } as const;
  reply.setCookie('sessionid', key, { ...common, httpOnly: true });
  reply.setCookie('csrftoken', csrfToken, { ...common, httpOnly: false });
}

const maxUserAgentLength = 300;
/** Returns user agent and address of a request. */
const clientOf = ({ headers, ip }: FastifyRequest) => ({
  browser: (headers['user-agent'] ?? '').replace(/[^ -~]+/g, ' ').slice(0, maxUserAgentLength),
  address: ip,
});

/** Creates a session with a new key and deletes the previous one of the browser. `authenticatedAt`: when the user authenticated. */
export async function createSession(
  app: AppContext,
  request: FastifyRequest,
  reply: FastifyReply,
  accountId: number,
  { remember, authenticatedAt }: { remember: boolean; authenticatedAt: number },
) {
  await deleteSession(app.db, request, reply);
  const key = randomBytes(32).toString('base64url');
  const csrfToken = randomBytes(24).toString('base64url');
  const now = app.now();
  await app.db
    .insertInto('session')
    .values({
      keyHash: hashOf(key),
      accountId,
      csrfToken,
      remember: remember ? 1 : 0,
      createdAt: now,
      seenAt: now,
      expiresAt: now + lifeSeconds(remember),
      authenticatedAt,
      ...clientOf(request),
    })
    .execute();
  setCookies(reply, request, key, csrfToken, lifeSeconds(remember));
}

export async function deleteSession(db: Db, request: FastifyRequest, reply: FastifyReply) {
  const key = cookieOf(request, 'sessionid');
  if (key) await db.deleteFrom('session').where('keyHash', '=', hashOf(key)).execute();
  const path = request.basePath || '/';
  reply.clearCookie('sessionid', { path }).clearCookie('csrftoken', { path });
}

/** Deletes all sessions of an account, except that of a request. Returns how many. */
export async function deleteSessions(db: Db, accountId: number, except?: FastifyRequest): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('session')
    .where('accountId', '=', accountId)
    .where('keyHash', '!=', except ? keyHashOf(except) : '')
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** Returns the key of the session of a request in the table of sessions. */
export const keyHashOf = (request: FastifyRequest) => hashOf(cookieOf(request, 'sessionid'));

/** Returns when the user of the session authenticated; 0 if unknown. */
export const reauthenticatedAt = async (db: Db, request: FastifyRequest): Promise<number> =>
  (await db.lookups.selectFrom('session').select('authenticatedAt').where('keyHash', '=', keyHashOf(request)).executeTakeFirst())
    ?.authenticatedAt ?? 0;

/** Deletes expired sessions. */
export const deleteExpiredSessions = (db: Db, now: number) => db.deleteFrom('session').where('expiresAt', '<', now).execute();

const findSession = (db: Db, keyHash: string) =>
  db.lookups
    .selectFrom('session')
    .innerJoin('account', 'account.id', 'session.accountId')
    .select(['account.id', 'account.name', 'account.isStaff', 'account.isSuperuser', 'account.config'])
    .select(['session.csrfToken', 'session.remember', 'session.seenAt', 'session.expiresAt'])
    .where('session.keyHash', '=', keyHash)
    .where('account.isDisabled', '=', 0)
    .executeTakeFirst();

declare module '../../context/app-state.ts' {
  interface AppState {
    /** Running lookups of sessions by key hash. */
    sessionLookups: Map<string, ReturnType<typeof findSession>>;
  }
}

/** Requests that arrive during the lookup of their session share it: a page of the web app sends dozens at once. */
function sharedSession({ db, state }: AppContext, keyHash: string): ReturnType<typeof findSession> {
  const running = state.sessionLookups.get(keyHash);
  if (running) return running;
  const lookup = findSession(db, keyHash).finally(() => state.sessionLookups.delete(keyHash));
  state.sessionLookups.set(keyHash, lookup);
  return lookup;
}

/** Returns the caller of a session cookie and renews the session. Null if there is none or it has expired. */
export async function callerBySession(app: AppContext, request: FastifyRequest, reply: FastifyReply): Promise<Caller | null> {
  const { db, now, maintenance } = app;
  const key = cookieOf(request, 'sessionid');
  if (!key) return null;
  const keyHash = hashOf(key);
  const row = await sharedSession(app, keyHash);
  if (!row || row.expiresAt <= now()) return null;
  if (row.seenAt + renewAfterSeconds < now() && !maintenance.why) {
    const life = lifeSeconds(row.remember === 1);
    try {
      await db
        .updateTable('session')
        .set({ seenAt: now(), expiresAt: now() + life, ...clientOf(request) })
        .where('keyHash', '=', keyHash)
        .execute();
      setCookies(reply, request, key, row.csrfToken, life);
    } catch (error) {
      if (!temporaryFailure(error)) throw error; // while nothing can be written, playback continues; renewed with a later request
    }
  }
  return {
    accountId: row.id,
    name: row.name,
    isStaff: row.isStaff + row.isSuperuser > 0,
    config: row.config,
    csrfToken: row.csrfToken,
    tokenHash: null,
    scopes: null,
  };
}

// Last use is updated at most every ten minutes, so that a token does not write at every request.
const noteUseAfterSeconds = 600;

/** Returns the caller of an API token; null if it is invalid or expired. */
export async function callerByToken(app: AppContext, token: string): Promise<Caller | null> {
  const { db } = app;
  const tokenHash = hashOf(token);
  const only = await db.lookups
    .selectFrom('token')
    .innerJoin('account', 'account.id', 'token.accountId')
    .select(['account.id', 'account.name', 'account.isStaff', 'account.isSuperuser', 'account.config'])
    .where('token.tokenHash', '=', tokenHash)
    .where('account.isDisabled', '=', 0)
    .executeTakeFirst();
  const row = only ? { ...only, scopes: null } : await ownerOfNamed(app, tokenHash);
  if (!row) return null;
  const { id: accountId, name, config, scopes } = row;
  const isStaff = row.isStaff + row.isSuperuser > 0;
  return { accountId, name, isStaff, config, csrfToken: null, tokenHash, scopes: scopes === null ? null : parseScopes(scopes) };
}

/** Parses the scopes of a stored token: words separated by spaces. */
export const parseScopes = (text: string) => text.split(' ') as Scope[];

async function ownerOfNamed({ db, now, maintenance }: AppContext, tokenHash: string) {
  const row = await db.lookups
    .selectFrom('namedToken')
    .innerJoin('account', 'account.id', 'namedToken.accountId')
    .select(['account.id', 'account.name', 'account.isStaff', 'account.isSuperuser', 'account.config'])
    .select(['namedToken.number', 'namedToken.lastUsedAt', 'namedToken.expiresAt', 'namedToken.scopes'])
    .where('namedToken.tokenHash', '=', tokenHash)
    .where('account.isDisabled', '=', 0)
    .executeTakeFirst();
  if (!row || (row.expiresAt !== null && row.expiresAt <= now())) return undefined;
  if ((row.lastUsedAt ?? 0) + noteUseAfterSeconds < now() && !maintenance.why)
    await db
      .updateTable('namedToken')
      .set({ lastUsedAt: now() })
      .where('number', '=', row.number)
      .execute()
      .catch((error: unknown) => {
        if (!temporaryFailure(error)) throw error; // updated with a later request
      });
  return row;
}

/** Returns the stored hash of an API token. */
export const tokenHashOf = hashOf;

/** Returns the hashes of the valid API tokens of an account. */
export async function tokenHashesOf(db: Db, accountId: number, now: number): Promise<string[]> {
  const only = await db.lookups.selectFrom('token').select('tokenHash').where('accountId', '=', accountId).execute();
  const named = await db.lookups
    .selectFrom('namedToken')
    .select('tokenHash')
    .where('accountId', '=', accountId)
    .where((w) => w.or([w('expiresAt', 'is', null), w('expiresAt', '>', now)]))
    .execute();
  return [...only, ...named].map(({ tokenHash }) => tokenHash);
}

/** Returns whether the session of a request is valid, without renewing it. */
export const hasSession = async ({ db, now }: AppContext, request: FastifyRequest): Promise<boolean> =>
  (await db.lookups
    .selectFrom('session')
    .select('keyHash')
    .where('keyHash', '=', keyHashOf(request))
    .where('expiresAt', '>', now())
    .executeTakeFirst()) !== undefined;
