import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Page, Route } from 'playwright-core';
import { film, second } from './watch-catalogue.ts';
import { canBrowse, everybodyCanUse, nothingIsWrong } from './in-browser.ts';
import { leastContrast, lowestChange } from './looking.ts';
import { aWatcher, mediaOf, openStopped } from './watching.ts';

describe.runIf(canBrowse)('the player and what people hold in their hands', () => {
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

  test('by fingers: two taps go ten seconds, held it plays twice as fast, swiped down it goes into the corner', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await open(30);
    const fingers = await watcher.context.newCDPSession(page);
    await fingers.send('Emulation.setTouchEmulationEnabled', { enabled: true });
    const box = (await page.locator('video').boundingBox())!;
    const at = (part: number, down = 0) => ({ x: Math.round(box.x + box.width * part), y: Math.round(box.y + 60 + down) });
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...touchPoints: { x: number; y: number }[]) =>
      fingers.send('Input.dispatchTouchEvent', { type, touchPoints });
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

    await media.play();
    await touch('touchStart', at(0.5));
    await expect.poll(media.rate).toBe(2);
    await touch('touchEnd');
    await expect.poll(media.rate).toBe(1);

    await touch('touchStart', at(0.5));
    for (const down of [20, 60, 110]) await touch('touchMove', at(0.5, down));
    await touch('touchEnd');
    await page.locator('[data-player="corner"]').waitFor();
    expect([await media.isPaused(), await media.rate()]).toEqual([false, 1]);
    await fingers.detach();
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.evaluate('localStorage.clear()');
  });

  test('plays on a television from an address that needs no login, at the same second, where that is allowed', async () => {
    const allow = (enable_cast: boolean) =>
      watcher.visitor.call('POST', '/api/appsettings/config/', { application: { enable_cast } });
    // No device can be had here, so the browser's own part is played.
    await page.addInitScript(`
      const remote = {
        watchAvailability: async (tell) => (setTimeout(() => tell(globalThis.hasDevice !== false)), 7),
        cancelWatchAvailability: async () => {},
        prompt: async () => void (globalThis.prompted = document.querySelector('video').src),
      };
      Object.defineProperty(HTMLMediaElement.prototype, 'remote', { get: () => remote });
    `);
    await page.route('https://www.gstatic.com/**', (route) => route.abort()); // without Google's sender
    const button = page.getByRole('button', { name: 'Play on a television' });
    await allow(false);
    await open(20);
    await page.getByRole('button', { name: 'Player settings' }).waitFor({ state: 'attached' });
    expect(await button.count()).toBe(0);
    const video = page.url();
    await page.goto('about:blank'); // a page from before hears of it, and may not load the sender
    await allow(true);
    await page.goto(video);
    await expect.poll(media.position).toBe(20);
    await button.waitFor({ state: 'attached' });
    await page.locator('video').hover({ position: { x: 20, y: 20 } });
    await nothingIsWrong(page);
    await button.click();
    await expect.poll(() => page.evaluate('globalThis.prompted ?? null')).toMatch(/\/youtube\/.*[?&]sig=/);
    await expect.poll(media.position).toBe(20);
    const src = (await page.evaluate('globalThis.prompted')) as string;
    const asTelevision = await fetch(src, { headers: { range: 'bytes=0-99' } });
    expect([asTelevision.status, (await asTelevision.arrayBuffer()).byteLength]).toEqual([206, 100]);
    expect((await fetch(src.replace(/\?.*/, ''))).status).toBe(403);
    const tracks = (await page.evaluate(`[...document.querySelectorAll('track')].map(({ src }) => src)`)) as string[];
    expect(tracks.map((track) => /[?&]sig=/.test(track))).toEqual([true, true]);
    expect((await fetch(tracks[0]!)).status).toBe(200);

    // Whoever thinks better of it is told nothing; what goes wrong is said.
    const answerWith = (name: string) =>
      page.evaluate(
        `document.querySelector('video').remote.prompt = async () => { throw new DOMException('Out of reach.', '${name}') }`,
      );
    await answerWith('NotAllowedError');
    await button.click();
    await answerWith('NetworkError');
    await button.click();
    await page.getByText('Out of reach.').waitFor();
    expect(await page.getByText('Out of reach.').count()).toBe(1);
    await allow(false);
    expect(watcher.errors).toEqual([]);
  });

  test('says in figures how it plays, as they change, until that is closed', async () => {
    await open(20);
    await page.keyboard.press('d');
    const figures = page.getByRole('region', { name: 'Figures about the playback' });
    const figure = (name: string) =>
      figures
        .locator('dl > div')
        .filter({ has: page.locator('dt', { hasText: name }) })
        .locator('dd');
    await expect.poll(() => figure('Picture').first().textContent()).toMatch(/^320 × 180, \d+\.\d\d \/ s$/);
    expect(await figure('Video').textContent()).toBe(film.id);
    expect(await figure('Codecs').textContent()).toMatch(/^h264 [\d,]+ kbit\/s, aac [\d,]+ kbit\/s$/);
    expect(await figure('File').textContent()).toMatch(/^[\d.]+ [KM]iB$/);
    expect(await figure('Shown in').textContent()).toMatch(/^\d{3,4} × \d{3} × 1$/);
    await media.goTo(35);
    await page.keyboard.press('>');
    await expect.poll(() => figure('At').textContent()).toMatch(/^35\.00 \/ 60\.\d\d s$/);
    await expect.poll(() => figure('Speed, volume').textContent()).toBe('1.25×, 100 %');
    await page.keyboard.press('=');
    await everybodyCanUse(page);
    await figures.getByRole('button', { name: 'Close the figures' }).click();
    await expect.poll(() => figures.count()).toBe(0);
    await page.getByRole('button', { name: 'Player settings' }).click();
    await page
      .getByRole('dialog', { name: 'Player settings' })
      .getByRole('button', { name: 'Figures about the playback' })
      .click();
    await figures.waitFor();
    await page.locator('h1').click();
    await page.keyboard.press('d');
    await expect.poll(() => figures.count()).toBe(0);
  });

  test('draws captions above its controls, lets its previews be dismissed, and can be read on any picture', async () => {
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

    await page.getByRole('button', { name: 'Theatre' }).click();
    const wide = (await page.getByRole('slider', { name: 'Seek' }).locator('..').boundingBox())!;
    await page.mouse.move(wide.x + wide.width * 0.75, wide.y + wide.height / 2);
    const shown = page.locator('[data-player]').getByText('Weir', { exact: true });
    await shown.waitFor();
    await page.keyboard.press('Escape');
    await shown.waitFor({ state: 'detached' });
    const theatre = page.getByRole('button', { name: 'Theatre' });
    expect(await theatre.getAttribute('aria-pressed')).toBe('true');
    await page.mouse.move(wide.x + wide.width * 0.75, wide.y - 120);
    await page.mouse.move(wide.x + wide.width * 0.75, wide.y + wide.height / 2, { steps: 3 });
    await shown.waitFor();
    await page.mouse.move(wide.x + wide.width * 0.75, wide.y - 120);
    await page.keyboard.press('Escape');
    await expect.poll(() => theatre.getAttribute('aria-pressed')).toBe('false');

    for (const picture of ['brightness(0)', 'brightness(0) invert(1)']) {
      await page.evaluate(`document.querySelector('video').style.filter = '${picture}'`);
      const clock = page.locator('[data-player] span.number', { hasText: '/ 1:00' });
      expect(await leastContrast(page, clock.locator('span'))).toBeGreaterThan(4.5);
    }
    await page.evaluate("document.querySelector('video').style.filter = ''");
  });

  test('keeps the focus where it moves, and shows how far it is where the system chooses the colours', async () => {
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
    await page.getByRole('button', { name: 'Theatre' }).focus();
    await page.keyboard.press('t');
    await expect.poll(() => page.getByRole('button', { name: 'Theatre' }).getAttribute('aria-pressed')).toBe('true');
    expect(await focused()).toBe('Theatre');
    await page.keyboard.press('t');
    await media.pause();
    await page.emulateMedia({ forcedColors: 'active' });
    const grounds = await page.getByRole('slider', { name: 'Seek' }).evaluate((thumb) => {
      const track = (thumb as unknown as { parentElement: { firstElementChild: { children: unknown[] } } }).parentElement
        .firstElementChild;
      const { getComputedStyle } = globalThis as never as { getComputedStyle(of: unknown): { backgroundColor: string } };
      return [getComputedStyle(track).backgroundColor, getComputedStyle(track.children[1]).backgroundColor];
    });
    expect(grounds[0]).not.toBe(grounds[1]);
    expect(grounds[1]).not.toBe('rgba(0, 0, 0, 0)');
    await page.emulateMedia({ forcedColors: null });
  });

  test('goes into a window of its own and back, and says where a browser has none', async () => {
    await open(20);
    const isOut = () => page.evaluate('document.pictureInPictureElement === document.querySelector("video")');
    await page.keyboard.press('Shift+I');
    await expect.poll(isOut).toBe(true);
    await page.keyboard.press('Shift+I');
    await expect.poll(isOut).toBe(false);
    await page.getByRole('button', { name: 'Player settings' }).click();
    await page.getByRole('dialog', { name: 'Player settings' }).getByRole('button', { name: 'Picture in picture' }).click();
    await expect.poll(isOut).toBe(true);
    await page.evaluate('document.exitPictureInPicture()');
    await page.evaluate("HTMLVideoElement.prototype.requestPictureInPicture = () => Promise.reject(new Error('no'))");
    await page.locator('h1').click();
    await page.keyboard.press('Shift+I');
    await page
      .getByRole('status')
      .filter({ hasText: 'does not show it in a window of its own' })
      .first()
      .waitFor({ state: 'attached' });
    expect(watcher.errors).toEqual([]);
  });

  test('begins with what a list told, before its page has come, and ends when somebody goes elsewhere instead', async () => {
    // What a service worker hands out cannot be held up.
    const context = await page.context().browser()!.newContext({ serviceWorkers: 'block' });
    try {
      const visit = await context.newPage();
      await visit.request.post(`${watcher.address}/api/user/login/`, { data: { username: 'demo', password: 'demo' } });
      await visit.addInitScript(`(() => { globalThis.played = []; const { play } = HTMLMediaElement.prototype;
        HTMLMediaElement.prototype.play = function () { played.push(this); return play.call(this); } })()`);
      const nowPlaying = () => visit.evaluate('played.map((element) => !element.paused)');
      const choose = () => visit.locator('main').getByRole('link', { name: second.title }).last().click();
      const held: Route[] = [];
      const hold = (route: Route) => void held.push(route);
      await visit.route(new RegExp(`/api/video/${second.id}/$`), hold);
      await visit.goto(`${watcher.address}/`);
      await choose();
      await visit.getByRole('heading', { name: second.title, level: 1 }).waitFor();
      await expect.poll(nowPlaying).toEqual([true]);

      await visit.route(/\/assets\/VideoPage-.*\.js$/, hold);
      await visit.goto(`${watcher.address}/`);
      await choose();
      await expect.poll(nowPlaying).toEqual([true]);
      await visit.getByRole('link', { name: 'Channels' }).click();
      await expect.poll(nowPlaying).toEqual([false]);
      await visit.getByRole('heading', { name: 'Channels', level: 1 }).waitFor();
      expect(await visit.locator('video').count()).toBe(0);
    } finally {
      await context.close();
    }
  });
});
