import { randomBytes } from 'node:crypto';
import type { Selectable } from 'kysely';
import { scopes, type Received } from '#contract/endpoint.ts';
import type { accessCalls } from '#contract/sessions.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { inTransaction, type Db } from '../../platform/db/db.ts';
import type { NamedTokenTable } from '../../platform/db/schema/tables.ts';
import { tokenHashOf } from '../../platform/http/auth/session.ts';
import { badRequest } from '../../platform/http/http-error.ts';

export type TokenRow = Selectable<NamedTokenTable>;

const maxTokens = 50;
const day = 86_400;
// The first 16 of 64 digits identify a session and cannot be used to log in.
export const publicIdOf = (keyHash: string) => keyHash.slice(0, 16);

/** Returns the open sessions of a user, last used first. */
export const listSessions = (db: Db, accountId: number, now: number) =>
  db
    .selectFrom('session')
    .selectAll()
    .where('accountId', '=', accountId)
    .where('expiresAt', '>', now)
    .orderBy('seenAt', 'desc')
    .orderBy('keyHash')
    .execute();

/** Ends a session of a user by its public id. Returns whether it existed. */
export const deleteSessionById = async (db: Db, accountId: number, id: string): Promise<boolean> =>
  (
    await db
      .deleteFrom('session')
      .where('accountId', '=', accountId)
      .where('keyHash', '>=', id)
      .where('keyHash', '<', `${id}g`)
      .executeTakeFirst()
  ).numDeletedRows > 0n;

/** Returns the API tokens of a user, newest first. */
export const listTokens = (db: Db, accountId: number): Promise<TokenRow[]> =>
  db.selectFrom('namedToken').selectAll().where('accountId', '=', accountId).orderBy('number', 'desc').execute();

type NewToken = Received<(typeof accessCalls)['POST /api/user/tokens/']>['body'];

/** Creates an API token. The token itself is not stored. @throws 400 if the user has too many */
export function createToken({ db, now }: AppContext, accountId: number, { name, days, scopes: chosen }: NewToken) {
  const token = randomBytes(20).toString('hex');
  return inTransaction(db, async (tx) => {
    const { tokens } = await tx
      .selectFrom('namedToken')
      .select((e) => e.fn.countAll<number>().as('tokens'))
      .where('accountId', '=', accountId)
      .executeTakeFirstOrThrow();
    if (tokens >= maxTokens) throw badRequest('error.tokens', { count: maxTokens });
    const row = await tx
      .insertInto('namedToken')
      .values({
        accountId,
        name,
        tokenHash: tokenHashOf(token),
        createdAt: now(),
        expiresAt: days ? now() + days * day : null,
        lastUsedAt: null,
        scopes: scopes.filter((one) => chosen.includes(one)).join(' '),
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    return { row, token };
  });
}

/** Revokes an API token of a user. Returns whether it existed. */
export const deleteToken = async (db: Db, accountId: number, number: number): Promise<boolean> =>
  (await db.deleteFrom('namedToken').where('accountId', '=', accountId).where('number', '=', number).executeTakeFirst())
    .numDeletedRows > 0n;
