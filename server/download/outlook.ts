import type { Archive } from '../archive.ts';

// A pace is told once there is one: of two downloads at least.
const fewest = 2;

/** How far the queue is, how much is left, and when it is likely to be done at the pace of this run. */
export async function outlook({ db, now }: Archive) {
  const queue = await db
    .selectFrom('download')
    .select((e) => [
      e.fn.countAll<number>().filterWhere('failure', 'is', null).as('waiting'),
      e.fn.countAll<number>().filterWhere('failure', 'is not', null).as('failed'),
      e.fn.sum<number | null>('durationSeconds').filterWhere('failure', 'is', null).as('seconds'),
      e.fn.count<number>('durationSeconds').filterWhere('failure', 'is', null).as('known'),
    ])
    .where('status', '=', 'pending')
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
  const { waiting, failed, known } = queue;
  // Those whose length nobody knows yet are taken to be as long as the others.
  const seconds = known > 0 ? ((queue.seconds ?? 0) / known) * waiting : null;
  return {
    waiting,
    failed,
    running: since !== null,
    done,
    bytes_left: seconds !== null && kept.seconds > 0 ? Math.round((kept.bytes / kept.seconds) * seconds) : null,
    done_about: since !== null && done >= fewest && waiting > 0 ? Math.round(now() + ((now() - since) / done) * waiting) : null,
  };
}
