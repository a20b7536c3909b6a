import type { CookieState } from '#contract/cookie.ts';
import type { Archive } from '../archive.ts';
import { retryWhatWaitedForALogin } from '../download/retry-waiting.ts';
import { refused } from '../http/problem.ts';
import { listEntries } from '../ytdlp/listing.ts';
import { loginEnds, readNetscape } from '../ytdlp/netscape.ts';
import { YtdlpFailed } from '../ytdlp/failure.ts';
import { localTime } from '../time-text.ts';
import { ytdlpOf } from '../ytdlp-of.ts';
import { dropSecret, noteOfSecret, readSecret, writeSecret } from './secret.ts';
import { readSettings, writeSettings } from './store.ts';

interface Known {
  /** Whether the site took us for logged in, and when it was asked; absent before it was. */
  isValid?: boolean;
  validatedAt?: number;
  /** When the login ends, epoch seconds. */
  endsAt: number | null;
}

const longestMs = 60_000;
const shownSeconds = 3600; // as long as the contract says that an answer of the site counts

/** The site could not be asked: nothing is known of the cookie. */
class NotTried extends Error {}

/** Asks the site for a list that only who is logged in may see: the account's own liked videos. */
async function isLoggedIn(archive: Archive): Promise<boolean> {
  if (!archive.tools.ytdlp) throw new NotTried('yt-dlp is not there yet.');
  const where = { lang: null, signal: AbortSignal.timeout(longestMs), limit: 1 };
  try {
    for await (const _ of listEntries(await ytdlpOf(archive), 'https://www.youtube.com/playlist?list=LL', where)) break;
    return true; // also when nothing was ever liked
  } catch (problem) {
    if (!(problem instanceof YtdlpFailed)) throw problem;
    const { kind } = problem.failure;
    // Only these say that nobody is logged in; that the site cannot be reached, or turns us away, says nothing of it.
    if (!['gone', 'private', 'cookie'].includes(kind)) throw new NotTried(problem.failure.message);
    return false;
  }
}

/** What is known of the cookie, as the API tells it. */
export async function cookieState(archive: Archive): Promise<CookieState> {
  const { downloads } = await readSettings(archive.db);
  const kept = await readSecret<Known>(archive, 'cookie');
  if (!kept) return { cookie_enabled: false };
  const { isValid, validatedAt, endsAt } = kept.state;
  const isFresh = validatedAt !== undefined && archive.now() - validatedAt < shownSeconds;
  return {
    cookie_enabled: downloads.cookie_import,
    ...(isFresh && {
      status: isValid ?? false,
      validated: validatedAt,
      validated_str: localTime(validatedAt),
    }),
    expires: endsAt,
  };
}

/** Tries the cookie, unless that was done within the hour, and keeps what came of it. */
export async function validateCookie(archive: Archive, { again = false } = {}): Promise<boolean> {
  const kept = await readSecret<Known>(archive, 'cookie');
  if (!kept) return false;
  const { isValid, validatedAt } = kept.state;
  if (!again && isValid !== undefined && validatedAt !== undefined && archive.now() - validatedAt < shownSeconds) return isValid;
  const now = await isLoggedIn(archive).catch((problem: unknown) => {
    throw problem instanceof NotTried ? refused(`The cookie could not be tried: ${problem.message}`) : problem;
  });
  await noteOfSecret(archive, 'cookie', { ...kept.state, isValid: now, validatedAt: archive.now() });
  return now;
}

/** Stores a cookie file and tries it at once. One that is none, or that nobody is logged in with, is refused and not kept. */
export async function storeCookie(archive: Archive, said: string): Promise<void> {
  let read: ReturnType<typeof readNetscape>;
  try {
    read = readNetscape(said);
  } catch (problem) {
    throw refused(`[cookie]: import failed, not valid. ${(problem as Error).message}`);
  }
  const endsAt = loginEnds(read.cookies);
  await writeSecret(archive, 'cookie', read.text, { endsAt } satisfies Known);
  await writeSettings(archive.db, { downloads: { cookie_import: true } });
  let isRight: boolean;
  try {
    isRight = await isLoggedIn(archive);
  } catch (problem) {
    if (problem instanceof NotTried) return; // it is kept, and tried when the site can be asked
    throw problem;
  }
  if (isRight) {
    await noteOfSecret(archive, 'cookie', { endsAt, isValid: true, validatedAt: archive.now() } satisfies Known);
    await retryWhatWaitedForALogin(archive);
    return;
  }
  await dropCookie(archive);
  throw refused('[cookie]: import failed, not valid');
}

export async function dropCookie(archive: Archive): Promise<void> {
  await dropSecret(archive, 'cookie');
  await writeSettings(archive.db, { downloads: { cookie_import: false } });
}
