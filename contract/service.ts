import { z } from 'zod';
import type { Contract } from './call.ts';

export const Ping = z.object({
  response: z.literal('pong'),
  user: z.int(),
  version: z.string(),
  ta_update: z.object({ status: z.boolean(), version: z.string(), is_breaking: z.boolean() }).nullable(),
});

export const serviceCalls = {
  'GET /api/health/': { may: 'anyone', does: 'Whether the archive can be used', reply: z.literal('OK') },
  'GET /livez/': {
    may: 'anyone',
    does: 'Ours: whether the program answers at all; it asks nothing of the database or a disk',
    reply: z.literal('OK'),
  },
  'GET /api/ping/': { may: 'user', does: 'Whether the caller is logged in, and the version', reply: Ping },
} satisfies Contract;
