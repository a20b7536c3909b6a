import { z } from 'zod';
import type { Contract } from './endpoint.ts';
import { text } from './field-types.ts';

const Token = z.object({ token: z.string() });

/** Profile of the token's owner. Other fields of the service are removed. */
export const MembershipProfile = z.object({
  id: z.int(),
  user: z.object({ id: z.int(), username: z.string() }),
  sponsor_tier: z.object({ tier_id: z.int(), name: z.string(), description: z.string(), max_subs: z.int() }),
  subscription_count: z.int(),
  subscription_is_max: z.boolean(),
  is_connected: z.boolean().default(false),
});

export const membershipCalls = {
  'GET /api/appsettings/membership/token/': {
    may: 'staff',
    does: 'Get the token for the membership service, masked',
    reply: z.object({ token: z.string().nullable() }),
  },
  'POST /api/appsettings/membership/token/': {
    may: 'staff',
    does: 'Store a token for the membership service',
    body: z.object({ token: text(500) }),
    reply: Token,
  },
  'DELETE /api/appsettings/membership/token/': { may: 'staff', does: 'Delete the token for the membership service' },
  'GET /api/appsettings/membership/profile/': {
    may: 'staff',
    does: 'Get the profile of the token from the membership service',
    reply: MembershipProfile,
  },
  'POST /api/appsettings/membership/sync/': {
    may: 'staff',
    does: 'Send the subscribed channels to the membership service',
  },
} satisfies Contract;
