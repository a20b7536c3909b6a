import type { AppContext } from '../../platform/context/app-context.ts';
import { loginExpiresAt, parseNetscape, youtubeLoginOf } from '../../platform/ytdlp/cookie-file.ts';
import type { CookieJar } from '../../platform/ytdlp/cookie-jar.ts';
import { readSecret, renewSecret, setSecretState } from '../settings/secret.ts';

/** State of the stored cookies. */
export interface CookieCheck {
  /** Whether the site accepted the login, and when it was checked; absent before the first check. */
  isValid?: boolean;
  validatedAt?: number;
  /** When a run first found that YouTube had ended the login; absent while it is accepted. */
  rotatedAt?: number;
  /** Expiry of the login, epoch seconds. */
  endsAt: number | null;
}

const hasLogin = (text: string) => {
  try {
    return loginExpiresAt(parseNetscape(text).cookies) !== null;
  } catch {
    return false;
  }
};

/** Records what a run of yt-dlp found of the login that it was given. */
async function recordLogin(app: AppContext, given: string, isAccepted: boolean): Promise<void> {
  const stored = await readSecret<CookieCheck>(app, 'cookie');
  if (!stored) return;
  const { rotatedAt, ...state } = stored.state;
  const isKnown = isAccepted === (rotatedAt === undefined);
  // During the run the user may have stored other cookies, or another run renewed them.
  if (isKnown || youtubeLoginOf(stored.text) !== youtubeLoginOf(given)) return;
  const at = app.now();
  await setSecretState(app, 'cookie', {
    ...state,
    isValid: isAccepted,
    validatedAt: at,
    ...(!isAccepted && { rotatedAt: at }),
  } satisfies CookieCheck);
  if (!isAccepted) app.log.warn('YouTube has ended the login of the stored cookies');
  app.announce('settings');
}

/** The stored cookies for yt-dlp. */
export const storedCookieJar = (app: AppContext): CookieJar => ({
  read: async () => (await readSecret(app, 'cookie'))?.text ?? null,
  async write(text) {
    const before = await readSecret(app, 'cookie');
    // When a site ends the login, it removes the cookies. The stored ones are then kept, so that the user sees an expired login
    // and not none.
    if (before && (hasLogin(text) || !hasLogin(before.text))) await renewSecret(app, 'cookie', text);
  },
  recordLogin: (given, isAccepted) => recordLogin(app, given, isAccepted),
});
