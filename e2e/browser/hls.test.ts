import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { canBrowse, expectNoA11yProblems } from '../support/in-browser.ts';
import { numberedPicture, numberedRate, shownFrame } from '../support/numbered-film.ts';
import { importUnusualFilms, type Films } from '../support/unusual-films.ts';
import { mediaOf, openStopped, startWatching } from '../support/watching.ts';

// Seeks to random seconds. To repeat those of a failure: REELKEEP_TEST_SEED. More than twelve are in a film of ten minutes.
const seeks = Number(process.env.REELKEEP_TEST_SEEKS ?? 12);
let seed = Number(process.env.REELKEEP_TEST_SEED ?? Date.now() % 2 ** 31);
const seconds = seeks > 12 ? 600 : 130;
const rate = numberedRate;
/** Returns a number from 0 up to 1. */
const random = () => (seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
const hevc = ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=none', '-pix_fmt', 'yuv420p'];
const films: Films = { numbered001: ['.mkv', ...hevc, '-c:a', 'ac3'] };
const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac'];
const largeFilms: Films = {
  large000001: ['.mp4', ...h264],
  twoSounds01: ['.mp4', '-map', '0', '-map', '1', '-map', '1', ...hevc, '-c:a', 'aac'],
};

// Chromium plays neither H.265 nor AC-3.
describe.runIf(canBrowse)('a film that the server converts while it is watched', () => {
  let watcher: Awaited<ReturnType<typeof startWatching>>;
  let page: Page;
  let media: ReturnType<typeof mediaOf>;
  beforeAll(async () => {
    watcher = await startWatching();
    ({ page } = watcher);
    media = mediaOf(page);
    page.setDefaultTimeout(30_000);
    await importUnusualFilms(watcher, films, { picture: numberedPicture(), seconds });
    await importUnusualFilms(watcher, largeFilms, { picture: 'testsrc2=size=640x480:rate=10', seconds: 20 });
  });
  afterEach(async () => {
    await page.unrouteAll();
    expect(watcher.errors).toEqual([]);
  });
  afterAll(() => watcher.close());
  const frame = () => page.evaluate<number>(shownFrame);
  const open = (id: string, second = 0) => page.goto(`${watcher.address}/video/${id}/${second > 0 ? `?t=${second}` : ''}`);
  const openSettings = async (name = 'Player settings') => {
    await page.getByRole('button', { name }).press('Enter');
    return page.getByRole('dialog', { name });
  };

  test('plays, and shows the right frame after every seek', async () => {
    await open('numbered001', 65);
    await expect.poll(media.source).toMatch(/^blob:/);
    await expect.poll(media.position).toBe(65);
    await expect.poll(media.hasPicture).toBe(true);
    expect(Math.abs((await media.duration()) - seconds)).toBeLessThan(0.2);
    expect(Math.abs((await frame()) - 65 * rate)).toBeLessThanOrEqual(1);
    console.log(`REELKEEP_TEST_SEED=${seed} REELKEEP_TEST_SEEKS=${seeks}`);
    // At the joints of segments and of runs, at the ends, then anywhere.
    const fixed = [5.98, 6, 60.02, seconds - 0.8, 0.5];
    for (const second of [...fixed, ...Array.from({ length: seeks }, () => random() * (seconds - 0.1))]) {
      await media.goTo(second);
      await expect
        .poll(async () => [await media.hasPicture(), Math.abs((await frame()) - second * rate) <= 1])
        .toEqual([true, true]);
    }
  });

  test('goes on without a stop over the joints of segments and runs', async () => {
    await openStopped(page, watcher.address, 'numbered001', 58);
    await expect.poll(media.source).toMatch(/^blob:/);
    await expect.poll(media.hasPicture).toBe(true);
    await page.locator('video').evaluate((found) => {
      const element = found as unknown as { waits: number; addEventListener(event: string, listener: () => void): void };
      element.waits = 0;
      element.addEventListener('waiting', () => void element.waits++);
    });
    await media.play();
    await expect.poll(media.position, { timeout: 30_000 }).toBeGreaterThan(61);
    await media.pause();
    expect(await page.locator('video').evaluate((found) => (found as unknown as { waits: number }).waits)).toBeLessThanOrEqual(1);
    const position = await media.position();
    expect(Math.abs((await frame()) - position * rate)).toBeLessThanOrEqual(2);
    // The sound was decoded too.
    expect(
      await page
        .locator('video')
        .evaluate((found) => (found as unknown as { webkitAudioDecodedByteCount: number }).webkitAudioDecodedByteCount),
    ).toBeGreaterThan(10_000);
  });

  test('says why, keeps the speed, and goes on in the corner', async () => {
    await openStopped(page, watcher.address, 'numbered001', 20);
    await expect.poll(media.source).toMatch(/^blob:/);
    await page.keyboard.press('>');
    const dialog = await openSettings();
    await dialog.getByText('Conversion by the server').waitFor();
    await dialog.getByText('Why?').press('Enter');
    await dialog.getByText('This browser does not play H.265 video.').waitFor();
    await dialog.getByText('The server converts the picture while you watch: H.264, 96p.').waitFor();
    expect(await dialog.getByLabel('Quality').count()).toBe(0);
    await expectNoA11yProblems(page);
    await page.keyboard.press('Escape');
    await media.play();
    await expect.poll(media.position).toBeGreaterThan(21);
    await media.mark();
    await page.getByRole('link', { name: 'Home' }).first().click();
    const before = await media.position();
    await expect.poll(media.position).toBeGreaterThan(before + 1);
    expect([await media.isMarked(), await media.rate(), await media.isPaused()]).toEqual([true, 1.25, false]);
    await page.getByRole('button', { name: 'Close' }).first().click();
  });

  test('a lower quality plays at the same position, and can be undone', async () => {
    await openStopped(page, watcher.address, 'large000001', 7);
    expect(await media.source()).toContain('/youtube/');
    const dialog = await openSettings();
    const quality = dialog.getByLabel('Quality');
    await expect.poll(() => quality.locator('option').allTextContents()).toEqual(['Original', '360p']);
    await quality.selectOption('360p');
    await expect.poll(media.source).toMatch(/^blob:/);
    await expect.poll(media.hasPicture).toBe(true);
    expect(await media.position()).toBe(7);
    expect(await page.locator('video').evaluate((found) => (found as unknown as { videoHeight: number }).videoHeight)).toBe(360);
    for (const width of [390, 1600]) {
      await page.setViewportSize({ width, height: 844 });
      await expectNoA11yProblems(page);
    }
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByLabel('Quality').selectOption('Original');
    await expect.poll(media.source).toContain('/youtube/');
    await expect.poll(media.hasPicture).toBe(true);
    expect(await media.position()).toBe(7);
  });

  test('another sound track plays without loading the picture again', async () => {
    await openStopped(page, watcher.address, 'twoSounds01', 3);
    await expect.poll(media.source).toMatch(/^blob:/);
    await expect.poll(media.hasPicture).toBe(true);
    const source = await media.source();
    const dialog = await openSettings();
    const loaded = page.waitForResponse((response) => response.url().endsWith('/sound-2-init.mp4'));
    await dialog.getByLabel('Audio track').selectOption({ index: 1 });
    expect((await loaded).status()).toBe(200);
    expect([await media.source(), await media.position()]).toEqual([source, 3]);
    await media.play();
    await expect.poll(media.position).toBeGreaterThan(4);
    await media.pause();
  });

  test('another sound track plays that is chosen before the first one is there', async () => {
    const requested = page.waitForRequest('**/sound-1-*.m4s');
    await page.route('**/sound-1-*.m4s', () => undefined);
    await open('twoSounds01', 3);
    await requested;
    const dialog = await openSettings();
    await dialog.getByLabel('Audio track').selectOption({ index: 1 });
    await expect.poll(media.hasPicture).toBe(true);
    await media.play();
    await expect.poll(media.position).toBeGreaterThan(4);
    await media.pause();
    await page.unrouteAll();
  });

  test('a busy server says what to do, and playback begins when it has time', async () => {
    const text = 'The server is converting another video. Try a lower quality or wait.';
    await page.route('**/video-360-*.m4s', (route) => route.fulfill({ status: 503, json: { error: text } }));
    await openStopped(page, watcher.address, 'large000001', 7);
    await (await openSettings()).getByLabel('Quality').selectOption('360p');
    await page.getByRole('status').getByText(text).waitFor();
    await expectNoA11yProblems(page);
    await page.unrouteAll();
    await expect.poll(media.hasPicture, { timeout: 30_000 }).toBe(true);
    expect(await page.getByRole('status').getByText(text).count()).toBe(0);
    watcher.errors.splice(0);
  });

  test('a part that cannot be read is said, and left out', async () => {
    const text = 'This part of the file cannot be read.';
    await page.route('**/video-96-3.m4s', (route) => route.fulfill({ status: 422, json: { error: text } }));
    await openStopped(page, watcher.address, 'numbered001', 17);
    await expect.poll(media.source).toMatch(/^blob:/);
    // It is known before it is reached.
    await page.getByRole('status').getByText(text).waitFor();
    expect(await media.position()).toBe(17);
    await media.play();
    await expect.poll(media.position, { timeout: 30_000 }).toBeGreaterThan(25);
    await media.pause();
    expect(Math.abs((await frame()) - (await media.position()) * rate)).toBeLessThanOrEqual(2);
    watcher.errors.splice(0);
  });

  test.each([
    ['a segment', '**/video-96-*.m4s', 404],
    ['the playlist', '**/main-96-*.m3u8', 403],
  ])('renews the address a few times when %s is refused, then says so', async (_, path, status) => {
    await page.goto(`${watcher.address}/`);
    let requests = 0;
    page.on('request', (request) => (requests += Number(request.url().includes('/main-96-'))));
    await page.route(path, (route) => route.fulfill({ status, json: { error: 'not here' } }));
    await open('numbered001', 9);
    await page.getByText('Playing the conversion of the server failed in this browser.').waitFor();
    expect(requests).toBe(4);
    page.removeAllListeners('request');
    // It is not remembered.
    await page.unrouteAll();
    await open('numbered001', 9);
    await expect.poll(media.source).toMatch(/^blob:/);
    watcher.errors.splice(0);
  });

  test('a lower quality that is refused gives way to the file, at the same position', async () => {
    await page.route('**/video-360-*.m4s', (route) => route.fulfill({ status: 404, json: { error: 'not here' } }));
    await openStopped(page, watcher.address, 'large000001', 13);
    await (await openSettings()).getByLabel('Quality').selectOption('360p');
    await expect.poll(media.source).toMatch(/^blob:/);
    await expect.poll(media.source).toContain('/youtube/');
    await expect.poll(media.position).toBe(13);
    watcher.errors.splice(0);
  });

  test('a browser that cannot play the conversion says so', async () => {
    await page.route('**/video-96-init.mp4', (route) =>
      route.fulfill({ status: 200, contentType: 'video/mp4', body: 'no film' }),
    );
    await open('numbered001', 3);
    await page.getByText('Playing the conversion of the server failed in this browser.').waitFor();
    await page.evaluate('localStorage.clear()');
    watcher.errors.splice(0);
  });
});
