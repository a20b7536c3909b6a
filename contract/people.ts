import { z } from 'zod';
import type { Contract } from './call.ts';
import { flag, integer } from './values.ts';

export const Person = z.object({
  id: z.int(),
  name: z.string(),
  is_staff: z.boolean(),
  /** May not log in, and nothing that they made before opens anything. */
  is_disabled: z.boolean(),
  /** Has a password of ours; others come from a directory, a provider or a proxy. */
  has_password: z.boolean(),
  created: z.int(),
  last_login: z.int().nullable(),
  /** Browsers that are logged in, and named API tokens. */
  sessions: z.int(),
  tokens: z.int(),
  /** Videos that they watched or began: what a deletion takes along. */
  watched: z.int(),
});
export type Person = z.infer<typeof Person>;

export const PersonName = z
  .string()
  .trim()
  .min(1, 'This field may not be blank.')
  .max(150)
  .regex(/^[^\p{Cc}\p{Cf}\p{Cs}]*$/u, 'Not a valid name.');
export const NewPassword = z.string().min(8, 'Use at least 8 characters.').max(1000);

const PersonId = z.object({ id: integer({ min: 1, max: Number.MAX_SAFE_INTEGER }) });
/** The password that was generated, told this once; null when one was given. */
const generated = z.string().nullable();

export const peopleCalls = {
  'GET /api/user/people/': { may: 'staff', bySession: true, does: 'Everybody who has an account', reply: z.array(Person) },
  'POST /api/user/people/': {
    may: 'staff',
    bySession: true,
    proven: true,
    does: 'Add a person; without a password one is generated, and told this once',
    body: z.object({ username: PersonName, password: NewPassword.nullish(), is_staff: flag().default(false) }),
    reply: z.object({ person: Person, password: generated }),
  },
  'POST /api/user/people/:id/': {
    may: 'staff',
    bySession: true,
    proven: true,
    does: 'Make a person staff or not, or switch their account off or on; not one’s own, and never the last staff account',
    params: PersonId,
    body: z.object({ is_staff: flag().optional(), is_disabled: flag().optional() }),
    reply: Person,
  },
  'POST /api/user/people/:id/password/': {
    may: 'staff',
    bySession: true,
    proven: true,
    does: 'Give a person another password; their sessions end, their tokens and links are worthless from then on',
    params: PersonId,
    body: z.object({ password: NewPassword.nullish() }),
    reply: z.object({ password: generated }),
  },
  'DELETE /api/user/people/:id/': {
    may: 'staff',
    bySession: true,
    proven: true,
    does: 'Delete a person with what they watched and chose; no video goes',
    params: PersonId,
    reply: z.object({ name: z.string(), watched: z.int(), sessions: z.int(), tokens: z.int() }),
  },
} satisfies Contract;
