import { access, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Suggestions } from '#contract/stats.ts';
import { createChannel, createUser, createVideo, engines, testApp, type TestApp } from '../../test-support/app.ts';

const day = 86_400;
const now = 1_800_000_000;
const sum = (bytes: number[]) => bytes.reduce((total, one) => total + one, 0);

describe.each(engines)('suggestions on $engine', (on) => {
  let t: TestApp;
  let staff: Awaited<ReturnType<typeof createUser>>;
  beforeEach(async () => {
    t = await testApp({ on });
    t.app.now = () => now;
    staff = await createUser(t, { isStaff: true });
  });
  afterEach(() => t.close());
  const read = async () => (await staff.call('GET', '/api/stats/suggestions/')).json<Suggestions>();
  const hide = (key: string, isHidden = true) => staff.call('POST', '/api/stats/suggestions/hide/', { key, is_hidden: isHidden });
  const addCopy = async (videoId: string, sizeBytes: number) => {
    const path = `copies/${videoId}.small.mp4`;
    const file = join(t.app.config.mediaFolder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, 'copy');
    await t.app.db
      .insertInto('smallCopy')
      .values({ videoId, path, sizeBytes, sha256: '', width: 1280, height: 720, durationSeconds: 600, fetchedAt: now })
      .execute();
    return file;
  };

  test('of an empty archive are empty', async () => {
    const none = { count: 0, media_size: 0, data: [] };
    expect(await read()).toEqual({
      same_videos: none,
      unwatched_channels: { ...none, downloaded_to: '2026-10-16' },
      copies: null,
    });
  });

  test('list a video of two sites, best copy first, unless one is protected', async () => {
    const { db } = t.app;
    const channelId = await createChannel(db, { name: 'Trains' });
    const same = { channelId, title: 'Night train', durationSeconds: 600 };
    const small = await createVideo(db, { ...same, width: 1280, height: 720, sizeBytes: 900, sha256: 'a'.repeat(64) });
    const large = await createVideo(db, {
      ...same,
      id: 'vimeo.1',
      site: 'vimeo',
      title: 'NIGHT TRAIN',
      durationSeconds: 601,
      width: 1080,
      height: 1920,
      sizeBytes: 500,
    });
    await createVideo(db, { ...same, durationSeconds: 602 });
    await createVideo(db, { ...same, title: 'Day train' });
    const { same_videos: found } = await read();
    expect(found).toMatchObject({ count: 1, media_size: 900, data: [{ identical: false, media_size: 900 }] });
    const [first, second] = found.data[0]!.videos;
    expect(first).toEqual({
      youtube_id: large,
      title: 'NIGHT TRAIN',
      channel_name: 'Trains',
      site: 'vimeo',
      height: 1080,
      duration: 601,
      media_size: 500,
    });
    expect(second).toMatchObject({ youtube_id: small, site: 'youtube', height: 720 });
    await db
      .updateTable('video')
      .set({ sha256: 'a'.repeat(64), refreshedAt: now })
      .where('id', '=', large)
      .execute();
    expect((await read()).same_videos.data[0]!.identical).toBe(true);
    await staff.call('POST', `/api/video/${large}/protect/`, { is_protected: true });
    // The protected one drops out; the copy with 602 s is too long for the other.
    expect((await read()).same_videos.count).toBe(0);
    await staff.call('POST', `/api/video/${large}/protect/`, { is_protected: false });
    expect((await read()).same_videos.count).toBe(1);
    await db
      .updateTable('video')
      .set({ title: 'New', sortTitle: 'new', refreshedAt: now + 1 })
      .where('id', '=', small)
      .execute();
    expect((await read()).same_videos.data.map(({ videos }) => videos.map(({ duration }) => duration))).toEqual([[601, 602]]);
  });

  test('list channels of which no user has watched anything, with what their list shows', async () => {
    const { db } = t.app;
    const user = await createUser(t);
    const [never, watched, begun, fresh, gone] = await Promise.all(
      ['Never', 'Watched', 'Begun', 'Fresh', 'Gone'].map((name) => createChannel(db, { name })),
    );
    const old = { downloadedAt: now - 100 * day, sizeBytes: 10 };
    await createVideo(db, { ...old, channelId: never! });
    await createVideo(db, { ...old, channelId: never!, sizeBytes: 7 });
    await createVideo(db, { ...old, channelId: never!, isProtected: 1 });
    await createVideo(db, { ...old, channelId: never!, downloadedAt: now - 80 * day });
    await createVideo(db, { ...old, channelId: fresh!, downloadedAt: now - 80 * day });
    await createVideo(db, { ...old, channelId: gone!, isActive: 0 });
    await createVideo(db, { ...old, channelId: watched! });
    await createVideo(db, { ...old, channelId: begun! });
    const seen = await createVideo(db, { ...old, channelId: watched! });
    const open = await createVideo(db, { ...old, channelId: begun! });
    await user.call('POST', '/api/watched/', { id: seen, is_watched: true });
    await user.call('POST', `/api/video/${open}/progress/`, { position: 60 });
    const { unwatched_channels: found } = await read();
    expect(found).toMatchObject({
      count: 1,
      media_size: 17,
      data: [{ channel_id: never, channel_name: 'Never', videos: 2, media_size: 17 }],
    });
    await user.call('POST', '/api/watched/', { id: seen, is_watched: false });
    expect((await read()).unwatched_channels.data.map(({ channel_id: id }) => id).toSorted()).toEqual(
      [never, watched].toSorted(),
    );
  });

  test('count compatible copies, and delete chosen ones with their files', async () => {
    const { db } = t.app;
    const ids = [await createVideo(db, { title: 'One' }), await createVideo(db, { title: 'Two' })];
    const files = [await addCopy(ids[0]!, 30), await addCopy(ids[1]!, 12)];
    expect((await read()).copies).toMatchObject({ count: 2, media_size: 42 });
    const list = await staff.call('GET', '/api/video/copies/');
    expect(list.json()).toMatchObject({
      count: 2,
      media_size: 42,
      data: [
        { youtube_id: ids[0], title: 'One', height: 720, media_size: 30 },
        { youtube_id: ids[1], media_size: 12 },
      ],
    });
    const reply = await staff.call('POST', '/api/video/copies/delete/', { ids: [ids[0], ids[0], 'missing'] });
    expect(reply.json()).toEqual({ count: 1, media_size: 30 });
    await expect(access(files[0]!)).rejects.toThrow('ENOENT');
    await access(files[1]!);
    expect((await read()).copies).toMatchObject({ count: 1, media_size: 12 });
    expect(await db.selectFrom('pendingDeletion').selectAll().execute()).toEqual([]);
    expect((await staff.call('GET', `/api/video/${ids[0]}/`)).statusCode).toBe(200);
  });

  test('are hidden for 90 days or until their bytes have doubled, and shown again on request', async () => {
    const { app } = t;
    const { db } = app;
    /** Moves the clock; the login before has expired then. */
    const moveTo = async (time: number) => {
      app.now = () => time;
      staff = await createUser(t, { isStaff: true });
    };
    const id = await createVideo(db);
    await addCopy(id, 30);
    const titled = { title: 'Same', durationSeconds: 60 };
    await createVideo(db, titled);
    await createVideo(db, titled);
    const key = (await read()).same_videos.data[0]!.key;
    for (const one of [key, 'copies']) expect((await hide(one)).statusCode).toBe(204);
    expect(await read()).toMatchObject({ same_videos: { count: 0, media_size: 0, data: [] }, copies: null });
    const other = await createUser(t, { isStaff: true });
    expect((await other.call('GET', '/api/stats/suggestions/')).json<Suggestions>().copies).toBeNull();
    await hide(key, false);
    expect((await read()).same_videos.count).toBe(1);
    await addCopy(await createVideo(db), 29);
    expect((await read()).copies).toBeNull();
    await addCopy(await createVideo(db), 1);
    expect((await read()).copies).toMatchObject({ media_size: 60 });
    await hide('copies');
    await moveTo(now + 90 * day - 1);
    expect((await read()).copies).toBeNull();
    await moveTo(now + 90 * day);
    expect((await read()).copies).toMatchObject({ count: 3 });
    await hide(key);
    const stored = await db.selectFrom('setting').select('value').where('name', '=', 'suggestions.hidden').execute();
    expect(Object.keys(JSON.parse(stored[0]!.value) as object)).toEqual([key]);
    expect((await hide('same.missing')).statusCode).toBe(404);
    expect((await hide('same.missing', false)).statusCode).toBe(204);
  });

  test('have the bytes of a recount', async () => {
    const { db } = t.app;
    const channels = await Promise.all(['A', 'B', 'C'].map((name) => createChannel(db, { name })));
    const user = await createUser(t);
    const video = fc.record({
      channel: fc.nat(2),
      title: fc.constantFrom('x', 'y', 'z'),
      durationSeconds: fc.integer({ min: 10, max: 24 }),
      sizeBytes: fc.integer({ min: 1, max: 1e12 }),
      isProtected: fc.constantFrom(0 as const, 0 as const, 1 as const),
      isActive: fc.constantFrom(1 as const, 1 as const, 0 as const),
      ageDays: fc.constantFrom(1, 60, 89, 93, 400),
      position: fc.constantFrom(null, null, null, 5),
      copyBytes: fc.option(fc.integer({ min: 1, max: 1e9 })),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(video, { minLength: 1, maxLength: 8 }), async (videos) => {
        for (const { channel, ageDays, position, copyBytes, ...values } of videos) {
          const id = await createVideo(db, { ...values, channelId: channels[channel]!, downloadedAt: now - ageDays * day });
          if (position !== null) await user.call('POST', `/api/video/${id}/progress/`, { position });
          if (copyBytes !== null) await addCopy(id, copyBytes);
        }
        const found = await read();
        const rows = await db.selectFrom('video').selectAll().execute();
        // Every listed group really is of one title and length, and frees all but its best copy.
        const byId = new Map(rows.map((row) => [row.id, row]));
        const listed = found.same_videos.data.map(({ videos: some }) => some.map(({ youtube_id: id }) => byId.get(id)!));
        expect(new Set(listed.flat()).size).toBe(listed.flat().length);
        for (const [place, group] of listed.entries()) {
          const lengths = group.map(({ durationSeconds }) => durationSeconds);
          expect(new Set(group.map(({ title }) => title)).size).toBe(1);
          expect(Math.max(...lengths) - Math.min(...lengths)).toBeLessThanOrEqual(1);
          expect(group.some(({ isProtected }) => isProtected === 1)).toBe(false);
          const bytes = group.map(({ sizeBytes }) => sizeBytes);
          expect(found.same_videos.data[place]!.media_size).toBe(sum(bytes) - bytes[0]!);
        }
        // Nothing is missing: two of the same length are always in a group together.
        const twice = Object.groupBy(
          rows.filter(({ isProtected }) => isProtected === 0),
          ({ title, durationSeconds }) => `${title} ${durationSeconds}`,
        );
        for (const group of Object.values(twice))
          if (group!.length > 1) expect(listed.some((one) => group!.every((row) => one.includes(row)))).toBe(true);
        expect(found.same_videos.media_size).toBe(sum(found.same_videos.data.map(({ media_size: bytes }) => bytes)));
        // Channels, from the list that opens.
        const begun = new Set((await db.selectFrom('watch').select('videoId').execute()).map(({ videoId }) => videoId));
        const never = channels.filter((id) => !rows.some((row) => row.channelId === id && begun.has(row.id)));
        const expected = await Promise.all(
          never.map(async (id) => {
            const query = new URLSearchParams({
              channel: id,
              cleanup: 'unopened',
              active: 'true',
              downloaded_to: found.unwatched_channels.downloaded_to,
            });
            const list = (await staff.call('GET', `/api/video/bulk/?${query}`)).json<{ videos: number; media_size: number }>();
            const recount = rows.filter(
              (row) => row.channelId === id && row.isProtected === 0 && row.isActive === 1 && now - row.downloadedAt > 90 * day,
            );
            expect(list).toEqual({ videos: recount.length, media_size: sum(recount.map(({ sizeBytes }) => sizeBytes)) });
            return { channel_id: id, ...list };
          }),
        );
        const shown = found.unwatched_channels.data.map(({ channel_id, videos: count, media_size }) => ({
          channel_id,
          videos: count,
          media_size,
        }));
        expect(shown.toSorted((a, b) => (a.channel_id < b.channel_id ? -1 : 1))).toEqual(
          expected.filter(({ videos: count }) => count > 0).toSorted((a, b) => (a.channel_id < b.channel_id ? -1 : 1)),
        );
        const copies = await db.selectFrom('smallCopy').select('sizeBytes').execute();
        expect(found.copies?.media_size ?? 0).toBe(sum(copies.map(({ sizeBytes }) => sizeBytes)));
        // So that groups stay small. Copies and positions go with the videos.
        if (rows.length > 30) await db.deleteFrom('video').execute();
      }),
      { numRuns: 25 },
    );
  });

  test('are for staff only', async () => {
    const user = await createUser(t);
    for (const [method, path] of [
      ['GET', '/api/stats/suggestions/'],
      ['POST', '/api/stats/suggestions/hide/'],
      ['GET', '/api/video/copies/'],
      ['POST', '/api/video/copies/delete/'],
    ] as const)
      expect((await user.call(method, path, method === 'POST' ? { key: 'copies', ids: ['x'] } : undefined)).statusCode).toBe(403);
  });
});
