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
  'GET /api/appsettings/cookie/': (_, app) => cookieState(app),

  'POST /api/appsettings/cookie/': async (_, app) => {
    await validateCookie(app, { again: true });
    return cookieState(app);
  },

  'PUT /api/appsettings/cookie/': async ({ body }, app) => {
    await storeCookie(app, body.cookie);
    app.announce('settings');
    return cookieState(app);
  },

  'DELETE /api/appsettings/cookie/': async (_, app) => {
    await deleteCookie(app);
    app.announce('settings');
  },

  'GET /api/appsettings/potoken/': async (_, app) => {
    const stored = await readSecret(app, 'potoken');
    if (!stored) throw notFound('error.no-po-token');
    return { potoken: maskPoToken(stored.text) };
  },

  'POST /api/appsettings/potoken/': async ({ body }, app) => {
    const potoken = body.potoken.replaceAll(/\s+/g, '');
    await writeSecret(app, 'potoken', potoken, {});
    await writeSettings(app.db, { downloads: { potoken: true } });
    app.announce('settings');
    return { potoken: maskPoToken(potoken) };
  },

  'POST /api/appsettings/potoken/test/': (_, app) =>
    testPoToken(app).catch((error: unknown) => {
      throw new HttpError(400, messagesOf(error));
    }),

  'DELETE /api/appsettings/potoken/': async (_, app) => {
    await deleteSecret(app, 'potoken');
    await writeSettings(app.db, { downloads: { potoken: false } });
    app.announce('settings');
  },
});
