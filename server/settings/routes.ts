import { appsettingsCalls } from '#contract/appsettings.ts';
import { routes } from '../http/route.ts';
import { dropApiToken, tokenOf } from '../user/token.ts';
import { readSettings, writeSettings } from './store.ts';

export const settingsRoutes = routes(appsettingsCalls, {
  'GET /api/appsettings/config/': (_, { db }) => readSettings(db),

  'POST /api/appsettings/config/': async ({ body }, { db, announce }) => {
    await writeSettings(db, body);
    announce('settings');
    return readSettings(db);
  },

  'GET /api/appsettings/token/': async ({ user }, archive) => ({ token: await tokenOf(archive, user.id) }),

  'DELETE /api/appsettings/token/': ({ user }, archive) => dropApiToken(archive, user.id),
});
