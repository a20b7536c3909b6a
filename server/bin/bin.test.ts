import { readdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { addExactly, type PlainRow } from '../db/copy.ts';
import { inCache, inEarlier } from '../library/removal.ts';
import { retention } from '../library/retention.ts';
import { exists } from '../media/shelf.ts';
import { aQueueItem, aVideo, engines } from '../testing.ts';
import { anArchiveWithBin, id } from '../testing-bin.ts';
import { settleFiles } from './files.ts';
import { keepBin } from './keep-bin.ts';

const day = 86_400;

describe.each(engines)('the bin, on $engine', (on) => {
  let a: Awaited<ReturnType<typeof anArchiveWithBin>>;
  beforeEach(async () => {
    a = await anArchiveWithBin(on);
  });
  afterEach(() => a.t.close());

  test('what is deleted is gone everywhere at once, and comes back with everything it had, byte by byte', async () => {
    const { db, clock, staff, other, channelId, stands, media, bin, change, remove, resting, content, complaints, aFullVideo } =
      a;
    await aFullVideo();
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
        deleted: clock.now,
        deleted_by: 'Ann',
        reason: null,
        goes: clock.now + 7 * day,
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
    const { t, db, clock, staff, channelId, stands, bin, count, remove, aFullVideo } = a;
    await aFullVideo();
    await remove();
    await keepBin(t.archive, 0);
    clock.now += 7 * day - 1;
    await keepBin(t.archive, 7 * day - 1);
    expect(await count()).toBe(1);
    clock.now++;
    await keepBin(t.archive, 7 * day);
    clock.now -= 7 * day; // sessions last no longer
    expect(await bin()).toMatchObject({ data: [], total_size: 0 });
    const { config } = t.archive;
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

  test('a clock that jumps on by years lets nothing go early, nor does one that comes back; each start counts for a day at most', async () => {
    const { t, clock, bin, count, remove, aFullVideo } = a;
    await aFullVideo();
    await remove();
    const begun = clock.now;
    const round = async (at: number, steady: number) => {
      clock.now = at;
      await keepBin(t.archive, steady);
      expect(await count()).toBe(1);
    };
    await round(begun, 0);
    await round(begun + 3650 * day, 300); // the clock is wrong
    await round(begun + 3650 * day + 300, 600);
    await round(begun + 900, 900); // and is right again
    expect((await bin()).data[0]!.goes).toBe(begun + 7 * day + 300);
    // Off for a month, and on again: another archive object is another run.
    t.archive = { ...t.archive };
    await round(begun + 30 * day, 5);
    clock.now = begun + 900;
    await round(begun + 36 * day - 1000, 6 * day - 995);
    clock.now = begun + 36 * day;
    await keepBin(t.archive, 6 * day + 5);
    expect(await count()).toBe(0);
  });

  test('what came again meanwhile is not overwritten, in the archive, on the disk, nor on its way', async () => {
    const { db, clock, staff, channelId, stands, put, media, bin, change, remove, resting, aFullVideo } = a;
    await aFullVideo();
    await remove();
    await put(media(`${id}.mp4`), 'another one');
    const refusal = async () => (await change('restore', id)).refused[0]?.error;
    expect(await refusal()).toMatch(/Another file stands at/);
    await rename(stands(media(`${id}.mp4`)), stands('away'));
    await aVideo(db, { id, channelId });
    expect(await refusal()).toMatch(/downloaded again meanwhile/);
    // The files are that one's: nobody is told to move them away.
    await put(media(`${id}.mp4`), 'another one');
    expect(await refusal()).toMatch(/downloaded again meanwhile/);
    // Deleted once more, both are there; by its id it is the newer.
    await remove();
    expect((await bin()).data.map((one) => one.youtube_id)).toEqual([id, id]);
    expect((await resting()).filter((name) => name.endsWith('.mp4'))).toHaveLength(2);
    await aQueueItem(db, { id });
    const lease = { leasedBy: 'somebody', leaseUntil: clock.now + 60 };
    await db.updateTable('download').set(lease).where('id', '=', id).execute();
    expect(await refusal()).toMatch(/being downloaded again just now/);
    await db
      .updateTable('download')
      .set({ leaseUntil: clock.now - 1 })
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

  test('the picture of its item in the queue does not keep a video in the bin, also where a crash came between', async () => {
    const { t, db, staff, stands, put, change, remove, aFullVideo } = a;
    const picture = inCache(`videos/s/${id}.jpg`);
    await aFullVideo();
    const before = await readFile(stands(picture), 'utf8');
    await remove();
    await aQueueItem(db, { id });
    await put(picture, 'of the queue');
    expect(await change('restore', id)).toEqual({ done: 1, refused: [] });
    expect(await readFile(stands(picture), 'utf8')).toBe(before);
    expect((await staff.call('GET', '/api/download/')).json().data).toEqual([]);

    await remove();
    await put(picture, 'of the queue');
    await db.updateTable('binFile').set({ state: 'returning' }).execute();
    await settleFiles(t.archive);
    expect(await readFile(stands(picture), 'utf8')).toBe(before);
    expect(await db.selectFrom('binFile').selectAll().execute()).toEqual([]);
  });

  test('what a deletion put on the ignore list is taken from it again, and nothing else is', async () => {
    const { db, staff, change, remove, aFullVideo } = a;
    const ignored = async () =>
      ((await staff.call('GET', '/api/download/?filter=ignore')).json().data as { youtube_id: string }[]).map(
        (one) => one.youtube_id,
      );
    await aFullVideo();
    await remove('?ignore=true');
    expect(await ignored()).toEqual([id]);
    await change('restore', id);
    expect(await ignored()).toEqual([]);
    await aQueueItem(db, { id, status: 'ignore' });
    await remove('?ignore=true');
    await change('restore', id);
    expect(await ignored()).toEqual([id]);
  });

  test('a rule, a channel and a playlist go into it too, and it says who or what it was', async () => {
    const { t, db, staff, channelId, stands, put, bin, change, aFullVideo } = a;
    await aFullVideo();
    await db.updateTable('video').set({ isKept: 0 }).where('id', '=', id).execute();
    await db.deleteFrom('watch').where('accountId', '=', staff.id).execute();
    await t.archive.tasks.start(retention, {});
    await t.runner.idle();
    expect((await bin()).data).toMatchObject([{ youtube_id: id, deleted_by: null, reason: expect.stringContaining('9 days') }]);
    await change('restore', id);
    // Who puts back what a rule took wants it: the next night leaves it alone.
    await t.archive.tasks.start(retention, {});
    await t.runner.idle();
    expect((await bin()).data).toEqual([]);
    expect((await staff.call('GET', `/api/video/${id}/`)).json()).toMatchObject({ is_kept: true });
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
});
