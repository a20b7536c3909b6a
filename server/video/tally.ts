import type { VideoKind } from '#contract/values.ts';
import type { Db } from '../db/db.ts';
import { little } from '../db/recall.ts';

// Of every channel, kind and person the database keeps the count (migration 0006), so that no list and no statistic counts
// 100,000 videos.

interface Part {
  channel?: string | undefined;
  type?: VideoKind | undefined;
}

// A channel may be called "undefined", by a program with a slip: that is not the same as none.
const named = ({ channel, type }: Part) => JSON.stringify([channel, type]);

/** How many videos there are in all, of a channel or of a kind, how long and how large they are together. */
export const tallyOf = (db: Db, { channel, type }: Part) =>
  db.recall.one(`tally ${named({ channel, type })}`, { from: ['tally'], bytes: little }, () =>
    db
      .selectFrom('tally')
      .select((e) => [
        e.fn.coalesce(e.fn.sum<number>('videos'), e.lit(0)).as('videos'),
        e.fn.coalesce(e.fn.sum<number>('sizeBytes'), e.lit(0)).as('sizeBytes'),
        e.fn.coalesce(e.fn.sum<number>('durationSeconds'), e.lit(0)).as('durationSeconds'),
      ])
      .$if(channel !== undefined, (q) => q.where('channelId', '=', channel!))
      .$if(type !== undefined, (q) => q.where('kind', '=', type!))
      .executeTakeFirstOrThrow(),
  );

/** How many of them this person has watched, and how long those are together. */
export const watchTallyOf = (db: Db, accountId: number, { channel, type }: Part) =>
  db.recall.one(`watch tally ${accountId} ${named({ channel, type })}`, { from: ['watchTally'], bytes: little }, () =>
    db
      .selectFrom('watchTally')
      .select((e) => [
        e.fn.coalesce(e.fn.sum<number>('videos'), e.lit(0)).as('videos'),
        e.fn.coalesce(e.fn.sum<number>('durationSeconds'), e.lit(0)).as('durationSeconds'),
      ])
      .where('accountId', '=', accountId)
      .$if(channel !== undefined, (q) => q.where('channelId', '=', channel!))
      .$if(type !== undefined, (q) => q.where('kind', '=', type!))
      .executeTakeFirstOrThrow(),
  );
