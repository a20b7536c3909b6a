import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Page, Request, Route } from 'playwright-core';
import { film } from '../support/watch-catalogue.ts';
import { canBrowse, expectNoA11yProblems } from '../support/in-browser.ts';
import { importUnusualFilms } from '../support/unusual-films.ts';
import { mediaOf, openStopped, startWatching, withoutHls } from '../support/watching.ts';

// Chromium plays H.264, also of 10 bit and in MKV, but neither AC-3 nor H.265.
describe.runIf(canBrowse)('files that a browser does not play', () => {
  let watcher: Awaited<ReturnType<typeof startWatching>>;
  let page: Page;
  let media: ReturnType<typeof mediaOf>;
  let asked: Request[] = [];
  beforeAll(async () => {
    watcher = await startWatching();
    ({ page } = watcher);
    media = mediaOf(page);
    page.setDefaultTimeout(20_000);
    await importUnusualFilms(watcher);
    page.on('request', (request) => {
      if (/\/playback\/$|request-playback/.test(request.url())) asked.push(request);
    });
  });
  beforeEach(() => {
    asked = [];
  });
  afterAll(() => watcher.close());
  const open = (id: string) => page.goto(`${watcher.address}/video/${id}/`);
  /** Opens the settings of the player and says why a copy plays, with the keyboard. */
  const openReasons = async () => {
    await page.getByRole('button', { name: 'Player settings' }).press('Enter');
    await page.getByText('Why?').press('Enter');
    return page.getByRole('dialog', { name: 'Player settings' }).getByRole('listitem').allTextContents();
  };

  test.each([film.id, 'mkvFilm0001', 'tenBits0001'])('%s plays directly, without a request or more code', async (id) => {
    await openStopped(page, watcher.address, id, 5);
    await media.play();
    await expect.poll(media.position).toBeGreaterThan(6);
    expect(await media.widthOfPicture()).toBe(320);
    expect(await media.source()).toContain('/youtube/');
    await page.getByRole('button', { name: 'Player settings' }).click();
    await page.getByRole('dialog', { name: 'Player settings' }).waitFor();
    expect(await page.getByText('Why?').count()).toBe(0);
    expect(asked.map((request) => request.url())).toEqual([]);
  });

  test('AC-3 plays from a copy with AAC, at the same position and speed, and the settings say why', async () => {
    await page.goto(`${watcher.address}/video/ac3Film0001/?t=12`);
    await expect.poll(media.source).toMatch(/\/cache\/renditions\/ac3Film0001\/\w+-e1\.mp4$/);
    await expect.poll(media.position).toBe(12);
    await expect.poll(media.widthOfPicture).toBe(320);
    await page.keyboard.press('>');
    await media.play();
    await expect.poll(media.position).toBeGreaterThan(13);
    await media.pause();
    expect(await media.rate()).toBe(1.25);
    expect(await openReasons()).toEqual([
      'This browser does not play AC-3 sound.',
      'A copy with the sound as AAC plays instead; the picture is unchanged.',
    ]);
    for (const width of [390, 1600]) {
      await page.setViewportSize({ width, height: 844 });
      await page.getByText('Copy with AAC sound').waitFor();
      await expectNoA11yProblems(page);
    }
    await page.setViewportSize({ width: 1280, height: 800 });
    // What the browser can is measured once, and stored.
    await page.keyboard.press('Escape');
    await page.keyboard.press('<');
    const measured = await page.evaluate("localStorage.getItem('reelkeep.capabilities')");
    expect(measured).toContain('avc1.6E00');
    await page.evaluate(
      "localStorage.setItem('reelkeep.capabilities', localStorage.getItem('reelkeep.capabilities').replace('avc1.6E00', 'avc1.6e00'))",
    );
    asked = [];
    await open('ac3Film0001');
    await expect.poll(media.source).toContain('-e1.mp4');
    expect(asked.map((one) => one.postData()).join()).toContain('avc1.6e00');
  });

  test.each([
    ['en', 'This browser does not play H.265 video. Download the file and play it in another program, or use another browser.'],
    [
      'de',
      'Dieser Browser spielt keine Videos mit H.265 ab. Lade die Datei herunter und spiele sie in einem anderen Programm ab, oder nimm einen anderen Browser.',
    ],
  ])('H.265 says why it does not play where the server cannot convert it, in %s', async (locale, text) => {
    await withoutHls(page);
    await page.evaluate(`localStorage.setItem('language', '${locale}')`);
    await open('hevcFilm001');
    // Its sound plays.
    await page.getByRole('status').getByText(text).waitFor();
    await expectNoA11yProblems(page);
    await page.evaluate("localStorage.removeItem('language')");
    await page.unrouteAll();
  });

  const garbage = (route: Route) => route.fulfill({ status: 200, contentType: 'video/mp4', body: 'no film' });

  test('after an error the next method plays at the same position and speed, and is remembered', async () => {
    await openStopped(page, watcher.address, 'plainFilm01', 7);
    await page.keyboard.press('>');
    await media.play();
    await expect.poll(media.position).toBeGreaterThan(8);
    const before = await media.position();
    await page.route('**/youtube/**', garbage);
    await page.locator('video').evaluate((found) => {
      const element = found as unknown as { src: string; currentTime: number; play(): Promise<void> };
      const at = element.currentTime;
      element.src = `${element.src}#again`;
      element.currentTime = at;
      void element.play().catch(() => {});
    });
    await expect.poll(media.source).toMatch(/plainFilm01\/\w+-e1\.mp4$/);
    await expect.poll(media.position).toBeGreaterThan(before - 0.5);
    expect(await media.position()).toBeLessThan(before + 8);
    expect([await media.isPaused(), await media.rate()]).toEqual([false, 1.25]);
    await expect.poll(media.widthOfPicture).toBe(320);
    expect(await page.getByRole('alert').count()).toBe(0);
    await media.pause();
    expect(await openReasons()).toEqual([
      'Playing the file failed in this browser.',
      'A copy with the sound as AAC plays instead; the picture is unchanged.',
    ]);
    await page.unroute('**/youtube/**', garbage);
    await open('plainFilm01');
    await expect.poll(media.source).toContain('-e1.mp4');
    const days = (count: number) =>
      page.evaluate(`localStorage.setItem('reelkeep.playback-failures', localStorage.getItem('reelkeep.playback-failures')
        .replace(/"at":\\d+/, '"at":' + (Date.now() - ${count} * 86400000)))`);
    await days(29);
    await open('plainFilm01');
    await expect.poll(media.source).toContain('-e1.mp4');
    await days(31);
    await open('plainFilm01');
    await expect.poll(() => page.evaluate("localStorage.getItem('reelkeep.playback-failures')")).toBe('{}');
    expect(await media.source()).toContain('/youtube/');
  });

  test('says why when the copy fails too, and when the server cannot make one', async () => {
    await withoutHls(page);
    await page.route('**/youtube/**', garbage);
    await page.route('**/cache/renditions/**', garbage);
    await open('plainFilm01');
    const alert = page.getByRole('alert');
    await alert
      .getByText('Playing the file failed in this browser. Playing the copy with converted sound failed in this browser.')
      .waitFor();
    await alert.getByRole('link', { name: 'Download file' }).waitFor();
    await page.unrouteAll();
    await page.evaluate('localStorage.clear()');
    const answer = {
      method: 'none',
      media_url: null,
      reasons: ['This browser does not play AC-3 sound.'],
      reason_messages: null,
    };
    await page.route('**/playback/', (route) => route.fulfill({ json: answer }));
    await openStopped(page, watcher.address, 'ac3Film0001', 3);
    await page.getByRole('status').getByText('This browser does not play AC-3 sound.').waitFor();
    await media.play();
    await expect.poll(media.position).toBeGreaterThan(4);
    await page.unrouteAll();
    expect(watcher.errors).toEqual([]);
  });
});
