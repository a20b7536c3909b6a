import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Archive } from '../archive.ts';
import { passingTrouble, type Db } from '../db/db.ts';

const day = 86_400;
// As in the contract, §1: two days, or a year for those who asked to be remembered; both renew themselves.
const lifeSeconds = (remember: boolean) => (remember ? 365 * day : 2 * day);
// A session's end is moved on once an hour at most: reading must not write at every request.
const renewAfterSeconds = 3600;

// A page asks for dozens of things at once. Whoever resets a password on the console ends sessions beside this program.
const aMoment = 1000;

const hashOf = (secret: string) => createHash('sha256').update(secret).digest('hex');

/** Two secrets compared in a time that tells nothing about them. */
export const sameSecret = (a: string, b: string) =>
  timingSafeEqual(createHash('sha256').update(a).digest(), createHash('sha256').update(b).digest());

/** What the guard needs to know about a caller. */
export interface Caller {
  accountId: number;
  name: string;
  isStaff: boolean;
  /** The caller's own settings, JSON. */
  config: string;
  /** Set when the caller came with a session and must prove that the page is ours. */
  csrfToken: string | null;
  /** Set when the caller came with an API token. */
  tokenHash: string | null;
}

const cookieOf = (request: FastifyRequest, name: string) => request.cookies[name] ?? '';

function setCookies(reply: FastifyReply, request: FastifyRequest, key: string, csrfToken: string, maxAge: number) {
  const path = request.basePath || '/';
  const common = { path, sameSite: 'lax', secure: request.protocol === 'https', maxAge } as const;
  reply.setCookie('sessionid', key, { ...common, httpOnly: true });
  reply.setCookie('csrftoken', csrfToken, { ...common, httpOnly: false });
}

const longestBrowser = 300;
/** How a browser calls itself, and where it comes from. */
const whereFrom = ({ headers, ip }: FastifyRequest) => ({
  browser: (headers['user-agent'] ?? '').replace(/[^ -~]+/g, ' ').slice(0, longestBrowser),
  address: ip,
});

/** Begins a session under a new key, and ends the one that the browser came with. `provedAt`: when they proved who they are. */
export async function beginSession(
  archive: Archive,
  request: FastifyRequest,
  reply: FastifyReply,
  accountId: number,
  { remember, provedAt }: { remember: boolean; provedAt: number },
) {
  await endSession(archive.db, request, reply);
  const key = randomBytes(32).toString('base64url');
  const csrfToken = randomBytes(24).toString('base64url');
  const now = archive.now();
  await archive.db
    .insertInto('session')
    .values({
      keyHash: hashOf(key),
      accountId,
      csrfToken,
      remember: remember ? 1 : 0,
      createdAt: now,
      seenAt: now,
      expiresAt: now + lifeSeconds(remember),
      provedAt,
      ...whereFrom(request),
    })
    .execute();
  setCookies(reply, request, key, csrfToken, lifeSeconds(remember));
}

export async function endSession(db: Db, request: FastifyRequest, reply: FastifyReply) {
  const key = cookieOf(request, 'sessionid');
  if (key) await db.deleteFrom('session').where('keyHash', '=', hashOf(key)).execute();
  const path = request.basePath || '/';
  reply.clearCookie('sessionid', { path }).clearCookie('csrftoken', { path });
}

/** Ends every session of an account, but the one that a request came with. */
export const endSessions = (db: Db, accountId: number, except?: FastifyRequest) =>
  db
    .deleteFrom('session')
    .where('accountId', '=', accountId)
    .where('keyHash', '!=', except ? hashOf(cookieOf(except, 'sessionid')) : '')
    .execute();

/** Names the session that a request came with, in the table of sessions. */
export const keyHashOf = (request: FastifyRequest) => hashOf(cookieOf(request, 'sessionid'));

/** When whoever has the session that a request came with proved who they are; 0 when that is not known. */
export const provedAtOf = async (db: Db, request: FastifyRequest): Promise<number> =>
  (await db.selectFrom('session').select('provedAt').where('keyHash', '=', keyHashOf(request)).executeTakeFirst())?.provedAt ?? 0;

/** Forgets sessions that have run out. */
export const forgetOldSessions = (db: Db, now: number) => db.deleteFrom('session').where('expiresAt', '<', now).execute();

