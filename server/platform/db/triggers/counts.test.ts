import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { renderMessages } from '../../messages/render.ts';
import { findWrongCounts } from '../../../features/library/consistency/counts.ts';
import { createQueueItem, engines } from '../../../test-support/app.ts';
import { createSmallLibrary, randomOperation, runOperation } from '../../../test-support/random-operations.ts';
import { findWrongFacets } from '../../../test-support/facets.ts';
import type { Db } from '../db.ts';

/** Returns videos that triggers and plain code classify differently as incompatible. */
async function findMisclassified(db: Db) {
  const videos = await db.selectFrom('video').select(['id', 'mediaPath']).execute();
  const streams = await db.selectFrom('stream').select(['videoId', 'codec', 'type']).execute();
  const stored = await db.selectFrom('incompatibleVideo').selectAll().execute();
  const playable = { video: ['h264'], audio: ['aac'] };
  return videos.flatMap(({ id, mediaPath }) => {
    const ownStreams = streams.filter(({ videoId }) => videoId === id);
    const isPlayable = ownStreams.every(({ type, codec }) => playable[type].includes(codec));
    const expected =
      ownStreams.length === 0 || (isPlayable && mediaPath.endsWith('.mp4')) ? undefined : isPlayable ? 'remux' : 'redownload';
    const recorded = stored.find(({ videoId }) => videoId === id)?.fix;
    return recorded === expected ? [] : [`${id} is ${expected}, not ${recorded}`];
  });
}

const findDifferences = async (db: Db) => [
  ...(await Array.fromAsync(findWrongCounts(db), (difference) => renderMessages(difference))),
  ...(await findMisclassified(db)),
  ...(await findWrongFacets(db)),
];

describe.each(engines)('counters maintained by triggers, on $engine', (on) => {
  test('equal the counted rows after any operations', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(randomOperation, { maxLength: 40, size: 'max' }), async (operations) => {
        const { db, close } = await on.openWithTables();
        try {
          const accounts = await createSmallLibrary(db);
          for (const operation of operations) await runOperation(db, accounts, operation);
          expect(await findDifferences(db)).toEqual([]);
        } finally {
          await close();
        }
      }),
      { numRuns: on.engine === 'sqlite' ? 40 : 6 },
    );
  });

  test('are correct after deleting an account and a channel', async () => {
    const { db, close } = await on.openWithTables();
    try {
      const [anna] = await createSmallLibrary(db);
      const row = { accountId: anna!, watchedAt: 5, positionSeconds: null, updatedAt: 5 };
      await db
        .insertInto('watch')
        .values([0, 1, 2].map((n) => ({ ...row, videoId: `v${n}` })))
        .execute();
      await db.deleteFrom('video').where('channelId', '=', 'c0').execute();
      await db.deleteFrom('channel').where('id', '=', 'c0').execute();
      expect(await findDifferences(db)).toEqual([]);
      await db.deleteFrom('account').where('id', '=', anna!).execute();
      expect(await db.selectFrom('watchCount').selectAll().execute()).toEqual([]);
      expect(await db.selectFrom('watchKindCount').selectAll().execute()).toEqual([]);
    } finally {
      await close();
    }
  });

  test('are compared with the rows by the consistency check', async () => {
    const { db, close } = await on.openWithTables();
    try {
      await createSmallLibrary(db);
      await createQueueItem(db, { id: 'q' });
      await db
        .updateTable('videoCount')
        .set({ sizeBytes: 1 })
        .where('channelId', '=', 'c0')
        .where('kind', '=', 'videos')
        .execute();
      await db.deleteFrom('queueCount').execute();
      expect(await findDifferences(db)).toEqual([
        expect.stringMatching(/^The stored counts of videos are missing a value: .*sizeBytes 100/),
        expect.stringMatching(/^The stored counts of videos contain a wrong value: .*sizeBytes 1,/),
        expect.stringMatching(/^The stored counts of queue items are missing a value: .*items 1/),
      ]);
    } finally {
      await close();
    }
  });
});
