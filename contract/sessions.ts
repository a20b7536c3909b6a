import { z } from 'zod';
import { scopes, type Contract } from './endpoint.ts';
import { integer, text } from './field-types.ts';

export const Session = z.object({
  id: z.string(),
  /** The session of this request. */
  is_this: z.boolean(),
  /** Browser from the user agent, and last IP address; empty if unknown. */
  browser: z.string(),
  address: z.string(),
  began: z.int(),
  /** Rounded to the hour. */
  seen: z.int(),
  ends: z.int(),
});
export type Session = z.infer<typeof Session>;

export const NamedToken = z.object({
  id: z.int(),
  name: z.string(),
  created: z.int(),
  /** Rounded to ten minutes; null = never. */
  last_used: z.int().nullable(),
  expires: z.int().nullable(),
  scopes: z.array(z.enum(scopes)),
});
export type NamedToken = z.infer<typeof NamedToken>;

const SessionId = z.object({ id: z.string().regex(/^[0-9a-f]{16}$/) });
const TokenId = z.object({ id: integer({ min: 1, max: Number.MAX_SAFE_INTEGER }) });

/** Sessions and API tokens of the caller. API tokens have no access to these endpoints. */
export const accessCalls = {
  'GET /api/user/sessions/': {
    may: 'user',
    bySession: true,
    does: "List the caller's sessions (Reelkeep)",
    reply: z.array(Session),
  },
  'DELETE /api/user/sessions/': {
    may: 'user',
    bySession: true,
    does: "End all of the caller's other sessions (Reelkeep)",
    reply: z.object({ ended: z.int() }),
  },
  'DELETE /api/user/sessions/:id/': {
    may: 'user',
    bySession: true,
    does: "End one of the caller's sessions (Reelkeep)",
    params: SessionId,
  },
  'GET /api/user/tokens/': {
    may: 'user',
    bySession: true,
    does: "List the caller's named API tokens (Reelkeep)",
    reply: z.array(NamedToken),
  },
  'POST /api/user/tokens/': {
    may: 'user',
    bySession: true,
    proven: true,
    does: 'Create a named API token, returned only once. Its scopes limit it to reading, saving watch states, adding to the queue, or (`staff`) all rights of the caller except managing tokens, users and passwords (Reelkeep)',
    body: z.object({
      name: text(100),
      /** Days until it expires; null = never. */
      days: integer({ min: 1, max: 3650 }).nullish(),
      scopes: z.array(z.enum(scopes)).min(1).max(scopes.length).default(['read', 'watch']),
    }),
    reply: NamedToken.extend({ token: z.string() }),
  },
  'DELETE /api/user/tokens/:id/': { may: 'user', bySession: true, does: 'Revoke a named API token (Reelkeep)', params: TokenId },
} satisfies Contract;
