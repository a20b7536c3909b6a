import { cookieCalls } from '#contract/cookie.ts';
import { HttpError, notFound } from '../../platform/http/http-error.ts';
import { messagesOf } from '../../platform/messages/message-error.ts';
import { routes } from '../../platform/http/route.ts';
import { cookieState, deleteCookie, storeCookie, validateCookie } from '../../archive/cookies/stored-cookies.ts';
import { testPoToken } from '../../archive/sites/po-tokens.ts';
import { deleteSecret, readSecret, writeSecret } from '../../archive/settings/secret.ts';
import { writeSettings } from '../../archive/settings/store.ts';

/** Masks the tokens and keeps their clients and contexts: `web.gvs+****`. */
const maskPoToken = (text: string) => text.replaceAll(/\+[^,]*/g, '+****');

export const cookieRoutes = routes(cookieCalls, {
  'GET /api/appsettings/cookie/': (_, archive) => cookieState(archive),

  'POST /api/appsettings/cookie/': async (_, archive) => {
    await validateCookie(archive, { again: true });
    return cookieState(archive);
  },

  'PUT /api/appsettings/cookie/': async ({ body }, archive) => {
    await storeCookie(archive, body.cookie);
    archive.announce('settings');
    return cookieState(archive);
  },

  'DELETE /api/appsettings/cookie/': async (_, archive) => {
    await deleteCookie(archive);
    archive.announce('settings');
  },

  'GET /api/appsettings/potoken/': async (_, archive) => {
    const stored = await readSecret(archive, 'potoken');
    if (!stored) throw notFound('error.no-po-token');
    return { potoken: maskPoToken(stored.text) };
  },

  'POST /api/appsettings/potoken/': async ({ body }, archive) => {
    const potoken = body.potoken.replaceAll(/\s+/g, '');
    await writeSecret(archive, 'potoken', potoken, {});
    await writeSettings(archive.db, { downloads: { potoken: true } });
    archive.announce('settings');
    return { potoken: maskPoToken(potoken) };
  },

  'POST /api/appsettings/potoken/test/': (_, archive) =>
    testPoToken(archive).catch((error: unknown) => {
      throw new HttpError(400, messagesOf(error));
    }),

  'DELETE /api/appsettings/potoken/': async (_, archive) => {
    await deleteSecret(archive, 'potoken');
    await writeSettings(archive.db, { downloads: { potoken: false } });
    archive.announce('settings');
  },
});
