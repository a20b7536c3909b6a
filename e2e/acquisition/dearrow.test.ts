import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Video } from '#contract/video.ts';
import { startSegmentsIfDue } from '#server/features/library/refresh/refresh-segments.ts';
import { indexPending } from '#server/features/search/index/index-pending.ts';
import { createUser } from '#server/test-support/app.ts';
import { aCatalogue, aChannel, aVideo } from '../../test-site/builders.ts';
import type { Branding } from '../../test-site/catalogue.ts';
import { add, createArchive, hasTools, type TestSiteArchive } from '../support/acquisition.ts';

const channel = aChannel({ name: 'Night Trains' });
const video = (id: string, branding?: Branding) =>
  aVideo({ id, channelId: channel.id, title: 'You WON’T believe this', durationSeconds: 6, ...(branding && { branding }) });
const sponsor = { category: 'sponsor' as const, startSeconds: 1, endSeconds: 3 };
const hostile = `>NASA \u202e<b>evil</b>\n${'x'.repeat(5_000)}`;
const catalogue = () =>
  aCatalogue({
    channels: [channel],
    videos: [
      video('trustedOne1', { titles: [{ title: 'Crossing the >Gotthard by night' }], thumbnails: [{ timestamp: 2.5 }] }),
      video('votedDown11', {
        titles: [{ title: 'No', votes: -1 }, { title: 'Second' }],
        thumbnails: [{ timestamp: 2, votes: -1 }],
      }),
      video('lockedOne11', { titles: [{ title: 'Locked', votes: -1, locked: true }] }),
      video('originalOne', { titles: [{ title: 'You WON’T believe this', original: true }], thumbnails: [{ timestamp: null, original: true }] }), // prettier-ignore
      video('hostileOne1', { titles: [{ title: hostile }], thumbnails: [{ timestamp: -3 }] }),
      video('otherEdit11', { titles: [{ title: 'Title of all edits' }], thumbnails: [{ timestamp: 2 }], durationSeconds: 90 }),
      { ...video('sponsored11', { thumbnails: [{ timestamp: 2 }] }), sponsors: [sponsor] },
      video('laterOne111'),
      video('noBranding1'),
    ],
  });
const [hour, day] = [3600, 86_400];

