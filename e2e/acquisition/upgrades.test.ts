import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TrashEntry } from '#contract/trash.ts';
import { replaceByBetter } from '#server/features/download/replace-by-better.ts';
import { fingerprint } from '#server/platform/files/files.ts';
import { createUser } from '#server/test-support/app.ts';
import { aCatalogue, aChannel, aVideo } from '../../test-site/builders.ts';
import { add, createArchive, hasTools, inconsistencies, queueOf, videoOf, type TestSiteArchive } from '../support/acquisition.ts';

const channel = aChannel({ name: 'Night Trains' });
const other = aChannel({ name: 'Day Trains' });
const early = (id: string, more: object = {}) =>
  aVideo({
    id,
    channelId: channel.id,
    title: `Title of ${id}`,
    durationSeconds: 4,
    width: 640,
    height: 360,
    isProcessing: true,
    ...more,
  });
const sounds = [
  { language: 'en', name: 'English', kind: 'original' as const },
  { language: 'de', name: 'German', kind: 'dubbed' as const },
];
const videos = [
  early('earlyVideo1'),
  early('declined001'),
  early('automatic01'),
  early('protected01'),
  early('ofOther0001', { channelId: other.id }),
  early('noBetter001'),
  early('twoSounds01', { sounds }),
  early('smallWish01'),
  early('edited00001', { durationSeconds: 6 }),
  early('editions001', { durationSeconds: 7 }),
  early('restored001'),
];
const day = 86_400;

