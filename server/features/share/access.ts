import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import { message } from '#contract/messages.ts';
import { subnetOf } from '../../platform/config/ip-networks.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { isSignatureOf, textSigner } from '../../platform/http/auth/secret-address.ts';
import { forbidden, HttpError, tooMany } from '../../platform/http/http-error.ts';
import type { CreateLimiter } from '../../platform/http/limiter.ts';
import { matchesPassword } from '../user/login/password.ts';
import type { OpenShare } from './store.ts';

// Addresses below a link with a password contain an access key, because players send no password: its expiry and a signature, which
// is bound to the link and its password. Without a password it is a dash.

const quarter = 15 * 60;
const accessSeconds = 86_400;
const purpose = 'share access';
const open = '-';

declare module '../../platform/context/app-state.ts' {
  interface AppState {
    sharePasswords: { perNetwork: RateLimiterAbstract; perLink: RateLimiterAbstract };
  }
}

/** Limits password attempts per link: 10 in 15 minutes from one network, 100 from all. */
export const createShareLimits = (createLimiter: CreateLimiter) => ({
  perNetwork: createLimiter({ keyPrefix: 'share network', points: 10, duration: quarter }),
  perLink: createLimiter({ keyPrefix: 'share link', points: 100, duration: quarter }),
});

const signedText = ({ number, passwordHash }: OpenShare, until: string) => `${number}\n${passwordHash}\n${until}`;

/** Returns the access key of a link, valid for a day. The password must have been checked. */
export function accessKey(app: AppContext, share: OpenShare): string {
  if (share.passwordHash === null) return open;
  const until = (app.now() + accessSeconds).toString(36);
  return `${until}.${textSigner(app, purpose)(signedText(share, until))}`;
}

/** @throws 403 for a wrong or missing access key, 410 for an expired one */
export function checkAccess(app: AppContext, share: OpenShare, access: string): void {
  if (share.passwordHash === null) {
    if (access !== open) throw forbidden('error.link-invalid');
    return;
  }
  const [until = '', signature = ''] = access.split('.');
  if (!isSignatureOf(app, purpose, { text: signedText(share, until), signature })) throw forbidden('error.link-no-password');
  if (Number.parseInt(until, 36) <= app.now()) throw new HttpError(410, message('error.link-expired'));
}

/** Checks the password of a link. @throws 403 if it is missing or wrong, 429 after too many wrong ones */
export async function checkPassword(
  { state }: AppContext,
  { number, passwordHash }: OpenShare,
  { password, address }: { password: string | undefined; address: string },
): Promise<void> {
  if (passwordHash === null) return;
  if (password === undefined)
    throw new HttpError(403, message('error.link-no-password'), { key: 'detail', more: { needs_password: true } });
  const { perNetwork, perLink } = state.sharePasswords;
  const counted: [RateLimiterAbstract, string][] = [
    [perNetwork, `${number} ${subnetOf(address)}`],
    [perLink, String(number)],
  ];
  // Counted before the password is verified, so that parallel attempts are counted too.
  for (const [limiter, key] of counted) {
    const { consumedPoints, msBeforeNext } = await limiter.penalty(key);
    if (consumedPoints > limiter.points)
      throw tooMany(message('error.link-passwords', { minutes: Math.ceil(msBeforeNext / 60_000) }), msBeforeNext / 1000);
  }
  if (!(await matchesPassword(password, passwordHash)))
    throw new HttpError(403, message('error.link-password'), { key: 'detail', more: { needs_password: true } });
  for (const [limiter, key] of counted) await limiter.reward(key);
}
