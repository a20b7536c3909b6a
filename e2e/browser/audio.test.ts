import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import type { AudioTrack } from '#contract/rendition.ts';
import type { Video } from '#contract/video.ts';
import { film, second, third } from '../support/watch-catalogue.ts';
import { canBrowse, expectNoA11yProblems } from '../support/in-browser.ts';
import { importBilingualFilms, streamsOf, bilingualIds } from '../support/bilingual-films.ts';
import { startWatching, mediaOf, openStopped } from '../support/watching.ts';

describe.runIf(canBrowse)('audio-only playback and audio tracks', () => {
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

  test('switches to audio-only and back at the same position, also for the next video', async () => {
    await open(30);
    await media.mark();
    await media.play();
    await expect.poll(media.widthOfPicture).toBe(320);
    const before = await media.position();
    await page.keyboard.press('s');
    await page.getByText('Audio only').waitFor();
    expect(await media.source()).toMatch(/\/cache\/renditions\/watchFilm01\/\w{16}-s1\.m4a$/);
    await expect.poll(() => media.position()).toBeGreaterThanOrEqual(before);
    expect(await media.position()).toBeLessThan(before + 25);
    expect([await media.widthOfPicture(), await media.isPaused(), await media.isMarked()]).toEqual([0, false, true]);
    await expect.poll(() => page.evaluate('navigator.mediaSession.metadata.title')).toBe('Weir');
    await expect.poll(async () => Math.round(await media.duration())).toBe(60);
    await media.pause();
    await expectNoA11yProblems(page);

    // The next video uses the choice too. One click shows the picture again, also while paused.
    await openStopped(page, watcher.address, second.id, 6);
    await expect.poll(media.source).toMatch(/\/cache\/renditions\/watchFilm02\//);
    await expect.poll(media.position).toBe(6);
    await page.getByRole('button', { name: 'Show video' }).click();
    await expect.poll(media.widthOfPicture).toBeGreaterThan(0);
    expect(await media.source()).toContain('/youtube/');
    await expect.poll(media.position).toBe(6);
    expect(await media.isPaused()).toBe(true);
    await page.evaluate('localStorage.clear()');
  });

  test('media keys go through the chapters as tracks while only the sound plays', async () => {
    await page.addInitScript(`globalThis.mediaKeys = {};
      const setHandler = MediaSession.prototype.setActionHandler;
      MediaSession.prototype.setActionHandler = function (action, handler) {
        mediaKeys[action] = handler;
        return setHandler.call(this, action, handler);
      };`);
    const track = () =>
      page.evaluate<unknown[]>('[navigator.mediaSession.metadata?.title, navigator.mediaSession.metadata?.album]');
    const press = (key: 'nexttrack' | 'previoustrack') => page.evaluate(`void mediaKeys.${key}()`);
    await open(10);
    await expect.poll(track).toEqual([film.title, '']);
    await page.keyboard.press('s');
    await page.getByText('Audio only').waitFor();
    await media.play();
    await expect.poll(track).toEqual(['Spring', film.title]);
    await press('nexttrack');
    await expect.poll(track).toEqual(['Weir', film.title]);
    await media.pause();
    expect(await media.position()).toBeGreaterThanOrEqual(30);
    await page.evaluate("document.querySelector('video').currentTime = 40");
    await press('previoustrack');
    await expect.poll(media.position).toBe(30);
    await page.evaluate("document.querySelector('video').currentTime = 32.5");
    await press('previoustrack');
    await expect.poll(media.position).toBe(0);
    await expect.poll(track).toEqual(['Spring', film.title]);
    await page.getByRole('button', { name: 'Show video' }).click();
    await expect.poll(media.widthOfPicture).toBeGreaterThan(0);
    await expect.poll(track).toEqual([film.title, '']);
    await page.evaluate('localStorage.clear()');
  });

  test('continues with video when the audio is unavailable, and renders a deleted audio file again', async () => {
    const rendition = '**/api/video/*/rendition/';
    const why = 'ffmpeg is not installed, so only the default audio track can be played.';
    await page.route(rendition, (route) =>
      route.fulfill({ json: { state: 'impossible', media_url: null, why, why_messages: null } }),
    );
    await open(30);
    await media.play();
    await page.keyboard.press('s');
    await page.getByText(why).waitFor();
    expect([await media.isPaused(), await media.widthOfPicture()]).toEqual([false, 320]);
    await page.unroute(rendition);
    await page.route(rendition, (route) =>
      route.fulfill({ json: { state: 'making', media_url: null, why: null, why_messages: null } }),
    );
    await open(30);
    await media.play();
    await page.getByText('Preparing audio…').waitFor();
    expect([await media.isPaused(), await media.widthOfPicture()]).toEqual([false, 320]);
    await page.unroute(rendition);
    await page.getByText('Audio only').waitFor();
    // A deleted audio file is requested and rendered again; an unplayable one falls back to the original.
    await rm(join(watcher.folder, 'cache/renditions'), { recursive: true });
    await page.reload();
    await expect.poll(media.source).toContain('/cache/renditions/');
    await page.route('**/cache/renditions/**', (route) => route.fulfill({ contentType: 'audio/mp4', body: 'no sound' }));
    await open(20);
    await page.getByText('Playing the original instead.').waitFor();
    await expect.poll(media.widthOfPicture).toBe(320);
    await expect.poll(media.position).toBe(20);
    await page.unroute('**/cache/renditions/**');
    await page.evaluate('localStorage.clear()');
  });

  test('plays another audio track at the same position, with and without video, and prefers its language for the next video', async () => {
    await importBilingualFilms(watcher);
    await openStopped(page, watcher.address, bilingualIds[0]!, 12);
    await page.getByRole('button', { name: 'Player settings' }).click();
    const panel = page.getByRole('dialog', { name: 'Player settings' });
    const audioTracks = panel.getByRole('combobox', { name: 'Audio track' });
    await expect.poll(() => audioTracks.locator('option').allTextContents()).toEqual(['English (original)', 'German']);
    await audioTracks.selectOption('German');
    await expect.poll(media.source).toMatch(/-p2\.mp4$/);
    await expect.poll(media.widthOfPicture).toBe(320);
    await expect.poll(media.position).toBe(12);
    const pathOnDisk = async () => join(watcher.folder, new URL(await media.source()).pathname);
    expect(streamsOf(await pathOnDisk()).map((line) => line.split(',')[0])).toEqual(['video', 'audio']);
    expect(streamsOf(await pathOnDisk())[1]).toBe('audio,ger');

    await openStopped(page, watcher.address, bilingualIds[1]!, 9);
    await expect.poll(media.source).toMatch(/twoTongues2\/\w+-p2\.mp4$/);
    await expect.poll(media.position).toBe(9);
    await page.keyboard.press('s');
    await expect.poll(media.source).toMatch(/twoTongues2\/\w+-s2\.m4a$/);
    expect(streamsOf(await pathOnDisk())).toEqual(['audio,ger']);
    await page.getByRole('button', { name: 'Player settings' }).click();
    await expectNoA11yProblems(page);
    await audioTracks.selectOption('English (original)');
    await expect.poll(media.source).toMatch(/twoTongues2\/\w+-s1\.m4a$/);
    await panel.getByRole('checkbox', { name: 'Audio only' }).click();
    await expect.poll(media.source).toMatch(/\/youtube\/.*twoTongues2\.mp4$/);
    await expect.poll(media.position).toBe(9);
    await page.evaluate('localStorage.clear()');
  });

  test('staff fetch another language with the keyboard, and the player offers it', async () => {
    await openStopped(page, watcher.address, third.id, 3);
    await page.getByRole('button', { name: 'More', exact: true }).press('Enter');
    await page.getByRole('menuitem', { name: 'Fetch more languages…' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Fetch more languages' });
    const languages = dialog.getByRole('textbox', { name: 'Languages' });
    await languages.fill('de;en');
    await page.keyboard.press('Enter');
    await dialog.getByText('Use up to four language codes such as de or pt-BR, separated by commas.').waitFor();
    await expectNoA11yProblems(page);
    await languages.fill('de');
    await page.keyboard.press('Enter');
    await page.getByText('The sound tracks are being fetched.').waitFor();
    const audio = async () => (await watcher.visitor.call('GET', `/api/video/${third.id}/audio/`)).json as AudioTrack[];
    await expect.poll(async () => (await audio()).map(({ language }) => language)).toEqual(['en', 'de']);
    await openStopped(page, watcher.address, third.id, 3);
    await page.getByRole('button', { name: 'Player settings' }).click();
    const tracks = page.getByRole('combobox', { name: 'Audio track' }).locator('option');
    await expect.poll(() => tracks.allTextContents()).toEqual(['English (original)', 'German']);
  });

  test('lowers loud videos, without moving the volume that the user has chosen', async () => {
    await watcher.visitor.call('POST', '/api/task/by-name/measure_loudness/');
    const loudness = async () =>
      ((await watcher.visitor.call('GET', `/api/video/${film.id}/`)).json as Video).streams.find(({ type }) => type === 'audio')
        ?.lufs;
    await expect.poll(loudness).toBeLessThan(0);
    const lufs = (await loudness())!;
    await open(30);
    const heard = () =>
      page.evaluate(
        `Object.getOwnPropertyDescriptor(HTMLMediaElement.prototype, 'volume').get.call(document.querySelector('video'))`,
      );
    const choose = async (name: string) => {
      await page.getByRole('button', { name: 'Player settings' }).click();
      await page.getByRole('combobox', { name: 'Even volume' }).selectOption(name);
      await page.keyboard.press('Escape');
    };
    for (const [name, target] of [
      ['Quietest', -23],
      ['Standard', -14],
    ] as const) {
      await choose(name);
      const expected = 10 ** (Math.min(0, Math.max(-12, target - lufs)) / 20);
      await expect.poll(heard).toBeCloseTo(expected, 3);
      expect(await media.volume()).toBe(1);
    }
    await choose('Quietest');
    await page.locator('video').focus();
    await page.keyboard.press('ArrowDown');
    await expect.poll(media.volume).toBe(0.95);
    await expect.poll(heard).toBeCloseTo(0.95 * 10 ** (Math.max(-12, Math.min(0, -23 - lufs)) / 20), 3);
    await page.reload();
    await expect.poll(media.volume).toBe(0.95);
    await choose('Off');
    await expect.poll(heard).toBeCloseTo(0.95, 3);
    await page.evaluate('localStorage.clear()');
  });

  test('raises quiet videos by Web Audio, only if the user wants it', async () => {
    const tab = await watcher.context.newPage();
    tab.setDefaultTimeout(120_000);
    // Levels of the sound before and after each node, and the number of contexts.
    await tab.addInitScript(`
      globalThis.contexts = 0;
      globalThis.taps = [];
      globalThis.AudioContext = class extends AudioContext {
        constructor() {
          super();
          contexts++;
        }
      };
      const { connect } = AudioNode.prototype;
      AudioNode.prototype.connect = function (to) {
        const tap = new AnalyserNode(this.context, { fftSize: 32_768 });
        connect.call(this, tap);
        taps.push(tap);
        return connect.call(this, to);
      };
      globalThis.levels = () => taps.map((tap) => {
        const samples = new Float32Array(tap.fftSize);
        tap.getFloatTimeDomainData(samples);
        return 10 * Math.log10(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length);
      });
    `);
    const contexts = () => tab.evaluate<number>('contexts');
    const raisedBy = async () => {
      const [before = Number.NaN, after = Number.NaN] = await tab.evaluate<number[]>('levels()');
      return before > -60 ? after - before : Number.NaN;
    };
    const tabMedia = mediaOf(tab);
    await openStopped(tab, watcher.address, film.id, 1);
    await tab.locator('video').focus();
    await tab.keyboard.press('k');
    await expect.poll(tabMedia.position).toBeGreaterThan(1.5);
    expect(await contexts()).toBe(0);
    await tab.getByRole('button', { name: 'Player settings' }).click();
    const raises = tab.getByRole('checkbox', { name: 'Raise quiet videos' });
    await raises.press('Space');
    await expect.poll(raisedBy).toBeCloseTo(6, 1);
    expect(await contexts()).toBe(1);
    await tab.keyboard.press('Escape');
    await tab.keyboard.press('d');
    await tab
      .getByRole('region', { name: 'Playback stats' })
      .getByText(/^-\d.* LUFS, \+6\.0 dB/)
      .waitFor();
    await tab.getByRole('button', { name: 'Measure again' }).click();
    await tab.getByRole('button', { name: 'Measuring…' }).waitFor();
    await expectNoA11yProblems(tab);
    await tab.getByRole('button', { name: 'Player settings' }).click();
    await raises.uncheck();
    await expect.poll(raisedBy).toBeCloseTo(0, 1);
    await tab.evaluate('localStorage.clear()');
    await tab.close();
  });

  test.each([
    ['a server that redirects to a bucket', 'void 0', 1],
    ['browsers of Apple', "Object.defineProperty(navigator, 'vendor', { value: 'Apple Computer, Inc.' })", 0],
  ])('raises nothing for %s', async (_, script, choices) => {
    const tab = await watcher.context.newPage();
    tab.setDefaultTimeout(120_000);
    await tab.addInitScript(`${script};
      globalThis.contexts = 0;
      globalThis.AudioContext = class extends AudioContext {
        constructor() {
          super();
          contexts++;
        }
      };
      localStorage['reelkeep.choices'] = JSON.stringify({ raisesQuiet: true });`);
    // The policy of the page forbids to fetch from there.
    await tab.route('**/youtube/**', (route) =>
      route.request().resourceType() === 'fetch'
        ? route.fulfill({ status: 307, headers: { location: 'https://bucket.example/film.mp4' } })
        : route.continue(),
    );
    const asked = choices === 0 ? null : tab.waitForEvent('requestfailed', (request) => request.resourceType() === 'fetch');
    const tabMedia = mediaOf(tab);
    await openStopped(tab, watcher.address, film.id, 1);
    await tab.locator('video').focus();
    await tab.keyboard.press('k');
    await asked;
    await expect.poll(tabMedia.position).toBeGreaterThan(1.5);
    await tab.getByRole('button', { name: 'Player settings' }).click();
    await tab.getByRole('combobox', { name: 'Even volume' }).waitFor();
    expect(await tab.getByRole('checkbox', { name: 'Raise quiet videos' }).count()).toBe(choices);
    await tab.keyboard.press('Escape');
    await tab.keyboard.press('d');
    await tab
      .getByRole('region', { name: 'Playback stats' })
      .getByText(/LUFSMeasure again$/)
      .waitFor();
    expect(await tab.evaluate('contexts')).toBe(0);
    await tab.evaluate('localStorage.clear()');
    await tab.close();
  });

  test('handles media keys and reports its position to the system', async () => {
    const tab = await watcher.context.newPage();
    // A headless browser has no media keys, so the registered handlers are called here. Reported position states are recorded.
    await tab.addInitScript(`
      globalThis.mediaKeyHandlers = {}; globalThis.positionState = null;
      const { setActionHandler, setPositionState } = MediaSession.prototype;
      MediaSession.prototype.setActionHandler = function (action, handler) {
        mediaKeyHandlers[action] = handler;
        return setActionHandler.call(this, action, handler);
      };
      MediaSession.prototype.setPositionState = function (state) {
        globalThis.positionState = state;
        return setPositionState.call(this, state);
      };
    `);
    const press = (action: string, details: object = {}) =>
      tab.evaluate(`void mediaKeyHandlers['${action}'](${JSON.stringify({ action, ...details })})`);
    const positionState = () =>
      tab.evaluate<{ position: number; duration: number; playbackRate: number } | null>('positionState');
    const tabMedia = mediaOf(tab);
    await openStopped(tab, watcher.address, film.id, 20);
    await expect.poll(() => tab.evaluate('navigator.mediaSession.metadata?.title')).toBe(film.title);
    await press('play');
    await expect.poll(tabMedia.isPaused).toBe(false);
    await press('pause');
    await expect.poll(tabMedia.isPaused).toBe(true);
    await press('seekto', { seekTime: 40 });
    await expect.poll(tabMedia.position).toBe(40);
    await expect.poll(positionState).toMatchObject({ position: 40, playbackRate: 1 });
    expect((await positionState())!.duration).toBeCloseTo(60, 0);
    await press('seekbackward');
    await expect.poll(tabMedia.position).toBe(30);
    await press('seekforward', { seekOffset: 5 });
    await expect.poll(positionState).toMatchObject({ position: 35 });
    await tab.keyboard.press('>');
    await expect.poll(positionState).toMatchObject({ playbackRate: 1.25 });
    await tab.keyboard.press('=');
    // The key works only after the page has loaded the neighbouring videos.
    const expectOpens = (action: string, id: string) =>
      expect
        .poll(
          async () => {
            if (!tab.url().includes(id)) await press(action);
            return tab.url();
          },
          { interval: 2000 },
        )
        .toContain(`/video/${id}/`);
    await expectOpens('nexttrack', second.id);
    await expect.poll(() => tab.evaluate('navigator.mediaSession.metadata?.title')).toBe(second.title);
    await expectOpens('previoustrack', film.id);
    await tab.close();
  });
});
