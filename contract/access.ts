import { z } from 'zod';
import type { Contract } from './call.ts';
import { integer, text } from './values.ts';

export const Session = z.object({
  id: z.string(),
  /** The one that asks. */
  is_this: z.boolean(),
  /** The browser as it called itself, and the address it came from last; empty when that is not known. */
  browser: z.string(),
  address: z.string(),
  began: z.int(),
  /** To the hour. */
  seen: z.int(),
  ends: z.int(),
});
export type Session = z.infer<typeof Session>;

export const NamedToken = z.object({
  id: z.int(),
  name: z.string(),
  created: z.int(),
  /** To ten minutes; null: never. */
  last_used: z.int().nullable(),
  expires: z.int().nullable(),
});
export type NamedToken = z.infer<typeof NamedToken>;

const SessionId = z.object({ id: z.string().regex(/^[0-9a-f]{16}$/) });
const TokenId = z.object({ id: integer({ min: 1, max: Number.MAX_SAFE_INTEGER }) });

/** What lets a person in: their browsers and their tokens. No token may touch any of it. */
export const accessCalls = {
  'GET /api/user/sessions/': { may: 'user', bySession: true, does: 'Where the caller is logged in', reply: z.array(Session) },
  'DELETE /api/user/sessions/': {
    may: 'user',
    bySession: true,
    does: "End all of the caller's sessions but this one",
    reply: z.object({ ended: z.int() }),
  },
  'DELETE /api/user/sessions/:id/': {
    may: 'user',
    bySession: true,
    does: "End one of the caller's sessions",
    params: SessionId,
  },
  'GET /api/user/tokens/': { may: 'user', bySession: true, does: "The caller's named API tokens", reply: z.array(NamedToken) },
  'POST /api/user/tokens/': {
    may: 'user',
    bySession: true,
    proven: true,
    does: 'Make a named API token, which is told this once; it may do what the caller may, but manage no tokens, people or passwords',
    body: z.object({
      name: text(100),
      /** Days until it ends; null: when it is revoked. */
      days: integer({ min: 1, max: 3650 }).nullish(),
    }),
    reply: NamedToken.extend({ token: z.string() }),
  },
  'DELETE /api/user/tokens/:id/': { may: 'user', bySession: true, does: 'Revoke a named API token', params: TokenId },
} satisfies Contract;
