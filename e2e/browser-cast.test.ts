import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { playGoogle } from './cast-sender.ts';
import { canBrowse, everybodyCanUse } from './in-browser.ts';
import { film, playlist, second } from './watch-catalogue.ts';
import { aWatcher, mediaOf, openStopped } from './watching.ts';

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

describe.runIf(canBrowse)('a television of Google Cast', () => {
  let watcher: Awaited<ReturnType<typeof aWatcher>>;
  let page: Page;
  let media: ReturnType<typeof mediaOf>;
  let asked: string[];
  beforeAll(async () => {
    watcher = await aWatcher();
    ({ page } = watcher);
    media = mediaOf(page);
    asked = await playGoogle(page);
  });
  afterAll(() => watcher.close());

  const allow = (enable_cast: boolean) =>
    watcher.visitor.call('POST', '/api/appsettings/config/', { application: { enable_cast } });
  const tv = <T>(what: string) => page.evaluate(`globalThis.tv?.${what} ?? null`) as Promise<T>;
  const lastLoad = () => tv<Load | null>('loads.at(-1)');
  const button = (name: string) => page.getByRole('button', { name });
  const sign = () => page.getByText('Plays on Living room');
  const show = () => page.locator('video').hover({ position: { x: 200, y: 60 }, force: true });
  async function cast(at: number) {
    await openStopped(page, watcher.address, film.id, at);
    await button('Play on a television').waitFor({ state: 'attached' });
    await show();
    await button('Play on a television').click();
    await expect.poll(() => tv('state')).not.toBeNull();
  }

  test('nothing of Google is asked for, nor let in, until casting is on', async () => {
    await allow(false);
    await openStopped(page, watcher.address, film.id, 20);
    await button('Player settings').waitFor({ state: 'attached' });
    expect(await button('Play on a television').count()).toBe(0);
    expect(asked).toEqual([]);
    const policyOf = async () => (await page.request.get(`${watcher.address}/`)).headers()['content-security-policy'];
    expect(await policyOf()).not.toContain('gstatic');
    await page.goto('about:blank'); // a page from before may not load it
    await allow(true);
    expect(await policyOf()).toContain("script-src 'self' https://www.gstatic.com;");
  });

  test('plays there what is shown, from the same second, by links that need no login', async () => {
    await cast(25);
    expect(asked.map((url) => new URL(url).pathname)).toEqual([
      '/cv/js/sender/v1/cast_sender.js',
      '/cast/sdk/libs/sender/1.0/cast_framework.js',
    ]);
    await sign().waitFor();
    const load = (await lastLoad())!;
    expect(load).toMatchObject({ status: 206, picture: 200, type: 'video/mp4', title: film.title, languages: ['de', 'en'] });
    expect(load).toMatchObject({ currentTime: 25, autoplay: false });
    expect(load.path).toMatch(/\.mp4$/);
    expect(load.texts[1]).toMatch(/^WEBVTT[^]*Café/);
    await show();
    await everybodyCanUse(page);
  });

  test('what is done here is done there, and what happens there is told here', async () => {
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
    await page.getByText('The television plays at its own speed').first().waitFor();
  });

  test('parts are left out there too, and the place is kept', async () => {
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
    await page.getByRole('button', { name: 'Play here again' }).first().click();
    await expect.poll(() => sign().count()).toBe(0);
    expect(await tv('ended')).toBe(1);
    expect(Math.floor(await media.position())).toBe(at);
    expect(await media.isPaused()).toBe(true);
    expect(await media.volume()).not.toBe(0.2);
    await media.play();
    await expect.poll(media.position).toBeGreaterThan(at + 1);
  });

  test('from its end it goes back to where somebody wants it, and plays again', async () => {
    await cast(40);
    await page.evaluate('tv.finish()');
    await expect.poll(media.position).toBeCloseTo(await media.duration(), 0);
    await media.goTo(33);
    expect([await tv('loads.length'), await media.isPaused()]).toEqual([1, true]);
    await media.play();
    await expect.poll(lastLoad).toMatchObject({ currentTime: 33, autoplay: true });
    await expect.poll(media.position).toBeGreaterThan(33.9);
    await page.evaluate('tv.fail()');
    await page.getByText(/^The television could not play it\./).waitFor();
    expect(Math.floor(await media.position())).toBeGreaterThan(32);
  });

  test('the next video goes there by itself', async () => {
    await openStopped(page, watcher.address, film.id, 50);
    await page.getByRole('tab', { name: 'Playlists' }).click();
    const list = page.getByRole('region', { name: `Playlist ${playlist.title}` });
    await list.getByRole('switch', { name: 'Autoplay' }).click();
    await button('Play on a television').waitFor({ state: 'attached' });
    await show();
    await button('Play on a television').click();
    await expect.poll(() => tv('loads.length')).toBe(1);
    await media.play();
    await page.evaluate('tv.finish()');
    await expect.poll(async () => (await lastLoad())?.title, { timeout: 30_000 }).toBe(second.title);
    expect((await lastLoad())!.autoplay).toBe(true);
    const isWatched = async () =>
      ((await watcher.visitor.call('GET', `/api/video/${film.id}/`)).json as { player: { watched: boolean } }).player.watched;
    await expect.poll(isWatched).toBe(true);
  });

  test('what hinders it is said, and who thinks better of it is told nothing', async () => {
    await openStopped(page, watcher.address, film.id, 20);
    await button('Play on a television').waitFor({ state: 'attached' });
    const tryIt = async () => {
      await show();
      await button('Play on a television').click();
    };
    await page.evaluate(`void (globalThis.tvAnswer = 'cancel')`);
    await tryIt();
    await page.evaluate(`void (globalThis.tvAnswer = 'timeout')`);
    await tryIt();
    await page.getByText('timeout').waitFor();
    expect(await page.getByText('cancel', { exact: true }).count()).toBe(0);
    await page.evaluate(`void (globalThis.tvAnswer = null, globalThis.tvRefuses = true)`);
    await tryIt();
    await page.getByText(/^The television could not play it\./).waitFor();
    await expect.poll(() => sign().count()).toBe(0);
    expect(await media.position()).toBe(20);
    expect(watcher.errors).toEqual([]);

    // Scripts from elsewhere are let in no more than before.
    const refused = await page.evaluate(`(() => {
      const tries = ['https://elsewhere.example/x.js', 'https://www.gstatic.com.elsewhere.example/x.js'].map((src) => {
        try { document.createElement('script').src = src; return 'let in'; } catch { return 'refused'; }
      });
      try { document.createElement('div').innerHTML = '<b>x</b>'; return [...tries, 'let in']; } catch { return [...tries, 'refused']; }
    })()`);
    expect(refused).toEqual(['refused', 'refused', 'refused']);
    await allow(false);
  });
});
