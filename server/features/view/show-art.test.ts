import { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { View } from '#contract/view.ts';
import { channelArtPath } from '../../archive/channel/art-files.ts';
import { thumbnailPath } from '../../archive/storage/thumbnail-path.ts';
import { createChannel, createUser, createVideo, engines, testApp, testTimeouts, type TestApp } from '../../test-support/app.ts';
import { updateViews } from './build-view.ts';

const ffmpeg = process.env.REELKEEP_FFMPEG;

describe.runIf(ffmpeg).each(engines)('posters and fanart of a view on $engine', (on) => {
  let t: TestApp;
  let staff: Awaited<ReturnType<typeof createUser>>;
  beforeEach(async () => {
    t = await testApp({ on, withTools: true });
    staff = await createUser(t, { isStaff: true });
    await t.runner.begin();
    const media = join(t.app.config.mediaFolder, 'UCtea/aaaaaaaaaaa.mp4');
    await mkdir(dirname(media), { recursive: true });
    await writeFile(media, 'media');
    await createChannel(t.app.db, { id: 'UCtea', name: 'Tea' });
    await createVideo(t.app.db, { id: 'aaaaaaaaaaa', channelId: 'UCtea', title: 'First' });
  });
  afterEach(() => t.close());

  const inCache = (path: string) => join(t.app.config.cacheFolder, path);
  const inView = (name: string) => join(t.app.config.viewsFolder, 'shows/Tea', name);
  /** Draws a picture of one colour with a frame of another one. */
  async function draw(path: string, size: string, frame = 'blue') {
    await mkdir(dirname(inCache(path)), { recursive: true });
    const input = ['-f', 'lavfi', '-i', `color=green:s=${size}`, '-vf', `drawbox=color=${frame}:t=20`, '-frames:v', '1'];
    execFileSync(ffmpeg!, ['-v', 'error', '-y', ...input, '-f', 'mjpeg', inCache(path)]);
    // Most file systems store parts of a millisecond, which a Date rounds.
    const { mtimeMs } = await stat(inCache(path));
    const time = (Math.floor(mtimeMs) + 0.7) / 1000;
    await utimes(inCache(path), time, time);
  }
  async function build(id?: number) {
    const body = { name: 'Shows', root: 'shows', preset: 'jellyfin' };
    const view = id ?? ((await staff.call('POST', '/api/view/', body)).json() as View).id;
    await staff.call('POST', `/api/view/${view}/build/`, { start_over: id !== undefined });
    await vi.waitFor(async () => expect(await t.app.tasks.activeInputs('build_view')).toEqual([]), testTimeouts);
    expect((await staff.call('GET', '/api/view/')).json().data[0]).toMatchObject({ state: 'ready', problem: null });
    return view;
  }
  const sizeOf = (name: string) => {
    const args = ['-v', 'error', '-show_entries', 'stream=width,height', '-of', 'csv=p=0:s=x', inView(name)];
    return execFileSync(join(dirname(ffmpeg!), 'ffprobe'), args, { encoding: 'utf8' }).trim();
  };
  /** Returns the strongest colour at a place of a picture. */
  const colourAt = (name: string, x: number, y: number) => {
    const crop = ['-vf', `crop=2:2:${x}:${y},scale=1:1,format=rgb24`, '-f', 'rawvideo', '-'];
    const pixel = [...execFileSync(ffmpeg!, ['-v', 'error', '-i', inView(name), ...crop])];
    return ['red', 'green', 'blue'][pixel.indexOf(Math.max(...pixel))];
  };

  test('contain the whole picture of the channel in their shape, and follow it', async () => {
    await draw(channelArtPath('UCtea', 'thumb'), '400x400');
    await draw(channelArtPath('UCtea', 'tvart'), '1707x282');
    const id = await build();
    expect([sizeOf('poster.jpg'), sizeOf('fanart.jpg')]).toEqual(['1000x1500', '1920x1080']);
    // The frame touches the edges, and is complete above and below.
    for (const [x, y] of [
      [20, 270],
      [980, 1230],
    ] as const)
      expect(colourAt('poster.jpg', x, y)).toBe('blue');
    for (const [x, y] of [
      [10, 390],
      [1910, 690],
    ] as const)
      expect(colourAt('fanart.jpg', x, y)).toBe('blue');
    expect(colourAt('poster.jpg', 500, 750)).toBe('green');

    const before = await stat(inView('poster.jpg'));
    await build(id);
    expect((await stat(inView('poster.jpg'))).ino).toBe(before.ino);

    await draw(channelArtPath('UCtea', 'thumb'), '410x410', 'red');
    await t.app.db.updateTable('channel').set({ hasThumb: 1 }).where('id', '=', 'UCtea').execute();
    await updateViews(t.app);
    expect([sizeOf('poster.jpg'), colourAt('poster.jpg', 20, 270)]).toEqual(['1000x1500', 'red']);
    expect((await readdir(inView(''))).toSorted()).toEqual(['Season 2023', 'fanart.jpg', 'poster.jpg', 'tvshow.nfo']);
  });

  test('are drawn from a thumbnail without pictures of the channel', async () => {
    await draw(thumbnailPath('aaaaaaaaaaa'), '1280x720');
    await build();
    expect([sizeOf('poster.jpg'), sizeOf('fanart.jpg')]).toEqual(['1000x1500', '1920x1080']);
  });

  test('are the picture itself if it cannot be drawn', async () => {
    await mkdir(dirname(inCache(channelArtPath('UCtea', 'thumb'))), { recursive: true });
    await writeFile(inCache(channelArtPath('UCtea', 'thumb')), 'no picture');
    await build();
    expect(await readFile(inView('poster.jpg'), 'utf8')).toBe('no picture');
    expect(await readdir(inView(''))).toContain('Season 2023');
  });
});
