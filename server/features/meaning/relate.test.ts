import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Video } from '#contract/video.ts';
import { writeSettings } from '../../archive/settings/store.ts';
import { createChannel, createUser, createVideo, engines, testApp, testTimeouts, type TestApp } from '../../test-support/app.ts';
import { indexPending } from '../search/index/index-pending.ts';
import { passagesPerTrack } from './cut-passages.ts';
import { meanVector, models } from './model.ts';
import { startRelatingIfDue } from './tasks.ts';

const { dimensions } = models['use-m3'];

/** Vectors around a subject: those of one subject are similar, those of two are not. */
const subjects = ['bread', 'stars', 'brakes'] as const;
type Subject = (typeof subjects)[number];
const about = (subject: Subject, turn: number) =>
  Int8Array.from({ length: dimensions }, (_, place) => {
    const sign = Math.sin((place + 1) * (subjects.indexOf(subject) + 1) * 12.9898) > 0 ? 1 : -1;
    return place % 40 < turn ? -100 * sign : 100 * sign;
  });

test('the vector of a transcript is the mean of its directions', () => {
  const [short, long] = [new Int8Array(dimensions), new Int8Array(dimensions)];
  short[0] = 10;
  long[1] = 100;
  expect([...meanVector([short, long]).subarray(0, 3)]).toEqual([127, 127, 0]);
});

describe.each(engines)('related videos on $engine', (on) => {
  let t: TestApp;
  let user: Awaited<ReturnType<typeof createUser>>;
  beforeEach(async () => {
    t = await testApp({ on });
    user = await createUser(t);
    await writeSettings(t.app.db, { meaning: { enabled: true } });
    await t.runner.begin();
  });
  afterEach(() => t.close());

  const embed = async (videoId: string, vectors: Int8Array[]) => {
    const { db } = t.app;
    const track = { videoId, lang: 'en', model: 'use-m3' } as const;
    await db.deleteFrom('passage').where('videoId', '=', videoId).execute();
    await db.deleteFrom('passageTrack').where('videoId', '=', videoId).execute();
    const { number } = await db
      .insertInto('passageTrack')
      .values({ ...track, source: 1, passages: vectors.length })
      .returning('number')
      .executeTakeFirstOrThrow();
    await db
      .insertInto('passage')
      .values(
        vectors.map((vector, place) => ({
          ...track,
          number: number * passagesPerTrack + place,
          startMs: place * 30_000,
          endMs: place * 30_000 + 30_000,
          mark: 'mark',
          vector: new Uint8Array(vector.buffer),
        })),
      )
      .execute();
  };
  /** Adds a video; a larger `turn` leads further away from the subject. */
  const add = async (subject: Subject, turn: number, { channelId = subject as string, title = 'Untitled' } = {}) => {
    await createChannel(t.app.db, { id: channelId, name: channelId }).catch(() => undefined);
    const id = await createVideo(t.app.db, { id: `${subject}${turn}`.padEnd(11, '0'), channelId, title });
    await embed(id, [about(subject, turn), about(subject, turn)]);
    return id;
  };
  const relate = async () => {
    await startRelatingIfDue(t.app);
    await expect.poll(() => t.app.tasks.activeInputs('relate_videos'), testTimeouts).toEqual([]);
  };
  const similar = async (id: string) =>
    (await user.call('GET', `/api/video/${id}/similar/`)).json<Video[]>().map(({ youtube_id }) => youtube_id);
  const comparisons = async () => {
    const rows = await t.app.db.selectFrom('task').select('messages').where('name', '=', 'relate_videos').execute();
    return rows.length;
  };

  test('are those about the same subject, the nearest first', async () => {
    const [first, near, far, other] = [
      await add('bread', 0),
      await add('bread', 2),
      await add('bread', 5),
      await add('stars', 0),
    ];
    expect(await similar(first)).toEqual([]);
    await relate();
    expect(await similar(first)).toEqual([near, far]);
    expect(await similar(far)).toEqual([near, first]);
    expect(await similar(other)).toEqual([]);
    // Nothing has changed.
    await relate();
    expect(await comparisons()).toBe(1);
  });

  test('follow new, changed and deleted transcripts', async () => {
    const [first, far] = [await add('bread', 0), await add('bread', 6)];
    await relate();
    const near = await add('bread', 1);
    await relate();
    expect(await similar(first)).toEqual([near, far]);
    await embed(near, [about('stars', 0)]);
    expect(await similar(first)).toEqual([far]);
    await relate();
    expect(await similar(near)).toEqual([]);
    expect(await similar(first)).toEqual([far]);
    await t.app.db.deleteFrom('video').where('id', '=', far).execute();
    expect(await similar(first)).toEqual([]);
    await relate();
    expect(await t.app.db.selectFrom('trackVector').select('state').execute()).toEqual([{ state: 2 }, { state: 2 }]);
  });

  test('are merged with those that share words, at most two of a channel while there are others', async () => {
    const first = await add('bread', 0, { title: 'Sourdough starter' });
    const ofChannel = [await add('bread', 1), await add('bread', 2), await add('bread', 3)];
    const others = [
      await add('bread', 4, { channelId: 'bakers' }),
      await createVideo(t.app.db, { id: 'sourdough00', title: 'Sourdough', channelId: 'bakers' }),
      await createVideo(t.app.db, {
        id: 'sourdough01',
        title: 'A starter',
        channelId: await createChannel(t.app.db, { id: 'sour', name: 'Sour' }),
      }),
    ];
    await indexPending(t.app.db);
    const byWords = await similar(first);
    await relate();
    const found = await similar(first);
    expect(found).toHaveLength(6);
    expect(found.slice(0, 5).toSorted()).toEqual([...ofChannel.slice(0, 2), ...others].toSorted());
    expect(found.at(-1)).toBe(ofChannel[2]);
    await writeSettings(t.app.db, { meaning: { enabled: false } });
    expect(await similar(first)).toEqual(byWords);
  });
});
