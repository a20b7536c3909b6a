import { z } from 'zod';
import type { Contract } from './call.ts';
import { text } from './values.ts';

const Token = z.object({ token: z.string() });

/** What the service says of who has the token; what more it says is left out. */
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
    does: 'The token for the membership service',
    reply: z.object({ token: z.string().nullable() }),
  },
  'POST /api/appsettings/membership/token/': {
    may: 'staff',
    does: 'Store a token for the membership service',
    body: z.object({ token: text(500) }),
    reply: Token,
  },
  'DELETE /api/appsettings/membership/token/': { may: 'staff', does: 'Forget the token for the membership service' },
  'GET /api/appsettings/membership/profile/': {
    may: 'staff',
    does: 'What the membership service knows of the token',
    reply: MembershipProfile,
  },
  'POST /api/appsettings/membership/sync/': {
    may: 'staff',
    does: 'Tell the membership service which channels are subscribed to',
  },
} satisfies Contract;
