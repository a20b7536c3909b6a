import { cookieCalls } from '#contract/cookie.ts';
import { Problem } from '../http/problem.ts';
import { routes } from '../http/route.ts';
import { cookieState, dropCookie, storeCookie, validateCookie } from './cookie.ts';
import { dropSecret, readSecret, writeSecret } from './secret.ts';
import { writeSettings } from './store.ts';

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
    await dropCookie(archive);
    archive.announce('settings');
  },

  'GET /api/appsettings/potoken/': async (_, archive) => {
    const kept = await readSecret(archive, 'potoken');
    if (!kept) throw new Problem(404, 'PO token not found');
    return { potoken: kept.text };
  },

  'POST /api/appsettings/potoken/': async ({ body }, archive) => {
    const potoken = body.potoken.replaceAll(/\s+/g, '');
    await writeSecret(archive, 'potoken', potoken, {});
    await writeSettings(archive.db, { downloads: { potoken: true } });
    archive.announce('settings');
    return { potoken };
  },

  'DELETE /api/appsettings/potoken/': async (_, archive) => {
    await dropSecret(archive, 'potoken');
    await writeSettings(archive.db, { downloads: { potoken: false } });
    archive.announce('settings');
  },
});
