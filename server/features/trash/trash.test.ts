import { markSeen } from '../../archive/queue/seen-entries.ts';
import { readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { insertExactly, type PlainRow } from '../../platform/db/copy/bulk-copy.ts';
import { retention } from '../library/retention/retention.ts';
import { createState } from '../../app/create-state.ts';
import { exists } from '../../platform/files/files.ts';
import { createQueueItem, createVideo, engines } from '../../test-support/app.ts';
import { createAppWithTrash, id } from '../../test-support/trash.ts';
import { trashReplacedFile } from '../../archive/storage/replaced-file.ts';
import { moveTrashFiles, newTrashFolder } from '../../archive/storage/trash-files.ts';
import { inTransaction } from '../../platform/db/db.ts';
import { purgeExpired } from './purge-job.ts';
import { inCache, inHistory } from '../../platform/storage/stored-path.ts';

const day = 86_400;

describe.each(engines)('the trash, on $engine', (on) => {
  let app: Awaited<ReturnType<typeof createAppWithTrash>>;
  beforeEach(async () => {
    app = await createAppWithTrash(on);
  });
  afterEach(() => app.t.close());

  test('hides a deleted video everywhere, and restores all of its data', async () => {
    const {
      db,
      clock,
      staff,
      other,
      channelId,
      resolvePath,
      media,
      readTrash,
      act,
      remove,
      trashedFiles,
      content,
      inconsistencies,
      createFullVideo,
    } = app;
    await createFullVideo();
    const lists = ['first', 'second', 'third'];
    const otherVideoId = await createVideo(db, { channelId });
    for (const list of lists) {
      await db.insertInto('playlist').values({ id: list, kind: 'custom', name: list, sortName: list, refreshedAt: 1 }).execute();
      for (const [position, videoId] of [otherVideoId, id, 'elsewhere00'].entries())
        await insertExactly(db, 'playlistEntry', [{ playlistId: list, position, videoId, title: 't', uploader: null }]);
    }
    await markSeen(db, [{ videoId: id, channelId, title: 'Seen', kind: 'videos', isMembersOnly: 0, seenAt: 1 }]);
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
    expect((await staff.call('GET', '/api/stats/storage/')).json().trash_size).toBe(9);
    for (const table of ['transcriptLine', 'comment', 'watch', 'subtitle'] as const)
      expect(await db.selectFrom(table).selectAll().where('videoId', '=', id).execute(), table).toEqual([]);
    expect(await trashedFiles()).toEqual([`${id}.en.vtt`, `${id}.info.json`, `${id}.mp4`]);
    expect(await readdir(resolvePath(channelId))).toEqual([]);
    expect((await readTrash()).data).toEqual([
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
        is_replaced_file: false,
        reason: null,
        reason_messages: null,
        purge_at: clock.now + 7 * day,
      },
    ]);
    const [entry] = (await readTrash()).data;
    expect((await staff.call('GET', entry!.thumb_url)).body).toBe('picture');
    expect((await other.call('GET', entry!.thumb_url)).statusCode).toBe(403);

    // In one playlist another video has the position; one playlist is deleted.
    await insertExactly(db, 'playlistEntry', [
      { playlistId: 'second', position: 1, videoId: 'other', title: 't', uploader: null },
    ]);
    await staff.call('DELETE', '/api/playlist/third/');
    expect(await act('restore', id)).toEqual({ done: 1, refused: [] });
    const after = await content();
    const entriesOfFirst = (rows: PlainRow[]) => rows.filter((row) => row['playlistId'] === 'first');
    expect(entriesOfFirst(after['playlistEntry']!)).toEqual(entriesOfFirst(before['playlistEntry']!));
    expect(after['playlistEntry']!.at(-1)).toMatchObject({ playlistId: 'second', position: 3, videoId: id });
    for (const table of ['playlistEntry', 'playlist']) for (const all of [before, after]) delete all[table];
    expect(after).toEqual(before);
    expect(await readFile(resolvePath(media(`${id}.mp4`)), 'utf8')).toBe('the film!');
    expect((await other.call('GET', `/cache/videos/s/${id}.jpg`)).body).toBe('picture');
    expect(await trashedFiles()).toEqual([]);
    expect((await other.call('GET', '/api/stats/video/')).json().doc_count).toBe(2);
    expect((await inconsistencies()).filter((one) => one.includes(id))).toEqual([]);
  });

  test('purges items with all files after the retention period, immediately with 0 days', async () => {
    const { t, db, clock, staff, channelId, resolvePath, readTrash, count, remove, createFullVideo } = app;
    await createFullVideo();
    await remove();
    await purgeExpired(t.app, 0);
    clock.now += 7 * day - 1;
    await purgeExpired(t.app, 7 * day - 1);
    expect(await count()).toBe(1);
    clock.now++;
    await purgeExpired(t.app, 7 * day);
    clock.now -= 7 * day; // the session would be expired
    expect(await readTrash()).toMatchObject({ data: [], total_size: 0 });
    const { config } = t.app;
    for (const root of [config.mediaFolder, config.cacheFolder]) expect(await readdir(join(root, '.trash'))).toEqual([]);
    expect(await exists(resolvePath(inHistory(`${id}-5.jpg`)))).toBe(false);
    for (const table of ['trashRows', 'trashFile', 'pendingDeletion'] as const)
      expect(await db.selectFrom(table).selectAll().execute()).toEqual([]);

    await staff.call('POST', '/api/appsettings/config/', { trash: { days: 0 } });
    await createFullVideo('atOnceVid01');
    await remove('', 'atOnceVid01');
    expect((await readTrash()).data).toEqual([]);
    expect(await readdir(resolvePath(channelId))).toEqual([]);
    expect(await exists(resolvePath(inHistory('atOnceVid01-5.jpg')))).toBe(false);
  });

  test('a clock jump purges nothing early; each start counts at most one day', async () => {
    const { t, clock, readTrash, count, remove, createFullVideo } = app;
    await createFullVideo();
    await remove();
    const deletedAt = clock.now;
    const purgeAt = async (at: number, uptime: number) => {
      clock.now = at;
      await purgeExpired(t.app, uptime);
      expect(await count()).toBe(1);
    };
    await purgeAt(deletedAt, 0);
    await purgeAt(deletedAt + 3650 * day, 300); // the clock jumps ahead
    await purgeAt(deletedAt + 3650 * day + 300, 600);
    await purgeAt(deletedAt + 900, 900); // and is corrected
    expect((await readTrash()).data[0]!.purge_at).toBe(deletedAt + 7 * day + 300);
    // The server is off for a month and starts again with empty state.
    t.app = { ...t.app, state: createState(t.app) };
    await purgeAt(deletedAt + 30 * day, 5);
    clock.now = deletedAt + 900;
    await purgeAt(deletedAt + 36 * day - 1000, 6 * day - 995);
    clock.now = deletedAt + 36 * day;
    await purgeExpired(t.app, 6 * day + 5);
    expect(await count()).toBe(0);
  });

  test('overwrites nothing that was archived again, is on disk, or is being downloaded', async () => {
    const { db, clock, staff, channelId, resolvePath, put, media, readTrash, act, remove, trashedFiles, createFullVideo } = app;
    await createFullVideo();
    await remove();
    await put(media(`${id}.mp4`), 'another one');
    const restoreError = async () => (await act('restore', id)).refused[0]?.error;
    expect(await restoreError()).toMatch(/Another file exists at/);
    await rename(resolvePath(media(`${id}.mp4`)), resolvePath('away'));
    await createVideo(db, { id, channelId });
    expect(await restoreError()).toMatch(/was downloaded again/);
    // The files belong to the new video, so the error does not suggest to move them.
    await put(media(`${id}.mp4`), 'another one');
    expect(await restoreError()).toMatch(/was downloaded again/);
    // After the second deletion the trash contains both; the video id refers to the newer one.
    await remove();
    expect((await readTrash()).data.map((one) => one.youtube_id)).toEqual([id, id]);
    expect((await trashedFiles()).filter((name) => name.endsWith('.mp4'))).toHaveLength(2);
    await createQueueItem(db, { id });
    const lease = { leasedBy: 'somebody', leaseUntil: clock.now + 60 };
    await db.updateTable('download').set(lease).where('id', '=', id).execute();
    expect(await restoreError()).toMatch(/being downloaded again/);
    await db
      .updateTable('download')
      .set({ leaseUntil: clock.now - 1 })
      .where('id', '=', id)
      .execute();
    const older = (await readTrash()).data[1]!.id;
    expect(await act('restore', older, 999, 'nobody')).toMatchObject({ done: 1, refused: [{ id: 999 }, { id: 'nobody' }] });
    expect(await readFile(resolvePath(media(`${id}.mp4`)), 'utf8')).toBe('the film!');
    expect((await staff.call('GET', '/api/download/')).json().data).toEqual([]);
    expect(await act('delete', id)).toEqual({ done: 1, refused: [] });
    expect(await readTrash()).toMatchObject({ data: [], total_size: 0 });
    expect(await readFile(resolvePath(media(`${id}.mp4`)), 'utf8')).toBe('the film!');
  });

  test('a queue thumbnail does not keep a video in the trash, also after a crash', async () => {
    const { t, db, staff, resolvePath, put, act, remove, createFullVideo } = app;
    const picture = inCache(`videos/s/${id}.jpg`);
    await createFullVideo();
    const before = await readFile(resolvePath(picture), 'utf8');
    await remove();
    await createQueueItem(db, { id });
    await put(picture, 'of the queue');
    expect(await act('restore', id)).toEqual({ done: 1, refused: [] });
    expect(await readFile(resolvePath(picture), 'utf8')).toBe(before);
    expect((await staff.call('GET', '/api/download/')).json().data).toEqual([]);

    await remove();
    await put(picture, 'of the queue');
    await db.updateTable('trashFile').set({ state: 'returning' }).execute();
    await moveTrashFiles(t.app);
    expect(await readFile(resolvePath(picture), 'utf8')).toBe(before);
    expect(await db.selectFrom('trashFile').selectAll().execute()).toEqual([]);
  });

  describe('a file that was replaced', () => {
    /** Replaces the file of the video as a download does that found a better one. */
    async function replace() {
      const { t, db, put, media, createFullVideo } = app;
      await createFullVideo();
      const folder = newTrashFolder();
      const now = t.app.now();
      await inTransaction(db, (tx) => trashReplacedFile(tx, t.app.files, { videoId: id, folder, now }));
      await moveTrashFiles(t.app, folder);
      await put(media(`${id}.webm`), 'the better film');
      await db
        .updateTable('video')
        .set({ mediaPath: media(`${id}.webm`), sizeBytes: 15 })
        .where('id', '=', id)
        .execute();
    }
    const film = async () => (await app.staff.call('GET', `/api/video/${id}/`)).json().media_size as number;

    test('changes places with the present one, whose data of users stay', async () => {
      const { readTrash, act, trashedFiles, inconsistencies, resolvePath, media, content } = app;
      await replace();
      const watch = (await content())['watch'];
      const [entry] = (await readTrash()).data;
      expect(entry).toMatchObject({ youtube_id: id, is_replaced_file: true, media_size: 9 });
      expect(await trashedFiles()).toEqual([`${id}.mp4`]);
      // An id of a video means its deletion.
      expect((await act('restore', id)).refused).toMatchObject([{ error: 'video not found in the trash' }]);
      expect(await act('restore', entry!.id)).toEqual({ done: 1, refused: [] });
      expect(await film()).toBe(9);
      expect(await readFile(resolvePath(media(`${id}.mp4`)), 'utf8')).toBe('the film!');
      expect(await trashedFiles()).toEqual([`${id}.webm`]);
      expect((await content())['watch']).toEqual(watch);
      expect(await inconsistencies()).toEqual([]);
    });

    test('is not restored without its video, nor over an unknown file', async () => {
      const { readTrash, act, remove, put, media, inconsistencies } = app;
      await replace();
      const [entry] = (await readTrash()).data;
      await put(media(`${id}.mp4`), 'unknown');
      expect((await act('restore', entry!.id)).refused).toMatchObject([{ error: expect.stringContaining('is not overwritten') }]);
      await remove();
      const text = 'The video of this file was deleted. Restore the video first, then this file.';
      expect((await act('restore', entry!.id)).refused).toMatchObject([{ error: text }]);
      await rm(app.resolvePath(media(`${id}.mp4`)));
      expect(await act('restore', id)).toEqual({ done: 1, refused: [] });
      expect(await film()).toBe(15);
      expect(await act('restore', entry!.id)).toEqual({ done: 1, refused: [] });
      expect(await film()).toBe(9);
      expect(await inconsistencies()).toEqual([]);
    });

    test('changes places completely after a crash before the files moved', async () => {
      const { t, db, media, put, resolvePath } = app;
      const folders = ['0000', 'ffff'] as const; // by name, the file that returns comes first
      const path = media(`${id}.mp4`);
      await put(path, 'present');
      await put(`.trash/${folders[0]}/${id}.mp4`, 'earlier');
      await db
        .insertInto('trashFile')
        .values([
          { folder: folders[0], name: `${id}.mp4`, path, state: 'returning' },
          { folder: folders[1], name: `${id}.mp4`, path, state: 'leaving' },
        ])
        .execute();
      await moveTrashFiles(t.app);
      expect(await readFile(resolvePath(path), 'utf8')).toBe('earlier');
      expect(await readFile(resolvePath(`.trash/${folders[1]}/${id}.mp4`), 'utf8')).toBe('present');
    });
  });

  test('a restore removes exactly the ignore entries of the deletion', async () => {
    const { db, staff, act, remove, createFullVideo } = app;
    const ignored = async () =>
      ((await staff.call('GET', '/api/download/?filter=ignore')).json().data as { youtube_id: string }[]).map(
        (one) => one.youtube_id,
      );
    await createFullVideo();
    await remove('?ignore=true');
    expect(await ignored()).toEqual([id]);
    await act('restore', id);
    expect(await ignored()).toEqual([]);
    await createQueueItem(db, { id, status: 'ignore' });
    await remove('?ignore=true');
    await act('restore', id);
    expect(await ignored()).toEqual([id]);
  });

  test('accepts deletions by rule, channel and playlist, and shows who deleted', async () => {
    const { t, db, staff, channelId, resolvePath, put, readTrash, act, createFullVideo } = app;
    await createFullVideo();
    await db.updateTable('video').set({ isProtected: 0 }).where('id', '=', id).execute();
    await db.deleteFrom('watch').where('accountId', '=', staff.id).execute();
    await t.app.tasks.start(retention, {});
    await t.runner.idle();
    expect((await readTrash()).data).toMatchObject([
      { youtube_id: id, deleted_by: null, reason: expect.stringContaining('9 days') },
    ]);
    await act('restore', id);
    // A restored video is protected, so retention does not delete it again.
    await t.app.tasks.start(retention, {});
    await t.runner.idle();
    expect((await readTrash()).data).toEqual([]);
    expect((await staff.call('GET', `/api/video/${id}/`)).json()).toMatchObject({ is_protected: true });
    await put(inCache(`channels/${channelId}_thumb.jpg`), 'face');
    expect((await staff.call('DELETE', `/api/channel/${channelId}/`)).statusCode).toBe(204);
    expect((await staff.call('GET', `/api/channel/${channelId}/`)).statusCode).toBe(404);
    expect((await readTrash()).data).toMatchObject([{ youtube_id: id, deleted_by: 'Ann' }]);
    await act('restore', id);
    const channel = (await staff.call('GET', `/api/channel/${channelId}/`)).json();
    expect(channel).toMatchObject({
      channel_name: 'Bread',
      channel_subscribed: false,
      channel_overwrites: { autodelete_days: 9 },
    });
    expect(await exists(resolvePath(inCache(`channels/${channelId}_thumb.jpg`)))).toBe(true);
    await staff.call('DELETE', `/api/channel/${channelId}/`);
    expect((await staff.call('DELETE', '/api/trash/')).json()).toEqual({ deleted: 1, media_size: 9 });
    expect(await exists(resolvePath(inCache(`channels/${channelId}_thumb.jpg`)))).toBe(false);
  });
});
