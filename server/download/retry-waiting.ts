import type { Archive } from '../archive.ts';
import { retryNow } from './store.ts';

/** Somebody can be logged in now: what could not be had without is tried again. */
export async function retryWhatWaitedForALogin({ db, now, announce }: Archive): Promise<void> {
  await retryNow(db, ['cookie', 'members-only', 'age', 'private'], now());
  announce('download');
}

/** Another yt-dlp is there: what the last one did not understand is tried again. */
export async function retryWhatYtdlpFailed({ db, now, announce }: Archive): Promise<void> {
  await retryNow(db, ['ytdlp'], now());
  announce('download');
}
