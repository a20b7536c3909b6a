import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Page, Route } from 'playwright-core';
import { film, second, third } from '../support/watch-catalogue.ts';
import { canBrowse, expectAccessibleAtAllWidths, expectNoA11yProblems, noteErrors } from '../support/in-browser.ts';
import { leastContrast, lowestChange } from '../support/a11y-checks.ts';
import { startSwitchableProxy } from '../support/switchable-proxy.ts';
import { startWatching, mediaOf, openStopped } from '../support/watching.ts';

describe.runIf(canBrowse)('the player on different devices', () => {
  let watcher: Awaited<ReturnType<typeof startWatching>>;
  let page: Page;
  let media: ReturnType<typeof mediaOf>;
  beforeAll(async () => {
    watcher = await startWatching();
    ({ page } = watcher);
    media = mediaOf(page);
  });
  afterAll(() => watcher.close());
  const open = (at: number) => openStopped(page, watcher.address, film.id, at);

  test('handles touch: double tap seeks 10 seconds, long press plays at double speed, swipe down minimizes', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await open(30);
    const cdp = await watcher.context.newCDPSession(page);
    await cdp.send('Emulation.setTouchEmulationEnabled', { enabled: true });
    const box = (await page.locator('video').boundingBox())!;
    const at = (part: number, down = 0) => ({ x: Math.round(box.x + box.width * part), y: Math.round(box.y + 60 + down) });
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...touchPoints: { x: number; y: number }[]) =>
      cdp.send('Input.dispatchTouchEvent', { type, touchPoints });
    const tap = async (part: number) => {
      await touch('touchStart', at(part));
      await touch('touchEnd');
    };
    await tap(0.9);
    await tap(0.9);
    await expect.poll(media.position).toBeCloseTo(40, 0);
    await tap(0.1);
    await tap(0.1);
    await expect.poll(media.position).toBeCloseTo(30, 0);

    const settings = page.getByRole('button', { name: 'Player settings' });
    const sheet = page.getByRole('dialog', { name: 'Player settings' });
    const sheetEdges = async () => {
      const edges = await sheet.boundingBox();
      return edges && [Math.round(edges.y), Math.round(edges.y + edges.height)];
    };
    await settings.press('Enter');
    await expect.poll(sheetEdges).toEqual([Math.round(844 * 0.15), 844]);
    await expectNoA11yProblems(page);
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });
    expect(await page.evaluate('document.activeElement?.ariaLabel')).toBe('Player settings');
    await settings.press('Enter');
    await expect.poll(sheetEdges).toEqual([Math.round(844 * 0.15), 844]);
    await touch('touchStart', { x: 195, y: 150 });
    for (const y of [250, 350, 500]) await touch('touchMove', { x: 195, y });
    await touch('touchEnd');
    await sheet.waitFor({ state: 'detached' });

    await media.play();
    await touch('touchStart', at(0.5));
    await expect.poll(media.rate).toBe(2);
    await touch('touchEnd');
    await expect.poll(media.rate).toBe(1);

    // Sent without waiting for each: a finger that rests for half a second plays at double speed instead.
    const moves = [20, 60, 110].map((down) => ['touchMove', at(0.5, down)] as const);
    await Promise.all([touch('touchStart', at(0.5)), ...moves.map((move) => touch(...move)), touch('touchEnd')]);
    await page.locator('[data-player="corner"]').waitFor();
    expect([await media.isPaused(), await media.rate()]).toEqual([false, 1]);
    await cdp.send('Emulation.setTouchEmulationEnabled', { enabled: false });
    await cdp.detach();
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.evaluate('localStorage.clear()');
  });

  test('steps through shorts by swiping, wheel, keys and buttons, repeats them, and returns to the home page', async () => {
    const { address, folder, visitor } = watcher;
    const setKind = (kind: string) => {
      const db = new DatabaseSync(join(folder, 'reelkeep.db'), { timeout: 10_000 });
      db.prepare('update video set kind = ? where id in (?, ?)').run(kind, second.id, third.id);
      db.close();
    };
    setKind('shorts');
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(address);
    const cards = page.getByRole('region', { name: 'Shorts' }).getByRole('article');
    const ids = ((await visitor.call('GET', '/api/video/?type=shorts')).json as { data: { youtube_id: string }[] }).data.map(
      ({ youtube_id }) => youtube_id,
    );
    await cards.first().getByRole('link').first().click();
    const shown = async () => ids.indexOf(new URL(page.url()).searchParams.get('videoId') ?? '');
    await expect.poll(shown).toBe(0);
    await expect.poll(media.position).toBeGreaterThan(0);
    await media.mark();
    const frame = (await page.locator('[data-player]').boundingBox())!;
    expect(frame.height).toBeGreaterThan(frame.width);
    await expectNoA11yProblems(page);

    const cdp = await watcher.context.newCDPSession(page);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...touchPoints: { x: number; y: number }[]) =>
      cdp.send('Input.dispatchTouchEvent', { type, touchPoints });
    const swipe = async (from: number, to: number) => {
      await touch('touchStart', { x: 195, y: from });
      await touch('touchMove', { x: 195, y: (from + to) / 2 });
      await touch('touchMove', { x: 195, y: to });
      await touch('touchEnd');
    };
    await swipe(500, 300);
    await expect.poll(shown).toBe(1);
    await expect.poll(media.isPaused).toBe(false);
    await swipe(300, 500);
    await expect.poll(shown).toBe(0);
    expect(await page.evaluate('document.fullscreenElement')).toBeNull();
    await cdp.detach();
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByRole('button', { name: 'Next short' }).click();
    await expect.poll(shown).toBe(1);
    await expect.poll(() => page.getByRole('button', { name: 'Next short' }).isDisabled()).toBe(true);
    await page.keyboard.press('ArrowUp');
    await expect.poll(shown).toBe(0);
    await page.locator('video').hover();
    await page.mouse.wheel(0, 120);
    await expect.poll(shown).toBe(1);
    expect(await media.isMarked()).toBe(true);
    await expectNoA11yProblems(page);

    await media.goTo(13);
    const isWatched = async () =>
      ((await visitor.call('GET', `/api/video/${ids[1]}/`)).json as { player: { watched: boolean } }).player.watched;
    await expect.poll(isWatched).toBe(true);
    await expect.poll(media.position).toBeLessThan(10);
    await page.goBack();
    await cards.first().waitFor();
    expect(await page.locator('video').count()).toBe(0);
    setKind('videos');
    await visitor.call('POST', '/api/watched/', { id: ids[1], is_watched: false });
  });

  test('plays on an AirPlay device at the same position, where that is enabled', async () => {
    const allow = (enable_cast: boolean) =>
      watcher.visitor.call('POST', '/api/appsettings/config/', { application: { enable_cast } });
    // No real device is available, so the browser's API is mocked.
    await page.addInitScript(`
      const remote = {
        watchAvailability: async (callback) => (setTimeout(() => callback(globalThis.hasDevice !== false)), 7),
        cancelWatchAvailability: async () => {},
        prompt: async () => void (globalThis.prompted = document.querySelector('video').src),
      };
      Object.defineProperty(HTMLMediaElement.prototype, 'remote', { get: () => remote });
    `);
    await page.route('https://www.gstatic.com/**', (route) => route.abort()); // blocks Google's sender
    const button = page.getByRole('button', { name: 'Cast to a TV' });
    await allow(false);
    await open(20);
    await page.getByRole('button', { name: 'Player settings' }).waitFor({ state: 'attached' });
    expect(await button.count()).toBe(0);
    const video = page.url();
    await page.goto('about:blank'); // the open page would detect the change, and may not load the sender
    await allow(true);
    await page.goto(video);
    await expect.poll(media.position).toBe(20);
    await button.waitFor({ state: 'attached' });
    await page.locator('video').hover({ position: { x: 20, y: 20 } });
    await expectNoA11yProblems(page);
    await button.click();
    await expect.poll(() => page.evaluate('globalThis.prompted ?? null')).toMatch(/\/youtube\/~a\./);
    await expect.poll(media.position).toBe(20);
    const src = (await page.evaluate('globalThis.prompted')) as string;
    const tvResponse = await fetch(src, { headers: { range: 'bytes=0-99' } });
    expect([tvResponse.status, (await tvResponse.arrayBuffer()).byteLength]).toEqual([206, 100]);
    expect((await fetch(src.replace(/\/~[^/]+/, ''))).status).toBe(403);
    const tracks = (await page.evaluate(`[...document.querySelectorAll('track')].map(({ src }) => src)`)) as string[];
    expect(tracks.map((track) => track.includes('/~a.'))).toEqual([true, true]);
    expect((await fetch(tracks[0]!)).status).toBe(200);

    // A cancelled device picker shows no message; other errors do.
    const failPrompt = (name: string) =>
      page.evaluate(
        `document.querySelector('video').remote.prompt = async () => { throw new DOMException('Out of reach.', '${name}') }`,
      );
    await failPrompt('NotAllowedError');
    await button.click();
    await failPrompt('NetworkError');
    await button.click();
    await page.getByText('Out of reach.').waitFor();
    expect(await page.getByText('Out of reach.').count()).toBe(1);
    await allow(false);
    expect(watcher.errors).toEqual([]);
  });

  test('shows playback statistics until they are closed', async () => {
    await open(20);
    await page.keyboard.press('d');
    const stats = page.getByRole('region', { name: 'Playback stats' });
    const stat = (name: string) =>
      stats
        .locator('dl > div')
        .filter({ has: page.locator('dt', { hasText: name }) })
        .locator('dd');
    await expect.poll(() => stat('Resolution').textContent()).toMatch(/^320 × 180, \d+\.\d\d \/ s$/);
    expect(await stat('Video').textContent()).toBe(film.id);
    expect(await stat('Codecs').textContent()).toMatch(/^h264 [\d,]+ kbit\/s, aac [\d,]+ kbit\/s$/);
    expect(await stat('File').textContent()).toMatch(/^[\d.]+ [KM]iB$/);
    expect(await stat('Viewport').textContent()).toMatch(/^\d{3,4} × \d{3} × 1$/);
    await media.goTo(35);
    await page.keyboard.press('>');
    await expect.poll(() => stat('Position').textContent()).toMatch(/^35\.00 \/ 60\.\d\d s$/);
    await expect.poll(() => stat('Speed, volume').textContent()).toBe('1.25×, 100%');
    await page.keyboard.press('=');
    await expectAccessibleAtAllWidths(page);
    await stats.getByRole('button', { name: 'Close stats' }).click();
    await expect.poll(() => stats.count()).toBe(0);
    await page.getByRole('button', { name: 'Player settings' }).click();
    await page.getByRole('dialog', { name: 'Player settings' }).getByRole('button', { name: 'Playback stats' }).click();
    await stats.waitFor();
    await page.locator('h1').click();
    await page.keyboard.press('d');
    await expect.poll(() => stats.count()).toBe(0);
  });

  test('draws captions above the controls, dismisses previews, and stays readable on any picture', async () => {
    await open(27);
    const box = (await page.locator('video').boundingBox())!;
    await page.mouse.move(box.x + box.width / 2, box.y + 40);
    const show = (mode: string) => page.evaluate(`void (document.querySelector('video').textTracks[0].mode = '${mode}')`);
    await show('showing');
    await expect.poll(() => page.evaluate("document.querySelector('video').textTracks[0].activeCues?.length ?? 0")).toBe(1);
    const bar = (await page.getByRole('slider', { name: 'Seek' }).locator('..').boundingBox())!;
    const lowest = await lowestChange(page, box, () => show('disabled'));
    expect(lowest).toBeGreaterThan(box.y + box.height / 2);
    expect(lowest).toBeLessThan(bar.y);

    const sidebar = page.getByRole('navigation', { name: 'Main' });
    const sidebarWidth = async () => (await sidebar.boundingBox())!.width;
    const widthBefore = await sidebarWidth();
    await page.getByRole('button', { name: 'Theater mode' }).click();
    await expect.poll(() => page.getByRole('banner').isVisible()).toBe(false);
    const pictureBox = (await page.locator('video').boundingBox())!;
    expect([pictureBox.x, pictureBox.y]).toEqual([await sidebarWidth(), 0]);
    expect(await sidebarWidth()).toBeLessThan(100);
    const wide = (await page.getByRole('slider', { name: 'Seek' }).locator('..').boundingBox())!;
    await page.mouse.move(wide.x + wide.width * 0.75, wide.y + wide.height / 2);
    const preview = page.locator('[data-player]').getByText('Weir', { exact: true });
    await preview.waitFor();
    await page.keyboard.press('Escape');
    await preview.waitFor({ state: 'detached' });
    const theater = page.getByRole('button', { name: 'Theater mode' });
    expect(await theater.getAttribute('aria-pressed')).toBe('true');
    await page.mouse.move(wide.x + wide.width * 0.75, wide.y - 120);
    await page.mouse.move(wide.x + wide.width * 0.75, wide.y + wide.height / 2, { steps: 3 });
    await preview.waitFor();
    await page.mouse.move(wide.x + wide.width * 0.75, wide.y - 120);
    await page.keyboard.press('Escape');
    await expect.poll(() => theater.getAttribute('aria-pressed')).toBe('false');
    expect(await sidebarWidth()).toBe(widthBefore);
    expect(await page.getByRole('banner').isVisible()).toBe(true);

    for (const picture of ['brightness(0)', 'brightness(0) invert(1)']) {
      await page.evaluate(`document.querySelector('video').style.filter = '${picture}'`);
      const clock = page.locator('[data-player] span.number', { hasText: '/ 1:00' });
      expect(await leastContrast(page, clock.locator('span'))).toBeGreaterThan(4.5);
    }
    await page.evaluate("document.querySelector('video').style.filter = ''");
  });

  test('keeps the focus and shows progress in forced-colors mode', async () => {
    await open(30);
    await media.play();
    await page.getByRole('button', { name: 'Pause', exact: true }).focus();
    const focused = () => page.evaluate('document.activeElement?.ariaLabel');
    await page.keyboard.press('i');
    await page.locator('[data-player="corner"]').waitFor();
    await page.locator('[data-player="corner"]').getByRole('button', { name: 'Pause', exact: true }).focus();
    await page.keyboard.press('i');
    await page.locator('[data-player="page"]').waitFor();
    await expect.poll(() => page.evaluate("document.activeElement?.matches('[data-player=page]')")).toBe(true);
    await page.getByRole('button', { name: 'Theater mode' }).focus();
    await page.keyboard.press('t');
    await expect.poll(() => page.getByRole('button', { name: 'Theater mode' }).getAttribute('aria-pressed')).toBe('true');
    expect(await focused()).toBe('Theater mode');
    await page.keyboard.press('t');
    await media.pause();
    await page.emulateMedia({ forcedColors: 'active' });
    const colors = await page.getByRole('slider', { name: 'Seek' }).evaluate((thumb) => {
      const track = (thumb as unknown as { parentElement: { firstElementChild: { children: unknown[] } } }).parentElement
        .firstElementChild;
      const { getComputedStyle } = globalThis as never as { getComputedStyle(of: unknown): { backgroundColor: string } };
      return [getComputedStyle(track).backgroundColor, getComputedStyle(track.children[1]).backgroundColor];
    });
    expect(colors[0]).not.toBe(colors[1]);
    expect(colors[1]).not.toBe('rgba(0, 0, 0, 0)');
    await page.emulateMedia({ forcedColors: null });
  });

  test('saves videos on the device, plays them without the server, and sends the position later', async () => {
    const site = await startSwitchableProxy(watcher.address);
    const context = await page
      .context()
      .browser()!
      .newContext({ viewport: { width: 390, height: 844 }, hasTouch: true });
    try {
      const tab = await context.newPage();
      tab.setDefaultTimeout(120_000);
      const problems: string[] = [];
      noteErrors(tab, problems);
      await tab.request.post(`${site.address}/api/user/login/`, { data: { username: 'demo', password: 'demo' } });
      await tab.goto(`${site.address}/`);
      await tab.evaluate('navigator.serviceWorker.ready.then(() => true)');
      const save = async (id: string) => {
        await tab.goto(`${site.address}/video/${id}/`);
        await tab.getByRole('button', { name: 'More', exact: true }).click();
        await tab.getByRole('menuitem', { name: 'Make available offline' }).click();
      };
      const cdp = await context.newCDPSession(tab);
      await cdp.send('Storage.overrideQuotaForOrigin', { origin: site.address, quotaSize: 1_000_000 });
      await tab.goto(`${site.address}/video/${film.id}/`); // the app loads although the service worker cannot cache it
      await tab.getByRole('heading', { name: film.title }).waitFor();
      await cdp.send('Storage.overrideQuotaForOrigin', { origin: site.address });
      await tab.addInitScript('if (!sessionStorage.tried) navigator.storage.estimate = async () => ({ usage: 9e6, quota: 1e7 })');
      await save(film.id);
      await tab
        .getByText(/^Not enough space on this device/)
        .first()
        .waitFor();
      await tab.evaluate("sessionStorage.tried = 'yes'");
      for (const { id } of [film, third]) {
        await save(id);
        await tab
          .getByText(/is available offline\.$/)
          .first()
          .waitFor();
      }

      site.disconnect();
      await watcher.visitor.call('DELETE', `/api/video/${third.id}/`);
      await tab.goto(`${site.address}/`);
      await tab.getByRole('link', { name: 'Videos on this device' }).click();
      await tab.getByRole('heading', { name: 'Offline videos' }).waitFor();
      await tab.getByRole('button', { name: `Play “${film.title}”` }).click();
      const offline = mediaOf(tab);
      await expect.poll(offline.position).toBeGreaterThan(0);
      expect(await offline.widthOfPicture()).toBeGreaterThan(0);
      await expect.poll(() => tab.evaluate("document.querySelector('video').textTracks.length")).toBe(film.subtitles.length);
      await offline.pause();
      await offline.goTo(31);
      await expect.poll(() => tab.evaluate("localStorage.getItem('reelkeep.offline-progress')")).toContain(':31');
      await expectNoA11yProblems(tab);
      await tab.reload();
      await tab.getByRole('button', { name: `Play “${film.title}”` }).click();
      await expect.poll(offline.position).toBeGreaterThanOrEqual(31);
      await offline.pause();

      site.connect();
      await tab.reload();
      const position = async () => {
        const { json } = await watcher.visitor.call('GET', `/api/video/${film.id}/`);
        return (json as { player: { position?: number } }).player.position ?? 0;
      };
      await expect.poll(position).toBeGreaterThanOrEqual(31);
      await tab.getByText('No longer in the archive. This copy is kept until you remove it.').waitFor();
      await tab.getByRole('button', { name: `Remove “${third.title}” from this device` }).click();
      await expect.poll(() => tab.getByRole('listitem').count()).toBe(1);
      expect(problems).toEqual([]);
    } finally {
      await context.close();
      await site.close();
    }
    // The following tests expect the films in the archive.
    const { json } = await watcher.visitor.call('GET', '/api/trash/');
    const ids = (json as { data: { youtube_id: string }[] }).data.map(({ youtube_id }) => youtube_id);
    await watcher.visitor.call('POST', '/api/trash/', { action: 'restore', ids });
  });

  test('opens and closes picture-in-picture, and reports browsers without it', async () => {
    await open(20);
    const isInPictureInPicture = () => page.evaluate('document.pictureInPictureElement === document.querySelector("video")');
    await page.keyboard.press('Shift+I');
    await expect.poll(isInPictureInPicture).toBe(true);
    await page.keyboard.press('Shift+I');
    await expect.poll(isInPictureInPicture).toBe(false);
    await page.getByRole('button', { name: 'Player settings' }).click();
    await page.getByRole('dialog', { name: 'Player settings' }).getByRole('button', { name: 'Picture-in-picture' }).click();
    await expect.poll(isInPictureInPicture).toBe(true);
    await page.evaluate('document.exitPictureInPicture()');
    await page.evaluate("HTMLVideoElement.prototype.requestPictureInPicture = () => Promise.reject(new Error('no'))");
    await page.locator('h1').click();
    await page.keyboard.press('Shift+I');
    await page
      .getByRole('status')
      .filter({ hasText: 'Picture-in-picture is not available in this browser' })
      .first()
      .waitFor({ state: 'attached' });
    expect(watcher.errors).toEqual([]);
  });

  test('starts from a list before the page has loaded, and stops on navigation', async () => {
    // Responses of a service worker cannot be delayed.
    const context = await page.context().browser()!.newContext({ serviceWorkers: 'block' });
    try {
      const tab = await context.newPage();
      await tab.request.post(`${watcher.address}/api/user/login/`, { data: { username: 'demo', password: 'demo' } });
      await tab.addInitScript(`(() => { globalThis.played = []; const { play } = HTMLMediaElement.prototype;
        HTMLMediaElement.prototype.play = function () { played.push(this); return play.call(this); } })()`);
      const nowPlaying = () => tab.evaluate('played.map((element) => !element.paused)');
      const choose = () => tab.locator('main').getByRole('link', { name: second.title }).last().click();
      const heldRoutes: Route[] = [];
      const hold = (route: Route) => void heldRoutes.push(route);
      await tab.route(new RegExp(`/api/video/${second.id}/$`), hold);
      await tab.goto(`${watcher.address}/`);
      await choose();
      await tab.getByRole('heading', { name: second.title, level: 1 }).waitFor();
      await expect.poll(nowPlaying).toEqual([true]);

      await tab.route(/\/assets\/VideoPage-.*\.js$/, hold);
      await tab.goto(`${watcher.address}/`);
      await choose();
      await expect.poll(nowPlaying).toEqual([true]);
      await tab.getByRole('link', { name: 'Channels' }).click();
      await expect.poll(nowPlaying).toEqual([false]);
      await tab.getByRole('heading', { name: 'Channels', level: 1 }).waitFor();
      expect(await tab.locator('video').count()).toBe(0);
    } finally {
      await context.close();
    }
  });
});
