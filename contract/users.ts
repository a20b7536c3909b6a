import { z } from 'zod';
import type { Contract } from './endpoint.ts';
import { flag, integer } from './field-types.ts';

export const UserSummary = z.object({
  id: z.int(),
  name: z.string(),
  is_staff: z.boolean(),
  /** Cannot log in; existing sessions, tokens and signed links are invalid. */
  is_disabled: z.boolean(),
  /** May share with people without an account. Staff always may. */
  may_share: z.boolean(),
  /** May request transcripts of videos without captions. Staff always may. */
  may_transcribe: z.boolean(),
  /** Has a password in Reelkeep; others log in through LDAP, OpenID or a proxy. */
  has_password: z.boolean(),
  created: z.int(),
  last_login: z.int().nullable(),
  /** Numbers of sessions and named API tokens. */
  sessions: z.int(),
  tokens: z.int(),
  /** Number of watched or started videos. Deleting the account deletes these watch states. */
  watched: z.int(),
  /** Number of notes, which are deleted with the account. Only the user can read and export them. */
  notes: z.int(),
});
export type UserSummary = z.infer<typeof UserSummary>;

export const NewUserName = z
  .string()
  .trim()
  .min(1, 'This field may not be blank.')
  .max(150)
  .regex(/^[^\p{Cc}\p{Cf}\p{Cs}]*$/u, 'Not a valid name.');
export const NewPassword = z.string().min(8, 'Use at least 8 characters.').max(1000);

const UserId = z.object({ id: integer({ min: 1, max: Number.MAX_SAFE_INTEGER }) });
/** Generated password, returned only once; null if the request contained one. */
const generated = z.string().nullable();

export const usersCalls = {
  'GET /api/users/': { may: 'staff', bySession: true, does: 'List users (Reelkeep)', reply: z.array(UserSummary) },
  'POST /api/users/': {
    may: 'staff',
    bySession: true,
    proven: true,
    does: 'Create a user. Without a password one is generated, and returned only once (Reelkeep)',
    body: z.object({ username: NewUserName, password: NewPassword.nullish(), is_staff: flag().default(false) }),
    reply: z.object({ user: UserSummary, password: generated }),
  },
  'POST /api/users/:id/': {
    may: 'staff',
    bySession: true,
    proven: true,
    does: 'Grant or revoke the staff role or the permission to share, or disable or enable an account; not of the caller, and not of the last staff account (Reelkeep)',
    params: UserId,
    body: z.object({
      is_staff: flag().optional(),
      is_disabled: flag().optional(),
      may_share: flag().optional(),
      may_transcribe: flag().optional(),
    }),
    reply: UserSummary,
  },
  'POST /api/users/:id/password/': {
    may: 'staff',
    bySession: true,
    proven: true,
    does: 'Reset the password of a user. Ends their sessions and revokes their tokens and links (Reelkeep)',
    params: UserId,
    body: z.object({ password: NewPassword.nullish() }),
    reply: z.object({ password: generated }),
  },
  'DELETE /api/users/:id/': {
    may: 'staff',
    bySession: true,
    proven: true,
    does: 'Delete a user with their watch states, notes and settings; no videos are deleted (Reelkeep)',
    params: UserId,
    reply: z.object({ name: z.string(), watched: z.int(), sessions: z.int(), tokens: z.int() }),
  },
} satisfies Contract;