describe.runIf(hasTools)('better qualities that the source offers later', () => {
  let t: TestSiteArchive;
  let clock: number;
  beforeAll(async () => {
    t = await createArchive(aCatalogue({ channels: [channel, other], videos }));
    clock = t.app.now();
    Object.assign(t.app, { now: () => clock });
    await set({ audio_languages: 'de' });
    await add(t, videos.map(({ id }) => id).join(' '));
    await set({ audio_languages: null });
  });
  afterAll(() => t.close());
  // Sessions end before the clock of this test does.
  const call = async (path: string, body: object, status = 200) => {
    const staff = await createUser(t, { isStaff: true });
    const response = await staff.call('POST', path, body);
    expect(response.statusCode, response.body).toBe(status);
    return response;
  };
  const set = (downloads: object) => call('/api/appsettings/config/', { downloads });
  const inCatalogue = (id: string) => t.testSite.catalogue.videos.find((video) => video.id === id)!;
  const refresh = async (id: string) => {
    await call('/api/refresh/', { video: [id] });
    await t.runner.idle();
    return read(id);
  };
  const read = async (id: string) => {
    const staff = await createUser(t, { isStaff: true });
    return (await staff.call('GET', `/api/video/${id}/`)).json() as Awaited<ReturnType<typeof videoOf>>;
  };
  const heightOf = async (id: string) =>
    (await read(id)).streams.find((stream: { type: string }) => stream.type === 'video').height as number;
  const finish = async (id: string) => {
    inCatalogue(id).isProcessing = false;
    return refresh(id);
  };
  const act = async (id: string, action: string, status = 204) => {
    const response = await call(`/api/video/${id}/upgrade/`, { action }, status);
    await t.runner.idle();
    return status === 204 ? {} : (response.json() as { error?: string });
  };
  /** What the runs of a task of the last month note of a video. */
  const notesOf = async (name: string, id: string) => {
    const staff = await createUser(t, { isStaff: true });
    const runs = (await staff.call('GET', `/api/task/runs/?name=${name}&page_size=100`)).json().data as { id: string }[];
    const all = await Promise.all(runs.map(async (run) => (await staff.call('GET', `/api/task/runs/${run.id}/`)).json()));
    const notes = all.flatMap((run: { notes: { youtube_id?: string; why: string | null }[] }) => run.notes);
    return notes.flatMap((note) => (note.youtube_id === id && note.why !== null ? [note.why] : []));
  };
  const trash = async () => {
    const staff = await createUser(t, { isStaff: true });
    return (await staff.call('GET', '/api/trash/')).json().data as TrashEntry[];
  };
  const automatic = async () => {
    await replaceByBetter(t.app);
    await t.runner.idle();
  };

  test('are found by a refresh, which asks the site no more than before', async () => {
    expect((await refresh('earlyVideo1')).upgrade).toBeUndefined();
    const before = t.testSite.requests.length;
    await refresh('earlyVideo1');
    const ofRefresh = t.testSite.requests.length - before;
    const { upgrade, source_duration } = await finish('earlyVideo1');
    expect(upgrade).toEqual({ height: 360, fps: 25, codec: 'h264', dynamic_range: 'sdr', size: expect.any(Number) });
    expect(source_duration).toBeUndefined();
    expect(t.testSite.requests.length - before).toBe(2 * ofRefresh);
    const staff = await createUser(t, { isStaff: true });
    const listed = (await staff.call('GET', '/api/video/?limited=true')).json().data as { youtube_id: string }[];
    expect(listed.map((video) => video.youtube_id)).toEqual(['earlyVideo1']);
    expect(await notesOf('check_reindex', 'earlyVideo1')).toEqual(['A better quality is available: 360p.']);
  });

  test('replace the file on request; the one before goes to the trash, and data of users stay', async () => {
    await call('/api/watched/', { id: 'earlyVideo1', is_watched: true });
    const { media_size: size } = await read('earlyVideo1');
    await act('earlyVideo1', 'replace');
    const now = await read('earlyVideo1');
    expect([await heightOf('earlyVideo1'), now.upgrade, await queueOf(t)]).toEqual([360, undefined, []]);
    const [watched] = await t.app.db.selectFrom('watch').select('watchedAt').where('videoId', '=', 'earlyVideo1').execute();
    expect(watched!.watchedAt).not.toBeNull();
    expect(await trash()).toMatchObject([{ youtube_id: 'earlyVideo1', is_replaced_file: true, media_size: size }]);
    expect((await refresh('earlyVideo1')).upgrade).toBeUndefined();
    expect(await inconsistencies(t)).toEqual([]);
  });

  test('that were declined are not offered again', async () => {
    expect((await finish('declined001')).upgrade).toBeDefined();
    await act('declined001', 'decline');
    expect((await read('declined001')).upgrade).toBeUndefined();
    expect((await refresh('declined001')).upgrade).toBeUndefined();
    expect((await act('declined001', 'replace', 409)).error).toContain('No better quality is known');
  });

  test('are limited to what the format of the settings or of the channel would download', async () => {
    await set({ format: 'bv[height<=200]+ba' });
    expect((await finish('smallWish01')).upgrade).toBeUndefined();
    await set({ format: 'bv[height>1000]+ba' });
    expect((await refresh('smallWish01')).upgrade).toBeUndefined();
    await set({ format: null });
    const { upgrade } = await refresh('smallWish01');
    expect(upgrade).toBeDefined();
    await call(`/api/channel/${channel.id}/`, { channel_overwrites: { download_format: 'bv[height<=200]+ba' } });
    expect((await refresh('smallWish01')).upgrade).toBeUndefined();
    await call(`/api/channel/${channel.id}/`, { channel_overwrites: { download_format: null } });
  });

  test('replace files automatically where that is chosen, one at a time, but not protected ones', async () => {
    await finish('automatic01');
    await finish('protected01');
    await call('/api/video/protected01/protect/', { is_protected: true });
    await finish('ofOther0001');
    await automatic();
    expect(await heightOf('automatic01')).toBe(180);
    await set({ upgrade: 'auto' });
    await call(`/api/channel/${other.id}/`, { channel_overwrites: { upgrade: 'ask' } });
    const before = (await trash()).length;
    await automatic();
    expect((await trash()).length).toBe(before + 1);
    for (const _ of [1, 2, 3, 4]) await automatic();
    const heights = await Promise.all(['automatic01', 'protected01', 'ofOther0001', 'declined001'].map(heightOf));
    expect(heights).toEqual([360, 180, 180, 180]);
    await call(`/api/channel/${other.id}/`, { channel_overwrites: { upgrade: 'off' } });
    expect((await refresh('ofOther0001')).upgrade).toBeUndefined();
    await set({ upgrade: 'ask' });
  });

  test('that turn out to be none leave the file, and are tried once in 30 days and three times at most', async () => {
    await set({ upgrade: 'auto' });
    for (const wait of [0, 1, 31, 62, 93, 124]) {
      clock += wait * day;
      inCatalogue('noBetter001').isProcessing = false;
      expect((await refresh('noBetter001')).upgrade).toBeDefined();
      inCatalogue('noBetter001').isProcessing = true;
      await automatic();
      if (wait === 0)
        expect(await notesOf('download_pending', 'noBetter001')).toEqual([
          expect.stringContaining('The archived file was kept.'),
        ]);
    }
    await set({ upgrade: 'ask' });
    const { upgradeLog } = await t.app.db
      .selectFrom('video')
      .select('upgradeLog')
      .where('id', '=', 'noBetter001')
      .executeTakeFirstOrThrow();
    expect(JSON.parse(upgradeLog!).attempts).toHaveLength(3);
    expect(await heightOf('noBetter001')).toBe(180);
    expect(await inconsistencies(t)).toEqual([]);
  });

  test('with fewer sound tracks do not replace a file', async () => {
    await finish('twoSounds01');
    await act('twoSounds01', 'replace');
    expect(await heightOf('twoSounds01')).toBe(180);
    expect((await read('twoSounds01')).upgrade).toBeUndefined();
    await set({ audio_languages: 'de' });
    await refresh('twoSounds01');
    await act('twoSounds01', 'replace');
    expect(await heightOf('twoSounds01')).toBe(360);
    await set({ audio_languages: null });
  });

  test('of another length are another edit: they are told, and replace the file only when that is asked for', async () => {
    Object.assign(inCatalogue('edited00001'), { isProcessing: false, durationSeconds: 3 });
    const edited = await refresh('edited00001');
    expect([edited.upgrade, edited.source_duration]).toEqual([undefined, 3]);
    await set({ upgrade: 'auto' });
    await automatic();
    await set({ upgrade: 'ask' });
    expect(await heightOf('edited00001')).toBe(180);
    const before = (await trash()).length;
    await act('edited00001', 'replace');
    const now = await read('edited00001');
    expect([now.player.duration, now.source_duration, (await trash()).length]).toEqual([3, undefined, before + 1]);
    expect(await inconsistencies(t)).toEqual([]);
  });

  test('of another length are kept next to the file before, which becomes a video of its own', async () => {
    Object.assign(inCatalogue('editions001'), { isProcessing: false, durationSeconds: 3 });
    await refresh('editions001');
    const before = await read('editions001');
    await act('editions001', 'keep_both');
    const now = await read('editions001');
    expect([now.player.duration, now.source_duration, now.title]).toEqual([3, undefined, before.title]);
    const row = await t.app.db.selectFrom('video').selectAll().where('site', '=', 'local').executeTakeFirstOrThrow();
    const kept = await read(row.id);
    expect(kept).toMatchObject({
      title: `${before.title} (${before.player.duration}s)`,
      player: { duration: before.player.duration },
      channel: { channel_id: before.channel.channel_id },
      media_size: before.media_size,
      published: before.published,
      streams: before.streams,
    });
    expect(await inconsistencies(t)).toEqual([]);
    // The file before is in the trash, too; the other name stays when it leaves that.
    const entry = (await trash()).find((one) => one.youtube_id === 'editions001')!;
    await call('/api/trash/', { action: 'delete', ids: [entry.id] });
    expect(await inconsistencies(t)).toEqual([]);
    expect(await fingerprint(join(t.app.config.mediaFolder, row.mediaPath))).toMatchObject({ sha256: row.sha256 });
    // Its source is unknown, so a refresh leaves it, and nothing else is offered.
    await refresh(row.id);
    expect(await read(row.id)).toMatchObject({ title: kept.title, active: true });
    await act(row.id, 'keep_both', 409);
    await act('editions001', 'keep_both', 409);
  });

  test('are not fetched again automatically when a person has restored the file before', async () => {
    await finish('restored001');
    await act('restored001', 'replace');
    const entry = (await trash()).find((one) => one.youtube_id === 'restored001')!;
    await call('/api/trash/', { action: 'restore', ids: [entry.id] });
    expect(await heightOf('restored001')).toBe(180);
    expect((await refresh('restored001')).upgrade).toBeDefined();
    await set({ upgrade: 'auto' });
    for (const _ of [1, 2, 3]) await automatic();
    await set({ upgrade: 'ask' });
    expect(await heightOf('restored001')).toBe(180);
  });

  test('are for staff, and need a video, an action and something better', async () => {
    const viewer = await createUser(t, {});
    const refused = await viewer.call('POST', '/api/video/restored001/upgrade/', { action: 'replace' });
    expect(refused.statusCode).toBe(403);
    await act('unknownXxxx', 'replace', 404);
    await act('unknownXxxx', 'decline', 404);
    await act('unknownXxxx', 'keep_both', 404);
    await act('restored001', 'destroy', 400);
    await act('earlyVideo1', 'replace', 409);
  });
});
