import { accessCalls, type NamedToken } from '#contract/sessions.ts';
import { notFound } from '../../platform/http/http-error.ts';
import { routes } from '../../platform/http/route.ts';
import { deleteSessions, keyHashOf, parseScopes } from '../../platform/http/auth/session.ts';
import {
  createToken,
  deleteSessionById,
  deleteToken,
  publicIdOf,
  listSessions,
  listTokens,
  type TokenRow,
} from './session-store.ts';

const shapeToken = (row: TokenRow): NamedToken => ({
  id: row.number,
  name: row.name,
  created: row.createdAt,
  last_used: row.lastUsedAt,
  expires: row.expiresAt,
  scopes: parseScopes(row.scopes),
});

export const sessionRoutes = routes(accessCalls, {
  'GET /api/user/sessions/': async ({ user, request }, { db, now }) => {
    const own = keyHashOf(request);
    return (await listSessions(db, user.id, now()))
      .map((row) => ({
        id: publicIdOf(row.keyHash),
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
    const ended = await deleteSessions(db, user.id, request);
    events.dismiss(user.id); // this browser reconnects automatically
    return { ended };
  },

  'DELETE /api/user/sessions/:id/': async ({ user, params }, { db, events }) => {
    if (!(await deleteSessionById(db, user.id, params.id))) throw notFound('error.no-session');
    events.dismiss(user.id);
  },

  'GET /api/user/tokens/': async ({ user }, { db }) => (await listTokens(db, user.id)).map(shapeToken),

  'POST /api/user/tokens/': async ({ user, body, request }, app) => {
    const { row, token } = await createToken(app, user.id, body);
    request.log.info({ account: user.id, number: row.number }, 'API token created');
    return { ...shapeToken(row), token };
  },

  'DELETE /api/user/tokens/:id/': async ({ user, params, request }, { db, events }) => {
    if (!(await deleteToken(db, user.id, params.id))) throw notFound('error.no-api-token');
    request.log.info({ account: user.id, number: params.id }, 'API token revoked');
    events.dismiss(user.id);
  },
});
