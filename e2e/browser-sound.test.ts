import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { film, second } from './watch-catalogue.ts';
import { canBrowse, nothingIsWrong } from './in-browser.ts';
import { bringTwoTongues, streamsOf, tongues } from './two-tongues.ts';
import { aWatcher, mediaOf, openStopped } from './watching.ts';

describe.runIf(canBrowse)('what is heard', () => {
  let watcher: Awaited<ReturnType<typeof aWatcher>>;
  let page: Page;
  let media: ReturnType<typeof mediaOf>;
  beforeAll(async () => {
    watcher = await aWatcher();
    ({ page } = watcher);
    media = mediaOf(page);
  });
  afterAll(() => watcher.close());
  const open = (at: number) => openStopped(page, watcher.address, film.id, at);

  test('plays the sound alone when asked, and the picture again, at the same second; the next video is heard so as well', async () => {
    await open(30);
    await media.mark();
    await media.play();
    await expect.poll(media.widthOfPicture).toBe(320);
    const before = await media.position();
    await page.keyboard.press('s');
    await page.getByText('Only the sound plays').waitFor();
    expect(await media.source()).toMatch(/\/cache\/renditions\/watchFilm01\/\w{16}-s1\.m4a$/);
    await expect.poll(() => media.position()).toBeGreaterThanOrEqual(before);
    expect(await media.position()).toBeLessThan(before + 25);
    expect([await media.widthOfPicture(), await media.isPaused(), await media.isMarked()]).toEqual([0, false, true]);
    expect(await page.evaluate('navigator.mediaSession.metadata.title')).toBe(film.title);
    await expect.poll(async () => Math.round(await media.duration())).toBe(60);
    await media.pause();
    await nothingIsWrong(page);

    // On the next one it is remembered, and one click brings the picture back; of one that stands still as well.
    await openStopped(page, watcher.address, second.id, 6);
    await expect.poll(media.source).toMatch(/\/cache\/renditions\/watchFilm02\//);
    await expect.poll(media.position).toBe(6);
    await page.getByRole('button', { name: 'Show the picture' }).click();
    await expect.poll(media.widthOfPicture).toBeGreaterThan(0);
    expect(await media.source()).toContain('/youtube/');
    await expect.poll(media.position).toBe(6);
    expect(await media.isPaused()).toBe(true);
    await page.evaluate('localStorage.clear()');
  });

  test('goes on with the picture where the sound cannot be had, and says why; one that has gone is made again', async () => {
    const rendition = '**/api/video/*/rendition/';
    const why = 'ffmpeg is not there, so only what the file plays by itself can be played.';
    await page.route(rendition, (route) => route.fulfill({ json: { state: 'impossible', media_url: null, why, said: null } }));
    await open(30);
    await media.play();
    await page.keyboard.press('s');
    await page.getByText(why).waitFor();
    expect([await media.isPaused(), await media.widthOfPicture()]).toEqual([false, 320]);
    await page.unroute(rendition);
    await page.route(rendition, (route) => route.fulfill({ json: { state: 'making', media_url: null, why: null, said: null } }));
    await open(30);
    await media.play();
    await page.getByText('Getting the sound ready…').waitFor();
    expect([await media.isPaused(), await media.widthOfPicture()]).toEqual([false, 320]);
    await page.unroute(rendition);
    await page.getByText('Only the sound plays').waitFor();
    // What has been thrown away meanwhile is asked for again, and so is what cannot be played.
    await rm(join(watcher.folder, 'cache/renditions'), { recursive: true });
    await page.reload();
    await expect.poll(media.source).toContain('/cache/renditions/');
    await page.route('**/cache/renditions/**', (route) => route.fulfill({ contentType: 'audio/mp4', body: 'no sound' }));
    await open(20);
    await page.getByText('so the file itself plays').waitFor();
    await expect.poll(media.widthOfPicture).toBe(320);
    await expect.poll(media.position).toBe(20);
    await page.unroute('**/cache/renditions/**');
    await page.evaluate('localStorage.clear()');
  });

  test('plays another of a file’s sounds at the same second, with the picture and without, and the next film in that language', async () => {
    await bringTwoTongues(watcher);
    await openStopped(page, watcher.address, tongues[0]!, 12);
    await page.getByRole('button', { name: 'Player settings' }).click();
    const panel = page.getByRole('dialog', { name: 'Player settings' });
    const sounds = panel.getByRole('combobox', { name: 'Sound', exact: true });
    await expect.poll(() => sounds.locator('option').allTextContents()).toEqual(['English', 'German']);
    await sounds.selectOption('German');
    await expect.poll(media.source).toMatch(/-p2\.mp4$/);
    await expect.poll(media.widthOfPicture).toBe(320);
    await expect.poll(media.position).toBe(12);
    const onDisk = async () => join(watcher.folder, new URL(await media.source()).pathname);
    expect(streamsOf(await onDisk()).map((line) => line.split(',')[0])).toEqual(['video', 'audio']);
    expect(streamsOf(await onDisk())[1]).toBe('audio,ger');

    await openStopped(page, watcher.address, tongues[1]!, 9);
    await expect.poll(media.source).toMatch(/twoTongues2\/\w+-p2\.mp4$/);
    await expect.poll(media.position).toBe(9);
    await page.keyboard.press('s');
    await expect.poll(media.source).toMatch(/twoTongues2\/\w+-s2\.m4a$/);
    expect(streamsOf(await onDisk())).toEqual(['audio,ger']);
    await page.getByRole('button', { name: 'Player settings' }).click();
    await nothingIsWrong(page);
    await sounds.selectOption('English');
    await expect.poll(media.source).toMatch(/twoTongues2\/\w+-s1\.m4a$/);
    await panel.getByRole('checkbox', { name: 'Only the sound' }).click();
    await expect.poll(media.source).toMatch(/\/youtube\/.*twoTongues2\.mp4$/);
    await expect.poll(media.position).toBe(9);
    await page.evaluate('localStorage.clear()');
  });

  test('does what the keys of the system say, and tells it where it is', async () => {
    const visit = await watcher.context.newPage();
    // A headless browser has no system with keys: what was set for them is pressed here. What it is told is noted on its way.
    await visit.addInitScript(`
      globalThis.keysOfSystem = {}; globalThis.told = null;
      const { setActionHandler, setPositionState } = MediaSession.prototype;
      MediaSession.prototype.setActionHandler = function (action, handler) {
        keysOfSystem[action] = handler;
        return setActionHandler.call(this, action, handler);
      };
      MediaSession.prototype.setPositionState = function (state) {
        globalThis.told = state;
        return setPositionState.call(this, state);
      };
    `);
    const press = (action: string, details: object = {}) =>
      visit.evaluate(`void keysOfSystem['${action}'](${JSON.stringify({ action, ...details })})`);
    const told = () => visit.evaluate<{ position: number; duration: number; playbackRate: number } | null>('told');
    const theirs = mediaOf(visit);
    await openStopped(visit, watcher.address, film.id, 20);
    await expect.poll(() => visit.evaluate('navigator.mediaSession.metadata?.title')).toBe(film.title);
    await press('play');
    await expect.poll(theirs.isPaused).toBe(false);
    await press('pause');
    await expect.poll(theirs.isPaused).toBe(true);
    await press('seekto', { seekTime: 40 });
    await expect.poll(theirs.position).toBe(40);
    await expect.poll(told).toMatchObject({ position: 40, playbackRate: 1 });
    expect((await told())!.duration).toBeCloseTo(60, 0);
    await press('seekbackward');
    await expect.poll(theirs.position).toBe(30);
    await press('seekforward', { seekOffset: 5 });
    await expect.poll(told).toMatchObject({ position: 35 });
    await visit.keyboard.press('>');
    await expect.poll(told).toMatchObject({ playbackRate: 1.25 });
    await visit.keyboard.press('=');
    // The key does nothing until the page knows what stands beside the video.
    const leadsTo = (action: string, id: string) =>
      expect
        .poll(
          async () => {
            if (!visit.url().includes(id)) await press(action);
            return visit.url();
          },
          { interval: 2000 },
        )
        .toContain(`/video/${id}/`);
    await leadsTo('nexttrack', second.id);
    await expect.poll(() => visit.evaluate('navigator.mediaSession.metadata?.title')).toBe(second.title);
    await leadsTo('previoustrack', film.id);
    await visit.close();
  });
});
