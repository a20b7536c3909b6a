import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { mockGoogleCast } from '../support/cast-sender.ts';
import { canBrowse, expectAccessibleAtAllWidths } from '../support/in-browser.ts';
import { film, playlist, second } from '../support/watch-catalogue.ts';
import { startWatching, mediaOf, openStopped } from '../support/watching.ts';

interface Load {
  status: number;
  picture: number;
  texts: string[];
  type: string;
  path: string;
  title: string;
  languages: string[];
  currentTime: number;
  autoplay: boolean;
}

describe.runIf(canBrowse)('Google Cast', () => {
  let watcher: Awaited<ReturnType<typeof startWatching>>;
  let page: Page;
  let media: ReturnType<typeof mediaOf>;
  let requestedUrls: string[];
  beforeAll(async () => {
    watcher = await startWatching();
    ({ page } = watcher);
    media = mediaOf(page);
    requestedUrls = await mockGoogleCast(page);
  });
  afterAll(() => watcher.close());

  const allow = (enable_cast: boolean) =>
    watcher.visitor.call('POST', '/api/appsettings/config/', { application: { enable_cast } });
  const tv = <T>(what: string) => page.evaluate(`globalThis.tv?.${what} ?? null`) as Promise<T>;
  const lastLoad = () => tv<Load | null>('loads.at(-1)');
  const button = (name: string) => page.getByRole('button', { name });
  const castMessage = () => page.getByText('Playing on Living room');
  const show = () => page.locator('video').hover({ position: { x: 200, y: 60 }, force: true });
  async function cast(at: number) {
    await openStopped(page, watcher.address, film.id, at);
    await button('Cast to a TV').waitFor({ state: 'attached' });
    await show();
    await button('Cast to a TV').click();
    await expect.poll(() => tv('state')).not.toBeNull();
  }

  test('loads nothing from Google until casting is enabled', async () => {
    await allow(false);
    await openStopped(page, watcher.address, film.id, 20);
    await button('Player settings').waitFor({ state: 'attached' });
    expect(await button('Cast to a TV').count()).toBe(0);
    expect(requestedUrls).toEqual([]);
    const policyOf = async () => (await page.request.get(`${watcher.address}/`)).headers()['content-security-policy'];
    expect(await policyOf()).not.toContain('gstatic');
    await page.goto('about:blank'); // the open page has the old policy and may not load it
    await allow(true);
    // The hash is that of the script that sets the theme.
    expect(await policyOf()).toMatch(
      /script-src 'self' 'sha256-[^ ]+' https:\/\/www\.gstatic\.com\/cv\/js\/sender\/ https:\/\/www\.gstatic\.com\/cast\/sdk\/libs\/sender\/ https:\/\/www\.gstatic\.com\/eureka\/clank\/;/,
    );
    expect(await policyOf()).toMatch(/trusted-types reelkeep-worker default(;|$)/);
  });

  test('plays the current video at the same position through URLs without login', async () => {
    await cast(25);
    expect(requestedUrls.map((url) => new URL(url).pathname)).toEqual([
      '/cv/js/sender/v1/cast_sender.js',
      '/cast/sdk/libs/sender/1.0/cast_framework.js',
    ]);
    await castMessage().waitFor();
    const load = (await lastLoad())!;
    expect(load).toMatchObject({ status: 206, picture: 200, type: 'video/mp4', title: film.title, languages: ['de', 'en'] });
    expect(load).toMatchObject({ currentTime: 25, autoplay: false });
    expect(load.path).toMatch(/\.mp4$/);
    expect(load.texts[1]).toMatch(/^WEBVTT[^]*Café/);
    await show();
    await expectAccessibleAtAllWidths(page);
  });

  test('keeps the page and the Cast device in sync', async () => {
    await page.locator('h1').click();
    await page.keyboard.press('k');
    await expect.poll(() => tv('state')).toBe('PLAYING');
    await expect.poll(() => tv<number>('at')).toBeGreaterThan(26);
    await expect.poll(media.position).toBeGreaterThan(26);
    expect(await media.isPaused()).toBe(false);
    await show();
    await button('Pause').click();
    await expect.poll(() => tv('state')).toBe('PAUSED');
    await button('Play').first().waitFor();

    await page.getByRole('slider', { name: 'Seek' }).press('End');
    await page.locator('h1').click();
    await page.keyboard.press('5');
    await expect.poll(() => tv<number>('at')).toBeCloseTo(30, 0);
    expect(await media.position()).toBeCloseTo(30, 0);

    await page.locator('[data-player]').focus();
    await page.keyboard.press('ArrowUp');
    await expect.poll(() => tv<number>('level')).toBeCloseTo(0.55, 2);
    await page.keyboard.press('m');
    await expect.poll(() => tv('muted')).toBe(true);
    await page.evaluate('tv.turn(0.2)');
    await expect.poll(media.volume).toBe(0.2);
    expect(await page.evaluate(`String(localStorage.getItem('reelkeep.player'))`)).not.toContain('0.2');

    await page.keyboard.press('c');
    await expect.poll(() => tv<number[]>('tracks')).toEqual([2]);
    await page.keyboard.press('>');
    await page.getByText('The TV can’t change the playback speed').first().waitFor();
  });

  test('skips SponsorBlock segments and saves the position', async () => {
    await media.goTo(11);
    await media.play();
    await expect.poll(() => tv<number[]>('seeks')).toContain(20);
    await expect.poll(() => tv<number>('at')).toBeGreaterThan(20.4);
    await media.pause();
    const saved = async () =>
      ((await watcher.visitor.call('GET', `/api/video/${film.id}/`)).json as { player: { position?: number } }).player.position;
    const at = Math.floor(await tv<number>('at'));
    await expect.poll(saved).toBe(at);
    await show();
    await page.getByRole('button', { name: 'Stop casting' }).first().click();
    await expect.poll(() => castMessage().count()).toBe(0);
    expect(await tv('ended')).toBe(1);
    expect(Math.floor(await media.position())).toBe(at);
    expect(await media.isPaused()).toBe(true);
    expect(await media.volume()).not.toBe(0.2);
    await media.play();
    await expect.poll(media.position).toBeGreaterThan(at + 1);
  });

  test('returns playback to the page when casting ends, and casts again', async () => {
    await cast(40);
    await page.evaluate('tv.finish()');
    await expect.poll(media.position).toBeCloseTo(await media.duration(), 0);
    await media.goTo(33);
    expect([await tv('loads.length'), await media.isPaused()]).toEqual([1, true]);
    await media.play();
    await expect.poll(lastLoad).toMatchObject({ currentTime: 33, autoplay: true });
    await expect.poll(media.position).toBeGreaterThan(33.9);
    await page.evaluate('tv.fail()');
    await page.getByText(/^The TV couldn’t play this video\./).waitFor();
    expect(Math.floor(await media.position())).toBeGreaterThan(32);
  });

  test('casts the next video automatically', async () => {
    await openStopped(page, watcher.address, film.id, 50);
    await page.getByRole('tab', { name: 'Playlists' }).click();
    const list = page.getByRole('region', { name: `Playlist ${playlist.title}` });
    await list.getByRole('switch', { name: 'Autoplay' }).click();
    await button('Cast to a TV').waitFor({ state: 'attached' });
    await show();
    await button('Cast to a TV').click();
    await expect.poll(() => tv('loads.length')).toBe(1);
    await media.play();
    await page.evaluate('tv.finish()');
    await expect.poll(async () => (await lastLoad())?.title, { timeout: 30_000 }).toBe(second.title);
    expect((await lastLoad())!.autoplay).toBe(true);
    const isWatched = async () =>
      ((await watcher.visitor.call('GET', `/api/video/${film.id}/`)).json as { player: { watched: boolean } }).player.watched;
    await expect.poll(isWatched).toBe(true);
  });

  test('reports cast errors, but not a cancelled device picker', async () => {
    await openStopped(page, watcher.address, film.id, 20);
    await button('Cast to a TV').waitFor({ state: 'attached' });
    const clickCast = async () => {
      await show();
      await button('Cast to a TV').click();
    };
    await page.evaluate(`void (globalThis.tvAnswer = 'cancel')`);
    await clickCast();
    await page.evaluate(`void (globalThis.tvAnswer = 'timeout')`);
    await clickCast();
    await page.getByText('timeout').waitFor();
    expect(await page.getByText('cancel', { exact: true }).count()).toBe(0);
    await page.evaluate(`void (globalThis.tvAnswer = null, globalThis.tvRefuses = true)`);
    await clickCast();
    await page.getByText(/^The TV couldn’t play this video\./).waitFor();
    await expect.poll(() => castMessage().count()).toBe(0);
    expect(await media.position()).toBe(20);
    expect(watcher.errors).toEqual([]);

    // Scripts of other origins stay blocked.
    const results = await page.evaluate(`(() => {
      const attempts = [
        'https://other.example/x.js',
        'https://www.gstatic.com.other.example/x.js',
        'https://www.gstatic.com/feedback/api.js',
      ].map((src) => {
        try { document.createElement('script').src = src; return 'allowed'; } catch { return 'blocked'; }
      });
      try { document.createElement('div').innerHTML = '<b>x</b>'; return [...attempts, 'allowed']; } catch { return [...attempts, 'blocked']; }
    })()`);
    expect(results).toEqual(['blocked', 'blocked', 'blocked', 'blocked']);
    await allow(false);
  });
});
