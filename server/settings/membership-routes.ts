import { membershipCalls } from '#contract/membership.ts';
import { routes } from '../http/route.ts';
import { membershipProfile, syncMembership } from './membership.ts';
import { dropSecret, readSecret, writeSecret } from './secret.ts';

export const membershipRoutes = routes(membershipCalls, {
  'GET /api/appsettings/membership/token/': async (_, archive) => ({
    token: (await readSecret(archive, 'membership'))?.text ?? null,
  }),

  'POST /api/appsettings/membership/token/': async ({ body }, archive) => {
    await writeSecret(archive, 'membership', body.token, {});
    archive.announce('settings');
    return body;
  },

  'DELETE /api/appsettings/membership/token/': async (_, archive) => {
    await dropSecret(archive, 'membership');
    archive.announce('settings');
  },

  'GET /api/appsettings/membership/profile/': (_, archive) => membershipProfile(archive),
  'POST /api/appsettings/membership/sync/': (_, archive) => syncMembership(archive),
});
