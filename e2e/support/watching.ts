import { expect } from 'vitest';
import { chromium, type Page } from 'playwright-core';
import { startTestSite } from '../../test-site/site.ts';
import { eventually, testSiteEnv } from './acquisition.ts';
import { chromiumOptions } from './chromium.ts';
import { createSeededFolder } from './seeded-folder.ts';
import { noteErrors } from './in-browser.ts';
import { addressOf, logInToProgram, startProgram } from './program.ts';
import { film, playlist, second, third, watchCatalogue } from './watch-catalogue.ts';

/** Starts the program with the river films. `env`: more variables. */
export async function startRivers(env: Record<string, string> = {}) {
  const testSite = await startTestSite({ catalogue: watchCatalogue() });
  const folder = await createSeededFolder({
    name: 'slow rivers',
    env: testSiteEnv(testSite),
    async fill({ call }) {
      await call('POST', '/api/appsettings/config/', {
        downloads: { sleep_interval: null, subtitle: 'en,de', integrate_sponsorblock: true },
      });
      await call('POST', '/api/download/?autostart=true', { data: [{ youtube_id: playlist.id }] });
      for (const { id } of [film, second, third])
        await eventually(async () => (await call('GET', `/api/video/${id}/`)).status === 200);
    },
  });
  const start = () => startProgram({ data: folder.path, env: { ...testSiteEnv(testSite), ...env } });
  let program = await start();
  const address = await addressOf(program);
  return {
    address,
    visitor: await logInToProgram(address),
    folder: folder.path,
    /** Kills the program, and starts it again. */
    async killAndRestart() {
      program.child.kill('SIGKILL');
      await program.ended;
      program = await start();
      return logInToProgram(await addressOf(program));
    },
    async close() {
      program.child.kill('SIGKILL');
      await program.ended;
      await testSite.close();
      await folder.remove();
    },
  };
}

/** Starts the program with the river films, and a browser that is logged in. `env`: more variables. */
export async function startWatching(env: Record<string, string> = {}) {
  const rivers = await startRivers(env);
  const { address, visitor, folder } = rivers;
  await visitor.call('POST', '/api/task/by-name/make_storyboards/');
  const browser = await chromium.launch(chromiumOptions());
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' });
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const page = await context.newPage();
  page.setDefaultTimeout(120_000);
  const errors: string[] = [];
  noteErrors(page, errors);
  await page.request.post(`${address}/api/user/login/`, { data: { username: 'demo', password: 'demo' } });
  return {
    page,
    context,
    address,
    visitor,
    folder,
    errors,
    async close() {
      await browser.close();
      await rivers.close();
    },
  };
}

interface Media {
  currentTime: number;
  playbackRate: number;
  volume: number;
  muted: boolean;
  paused: boolean;
  duration: number;
  readyState: number;
  src: string;
  play(): Promise<void>;
  pause(): void;
  addEventListener(event: string, listener: () => void, options: { once: true }): void;
  textTracks: Iterable<{ mode: string; language: string; activeCues: Iterable<{ startTime: number }> | null }>;
}

/** Returns functions that control and read the media element. */
export const mediaOf = (page: Page) => {
  const on = <T, A>(work: (media: Media, argument: A) => T, argument?: A) =>
    page.locator('video').evaluate(work as never, argument as never) as Promise<Awaited<T>>;
  return {
    source: () => on((media) => media.src),
    widthOfPicture: () => on((media) => (media as unknown as { videoWidth: number }).videoWidth),
    hasPicture: () => on((media) => media.readyState >= 2),
    position: () => on((media) => media.currentTime),
    duration: () => on((media) => media.duration || 0),
    isPaused: () => on((media) => media.paused),
    rate: () => on((media) => media.playbackRate),
    volume: () => on((media) => media.volume),
    isMuted: () => on((media) => media.muted),
    captions: () => on((media) => [...media.textTracks].find(({ mode }) => mode === 'showing')?.language ?? null),
    /** Does not wait, because the promise of `play` stays pending while data is missing. */
    play: () => on((media) => void media.play()),
    /** Waits until a seek ends. */
    seeked: () =>
      on((media) => new Promise<void>((resolve) => media.addEventListener('seeked', () => resolve(), { once: true }))),
    pause: () => on((media) => media.pause()),
    goTo: (seconds: number) => on((media, to: number) => void (media.currentTime = to), seconds),
    /** Marks the element, so that a test recognizes it later. */
    mark: () => on((media) => void ((media as unknown as { title: string }).title = 'the same')),
    isMarked: () => on((media) => (media as unknown as { title: string }).title === 'the same'),
  };
};

/** Opens the page of a video, paused at a position in seconds. */
export async function openStopped(page: Page, address: string, id: string, second: number) {
  await page.goto(`${address}/video/${id}/?t=${second}`);
  await page.locator('video').waitFor();
  // Metadata of a file that loads later resets the captions.
  await expect.poll(() => mediaOf(page).hasPicture()).toBe(true);
  await expect.poll(() => mediaOf(page).position()).toBe(second);
}

/** Plays a video from a position in seconds, and closes the page without pausing. */
export async function closeWhilePlaying(page: Page, address: string, id: string, second: number) {
  await openStopped(page, address, id, second);
  await mediaOf(page).play();
  await expect.poll(() => mediaOf(page).position()).toBeGreaterThan(second + 0.5);
  await page.close({ runBeforeUnload: false });
}

/** Lets the browser tell the server that it does not play what the server encodes. */
export const withoutHls = (page: Page) =>
  page.route('**/api/video/*/playback/', async (route) => {
    const body = route.request().postDataJSON() as { can: { hls: boolean } };
    await route.continue({ postData: JSON.stringify({ ...body, can: { ...body.can, hls: false } }) });
  });
