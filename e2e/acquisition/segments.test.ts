import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Sponsorblock } from '#contract/video.ts';
import { startSegmentsIfDue } from '#server/features/library/refresh/refresh-segments.ts';
import { createUser } from '#server/test-support/app.ts';
import { aCatalogue, aChannel, aVideo } from '../../test-site/builders.ts';
import { add, createArchive, hasTools, type TestSiteArchive } from '../support/acquisition.ts';

const channel = aChannel({ name: 'Night Trains' });
const sponsor = (startSeconds: number) => ({ category: 'sponsor' as const, startSeconds, endSeconds: startSeconds + 1 });
const catalogue = () =>
  aCatalogue({
    channels: [channel],
    videos: [
      aVideo({ id: 'segmentsNow', channelId: channel.id, durationSeconds: 6, sponsors: [sponsor(1)] }),
      aVideo({ id: 'noSegments1', channelId: channel.id, durationSeconds: 6 }),
    ],
  });
const [hour, day] = [3600, 86_400];

describe.runIf(hasTools)('segments of SponsorBlock', () => {
  let t: TestSiteArchive;
  let clock: number;
  beforeAll(async () => {
    t = await createArchive(catalogue());
    clock = t.app.now();
    Object.assign(t.app, { now: () => clock });
    await t.staff.call('POST', '/api/appsettings/config/', { downloads: { integrate_sponsorblock: true } });
    for (const { id } of t.testSite.catalogue.videos) await add(t, `https://www.youtube.com/watch?v=${id}`);
    await startSegmentsIfDue(t.app);
  });
  afterAll(() => t.close());
  // Sessions end before the clock of this test does.
  const call = async (path: string, body: object) => {
    const staff = await createUser(t, { isStaff: true });
    expect((await staff.call('POST', path, body)).statusCode).toBe(200);
  };
  const segmentsOf = async (id: string) => {
    const row = await t.app.db.selectFrom('video').select('sponsorblock').where('id', '=', id).executeTakeFirstOrThrow();
    return (JSON.parse(row.sponsorblock!) as Sponsorblock).segments.map(({ segment }) => segment[0]);
  };
  const inCatalogue = (id: string) => t.testSite.catalogue.videos.find((video) => video.id === id)!;
  const questions = () => t.testSite.requests.filter(({ host }) => host === 'sponsor.ajay.app').map(({ path }) => path);
  const wait = async (seconds: number) => {
    clock += seconds;
    await startSegmentsIfDue(t.app);
    await t.runner.idle();
  };

  test('are asked for by a prefix that thousands of videos share', async () => {
    expect(await segmentsOf('segmentsNow')).toEqual([1]);
    expect(questions().length).toBeGreaterThan(0);
    for (const path of questions()) expect(path).toMatch(/^\/api\/skipSegments\/[0-9a-f]{4}\?/);
  });

  test('that are submitted later are fetched an hour, a day, a week and a month after the download', async () => {
    inCatalogue('noSegments1').sponsors = [sponsor(2)];
    await wait(hour / 2);
    expect(await segmentsOf('noSegments1')).toEqual([]);
    await wait(hour);
    expect(await segmentsOf('noSegments1')).toEqual([2]);
    for (const [place, seconds] of [day, 6 * day, 23 * day].entries()) {
      inCatalogue('noSegments1').sponsors = [sponsor(place + 3)];
      await wait(seconds);
      expect(await segmentsOf('noSegments1')).toEqual([place + 3]);
    }
    const asked = questions().length;
    await wait(2 * day);
    expect(questions().length).toBe(asked);
  });

  test('of another edit of the video are not taken, neither later nor with its metadata', async () => {
    Object.assign(inCatalogue('segmentsNow'), { sponsors: [sponsor(4)], durationSeconds: 9 });
    await t.app.db.updateTable('video').set({ downloadedAt: clock }).where('id', '=', 'segmentsNow').execute();
    const asked = questions().length;
    await wait(2 * hour);
    expect([questions().length, await segmentsOf('segmentsNow')]).toEqual([asked + 1, [1]]);
    await call('/api/refresh/', { video: ['segmentsNow'] });
    await t.runner.idle();
    expect([questions().length, await segmentsOf('segmentsNow')]).toEqual([asked + 2, [1]]);
  });

  test('are not asked for while they are off', async () => {
    await call('/api/appsettings/config/', { downloads: { integrate_sponsorblock: false } });
    const asked = questions().length;
    await wait(40 * day);
    await call(`/api/channel/${channel.id}/`, { channel_overwrites: { integrate_sponsorblock: true } });
    await wait(hour);
    expect(questions().length).toBe(asked);
    await t.app.db.updateTable('video').set({ downloadedAt: clock }).where('id', '=', 'noSegments1').execute();
    await wait(2 * hour);
    expect(questions().length).toBe(asked + 1);
  });
});
