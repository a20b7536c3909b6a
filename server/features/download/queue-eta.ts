import type { AppContext } from '../../platform/context/app-context.ts';
import type { Db } from '../../platform/db/db.ts';
import { countVideosOf } from '../../archive/queries/video-counts.ts';
import { countItems, countListedOnly } from '../../archive/queue/items.ts';

// Minimum number of completed downloads for an estimate.
const fewest = 2;
// Number of items at the head of the queue that the average duration is computed from.
const sample = 1000;

/** Returns the average size of a second of archived video in bytes; null without archived videos. */
export async function bytesPerSecond(db: Db): Promise<number | null> {
  const { sizeBytes, durationSeconds } = await countVideosOf(db, {});
  return durationSeconds > 0 ? sizeBytes / durationSeconds : null;
}

/** Returns the progress of the queue, the remaining work and the estimated completion time at the pace of the current run. */
export async function estimateQueue({ db, now }: AppContext) {
  const pending = await countItems(db, { filter: 'pending' });
  const failed = await countItems(db, { filter: 'pending', error: true });
  const waiting = pending - failed;
  const listedOnly = await countListedOnly(db);
  const next = db
    .selectFrom('download')
    .select('durationSeconds')
    .where('status', '=', 'pending')
    .where('failure', 'is', null)
    .orderBy('autoStart', 'desc')
    .orderBy('queuedAt')
    .orderBy('number')
    .limit(sample);
  // Items with an unknown duration, and those beyond the sample, count with the average duration of the sample.
  const { typical } = await db
    .selectFrom(next.as('next'))
    .select((e) => e.fn.avg<number | null>('durationSeconds').as('typical'))
    .executeTakeFirstOrThrow();
  const run = await db
    .selectFrom('task')
    .select('startedAt')
    .where('name', '=', 'download_pending')
    .where('status', '=', 'running')
    .executeTakeFirst();
  const since = run?.startedAt ?? null;
  const { done } =
    since === null
      ? { done: 0 }
      : await db
          .selectFrom('video')
          .select((e) => e.fn.countAll<number>().as('done'))
          .where('downloadedAt', '>=', since)
          .executeTakeFirstOrThrow();
  const byteRate = await bytesPerSecond(db);
  const seconds = typical === null ? null : Number(typical) * waiting;
  return {
    waiting,
    listed_only: listedOnly,
    failed,
    running: since !== null,
    done,
    bytes_left: seconds !== null && byteRate !== null ? Math.round(byteRate * seconds) : null,
    done_about: since !== null && done >= fewest && waiting > 0 ? Math.round(now() + ((now() - since) / done) * waiting) : null,
  };
}
