import { MessageError, messagesOf } from '../../platform/messages/message-error.ts';
import { message } from '#contract/messages.ts';
import type { CookieState } from '#contract/cookie.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { toolOf } from '../../platform/context/tools.ts';
import { retryItemsWaitingForLogin } from '../queue/retry-now.ts';
import { badRequest } from '../../platform/http/http-error.ts';
import { listEntries } from '../../platform/ytdlp/listing.ts';
import { loginExpiresAt, parseNetscape } from '../../platform/ytdlp/cookie-file.ts';
import { YtdlpFailed } from '../../platform/ytdlp/failure.ts';
import { formatLocal } from '../../platform/lib/format-time.ts';
import { usesLogin } from '../sites/login-egress.ts';
import type { CookieCheck } from '../sites/stored-cookie-jar.ts';
import { ytdlpSession } from '../sites/ytdlp-session.ts';
import { deleteSecret, setSecretState, readSecret, writeSecret } from '../settings/secret.ts';
import { readSettings, writeSettings } from '../settings/store.ts';

const timeoutMs = 60_000;
const resultValidSeconds = 3600; // the API reports the result of a check for an hour

/** The site could not be reached, so the cookies were not checked. */
class NotChecked extends MessageError {}

/** Requests the liked videos of the account, a list that requires a login. */
async function isLoggedIn(app: AppContext): Promise<boolean> {
  if (!(await toolOf(app.tools, 'ytdlp'))) throw new NotChecked(message('queue.no-ytdlp'));
  if (!usesLogin(app, await readSettings(app.db))) throw new NotChecked(message('cookie.other-address'));
  const listOptions = { lang: null, signal: AbortSignal.timeout(timeoutMs), limit: 1 };
  try {
    for await (const _ of listEntries(await ytdlpSession(app), 'https://www.youtube.com/playlist?list=LL', listOptions)) break;
    return true; // also if the list is empty
  } catch (problem) {
    if (!(problem instanceof YtdlpFailed)) throw problem;
    const { kind } = problem.failure;
    // Only these mean that the login is missing. Network failures and blocks do not.
    if (!['gone', 'private', 'cookie'].includes(kind)) throw new NotChecked(problem.failure.message);
    return false;
  }
}

/** Returns the state of the cookies for the API. */
export async function cookieState(app: AppContext): Promise<CookieState> {
  const { downloads } = await readSettings(app.db);
  const stored = await readSecret<CookieCheck>(app, 'cookie');
  if (!stored) return { cookie_enabled: false };
  const { isValid, validatedAt, rotatedAt, endsAt } = stored.state;
  const isFresh = validatedAt !== undefined && app.now() - validatedAt < resultValidSeconds;
  return {
    cookie_enabled: downloads.cookie_import,
    ...(isFresh && {
      status: isValid ?? false,
      validated: validatedAt,
      validated_str: formatLocal(validatedAt),
    }),
    ...(rotatedAt !== undefined && { rotated: rotatedAt }),
    expires: endsAt,
  };
}

/** Checks the cookies, unless they were checked within the last hour, and stores the result. */
export async function validateCookie(app: AppContext, { again = false } = {}): Promise<boolean> {
  const stored = await readSecret<CookieCheck>(app, 'cookie');
  if (!stored) return false;
  const { isValid, validatedAt } = stored.state;
  if (!again && isValid !== undefined && validatedAt !== undefined && app.now() - validatedAt < resultValidSeconds)
    return isValid;
  const now = await isLoggedIn(app).catch((problem: unknown) => {
    throw problem instanceof NotChecked ? badRequest('error.cookie-unchecked', { why: problem.messages }) : problem;
  });
  // The check itself may have found that the login has ended.
  const found = (await readSecret<CookieCheck>(app, 'cookie'))?.state ?? stored.state;
  const { rotatedAt, ...state } = { ...found, isValid: now, validatedAt: app.now() };
  await setSecretState(app, 'cookie', { ...state, ...(!now && rotatedAt !== undefined && { rotatedAt }) });
  return now;
}

/** Stores a cookie file and checks it. Invalid files and files without a valid login are rejected and deleted. */
export async function storeCookie(app: AppContext, input: string): Promise<void> {
  let parsed: ReturnType<typeof parseNetscape>;
  try {
    parsed = parseNetscape(input);
  } catch (problem) {
    throw badRequest('error.cookie-file', { why: messagesOf(problem) });
  }
  const endsAt = loginExpiresAt(parsed.cookies);
  await writeSecret(app, 'cookie', parsed.text, { endsAt } satisfies CookieCheck);
  await writeSettings(app.db, { downloads: { cookie_import: true } });
  let isValid: boolean;
  try {
    isValid = await isLoggedIn(app);
  } catch (problem) {
    if (problem instanceof NotChecked) return; // stored without a result; checked when the site can be reached
    throw problem;
  }
  if (isValid) {
    await setSecretState(app, 'cookie', { endsAt, isValid: true, validatedAt: app.now() } satisfies CookieCheck);
    await retryItemsWaitingForLogin(app);
    return;
  }
  await deleteCookie(app);
  throw badRequest('error.cookie');
}

export async function deleteCookie(app: AppContext): Promise<void> {
  await deleteSecret(app, 'cookie');
  await writeSettings(app.db, { downloads: { cookie_import: false } });
}
