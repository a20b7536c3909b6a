import { uptime } from 'node:os';
import type { Archive } from '../archive.ts';

const day = 86_400;

// When each archive was last looked at, by a clock that nobody sets and that goes on in a machine's sleep.
const lastLook = new WeakMap<Archive, number>();

/**
 * Counts for how long everything in the bin has rested. The clock of the day is not believed alone, as it may jump on by years
 * and come back: between two looks of one run no more time passes than the steady clock says, and while the program was off
 * no more than a day. So what is in the bin may rest too long, and never too short.
 */
export async function countRest(archive: Archive, steadySeconds = uptime()): Promise<void> {
  const before = lastLook.get(archive);
  lastLook.set(archive, steadySeconds);
  const most = before === undefined ? day : Math.max(0, Math.ceil(steadySeconds - before));
  const now = archive.now();
  await archive.db
    .updateTable('bin')
    .set((e) => ({
      restedSeconds: e(
        'restedSeconds',
        '+',
        e
          .case()
          .when('lookedAt', '>', now)
          .then(e.lit(0))
          .when('lookedAt', '<', now - most)
          .then(e.lit(most))
          .else(e(e.lit(now), '-', e.ref('lookedAt')))
          .end(),
      ),
      lookedAt: now,
    }))
    .execute();
}

/** What has rested for so many days; less than `under` of them where that is said. */
export const restedFor = ({ db }: Pick<Archive, 'db'>, days: number, { under }: { under?: number } = {}) =>
  db
    .selectFrom('bin')
    .select(['number', 'sizeBytes'])
    .where('restedSeconds', '>=', days * day)
    .$if(under !== undefined, (q) => q.where('restedSeconds', '<', under! * day))
    .orderBy('number')
    .execute();

/** When something goes for good, if the program runs until then. */
export const goesAt = ({ restedSeconds, lookedAt }: { restedSeconds: number; lookedAt: number }, days: number) =>
  lookedAt + Math.max(0, days * day - restedSeconds);
