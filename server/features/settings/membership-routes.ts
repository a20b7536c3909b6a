import { membershipCalls } from '#contract/membership.ts';
import { routes } from '../../platform/http/route.ts';
import { membershipProfile, syncMembership } from './membership.ts';
import { deleteSecret, readSecret, writeSecret } from '../../archive/settings/secret.ts';

// The stored token is never returned by the API.
const masked = '****';

export const membershipRoutes = routes(membershipCalls, {
  'GET /api/appsettings/membership/token/': async (_, archive) => ({
    token: (await readSecret(archive, 'membership')) ? masked : null,
  }),

  'POST /api/appsettings/membership/token/': async ({ body }, archive) => {
    await writeSecret(archive, 'membership', body.token, {});
    archive.announce('settings');
    return { token: masked };
  },

  'DELETE /api/appsettings/membership/token/': async (_, archive) => {
    await deleteSecret(archive, 'membership');
    archive.announce('settings');
  },

  'GET /api/appsettings/membership/profile/': (_, archive) => membershipProfile(archive),
  'POST /api/appsettings/membership/sync/': (_, archive) => syncMembership(archive),
});