describe.runIf(hasTools)('titles and pictures of DeArrow', () => {
  let t: TestSiteArchive;
  let clock: number;
  beforeAll(async () => {
    t = await createArchive(catalogue());
    clock = t.app.now();
    Object.assign(t.app, { now: () => clock });
    await add(t, 'https://www.youtube.com/watch?v=trustedOne1');
  });
  afterAll(() => t.close());
  // Sessions end before the clock of this test does.
  const staff = () => createUser(t, { isStaff: true });
  const videoOf = async (id: string) => (await (await staff()).call('GET', `/api/video/${id}/`)).json<Video>();
  const communityOf = async (id: string) => {
    const { community_title: title, community_thumb_url: picture } = await videoOf(id);
    return { title, picture };
  };
  const questions = () => t.testSite.requests.filter(({ path }) => path.startsWith('/api/branding')).map(({ path }) => path);
  const refresh = async (id: string) => {
    expect((await (await staff()).call('POST', '/api/refresh/', { video: [id] })).statusCode).toBe(200);
    await t.runner.idle();
  };
  const wait = async (seconds: number) => {
    clock += seconds;
    await startSegmentsIfDue(t.app);
    await t.runner.idle();
  };
  const inCatalogue = (id: string) => t.testSite.catalogue.videos.find((one) => one.id === id)!;
  const pictureFile = (id: string) => join(t.app.config.cacheFolder, 'community', id[0]!.toLowerCase(), `${id}.jpg`);

  test('are not asked for unless they are turned on', async () => {
    expect(await communityOf('trustedOne1')).toEqual({ title: undefined, picture: undefined });
    expect(questions()).toEqual([]);
  });

  test('come with the video, by a prefix that thousands of videos share; the originals stay', async () => {
    const { call } = await staff();
    await call('POST', '/api/appsettings/config/', { downloads: { integrate_dearrow: true, integrate_sponsorblock: true } });
    await startSegmentsIfDue(t.app);
    for (const { id } of t.testSite.catalogue.videos.slice(1)) await add(t, `https://www.youtube.com/watch?v=${id}`);
    await refresh('trustedOne1');
    for (const path of questions()) expect(path).toMatch(/^\/api\/branding\/[0-9a-f]{4}$/);
    const found = await videoOf('trustedOne1');
    expect(found).toMatchObject({
      title: 'You WON’T believe this',
      community_title: 'Crossing the Gotthard by night',
      vid_thumb_url: '/cache/videos/t/trustedOne1.jpg',
      community_thumb_url: '/cache/community/t/trustedOne1.jpg',
    });
    const picture = await (await staff()).call('GET', found.community_thumb_url!);
    expect([picture.statusCode, picture.headers['content-type']]).toEqual([200, 'image/jpeg']);
  });

  test('count only if they are locked or not voted down, and are not those of the channel', async () => {
    expect(await communityOf('votedDown11')).toEqual({ title: undefined, picture: undefined });
    expect(await communityOf('lockedOne11')).toEqual({ title: 'Locked', picture: undefined });
    expect(await communityOf('originalOne')).toEqual({ title: undefined, picture: undefined });
    expect(await communityOf('noBranding1')).toEqual({ title: undefined, picture: undefined });
  });

  test('are plain text of at most 300 characters', async () => {
    const { title, picture } = await communityOf('hostileOne1');
    expect(title).toMatch(/^NASA <b>evil<\/b> x+$/);
    expect([title!.length, picture]).toEqual([300, undefined]);
  });

  test('have no picture of another edit, nor of a sponsored segment', async () => {
    expect(await communityOf('otherEdit11')).toEqual({ title: 'Title of all edits', picture: undefined });
    expect(await communityOf('sponsored11')).toEqual({ title: undefined, picture: undefined });
  });

  test('are found by the search, as the originals are', async () => {
    await indexPending(t.app.db);
    for (const words of ['gotthard night', 'believe']) {
      const found = (await (await staff()).call('GET', `/api/search/?query=${encodeURIComponent(`video: ${words}`)}`)).json<{ results: { video_results: Video[] } }>(); // prettier-ignore
      expect(found.results.video_results.map(({ youtube_id: id }) => id)).toContain('trustedOne1');
    }
  });

  test('that are submitted later are fetched with the segments, and those that are withdrawn disappear', async () => {
    inCatalogue('laterOne111').branding = { titles: [{ title: 'Later' }], thumbnails: [{ timestamp: 4 }] };
    await wait(2 * hour);
    expect(await communityOf('laterOne111')).toEqual({ title: 'Later', picture: '/cache/community/l/laterOne111.jpg' });
    await access(pictureFile('laterOne111'));
    inCatalogue('laterOne111').branding = {};
    await wait(day);
    expect(await communityOf('laterOne111')).toEqual({ title: undefined, picture: undefined });
    await expect(access(pictureFile('laterOne111'))).rejects.toThrow('ENOENT');
  });

  test('stay when the service does not respond', async () => {
    t.testSite.catalogue.faults.push({ host: 'sponsor.ajay.app', does: 'serverError' });
    await refresh('trustedOne1');
    expect(await communityOf('trustedOne1')).toMatchObject({ title: 'Crossing the Gotthard by night' });
    t.testSite.catalogue.faults.length = 0;
  });

  test('go to the trash with the video and return with it', async () => {
    const { call } = await staff();
    expect((await call('DELETE', '/api/video/trustedOne1/')).statusCode).toBe(204);
    await expect(access(pictureFile('trustedOne1'))).rejects.toThrow('ENOENT');
    const { data } = (await call('GET', '/api/trash/')).json<{ data: { id: number }[] }>();
    expect((await call('POST', '/api/trash/', { action: 'restore', ids: [data[0]!.id] })).statusCode).toBe(200);
    await t.runner.idle();
    expect(await communityOf('trustedOne1')).toMatchObject({ title: 'Crossing the Gotthard by night' });
    await access(pictureFile('trustedOne1'));
  });

  test('are drawn again by the check of thumbnails if their file is missing', async () => {
    const { rm } = await import('node:fs/promises');
    await rm(pictureFile('trustedOne1'));
    expect((await (await staff()).call('POST', '/api/task/by-name/thumbnail_check/')).statusCode).toBe(200);
    await t.runner.idle();
    await access(pictureFile('trustedOne1'));
  });

  test('are asked for or not as the channel says', async () => {
    const { call } = await staff();
    const { channel: ofVideo } = await videoOf('trustedOne1');
    const change = (integrate_dearrow: boolean | null) =>
      call('POST', `/api/channel/${ofVideo.channel_id}/`, { channel_overwrites: { integrate_dearrow } });
    const asked = questions().length;
    await change(false);
    await refresh('trustedOne1');
    expect(questions().length).toBe(asked);
    await call('POST', '/api/appsettings/config/', { downloads: { integrate_dearrow: false } });
    await change(true);
    await refresh('trustedOne1');
    expect(questions().length).toBe(asked + 1);
  });
});
