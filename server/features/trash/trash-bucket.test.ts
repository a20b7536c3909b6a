import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { deletePendingFiles } from '../../archive/storage/pending-deletions.ts';
import { trashReplacedFile } from '../../archive/storage/replaced-file.ts';
import { moveTrashFiles, newTrashFolder } from '../../archive/storage/trash-files.ts';
import { inTransaction } from '../../platform/db/db.ts';
import { inCache, inHistory } from '../../platform/storage/stored-path.ts';
import { createVideo, engines } from '../../test-support/app.ts';
import { startS3, versitygwPath } from '../../test-support/s3.ts';
import { createAppWithTrash, id } from '../../test-support/trash.ts';
import { purgeExpired } from './purge-job.ts';

const day = 86_400;

describe.runIf(versitygwPath)('the trash with media in a bucket', () => {
  let s3: Awaited<ReturnType<typeof startS3>>;
  let app: Awaited<ReturnType<typeof createAppWithTrash>>;
  let bucket = 0;
  let env: Record<string, string>;
  beforeAll(async () => {
    s3 = await startS3();
  });
  afterAll(() => s3.stop());
  beforeEach(async () => {
    const name = `archive-${++bucket}`;
    await s3.createBucket(name);
    env = { ...s3.env, REELKEEP_S3_BUCKET: name };
    app = await createAppWithTrash(engines[0]!, { env });
  });
  afterEach(() => app.t.close());

  /** Keys of the objects of the archive. */
  const objects = async (below = '') =>
    (await readdir(join(s3.folder, '..', env['REELKEEP_S3_BUCKET']!, below), { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile() && entry.name !== 'reelkeep.txt')
      .map(({ parentPath, name }) => join(parentPath, name).split(`/${env['REELKEEP_S3_BUCKET']}/`)[1]!)
      .filter((key) => !key.startsWith('.'))
      .sort();
  const textOf = async (path: string) => Buffer.concat(await (await app.t.app.files.read(path)).toArray()).toString();
  const picture = inCache(`videos/s/${id}.jpg`);

  test('keeps media in place, moves images aside, and restores both', async () => {
    const { media, act, remove, inconsistencies, createFullVideo, db } = app;
    await createFullVideo();
    const before = await objects();
    await remove();
    expect(await objects('media')).toEqual(before.filter((key) => key.startsWith('media/')));
    expect(await objects('cache')).toEqual([expect.stringMatching(new RegExp(`^cache/.trash/\\w+/${id}.jpg$`))]);
    expect(await inconsistencies()).toEqual([]);
    const play = () => app.other.call('GET', `/youtube/${media(`${id}.mp4`)}`);
    expect((await play()).statusCode).toBe(404);
    const [entry] = (await app.readTrash()).data;
    expect((await app.staff.call('GET', entry!.thumb_url)).body).toBe('picture');
    // The queue shows an image of the same name meanwhile.
    await app.put(picture, 'of the queue');
    expect(await act('restore', id)).toEqual({ done: 1, refused: [] });
    expect(await objects()).toEqual(before);
    expect((await play()).body).toBe('the film!');
    expect((await app.other.call('GET', `/cache/videos/s/${id}.jpg`)).body).toBe('picture');
    expect(await db.selectFrom('trashFile').selectAll().execute()).toEqual([]);
    expect(await inconsistencies()).toEqual([]);
  });

  test('keeps a file that was replaced at its place, and lets both change places', async () => {
    const { t, db, channelId, media, readTrash, act, put, createFullVideo, inconsistencies } = app;
    await createFullVideo();
    const folder = newTrashFolder();
    const now = t.app.now();
    await inTransaction(db, (tx) => trashReplacedFile(tx, t.app.files, { videoId: id, folder, now }));
    const path = media(`${id}.0123.mp4`);
    await put(path, 'the better film');
    await put(media(`${id}.0123.info.json`), '{}');
    await db.updateTable('video').set({ mediaPath: path, sizeBytes: 15 }).where('id', '=', id).execute();
    expect(await inconsistencies()).toEqual([]);
    const [earlier] = (await readTrash()).data;
    expect(await act('restore', earlier!.id)).toEqual({ done: 1, refused: [] });
    const play = async (name: string) => (await app.other.call('GET', `/youtube/${channelId}/${name}`)).body;
    expect(await play(`${id}.mp4`)).toBe('the film!');
    const [better] = (await readTrash()).data;
    expect(better).toMatchObject({ is_replaced_file: true, media_size: 15 });
    expect(await inconsistencies()).toEqual([]);
    expect(await act('delete', better!.id)).toEqual({ done: 1, refused: [] });
    expect([await t.app.files.stat(path), await t.app.files.stat(media(`${id}.0123.info.json`))]).toEqual([null, null]);
    expect(await play(`${id}.mp4`)).toBe('the film!');
  });

  test('restores an older copy after a new download of the video was deleted too', async () => {
    const { t, db, channelId, media, readTrash, act, remove, put, createFullVideo } = app;
    await createFullVideo();
    await remove();
    const path = media(`${id}.0123.mp4`);
    await createVideo(db, { id, channelId, mediaPath: path });
    await put(path, 'the new film');
    await put(picture, 'new picture');
    await remove();
    const [newer, older] = (await readTrash()).data;
    expect(await act('restore', older!.id)).toEqual({ done: 1, refused: [] });
    expect(await textOf(media(`${id}.mp4`))).toBe('the film!');
    expect(await textOf(picture)).toBe('picture');
    expect(await act('delete', newer!.id)).toEqual({ done: 1, refused: [] });
    expect(await t.app.files.stat(path)).toBeNull();
    expect(await textOf(media(`${id}.mp4`))).toBe('the film!');
    expect(await textOf(picture)).toBe('picture');
  });

  test('leaves no object and no row after a purge', async () => {
    const { t, db, clock, staff, remove, createFullVideo } = app;
    await createFullVideo();
    await remove();
    await purgeExpired(t.app, 0);
    clock.now += 7 * day;
    await purgeExpired(t.app, 7 * day);
    clock.now -= 7 * day;
    expect(await objects()).toEqual([]);
    for (const table of ['trash', 'trashRows', 'trashFile', 'pendingDeletion'] as const)
      expect(await db.selectFrom(table).selectAll().execute()).toEqual([]);

    await staff.call('POST', '/api/appsettings/config/', { trash: { days: 0 } });
    await createFullVideo('atOnceVid01');
    await remove('', 'atOnceVid01');
    expect(await objects()).toEqual([]);
  });

  test('loses nothing while the bucket does not answer, and continues afterwards', async () => {
    const { t, db, clock, media, count, act, remove, createFullVideo } = app;
    await createFullVideo();
    const before = await objects();
    await s3.whileAway(async () => {
      await remove();
      clock.now += 30 * day;
      await purgeExpired(t.app);
      clock.now -= 30 * day;
      expect(await count()).toBe(1);
      expect((await act('restore', id)).refused[0]?.error).toMatch(/storage|bucket/i);
    });
    expect(await objects()).toEqual(before);
    await moveTrashFiles(t.app);
    expect(await t.app.files.stat(picture)).toBeNull();
    expect(await act('restore', id)).toEqual({ done: 1, refused: [] });
    expect(await objects()).toEqual(before);
    expect(await textOf(media(`${id}.mp4`))).toBe('the film!');

    // A permanent deletion is noted and done later.
    await remove();
    await s3.whileAway(async () => {
      expect(await act('delete', id)).toEqual({ done: 1, refused: [] });
      await deletePendingFiles(t.app);
    });
    expect((await objects()).filter((key) => key.startsWith('media/'))).toEqual(before.filter((key) => key.startsWith('media/')));
    await deletePendingFiles(t.app);
    expect(await objects()).toEqual([]);
    expect(await db.selectFrom('pendingDeletion').selectAll().execute()).toEqual([]);
    expect(await t.app.files.stat(inHistory(`${id}-5.jpg`))).toBeNull();
  });

  test('does not delete media that a video in the library names', async () => {
    const { t, db, channelId, media, act, remove, createFullVideo } = app;
    await createFullVideo();
    await remove();
    // As after a restored backup.
    await createVideo(db, { id: 'sameFile001', channelId, mediaPath: media(`${id}.mp4`) });
    expect(await act('delete', id)).toEqual({ done: 1, refused: [] });
    expect(await t.app.files.stat(media(`${id}.mp4`))).not.toBeNull();
  });
});
