import type { Db } from '../../platform/db/db.ts';

/** Returns the number of videos in the trash and their total size. */
export const trashTotals = ({ db }: { db: Db }) =>
  db
    .selectFrom('trash')
    .select((e) => [e.fn.countAll<number>().as('count'), e.fn.coalesce(e.fn.sum<number>('sizeBytes'), e.lit(0)).as('sizeBytes')])
    .executeTakeFirstOrThrow();
