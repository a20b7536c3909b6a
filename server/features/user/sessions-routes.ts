import { randomBytes } from 'node:crypto';
import { accessCalls, type NamedToken } from '#contract/sessions.ts';
import { scopes } from '#contract/endpoint.ts';
import type { Selectable } from 'kysely';
import { inTransaction } from '../../platform/db/db.ts';
import type { NamedTokenTable } from '../../platform/db/schema/tables.ts';
import { notFound, badRequest } from '../../platform/http/http-error.ts';
import { routes } from '../../platform/http/route.ts';
import { keyHashOf, parseScopes, tokenHashOf } from '../../platform/http/auth/session.ts';

const maxTokens = 50;
const day = 86_400;
// The first 16 of 64 digits identify a session and cannot be used to log in.
const idOf = (keyHash: string) => keyHash.slice(0, 16);

const shapeToken = (row: Omit<Selectable<NamedTokenTable>, 'accountId' | 'tokenHash'>): NamedToken => ({
  id: row.number,
  name: row.name,
  created: row.createdAt,
  last_used: row.lastUsedAt,
  expires: row.expiresAt,
  scopes: parseScopes(row.scopes),
});

export const sessionRoutes = routes(accessCalls, {
  'GET /api/user/sessions/': async ({ user, request }, { db, now }) => {
    const rows = await db
      .selectFrom('session')
      .selectAll()
      .where('accountId', '=', user.id)
      .where('expiresAt', '>', now())
      .orderBy('seenAt', 'desc')
      .orderBy('keyHash')
      .execute();
    const own = keyHashOf(request);
    return rows
      .map((row) => ({
        id: idOf(row.keyHash),
        is_this: row.keyHash === own,
        browser: row.browser,
        address: row.address,
        began: row.createdAt,
        seen: row.seenAt,
        ends: row.expiresAt,
      }))
      .toSorted((a, b) => Number(b.is_this) - Number(a.is_this));
  },

  'DELETE /api/user/sessions/': async ({ user, request }, { db, events }) => {
    const { numDeletedRows } = await db
      .deleteFrom('session')
      .where('accountId', '=', user.id)
      .where('keyHash', '!=', keyHashOf(request))
      .executeTakeFirst();
    events.dismiss(user.id); // this browser reconnects automatically
    return { ended: Number(numDeletedRows) };
  },

  'DELETE /api/user/sessions/:id/': async ({ user, params }, { db, events }) => {
    const { numDeletedRows } = await db
      .deleteFrom('session')
      .where('accountId', '=', user.id)
      .where('keyHash', '>=', params.id)
      .where('keyHash', '<', `${params.id}g`)
      .executeTakeFirst();
    if (numDeletedRows === 0n) throw notFound('error.no-session');
    events.dismiss(user.id);
  },

  'GET /api/user/tokens/': async ({ user }, { db }) =>
    (await db.selectFrom('namedToken').selectAll().where('accountId', '=', user.id).orderBy('number', 'desc').execute()).map(
      shapeToken,
    ),

  'POST /api/user/tokens/': async ({ user, body, request }, { db, now }) => {
    const token = randomBytes(20).toString('hex');
    const row = await inTransaction(db, async (tx) => {
      const { n } = await tx
        .selectFrom('namedToken')
        .select((q) => q.fn.countAll<number>().as('n'))
        .where('accountId', '=', user.id)
        .executeTakeFirstOrThrow();
      if (Number(n) >= maxTokens) throw badRequest('error.tokens', { count: maxTokens });
      return tx
        .insertInto('namedToken')
        .values({
          accountId: user.id,
          name: body.name,
          tokenHash: tokenHashOf(token),
          createdAt: now(),
          expiresAt: body.days ? now() + body.days * day : null,
          lastUsedAt: null,
          scopes: scopes.filter((one) => body.scopes.includes(one)).join(' '),
        })
        .returningAll()
        .executeTakeFirstOrThrow();
    });
    request.log.info({ account: user.id, number: row.number }, 'API token created');
    return { ...shapeToken(row), token };
  },

  'DELETE /api/user/tokens/:id/': async ({ user, params, request }, { db, events }) => {
    const { numDeletedRows } = await db
      .deleteFrom('namedToken')
      .where('accountId', '=', user.id)
      .where('number', '=', params.id)
      .executeTakeFirst();
    if (numDeletedRows === 0n) throw notFound('error.no-api-token');
    request.log.info({ account: user.id, number: params.id }, 'API token revoked');
    events.dismiss(user.id);
  },
});
