import { missingFileDamage } from '../../archive/video/store.ts';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { insertExactly } from '../../platform/db/copy/bulk-copy.ts';
import { deletePendingFiles } from '../../archive/storage/pending-deletions.ts';
import { exists } from '../../platform/files/files.ts';
import { createVideo, engines } from '../../test-support/app.ts';
import { createAppWithTrash, id } from '../../test-support/trash.ts';
import { deleteVideo } from './delete-video.ts';
import { moveTrashFiles } from '../../archive/storage/trash-files.ts';
import { purgeExpired } from './purge-job.ts';
import { purgeForSpace } from './purge-for-space.ts';

const day = 86_400;

describe.each(engines)('the trash and its disk, on $engine', (on) => {
  let app: Awaited<ReturnType<typeof createAppWithTrash>>;
  beforeEach(async () => {
    app = await createAppWithTrash(on);
  });
  afterEach(() => app.t.close());

  test('loses nothing while the disk is unmounted, and continues afterwards', async () => {
    const { t, clock, resolvePath, media, count, act, remove, trashedFiles, inconsistencies, createFullVideo } = app;
    await createFullVideo();
    const root = t.app.config.mediaFolder;
    const whileUnmounted = async (work: () => Promise<void>) => {
      await rename(root, `${root}.away`);
      await mkdir(root);
      await work();
      await rename(root, `${root}.mistaken`);
      await rename(`${root}.away`, root);
    };
    await whileUnmounted(async () => {
      await remove();
      clock.now += 30 * day;
      await purgeExpired(t.app);
      clock.now -= 30 * day;
      expect(await count()).toBe(1);
      expect((await act('restore', id)).refused[0]?.error).toMatch(/does not seem to be mounted/);
    });
    expect(await trashedFiles()).toEqual([]);
    expect(await exists(resolvePath(media(`${id}.mp4`)))).toBe(true);
    expect((await inconsistencies()).filter((one) => one.includes(id))).toEqual([]);
    await moveTrashFiles(t.app);
    expect(await trashedFiles()).toContain(`${id}.mp4`);
    expect(await act('restore', id)).toEqual({ done: 1, refused: [] });
    expect(await readFile(resolvePath(media(`${id}.mp4`)), 'utf8')).toBe('the film!');
  });

  test('a file that cannot be moved stays, blocks nothing, and is retried', async () => {
    const { t, staff, channelId, resolvePath, media, act, remove, trashedFiles, createFullVideo } = app;
    await createFullVideo();
    // A file blocks the path of the trash folder.
    await writeFile(join(t.app.config.mediaFolder, '.trash'), '');
    await remove();
    expect(await readFile(resolvePath(media(`${id}.mp4`)), 'utf8')).toBe('the film!');
    expect((await staff.call('GET', `/api/video/${id}/`)).statusCode).toBe(404);
    // A file that was never moved can be restored or deleted permanently.
    expect(await act('restore', id)).toEqual({ done: 1, refused: [] });
    expect(await readFile(resolvePath(media(`${id}.mp4`)), 'utf8')).toBe('the film!');
    await remove();
    expect(await act('delete', id)).toEqual({ done: 1, refused: [] });
    await deletePendingFiles(t.app);
    expect(await readdir(resolvePath(channelId))).toEqual([]);
    // The file is moved once the path is free.
    await createFullVideo('againVideo1');
    await remove('', 'againVideo1');
    await rm(join(t.app.config.mediaFolder, '.trash'));
    await purgeExpired(t.app);
    expect(await trashedFiles()).toContain('againVideo1.mp4');
    expect(await readdir(resolvePath(channelId))).toEqual([]);
  });

  test('purges the oldest items for downloads, no more than needed, and none if that is not enough', async () => {
    const { t, db, clock, staff, channelId, readTrash } = app;
    await staff.call('POST', '/api/appsettings/config/', { queue: { reserve: 99_999 } });
    for (const [video, sizeBytes] of [
      ['oldestVideo', 60e12],
      ['middleVideo', 60e12],
      ['newestVideo', 60e12],
    ] as const) {
      await createVideo(db, { id: video, channelId, sizeBytes });
      clock.now++;
    }
    await deleteVideo(t.app, 'oldestVideo');
    clock.now++;
    expect(await purgeForSpace(t.app)).toEqual([]);
    await deleteVideo(t.app, 'middleVideo');
    clock.now++;
    await deleteVideo(t.app, 'newestVideo');
    expect(await purgeForSpace(t.app)).toMatchObject([{ videoId: 'oldestVideo' }, { videoId: 'middleVideo' }]);
    expect((await readTrash()).data.map((one) => one.youtube_id)).toEqual(['newestVideo']);
    await staff.call('POST', '/api/appsettings/config/', { queue: { reserve: 0 } });
    expect(await purgeForSpace(t.app)).toEqual([]);
  });

  test('finds a file in the trash folder that a restored database misses', async () => {
    const { t, db, staff, resolvePath, media, remove, content, inconsistencies, createFullVideo } = app;
    await createFullVideo();
    const before = await content();
    await remove();
    // The state after a restore: old rows, current files.
    for (const table of ['trash', 'trashFile'] as const) await db.deleteFrom(table).execute();
    for (const table of ['video', 'subtitle', 'comment'] as const) await insertExactly(db, table, before[table]!);
    await db.updateTable('video').set({ damage: missingFileDamage }).execute();
    expect(await inconsistencies()).toContainEqual(expect.stringContaining('belongs to no video in the trash'));
    await purgeExpired(t.app);
    expect(await readFile(resolvePath(media(`${id}.mp4`)), 'utf8')).toBe('the film!');
    expect(await exists(resolvePath(media(`${id}.en.vtt`)))).toBe(true);
    expect((await staff.call('GET', `/api/video/${id}/`)).json().damage).toBeUndefined();
    expect(await inconsistencies()).toEqual([]);
  });
});
