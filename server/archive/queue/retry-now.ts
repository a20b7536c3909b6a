import type { FailureKind } from '#contract/download.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { endCooldownsBecauseOf } from '../sites/site-cooldowns.ts';
import { retryNow } from './claims.ts';

/** Failures that a login may prevent. */
export const failuresWithoutLogin: FailureKind[] = ['cookie', 'members-only', 'age', 'private'];

/** Retries items that failed without a login, after cookies were added. */
export async function retryItemsWaitingForLogin({ db, now, announce }: AppContext): Promise<void> {
  await retryNow(db, failuresWithoutLogin, now());
  announce('download');
}

/** Retries items that failed because of yt-dlp or one of its parts, after it was updated or repaired. */
export async function retryItemsFailedByYtdlp({ db, now, announce }: AppContext): Promise<void> {
  await endCooldownsBecauseOf(db, 'challenge', now());
  await retryNow(db, ['ytdlp', 'challenge'], now());
  announce('download');
}

/** Retries items of sites that admit only browsers, after curl_cffi was installed. */
export async function retryItemsWaitingForImpersonation({ db, now, announce }: AppContext): Promise<void> {
  await retryNow(db, ['impersonation'], now());
  announce('download');
}
