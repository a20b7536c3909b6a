import type { Report } from '#server/platform/context/task.ts';
import { renderMessages } from '#server/platform/messages/render.ts';
import { mkdir, readdir, readFile, rename, rm, truncate, utimes, writeFile, copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { moveTrashFiles } from '#server/archive/storage/trash-files.ts';
import { aCatalogue, aChannel, aVideo, cuesFrom } from '../../test-site/builders.ts';
import { add, createArchive, inconsistencies, hasTools, videoOf, type TestSiteArchive } from '../support/acquisition.ts';

const channel = aChannel({ name: 'On Disk' });
const subtitles = [{ language: 'en', name: 'English', automatic: false, cues: cuesFrom(['Hello'], 4) }];
const video = (id: string, title: string) => aVideo({ id, title, channelId: channel.id, durationSeconds: 4, subtitles });
describe.runIf(hasTools)('rescanning the media folder', () => {
  let t: TestSiteArchive;
  const moving = video('movingVid01', 'Moves');
  const vanishing = video('vanishVid01', 'Vanishes');
  const changing = video('changesVid1', 'Changes');
  const coming = video('comingVid01', 'Comes back');
  const offline = video('offlineVid1', 'Only here');
  beforeAll(async () => {
    t = await createArchive(aCatalogue({ channels: [channel], videos: [moving, vanishing, changing, coming, offline] }));
    await t.staff.call('POST', '/api/appsettings/config/', { downloads: { subtitle: 'en', subtitle_index: true } });
    await t.runner.idle();
    await add(t, [moving, vanishing, changing, coming, offline].map(({ id }) => id).join(' '));
  });
  afterAll(() => t.close());
  const media = (...path: string[]) => join(t.app.config.mediaFolder, ...path);
  const rescan = async (body: object = {}) => {
    const { task_id: id } = (await t.staff.call('POST', '/api/appsettings/rescan-filesystem/', body)).json();
    await t.runner.idle();
    const { status, result } = (await t.staff.call('GET', `/api/task/by-id/${id}/`)).json();
    const row = await t.app.db.selectFrom('task').select('messages').where('id', '=', id).executeTakeFirstOrThrow();
    return { status, result, lines: (JSON.parse(row.messages) as Report).messages.slice(1).map(renderMessages) };
  };

  test('changes nothing without changes', async () => {
    expect(await rescan()).toEqual({ status: 'SUCCESS', result: '10 files: 0 moved, 0 new, 0 missing, 0 changed.', lines: [] });
  });

  test('a dry run reports what a run does: moved, missing, changed, new and duplicate files', async () => {
    await mkdir(media('By Hand', 'Deep'), { recursive: true });
    await rename(media(channel.id, `${moving.id}.mp4`), media('By Hand', 'Deep', `${moving.id}.mp4`));
    await rename(media(channel.id, `${moving.id}.en.vtt`), media('By Hand', 'Deep', `${moving.id}.en.vtt`));
    await rename(media(channel.id, `${moving.id}.info.json`), media('By Hand', 'Deep', `${moving.id}.info.json`));
    await rm(media(channel.id, `${vanishing.id}.mp4`));
    await truncate(media(channel.id, `${changing.id}.mp4`), 2000);
    await copyFile(media(channel.id, `${offline.id}.mp4`), media('By Hand', `${offline.id}.mp4`));
    await t.app.db.deleteFrom('video').where('id', '=', coming.id).execute();
    await writeFile(media('By Hand', 'holiday.mp4'), 'no video');
    const dryRun = await rescan({ dry_run: true });
    expect(dryRun.result).toMatch(/1 moved, 2 new, 1 missing, 1 changed\. Nothing was changed \(dry run\)\.$/);
    expect(await videoOf(t, moving.id)).toMatchObject({ media_url: `/youtube/${channel.id}/${moving.id}.mp4` });
    const realRun = await rescan();
    expect(realRun.result).toMatch(/1 moved, 1 new, 1 missing, 1 changed\.$/);
    const lines = realRun.lines.join('\n');
    expect(lines).toContain('Duplicate of');
    expect(lines).toContain('holiday.mp4: The video cannot be identified');
  });

  test('follows a moved file with its subtitles, and plays it', async () => {
    const found = await videoOf(t, moving.id);
    expect(found.media_url).toBe(`/youtube/By%20Hand/Deep/${moving.id}.mp4`);
    expect((await t.server.inject({ url: found.media_url, headers: t.staff.headers, method: 'HEAD' })).statusCode).toBe(200);
    expect((await t.server.inject({ url: found.subtitles[0].media_url, headers: t.staff.headers })).body).toContain('Hello');
  });

  test('marks a missing or changed file, and unmarks it when it is back', async () => {
    expect((await videoOf(t, vanishing.id)).damage).toBe('The file is missing.');
    expect((await videoOf(t, changing.id)).damage).toMatch(/size changed: 2,000 bytes/);
    await add(t, `${vanishing.id} ${changing.id}`, '?autostart=true&force=true');
    expect(await videoOf(t, vanishing.id)).not.toHaveProperty('damage');
  });

  test('adds a new file in place with metadata and subtitles', async () => {
    expect(await videoOf(t, coming.id)).toMatchObject({
      title: 'Comes back',
      is_protected: true,
      media_url: `/youtube/${channel.id}/${coming.id}.mp4`,
      subtitles: [{ lang: 'en', source: 'file' }],
    });
    const lines = await t.app.db.selectFrom('transcriptLine').select('text').where('videoId', '=', coming.id).execute();
    expect(lines).toEqual([{ text: 'Hello' }]);
  });

  test('adds a file of an unavailable video with its sidecar files', async () => {
    offline.fails = 'deleted';
    await rm(media('By Hand', `${offline.id}.mp4`));
    await t.app.db.deleteFrom('video').where('id', '=', offline.id).execute();
    const infoFile = media(channel.id, `${offline.id}.info.json`);
    await writeFile(infoFile, `\ufeff${await readFile(infoFile, 'utf8')}`); // with a byte order mark, as some editors write it
    await utimes(media(channel.id, `${offline.id}.mp4`), 1_600_000_000, 1_600_000_000);
    expect((await rescan()).result).toMatch(/1 new/);
    expect(await videoOf(t, offline.id)).toMatchObject({ title: 'Only here', date_downloaded: 1_600_000_000 });
    await rm(media('By Hand', 'holiday.mp4'));
    expect((await rescan()).lines).toEqual([]);
  });

  test('does not take an unmounted disk for missing files', async () => {
    const root = t.app.config.mediaFolder;
    await rename(root, `${root}.away`);
    await mkdir(root);
    try {
      const { status, result } = await rescan();
      expect([status, result]).toEqual(['FAILURE', expect.stringContaining('does not seem to be mounted')]);
      for (const name of ['verify', 'autodelete', 'download_pending']) {
        const { task_id: id } = (await t.staff.call('POST', `/api/task/by-name/${name}/`)).json();
        await t.runner.idle();
        expect((await t.staff.call('GET', `/api/task/by-id/${id}/`)).json().result, name).toContain(
          'does not seem to be mounted',
        );
      }
      expect((await t.staff.call('DELETE', `/api/video/${changing.id}/`)).statusCode).toBe(204);
      expect(await t.app.db.selectFrom('video').select('id').where('damage', 'is not', null).execute()).toEqual([]);
    } finally {
      await rm(root, { recursive: true });
      await rename(`${root}.away`, root);
    }
    // Deletes the trashed files once the disk is mounted again.
    await moveTrashFiles(t.app);
    expect(await readdir(media(channel.id))).not.toContain(`${changing.id}.mp4`);
  });

  test('restores missing thumbnails and deletes orphaned ones', async () => {
    const folder = join(t.app.config.cacheFolder, 'videos', 'm');
    await rm(join(folder, `${moving.id}.jpg`));
    await writeFile(join(folder, 'mNobodyKnow.jpg'), 'x');
    await t.staff.call('POST', '/api/task/by-name/thumbnail_check/');
    await t.runner.idle();
    expect(await readdir(folder)).toEqual([`${moving.id}.jpg`]);
    expect((await videoOf(t, moving.id)).vid_thumb_url).toContain(moving.id);
  });

  test('leaves rows and files consistent', async () => expect(await inconsistencies(t)).toEqual([]));
});
