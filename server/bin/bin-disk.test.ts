import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { addExactly } from '../db/copy.ts';
import { removePending } from '../library/removal.ts';
import { exists } from '../media/shelf.ts';
import { aVideo, engines } from '../testing.ts';
import { anArchiveWithBin, id } from '../testing-bin.ts';
import { deleteVideo } from '../video/delete-video.ts';
import { settleFiles } from './files.ts';
import { keepBin } from './keep-bin.ts';
import { makeRoom } from './make-room.ts';

const day = 86_400;

describe.each(engines)('the bin and its disk, on $engine', (on) => {
  let a: Awaited<ReturnType<typeof anArchiveWithBin>>;
  beforeEach(async () => {
    a = await anArchiveWithBin(on);
  });
  afterEach(() => a.t.close());

  test('while the disk is away nothing is lost, and all of it is done when it is back', async () => {
    const { t, clock, stands, media, count, change, remove, resting, complaints, aFullVideo } = a;
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
      clock.now += 30 * day;
      await keepBin(t.archive);
      clock.now -= 30 * day;
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
    const { t, staff, channelId, stands, media, change, remove, resting, aFullVideo } = a;
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
    const { t, db, clock, staff, channelId, bin } = a;
    await staff.call('POST', '/api/appsettings/config/', { queue: { reserve: 99_999 } });
    for (const [video, sizeBytes] of [
      ['oldestVideo', 60e12],
      ['middleVideo', 60e12],
      ['newestVideo', 60e12],
    ] as const) {
      await aVideo(db, { id: video, channelId, sizeBytes });
      clock.now++;
    }
    await deleteVideo(t.archive, 'oldestVideo');
    clock.now++;
    expect(await makeRoom(t.archive)).toEqual([]);
    await deleteVideo(t.archive, 'middleVideo');
    clock.now++;
    await deleteVideo(t.archive, 'newestVideo');
    expect(await makeRoom(t.archive)).toMatchObject([{ videoId: 'oldestVideo' }, { videoId: 'middleVideo' }]);
    expect((await bin()).data.map((one) => one.youtube_id)).toEqual(['newestVideo']);
    await staff.call('POST', '/api/appsettings/config/', { queue: { reserve: 0 } });
    expect(await makeRoom(t.archive)).toEqual([]);
  });

  test('a file that a video misses after going back to a backup is found in the folder of the bin', async () => {
    const { t, db, staff, stands, media, remove, content, complaints, aFullVideo } = a;
    await aFullVideo();
    const before = await content();
    await remove();
    // As a restore leaves it: the rows of then, the files of now.
    for (const table of ['bin', 'binFile'] as const) await db.deleteFrom(table).execute();
    for (const table of ['video', 'subtitle', 'comment'] as const) await addExactly(db, table, before[table]!);
    await db.updateTable('video').set({ damage: 'The file is missing.' }).execute();
    expect(await complaints()).toContainEqual(expect.stringContaining('belongs to nothing in the bin'));
    await keepBin(t.archive);
    expect(await readFile(stands(media(`${id}.mp4`)), 'utf8')).toBe('the film!');
    expect(await exists(stands(media(`${id}.en.vtt`)))).toBe(true);
    expect((await staff.call('GET', `/api/video/${id}/`)).json().damage).toBeUndefined();
    expect(await complaints()).toEqual([]);
  });
});
