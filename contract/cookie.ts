import { z } from 'zod';
import type { Contract } from './endpoint.ts';

export const CookieState = z.object({
  cookie_enabled: z.boolean(),
  status: z.boolean().optional(),
  validated: z.int().optional(),
  validated_str: z.string().optional(),
  /** Not in TubeArchivist: when a run first found that YouTube had ended the login, epoch seconds. */
  rotated: z.int().optional(),
  /** Not in TubeArchivist: expiry of the login, epoch seconds; null if the cookies have none. */
  expires: z.int().nullable().optional(),
});
export type CookieState = z.infer<typeof CookieState>;

/** A PO token that was created as a test. */
export const PoTokenTest = z.object({
  /** Characters of the token. */
  length: z.int(),
  /** Seconds since the token, or the attestation it was created with, was created. */
  age: z.int(),
  /** How long the test took. */
  milliseconds: z.int(),
});
export type PoTokenTest = z.infer<typeof PoTokenTest>;

// Syntax of yt-dlp: <client>.<context>+<token>, comma-separated.
const poToken = /^\s*[a-z_]+(\.[a-z]+)?\+[-\w=%]+(\s*,\s*[a-z_]+(\.[a-z]+)?\+[-\w=%]+)*\s*$/;

export const cookieCalls = {
  'GET /api/appsettings/cookie/': { may: 'staff', does: 'Get the state of the stored cookies', reply: CookieState },
  'POST /api/appsettings/cookie/': { may: 'staff', does: 'Validate the stored cookies', reply: CookieState },
  'PUT /api/appsettings/cookie/': {
    may: 'staff',
    does: 'Store a cookie file in Netscape format and validate it',
    body: z.object({ cookie: z.string().min(1, 'This field may not be blank.').max(1_000_000) }),
    reply: CookieState,
  },
  'DELETE /api/appsettings/cookie/': { may: 'staff', does: 'Delete the stored cookies' },
  'GET /api/appsettings/potoken/': {
    may: 'staff',
    does: 'Get the stored PO token, masked: `web.gvs+****`',
    reply: z.object({ potoken: z.string() }),
  },
  'POST /api/appsettings/potoken/': {
    may: 'staff',
    does: 'Store a PO token',
    body: z.object({ potoken: z.string().max(10_000).regex(poToken, 'Write it as web.gvs+TOKEN.') }),
    reply: z.object({ potoken: z.string() }),
  },
  'POST /api/appsettings/potoken/test/': {
    may: 'staff',
    does: 'Create a PO token with the current settings and return its length and age',
    reply: PoTokenTest,
  },
  'DELETE /api/appsettings/potoken/': { may: 'staff', does: 'Delete the stored PO token' },
} satisfies Contract;