/** Who sends this session cookie; renews it. Null when there is none or it has run out. */
export async function callerBySession(
  { db, now, maintenance }: Archive,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Caller | null> {
  const key = cookieOf(request, 'sessionid');
  if (!key) return null;
  const keyHash = hashOf(key);
  const row = await db.recall.one(`session ${keyHash}`, { from: ['session', 'account'], forMs: aMoment }, () =>
    db
      .selectFrom('session')
      .innerJoin('account', 'account.id', 'session.accountId')
      .select(['account.id', 'account.name', 'account.isStaff', 'account.isSuperuser', 'account.config'])
      .select(['session.csrfToken', 'session.remember', 'session.seenAt', 'session.expiresAt'])
      .where('session.keyHash', '=', keyHash)
      .where('account.isDisabled', '=', 0)
      .executeTakeFirst(),
  );
  if (!row || row.expiresAt <= now()) return null;
  if (row.seenAt + renewAfterSeconds < now() && !maintenance.why) {
    const life = lifeSeconds(row.remember === 1);
    try {
      await db
        .updateTable('session')
        .set({ seenAt: now(), expiresAt: now() + life, ...whereFrom(request) })
        .where('keyHash', '=', keyHash)
        .execute();
      setCookies(reply, request, key, row.csrfToken, life);
    } catch (error) {
      if (!passingTrouble(error)) throw error; // while nothing can be written, people still watch; renewed the next time
    }
  }
  return {
    accountId: row.id,
    name: row.name,
    isStaff: row.isStaff + row.isSuperuser > 0,
    config: row.config,
    csrfToken: row.csrfToken,
    tokenHash: null,
  };
}

// As with sessions: using a token must not write at every request.
const noteUseAfterSeconds = 600;

/** Who has this API token; null when nobody, or not any more. */
export async function callerByToken(archive: Archive, token: string): Promise<Caller | null> {
  const { db } = archive;
  const tokenHash = hashOf(token);
  const only = await db.recall.one(`token ${tokenHash}`, { from: ['token', 'account'], forMs: aMoment }, () =>
    db
      .selectFrom('token')
      .innerJoin('account', 'account.id', 'token.accountId')
      .select(['account.id', 'account.name', 'account.isStaff', 'account.isSuperuser', 'account.config'])
      .where('token.tokenHash', '=', tokenHash)
      .where('account.isDisabled', '=', 0)
      .executeTakeFirst(),
  );
  const row = only ?? (await ownerOfNamed(archive, tokenHash));
  if (!row) return null;
  const isStaff = row.isStaff + row.isSuperuser > 0;
  return { accountId: row.id, name: row.name, isStaff, config: row.config, csrfToken: null, tokenHash };
}

async function ownerOfNamed({ db, now, maintenance }: Archive, tokenHash: string) {
  const row = await db
    .selectFrom('namedToken')
    .innerJoin('account', 'account.id', 'namedToken.accountId')
    .select(['account.id', 'account.name', 'account.isStaff', 'account.isSuperuser', 'account.config'])
    .select(['namedToken.number', 'namedToken.lastUsedAt', 'namedToken.expiresAt'])
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
        if (!passingTrouble(error)) throw error; // noted the next time
      });
  return row;
}

/** How an API token is kept: who reads the database cannot use it. */
export const tokenHashOf = hashOf;

/** The API tokens that somebody has, as they are kept; those that have run out are left out. */
export async function tokenHashesOf(db: Db, accountId: number, now: number): Promise<string[]> {
  const only = await db.selectFrom('token').select('tokenHash').where('accountId', '=', accountId).execute();
  const named = await db
    .selectFrom('namedToken')
    .select('tokenHash')
    .where('accountId', '=', accountId)
    .where((w) => w.or([w('expiresAt', 'is', null), w('expiresAt', '>', now)]))
    .execute();
  return [...only, ...named].map(({ tokenHash }) => tokenHash);
}

/** Whether the session that a request came with has not ended. Only looks, and renews nothing. */
export const hasSession = async ({ db, now }: Archive, request: FastifyRequest): Promise<boolean> =>
  (await db
    .selectFrom('session')
    .select('keyHash')
    .where('keyHash', '=', keyHashOf(request))
    .where('expiresAt', '>', now())
    .executeTakeFirst()) !== undefined;
