import type { FailureKind } from '#contract/download.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { retryNow } from './claims.ts';

/** Failures that a login may prevent. */
export const failuresWithoutLogin: FailureKind[] = ['cookie', 'members-only', 'age', 'private'];

/** Retries items that failed without a login, after cookies were added. */
export async function retryItemsWaitingForLogin({ db, now, announce }: AppContext): Promise<void> {
  await retryNow(db, failuresWithoutLogin, now());
  announce('download');
}

/** Retries items that failed because of yt-dlp, after it was updated. */
export async function retryItemsFailedByYtdlp({ db, now, announce }: AppContext): Promise<void> {
  await retryNow(db, ['ytdlp'], now());
  announce('download');
}
