import type { Archive } from '../archive.ts';
import { countItems } from './queue-store.ts';

// A pace is told once there is one: of two downloads at least.
const fewest = 2;
// Of a long queue so many tell how long its videos are.
const sample = 1000;

/** How far the queue is, how much is left, and when it is likely to be done at the pace of this run. */
export async function outlook({ db, now }: Archive) {
  const pending = await countItems(db, { filter: 'pending' });
  const failed = await countItems(db, { filter: 'pending', error: true });
  const waiting = pending - failed;
  const next = db
    .selectFrom('download')
    .select('durationSeconds')
    .where('status', '=', 'pending')
    .where('failure', 'is', null)
    .orderBy('autoStart', 'desc')
    .orderBy('queuedAt')
    .orderBy('number')
    .limit(sample);
  // Those whose length nobody knows yet, and those far behind, are taken to be as long as those that come next.
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
  const kept = await db
    .selectFrom('tally')
    .select((e) => [
      e.fn.coalesce(e.fn.sum<number>('sizeBytes'), e.lit(0)).as('bytes'),
      e.fn.coalesce(e.fn.sum<number>('durationSeconds'), e.lit(0)).as('seconds'),
    ])
    .executeTakeFirstOrThrow();
  const seconds = typical === null ? null : Number(typical) * waiting;
  return {
    waiting,
    failed,
    running: since !== null,
    done,
    bytes_left: seconds !== null && kept.seconds > 0 ? Math.round((kept.bytes / kept.seconds) * seconds) : null,
    done_about: since !== null && done >= fewest && waiting > 0 ? Math.round(now() + ((now() - since) / done) * waiting) : null,
  };
}
