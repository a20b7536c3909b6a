import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Bin, BinAnswer } from '#contract/bin.ts';
import { addExactly, pagesOf, type PlainRow } from '../db/copy.ts';
import { dataTables } from '../db/kept.ts';
import { brokenPromises } from '../library/invariants.ts';
import { inCache, inEarlier, removePending, whereIs } from '../library/removal.ts';
import { retention } from '../library/retention.ts';
import { exists } from '../media/shelf.ts';
import { aChannel, aQueueItem, aUser, aVideo, engines, testArchive, type TestArchive } from '../testing.ts';
import { earlierFolder } from '../video/earlier.ts';
import { settleFiles } from './files.ts';
import { keepBin } from './keep-bin.ts';
import { makeRoom } from './make-room.ts';

const day = 86_400;
const id = 'slipVideo01';

describe.each(engines)('the bin, on $engine', (on) => {
  let t: TestArchive;
  let staff: Awaited<ReturnType<typeof aUser>>;
  let other: Awaited<ReturnType<typeof aUser>>;
  let channelId: string;
  let clock: number;
  beforeEach(async () => {
    t = await testArchive({ on });
    await t.runner.begin();
    clock = t.archive.now();
    t.archive.now = () => clock;
    staff = await aUser(t, { isStaff: true, name: 'Ann' });
    other = await aUser(t, { name: 'Ben' });
    channelId = await aChannel(t.archive.db, { name: 'Bread', overwrites: '{"autodelete_days":9}' });
  });
  afterEach(() => t.close());

  const stands = (path: string) => whereIs(t.archive, path);
  const put = async (path: string, text: string) => {
    await mkdir(dirname(stands(path)), { recursive: true });
    await writeFile(stands(path), text);
  };
  const media = (name: string) => `${channelId}/${name}`;
  const bin = async () => (await staff.call('GET', '/api/bin/')).json<Bin>();
  const count = async () => (await t.archive.db.selectFrom('bin').select('number').execute()).length;
  const change = async (action: 'restore' | 'delete', ...ids: (string | number)[]) =>
    (await staff.call('POST', '/api/bin/', { action, ids })).json<BinAnswer>();
  const remove = async (query = '', video = id) =>
    expect((await staff.call('DELETE', `/api/video/${video}/${query}`)).statusCode).toBe(204);
  const resting = async (root = t.archive.config.mediaFolder) =>
    (await readdir(join(root, '.bin'), { recursive: true, withFileTypes: true }).catch(() => []))
      .filter((entry) => entry.isFile())
      .map(({ name }) => name)
      .sort();
  /** What the archive holds, but for what lasts no longer than the bin. */
  const content = async () => {
    const all: Record<string, PlainRow[]> = {};
    for (const table of dataTables) {
      all[table] = [];
      for await (const page of pagesOf(t.archive.db, table, 50)) all[table].push(...page);
    }
    return all;
  };
  const complaints = () => Array.fromAsync(brokenPromises(t.archive));

  /** A video with everything that one can have. */
  async function aFullVideo(video = id) {
    const { db } = t.archive;
    await aVideo(db, { id: video, channelId, title: 'A slip', isKept: 1, commentCount: 3, sizeBytes: 9, tags: '["a"]' });
    await addExactly(db, 'stream', [
      { videoId: video, position: 0, type: 'video', codec: 'h264', bitrate: 1, width: 2, height: 3 },
    ]);
    const path = media(`${video}.en.vtt`);
    await addExactly(db, 'subtitle', [{ videoId: video, lang: 'en', source: 'user', name: 'English', path }]);
    const lines = Array.from({ length: 1201 }, (_, position) => ({
      videoId: video,
      lang: 'en',
      position,
      startSeconds: position * 1.5,
      endSeconds: position * 1.5 + 1.25,
      text: `flour “${position}”\n`,
    }));
    await addExactly(db, 'line', lines);
    const comment = { parent: 'root', author: 'Who', authorId: 'x', authorThumbnail: '', writtenAt: 5, likeCount: null };
    const flags = { isFavorited: 0, isByUploader: 1 };
    const comments = ['a', 'b', 'c'].map((one, position) => ({
      videoId: video,
      id: one,
      position,
      text: one,
      ...comment,
      ...flags,
    }));
    await addExactly(db, 'comment', comments);
    await addExactly(db, 'earlier', [{ videoId: video, what: 'thumbnail', until: 5, value: `${video}-5.jpg` }]);
    for (const [one, watchedAt] of [
      [staff, null],
      [other, 7],
    ] as const)
      await addExactly(db, 'watch', [{ accountId: one.id, videoId: video, watchedAt, positionSeconds: 12.5, updatedAt: 8 }]);
    await mkdir(earlierFolder(t.archive), { recursive: true });
    await put(inEarlier(`${video}-5.jpg`), 'before');
    await put(media(`${video}.mp4`), 'the film!');
    await put(media(`${video}.info.json`), '{}');
    await put(path, 'WEBVTT');
    await put(inCache(`videos/s/${video}.jpg`), 'picture');
  }

  test('what is deleted is gone everywhere at once, and comes back with everything it had, byte by byte', async () => {
    await aFullVideo();
    const { db } = t.archive;
    const lists = ['first', 'second', 'third'];
    const rest = await aVideo(db, { channelId });
    for (const list of lists) {
      await db.insertInto('playlist').values({ id: list, kind: 'custom', name: list, sortName: list, refreshedAt: 1 }).execute();
      for (const [position, videoId] of [rest, id, 'elsewhere00'].entries())
        await addExactly(db, 'playlistEntry', [{ playlistId: list, position, videoId, title: 't', uploader: null }]);
    }
    const before = await content();
    await remove();

    for (const url of [
      `/api/video/${id}/`,
      `/youtube/${media(`${id}.mp4`)}`,
      `/youtube/${media(`${id}.en.vtt`)}`,
      `/cache/videos/s/${id}.jpg`,
    ])
      expect((await other.call('GET', url)).statusCode, url).toBe(404);
    expect((await other.call('GET', '/api/video/')).json().data).toHaveLength(1);
    expect((await other.call('GET', '/api/playlist/first/')).json().playlist_entries).toHaveLength(2);
    expect((await other.call('GET', '/api/stats/video/')).json().doc_count).toBe(1);
    expect((await staff.call('GET', '/api/stats/storage/')).json().bin_size).toBe(9);
    for (const table of ['line', 'comment', 'watch', 'subtitle'] as const)
      expect(await db.selectFrom(table).selectAll().where('videoId', '=', id).execute(), table).toEqual([]);
    expect(await resting()).toEqual([`${id}.en.vtt`, `${id}.info.json`, `${id}.mp4`]);
    expect(await readdir(stands(channelId))).toEqual([]);
    expect((await bin()).data).toEqual([
      {
        id: expect.any(Number),
        youtube_id: id,
        title: 'A slip',
        channel_id: channelId,
        channel_name: 'Bread',
        media_size: 9,
        thumb_url: expect.any(String),
        deleted: clock,
        deleted_by: 'Ann',
        reason: null,
        goes: clock + 7 * day,
      },
    ]);
    const [entry] = (await bin()).data;
    expect((await staff.call('GET', entry!.thumb_url)).body).toBe('picture');
    expect((await other.call('GET', entry!.thumb_url)).statusCode).toBe(403);

    // One list has something in its place, one is gone.
    await addExactly(db, 'playlistEntry', [{ playlistId: 'second', position: 1, videoId: 'other', title: 't', uploader: null }]);
    await staff.call('DELETE', '/api/playlist/third/');
    expect(await change('restore', id)).toEqual({ done: 1, refused: [] });
    const after = await content();
    const ofLists = (some: PlainRow[]) => some.filter((row) => row['playlistId'] === 'first');
    expect(ofLists(after['playlistEntry']!)).toEqual(ofLists(before['playlistEntry']!));
    expect(after['playlistEntry']!.at(-1)).toMatchObject({ playlistId: 'second', position: 3, videoId: id });
    for (const own of ['playlistEntry', 'playlist']) for (const all of [before, after]) delete all[own];
    expect(after).toEqual(before);
    expect(await readFile(stands(media(`${id}.mp4`)), 'utf8')).toBe('the film!');
    expect((await other.call('GET', `/cache/videos/s/${id}.jpg`)).body).toBe('picture');
    expect(await resting()).toEqual([]);
    expect((await other.call('GET', '/api/stats/video/')).json().doc_count).toBe(2);
    expect((await complaints()).filter((one) => one.includes(id))).toEqual([]);
  });

  test('what rested long enough goes for good, with every file; with no days at all nothing rests', async () => {
    await aFullVideo();
    await remove();
    clock += 7 * day - 1;
    await keepBin(t.archive);
    expect(await count()).toBe(1);
    clock++;
    await keepBin(t.archive);
    clock -= 7 * day; // sessions last no longer
    expect(await bin()).toMatchObject({ data: [], total_size: 0 });
    const { config, db } = t.archive;
    for (const root of [config.mediaFolder, config.cacheFolder]) expect(await readdir(join(root, '.bin'))).toEqual([]);
    expect(await exists(stands(inEarlier(`${id}-5.jpg`)))).toBe(false);
    for (const table of ['binRows', 'binFile', 'removal'] as const)
      expect(await db.selectFrom(table).selectAll().execute()).toEqual([]);

    await staff.call('POST', '/api/appsettings/config/', { bin: { days: 0 } });
    await aFullVideo('atOnceVid01');
    await remove('', 'atOnceVid01');
    expect((await bin()).data).toEqual([]);
    expect(await readdir(stands(channelId))).toEqual([]);
    expect(await exists(stands(inEarlier('atOnceVid01-5.jpg')))).toBe(false);
  });

  test('what came again meanwhile is not overwritten, in the archive, on the disk, nor on its way', async () => {
    await aFullVideo();
    await remove();
    await aVideo(t.archive.db, { id, channelId });
    await put(media(`${id}.mp4`), 'another one');
    const refusal = async () => (await change('restore', id)).refused[0]?.error;
    expect(await refusal()).toMatch(/Another file stands at/);
    await rename(stands(media(`${id}.mp4`)), stands('away'));
    expect(await refusal()).toMatch(/downloaded again meanwhile/);
    // Deleted once more, both are there; by its id it is the newer.
    await put(media(`${id}.mp4`), 'another one');
    await remove();
    expect((await bin()).data.map((one) => one.youtube_id)).toEqual([id, id]);
    expect((await resting()).filter((name) => name.endsWith('.mp4'))).toHaveLength(2);
    await aQueueItem(t.archive.db, { id });
    const lease = { leasedBy: 'somebody', leaseUntil: clock + 60 };
    await t.archive.db.updateTable('download').set(lease).where('id', '=', id).execute();
    expect(await refusal()).toMatch(/being downloaded again just now/);
    await t.archive.db
      .updateTable('download')
      .set({ leaseUntil: clock - 1 })
      .where('id', '=', id)
      .execute();
    const older = (await bin()).data[1]!.id;
    expect(await change('restore', older, 999, 'nobody')).toMatchObject({ done: 1, refused: [{ id: 999 }, { id: 'nobody' }] });
    expect(await readFile(stands(media(`${id}.mp4`)), 'utf8')).toBe('the film!');
    expect((await staff.call('GET', '/api/download/')).json().data).toEqual([]);
    expect(await change('delete', id)).toEqual({ done: 1, refused: [] });
    expect(await bin()).toMatchObject({ data: [], total_size: 0 });
    expect(await readFile(stands(media(`${id}.mp4`)), 'utf8')).toBe('the film!');
  });

  test('what a deletion put on the ignore list is taken from it again, and nothing else is', async () => {
    const ignored = async () =>
      ((await staff.call('GET', '/api/download/?filter=ignore')).json().data as { youtube_id: string }[]).map(
        (one) => one.youtube_id,
      );
    await aFullVideo();
    await remove('?ignore=true');
    expect(await ignored()).toEqual([id]);
    await change('restore', id);
    expect(await ignored()).toEqual([]);
    await aQueueItem(t.archive.db, { id, status: 'ignore' });
    await remove('?ignore=true');
    await change('restore', id);
    expect(await ignored()).toEqual([id]);
  });

  test('a rule, a channel and a playlist go into it too, and it says who or what it was', async () => {
    const { db } = t.archive;
    await aFullVideo();
    await db.updateTable('video').set({ isKept: 0 }).where('id', '=', id).execute();
    await db.deleteFrom('watch').where('accountId', '=', staff.id).execute();
    await t.archive.tasks.start(retention, {});
    await t.runner.idle();
    expect((await bin()).data).toMatchObject([{ youtube_id: id, deleted_by: null, reason: expect.stringContaining('9 days') }]);
    await change('restore', id);
    await put(inCache(`channels/${channelId}_thumb.jpg`), 'face');
    expect((await staff.call('DELETE', `/api/channel/${channelId}/`)).statusCode).toBe(204);
    expect((await staff.call('GET', `/api/channel/${channelId}/`)).statusCode).toBe(404);
    expect((await bin()).data).toMatchObject([{ youtube_id: id, deleted_by: 'Ann' }]);
    await change('restore', id);
    const channel = (await staff.call('GET', `/api/channel/${channelId}/`)).json();
    expect(channel).toMatchObject({
      channel_name: 'Bread',
      channel_subscribed: false,
      channel_overwrites: { autodelete_days: 9 },
    });
    expect(await exists(stands(inCache(`channels/${channelId}_thumb.jpg`)))).toBe(true);
    await staff.call('DELETE', `/api/channel/${channelId}/`);
    expect((await staff.call('DELETE', '/api/bin/')).json()).toEqual({ deleted: 1, media_size: 9 });
    expect(await exists(stands(inCache(`channels/${channelId}_thumb.jpg`)))).toBe(false);
  });

  test('while the disk is away nothing is lost, and all of it is done when it is back', async () => {
    await aFullVideo();
    const root = t.archive.config.mediaFolder;
    const away = async (work: () => Promise<void>) => {
      await rename(root, `${root}.away`);
      await mkdir(root);
      await work();
      await rename(root, `${root}.mistaken`);
      await rename(`${root}.away`, root);
    };
    await away(async () => {
      await remove();
      clock += 30 * day;
      await keepBin(t.archive);
      clock -= 30 * day;
      expect(await count()).toBe(1);
      expect((await change('restore', id)).refused[0]?.error).toMatch(/does not seem to be mounted/);
    });
    expect(await resting()).toEqual([]);
    expect(await exists(stands(media(`${id}.mp4`)))).toBe(true);
    expect((await complaints()).filter((one) => one.includes(id))).toEqual([]);
    await settleFiles(t.archive);
    expect(await resting()).toContain(`${id}.mp4`);
    expect(await change('restore', id)).toEqual({ done: 1, refused: [] });
    expect(await readFile(stands(media(`${id}.mp4`)), 'utf8')).toBe('the film!');
  });

  test('a file that cannot be moved stays where it is, stands in nobody’s way for good, and is tried again', async () => {
    await aFullVideo();
    // A file where the folder of the bin should be.
    await writeFile(join(t.archive.config.mediaFolder, '.bin'), '');
    await remove();
    expect(await readFile(stands(media(`${id}.mp4`)), 'utf8')).toBe('the film!');
    expect((await staff.call('GET', `/api/video/${id}/`)).statusCode).toBe(404);
    // Before it could be moved it is put back, or goes for good.
    expect(await change('restore', id)).toEqual({ done: 1, refused: [] });
    expect(await readFile(stands(media(`${id}.mp4`)), 'utf8')).toBe('the film!');
    await remove();
    expect(await change('delete', id)).toEqual({ done: 1, refused: [] });
    await removePending(t.archive);
    expect(await readdir(stands(channelId))).toEqual([]);
    // And when the hindrance is gone it goes where it belongs.
    await aFullVideo('againVideo1');
    await remove('', 'againVideo1');
    await rm(join(t.archive.config.mediaFolder, '.bin'));
    await keepBin(t.archive);
    expect(await resting()).toContain('againVideo1.mp4');
    expect(await readdir(stands(channelId))).toEqual([]);
  });

  test('where downloads find no room the oldest go, no more than it takes, and none when that would not do', async () => {
    const { db } = t.archive;
    await staff.call('POST', '/api/appsettings/config/', { queue: { reserve: 99_999 } });
    for (const [video, sizeBytes] of [
      ['oldestVideo', 60e12],
      ['middleVideo', 60e12],
      ['newestVideo', 60e12],
    ] as const) {
      await aVideo(db, { id: video, channelId, sizeBytes });
      clock++;
    }
    await remove('', 'oldestVideo');
    clock++;
    expect(await makeRoom(t.archive)).toEqual([]);
    await remove('', 'middleVideo');
    clock++;
    await remove('', 'newestVideo');
    expect(await makeRoom(t.archive)).toMatchObject([{ videoId: 'oldestVideo' }, { videoId: 'middleVideo' }]);
    expect((await bin()).data.map((one) => one.youtube_id)).toEqual(['newestVideo']);
    await staff.call('POST', '/api/appsettings/config/', { queue: { reserve: 0 } });
    expect(await makeRoom(t.archive)).toEqual([]);
  });

  test('a file that a video misses after going back to a backup is found in the folder of the bin', async () => {
    await aFullVideo();
    const before = await content();
    await remove();
    // As a restore leaves it: the rows of then, the files of now.
    for (const table of ['bin', 'binFile'] as const) await t.archive.db.deleteFrom(table).execute();
    for (const table of ['video', 'subtitle', 'comment'] as const) await addExactly(t.archive.db, table, before[table]!);
    await t.archive.db.updateTable('video').set({ damage: 'The file is missing.' }).execute();
    expect(await complaints()).toContainEqual(expect.stringContaining('belongs to nothing in the bin'));
    await keepBin(t.archive);
    expect(await readFile(stands(media(`${id}.mp4`)), 'utf8')).toBe('the film!');
    expect(await exists(stands(media(`${id}.en.vtt`)))).toBe(true);
    expect((await staff.call('GET', `/api/video/${id}/`)).json().damage).toBeUndefined();
    expect(await complaints()).toEqual([]);
  });
});
