import { z } from 'zod';
import type { Contract } from './call.ts';

export const CookieState = z.object({
  cookie_enabled: z.boolean(),
  status: z.boolean().optional(),
  validated: z.int().optional(),
  validated_str: z.string().optional(),
  /** Ours: when the login ends, epoch seconds; null when the cookies do not say. */
  expires: z.int().nullable().optional(),
});
export type CookieState = z.infer<typeof CookieState>;

// As yt-dlp takes it: <client>.<context>+<token>, several separated by commas.
const poToken = /^\s*[a-z_]+(\.[a-z]+)?\+[-\w=%]+(\s*,\s*[a-z_]+(\.[a-z]+)?\+[-\w=%]+)*\s*$/;

export const cookieCalls = {
  'GET /api/appsettings/cookie/': { may: 'staff', does: 'Whether downloads are logged in', reply: CookieState },
  'POST /api/appsettings/cookie/': { may: 'staff', does: 'Try the stored cookie', reply: CookieState },
  'PUT /api/appsettings/cookie/': {
    may: 'staff',
    does: 'Store a cookie file in the format of Netscape, and try it',
    body: z.object({ cookie: z.string().min(1, 'This field may not be blank.').max(1_000_000) }),
    reply: CookieState,
  },
  'DELETE /api/appsettings/cookie/': { may: 'staff', does: 'Forget the stored cookie' },
  'GET /api/appsettings/potoken/': { may: 'staff', does: 'The stored PO token', reply: z.object({ potoken: z.string() }) },
  'POST /api/appsettings/potoken/': {
    may: 'staff',
    does: 'Store a PO token',
    body: z.object({ potoken: z.string().max(10_000).regex(poToken, 'Write it as web.gvs+TOKEN.') }),
    reply: z.object({ potoken: z.string() }),
  },
  'DELETE /api/appsettings/potoken/': { may: 'staff', does: 'Forget the stored PO token' },
} satisfies Contract;
