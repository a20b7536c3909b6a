import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Page, Route } from 'playwright-core';
import { film, second } from '../support/watch-catalogue.ts';
import { canBrowse, expectNoA11yProblems } from '../support/in-browser.ts';
import { startWatching, mediaOf, openStopped } from '../support/watching.ts';

describe.runIf(canBrowse)('the player', () => {
  let watcher: Awaited<ReturnType<typeof startWatching>>;
  let page: Page;
  let address: string;
  let media: ReturnType<typeof mediaOf>;
  beforeAll(async () => {
    watcher = await startWatching();
    ({ page, address } = watcher);
    media = mediaOf(page);
  });
  afterAll(() => watcher.close());

  const expectAnnouncement = (text: string | RegExp) =>
    page.getByRole('status').filter({ hasText: text }).first().waitFor({ state: 'attached' });
  const open = (at = 5) => openStopped(page, address, film.id, at);
  const press = (key: string) => page.keyboard.press(key);

  test('runs each shortcut and announces it once', async () => {
    await open();
    await press('ArrowRight');
    await expect.poll(media.position).toBe(10);
    await expectAnnouncement('+5 s');
    await press('j');
    await expect.poll(media.position).toBe(0);
    await press('l');
    await expect.poll(media.position).toBe(10);
    await press('5');
    await expect.poll(media.position).toBeCloseTo(30, 0);
    await press('Home');
    await expect.poll(media.position).toBe(0);
    await press('>');
    await expect.poll(() => media.rate()).toBe(1.25);
    await expectAnnouncement('Speed 1.25×');
    await press('<');
    await press('<');
    await expect.poll(() => media.rate()).toBe(0.75);
    await press('=');
    await expect.poll(() => media.rate()).toBe(1);
    await press('m');
    await expect.poll(() => media.isMuted()).toBe(true);
    await press('m');
    await press('Control+ArrowRight');
    await expect.poll(media.position).toBe(30);
    await expectAnnouncement('Weir');
    await press('Control+ArrowLeft');
    await expect.poll(media.position).toBe(0);
    await press('k');
    await expect.poll(media.isPaused).toBe(false);
    await press('p');
    await expect.poll(media.isPaused).toBe(true);
    await press('y');
    await expectAnnouncement(/Link copied/);
    await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toMatch(/\/video\/watchFilm01\/\?t=\d+$/);
    const [saved] = await Promise.all([page.waitForEvent('download'), press('u')]);
    expect(saved.suggestedFilename()).toMatch(/^watchFilm01 .*\.png$/);
  });

  test('steps by frames, repeats seek keys but not toggles, and loops', async () => {
    await open(10);
    await press('.');
    await expect.poll(() => media.position()).toBeGreaterThan(10);
    const step = await media.position();
    expect(step).toBeLessThan(10.2);
    await press(',');
    await expect.poll(() => media.position()).toBeLessThan(step);
    await page.keyboard.down('m');
    await page.keyboard.down('m'); // key repeat
    await page.keyboard.up('m');
    await expect.poll(() => media.isMuted()).toBe(true);
    await press('m');
    await page.keyboard.down('ArrowRight');
    await page.keyboard.down('ArrowRight');
    await page.keyboard.up('ArrowRight');
    await expect.poll(media.position).toBeGreaterThan(19);
    await media.goTo(40);
    await press('a');
    await media.goTo(41);
    await press('a');
    await expect.poll(media.position).toBe(40);
    await media.play();
    await expect.poll(media.position).toBeGreaterThan(40.4);
    await media.seeked();
    expect(await media.position()).toBeLessThan(41);
    await press('a');
    await media.pause();
  });

  test('ignores shortcuts in text fields, sliders and menus, and when they are disabled', async () => {
    await open();
    await press('r');
    await page.getByRole('searchbox').fill('');
    await page.getByRole('searchbox').pressSequentially('kml');
    await expect.poll(() => media.isPaused()).toBe(true);
    await expect.poll(() => media.isMuted()).toBe(false);
    await expect.poll(() => media.position()).toBe(5);
    await page.getByRole('tab', { name: 'Transcript' }).focus();
    await press('ArrowRight');
    await expect.poll(() => media.position()).toBe(5);
    await page.locator('h1').click();
    await page.evaluate(`document.dispatchEvent(new Event('x'));
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'ь', code: 'KeyM', bubbles: true }))`);
    await expect.poll(() => media.isMuted()).toBe(true); // other script: recognized by key position
    await press('m');
    await press('?');
    const help = page.getByRole('dialog', { name: 'Player shortcuts' });
    await help.getByText('Next captions or off').waitFor();
    await help.getByLabel('Single-key shortcuts').selectOption('off');
    await press('Escape');
    await page.locator('h1').click();
    await press('m');
    await press('ArrowRight');
    expect([await media.isMuted(), await media.position()]).toEqual([false, 5]);
    await page
      .getByRole('group', { name: /^Player/ })
      .or(page.locator('[data-player]'))
      .first()
      .focus();
    await press('ArrowRight');
    await expect.poll(media.position).toBe(10);
    await page.evaluate('localStorage.clear()');
  });

  test('enters and leaves theater mode, and reports when full screen is unavailable', async () => {
    await open();
    const width = async () => (await page.locator('video').boundingBox())?.width ?? 0;
    const before = await width();
    await press('t');
    await expect.poll(width).toBeGreaterThan(before + 100);
    await press('Escape');
    await expect.poll(width).toBe(before);
    await page.evaluate('Element.prototype.requestFullscreen = () => Promise.reject(new Error())');
    await press('f');
    await page.getByText('Unable to enter fullscreen').waitFor();
  });

  test('cycles through caption languages, shifts captions, and remembers their style', async () => {
    await open(25);
    await press('c');
    await expect.poll(() => media.captions()).toBe('en');
    await press('c');
    await expect.poll(() => media.captions()).toBe('de');
    await press('c');
    await expect.poll(() => media.captions()).toBeNull();
    await press('Shift+c');
    await expect.poll(() => media.captions()).toBe('de');
    await press('h');
    await expectAnnouncement('Captions 0.1 s later');
    await press('g');
    await expectAnnouncement('Captions in sync');
    await press('g');
    await expectAnnouncement('Captions 0.1 s earlier');
    await press('+');
    await expectAnnouncement('Captions: 125%');
    await page.reload();
    await page.locator('video').waitFor();
    await expect.poll(media.captions).toBe('de');
    const rule = await page.evaluate(
      `[...document.adoptedStyleSheets].map((s) => [...s.cssRules].map((r) => r.cssText).join()).join()`,
    );
    expect(rule).toContain('font-size: 125%');
    await openStopped(page, address, second.id, 5);
    await press('c');
    await expectAnnouncement('This video has no captions');
    await page.evaluate('localStorage.clear()');
  });

  test('skips SponsorBlock segments, announces it, and offers undo', async () => {
    await open(10);
    await media.play();
    await page.getByText('Skipped: Sponsor').waitFor();
    await expect.poll(() => media.position()).toBeGreaterThanOrEqual(20);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(media.position).toBeLessThan(15);
    await page.waitForTimeout(600);
    await expect.poll(() => media.position()).toBeLessThan(16); // the segment is not skipped again
    await media.pause();
    await expect.poll(() => page.locator('[data-segment="sponsor"]').count()).toBe(1);
    await page.getByRole('button', { name: 'Player settings' }).click();
    await page.getByRole('dialog', { name: 'Player settings' }).getByLabel('Sponsor').selectOption('ask');
    await open(10);
    await media.play();
    await page.getByText('Sponsor starts').waitFor();
    await expect.poll(() => media.position()).toBeLessThan(15);
    await page.getByRole('button', { name: 'Skip', exact: true }).click();
    await expect.poll(media.position).toBeGreaterThanOrEqual(20);
    await page.evaluate('localStorage.clear()');
  });

  test('shows storyboard previews', async () => {
    await open();
    await expect
      .poll(
        async () =>
          ((await watcher.visitor.call('GET', `/api/video/${film.id}/`)).json as { storyboard_url: string | null })
            .storyboard_url,
      )
      .toContain('/cache/storyboards/');
    await page.reload();
    const bar = page.getByRole('slider', { name: 'Seek' });
    await bar.waitFor({ state: 'attached' });
    const box = (await page.locator('video').boundingBox())!;
    await page.mouse.move(box.x + box.width * 0.75, box.y + box.height - 62);
    await page.mouse.move(box.x + box.width * 0.75, box.y + box.height - 60);
    const tile = page.locator('[style*="storyboards"]');
    await tile.waitFor();
    expect(
      await tile.evaluate((one) => (one as unknown as { style: { backgroundImage: string } }).style.backgroundImage),
    ).toContain('watchFilm01_0.jpg');
    await page.getByText('Weir').first().waitFor();
  });

  test('keeps the same media element in the mini player and back on the page', async () => {
    await open(30);
    await media.mark();
    await media.play();
    await page.getByRole('link', { name: 'Home', exact: true }).click();
    await page.getByRole('heading', { name: 'Recent videos' }).waitFor();
    const at = await media.position();
    await page.waitForTimeout(700);
    await expect.poll(() => media.isPaused()).toBe(false);
    await expect.poll(() => media.position()).toBeGreaterThan(at);
    await page.getByRole('link', { name: 'Channels' }).click();
    await expect.poll(() => media.isMarked()).toBe(true);
    await page.locator('[data-player="corner"]').getByRole('link', { name: film.title }).click();
    await page.locator('[data-player="page"]').waitFor();
    expect([await media.isMarked(), await media.isPaused()]).toEqual([true, false]);
    await press('i');
    await page.getByText('Playing in the mini player.').waitFor();
    await page.locator('[data-player="corner"]').getByRole('button', { name: 'Close the player' }).click();
    await page.locator('[data-player="page"]').waitFor();
    await expect.poll(() => media.isPaused()).toBe(true);
    await media.play();
    await page.getByRole('link', { name: 'Home', exact: true }).click();
    await page.locator('[data-player="corner"]').getByRole('button', { name: 'Close the player' }).click();
    await expect.poll(() => page.locator('video').count()).toBe(0);
  });

  test('plays inside a list when its URL names a video', async () => {
    await page.goto(`${address}/?videoId=${second.id}`);
    await page.getByRole('region', { name: 'Player' }).getByRole('heading', { name: second.title }).waitFor();
    await page.locator('video').waitFor();
    await page.getByRole('heading', { name: 'Recent videos' }).waitFor();
    await page.getByRole('region', { name: 'Player' }).getByRole('button', { name: 'Close the player' }).click();
    await expect.poll(() => new URL(page.url()).search).toBe('');
  });

  test('reports playback to the system, and uses iPhone full screen where no other exists', async () => {
    await open();
    await expect.poll(() => page.evaluate('navigator.mediaSession.metadata.title')).toBe(film.title);
    await expect.poll(() => page.evaluate('navigator.mediaSession.metadata.artwork[0].src')).toContain('/cache/videos/');
    await page.evaluate(`delete Element.prototype.requestFullscreen;
      HTMLVideoElement.prototype.webkitEnterFullscreen = function () { this.title = 'full'; }`);
    await press('f');
    await expect.poll(() => page.locator('video').getAttribute('title')).toBe('full');
    await expect.poll(() => page.locator('video').getAttribute('playsinline')).not.toBeNull();
  });

  test('resumes at the same position after a network failure, and reports unplayable files', async () => {
    await open(20);
    const abortRequest = (route: Route) => route.abort();
    await page.route('**/youtube/**', abortRequest);
    await page.locator('video').evaluate((found) => (found as unknown as { load(): void }).load());
    await page.getByText(/is not sending the video/).waitFor();
    await page.unroute('**/youtube/**', abortRequest);
    await page.getByText(/is not sending the video/).waitFor({ state: 'detached' });
    await expect.poll(media.position).toBe(20);
    const serveAsMkv = async (route: Route) => {
      const response = await route.fetch();
      const json = (await response.json()) as { media_url: string; streams: object[] };
      json.media_url = json.media_url.replace('.mp4', '.mkv');
      await route.fulfill({ response, json });
    };
    const invalidFile = (route: Route) => route.fulfill({ status: 200, contentType: 'video/matroska', body: 'no film' });
    await page.route(`**/api/video/${film.id}/`, serveAsMkv);
    await page.route('**/youtube/**.mkv', invalidFile);
    await page.route('**/cache/renditions/**', invalidFile);
    await page.route('**/hls/**', invalidFile);
    await page.goto(`${address}/video/${film.id}/`);
    await page
      .getByRole('alert')
      .getByText(/failed in this browser. Download the file/)
      .waitFor();
    await page.getByRole('alert').getByRole('link', { name: 'Download file' }).waitFor();
    await page.unrouteAll();
  });

  test.each([390, 1280])('is accessible at %d', async (width) => {
    await page.setViewportSize({ width, height: 844 });
    await open();
    await page.getByRole('button', { name: 'Player settings' }).click();
    await expectNoA11yProblems(page);
    await page.setViewportSize({ width: 1280, height: 800 });
    expect(watcher.errors).toEqual([]);
  });
});
