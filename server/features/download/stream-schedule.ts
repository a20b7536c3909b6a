import { message } from '#contract/messages.ts';
import { readSettings } from '../../archive/settings/store.ts';
import { nextAttemptAt } from '../../archive/sites/retry-policy.ts';
import { ytdlpSession } from '../../archive/sites/ytdlp-session.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import type { Failure } from '../../platform/ytdlp/failure.ts';
import { isStillDownloading } from '../../platform/ytdlp/fetch-video.ts';
import type { Live } from '../../platform/ytdlp/info.ts';
import { lookUp } from '../../platform/ytdlp/listing.ts';
import type { StreamSchedule } from './process-item.ts';
import { wantsRecording } from './start-recording.ts';

const minute = 60;
const hour = 3600;
const day = 86_400;

/** Between two attempts to record a running stream. */
const againSeconds = 5 * minute;

/**
 * Returns when an announced stream that is to be recorded is looked at again, epoch seconds: at its start, also before if that is far
 * away, because streams are moved, and every five minutes while it is late.
 */
export function nextLookAt(startsAt: number | null, now: number): number {
  const ahead = startsAt === null ? null : startsAt - now;
  if (ahead === null) return now + hour;
  if (ahead > 2 * hour) return now + Math.min(day, Math.round(ahead / 2));
  if (ahead > 0) return startsAt!;
  if (ahead > -12 * hour) return now + againSeconds;
  return now + (ahead > -7 * day ? 3 * hour : day);
}

const notStarted: Failure = { kind: 'not-yet', message: message('failure.not-yet') };
const willBeRecorded: Failure = { kind: 'not-yet', message: message('live.scheduled') };

/** Returns the schedule of a stream that runs or is announced. `isWanted`: it is to be recorded. */
export function scheduleOf(
  { live, startsAt }: { live: Live; startsAt: number | null },
  { isWanted, now }: { isWanted: boolean; now: number },
): StreamSchedule {
  if (live === 'live') {
    const retryAt = isWanted
      ? now + againSeconds
      : nextAttemptAt('not-yet', { failures: 1, now, againInSeconds: isStillDownloading.againInSeconds });
    return { ...isStillDownloading, startsAt, retryAt };
  }
  if (isWanted) return { ...willBeRecorded, startsAt, retryAt: nextLookAt(startsAt, now) };
  const againInSeconds = startsAt === null ? undefined : startsAt - now;
  return { ...notStarted, startsAt, retryAt: nextAttemptAt('not-yet', { failures: 1, now, againInSeconds }) };
}

/**
 * Returns the schedule of a queue item whose download has failed because its stream has not started, or still runs, if it is to be
 * recorded; else null.
 */
export async function scheduleAfter(
  app: AppContext,
  { url, ...item }: { url: string; site: string; channelId: string; startsAt: number | null },
  failure: Failure,
  signal: AbortSignal,
): Promise<StreamSchedule | null> {
  if (failure.kind !== 'not-yet' || !(await wantsRecording(app, item))) return null;
  const now = app.now();
  if (failure.message.id === isStillDownloading.message.id)
    return scheduleOf({ live: 'live', startsAt: item.startsAt }, { isWanted: true, now });
  const { downloads } = await readSettings(app.db);
  const { live, startsAt } = await lookUp(await ytdlpSession(app), url, { lang: downloads.extractor_lang, signal });
  return live === 'upcoming' || live === 'live' ? scheduleOf({ live, startsAt }, { isWanted: true, now }) : null;
}
