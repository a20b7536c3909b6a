import { membershipCalls } from '#contract/membership.ts';
import { routes } from '../../platform/http/route.ts';
import { membershipProfile, syncMembership } from './membership.ts';
import { deleteSecret, readSecret, writeSecret } from '../../archive/settings/secret.ts';

// The stored token is never returned by the API.
const masked = '****';

export const membershipRoutes = routes(membershipCalls, {
  'GET /api/appsettings/membership/token/': async (_, app) => ({
    token: (await readSecret(app, 'membership')) ? masked : null,
  }),

  'POST /api/appsettings/membership/token/': async ({ body }, app) => {
    await writeSecret(app, 'membership', body.token, {});
    app.announce('settings');
    return { token: masked };
  },

  'DELETE /api/appsettings/membership/token/': async (_, app) => {
    await deleteSecret(app, 'membership');
    app.announce('settings');
  },

  'GET /api/appsettings/membership/profile/': (_, app) => membershipProfile(app),
  'POST /api/appsettings/membership/sync/': (_, app) => syncMembership(app),
});
