import { expect } from 'vitest';
import { chromium, type Page } from 'playwright-core';
import { startStandin } from '#standin/site.ts';
import { eventually, throughStandin } from './acquiring.ts';
import { chromiumOptions } from './chromium.ts';
import { aFilledFolder } from './filled.ts';
import { noteErrors } from './in-browser.ts';
import { addressOf, aVisitor, startProgram } from './program.ts';
import { film, playlist, second, third, watchCatalogue } from './watch-catalogue.ts';

/** The program with the river films in it. */
export async function theRivers() {
  const standin = await startStandin({ catalogue: watchCatalogue() });
  const folder = await aFilledFolder({
    name: 'slow rivers',
    env: throughStandin(standin),
    async fill({ call }) {
      await call('POST', '/api/appsettings/config/', {
        downloads: { sleep_interval: null, subtitle: 'en,de', integrate_sponsorblock: true },
      });
      await call('POST', '/api/download/?autostart=true', { data: [{ youtube_id: playlist.id }] });
      for (const { id } of [film, second, third])
        await eventually(async () => (await call('GET', `/api/video/${id}/`)).status === 200);
    },
  });
  const program = await startProgram({ data: folder.path, env: throughStandin(standin) });
  const address = await addressOf(program);
  return {
    address,
    visitor: await aVisitor(address),
    folder: folder.path,
    async close() {
      program.child.kill('SIGKILL');
      await program.ended;
      await standin.close();
      await folder.remove();
    },
  };
}

/** The program with the river films in it, and somebody logged in at a browser. */
export async function aWatcher() {
  const rivers = await theRivers();
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
  src: string;
  play(): Promise<void>;
  pause(): void;
  textTracks: Iterable<{ mode: string; language: string; activeCues: Iterable<{ startTime: number }> | null }>;
}

/** What a test does to the media element, and reads from it. */
export const mediaOf = (page: Page) => {
  const on = <T, A>(work: (media: Media, argument: A) => T, argument?: A) =>
    page.locator('video').evaluate(work as never, argument as never) as Promise<Awaited<T>>;
  return {
    source: () => on((media) => media.src),
    widthOfPicture: () => on((media) => (media as unknown as { videoWidth: number }).videoWidth),
    position: () => on((media) => media.currentTime),
    duration: () => on((media) => media.duration || 0),
    isPaused: () => on((media) => media.paused),
    rate: () => on((media) => media.playbackRate),
    volume: () => on((media) => media.volume),
    isMuted: () => on((media) => media.muted),
    captions: () => on((media) => [...media.textTracks].find(({ mode }) => mode === 'showing')?.language ?? null),
    play: () => on((media) => media.play()),
    pause: () => on((media) => media.pause()),
    goTo: (seconds: number) => on((media, to: number) => void (media.currentTime = to), seconds),
    /** Puts a mark on the element, to know it again. */
    mark: () => on((media) => void ((media as unknown as { title: string }).title = 'the same')),
    isMarked: () => on((media) => (media as unknown as { title: string }).title === 'the same'),
  };
};

/** Opens the page of a video, stopped at a second. */
export async function openStopped(page: Page, address: string, id: string, second: number) {
  await page.goto(`${address}/video/${id}/?t=${second}`);
  await page.locator('video').waitFor();
  await expect.poll(() => mediaOf(page).position()).toBe(second);
}

/** Plays a video from a second on, and closes the page without a pause. */
export async function closeWhilePlaying(page: Page, address: string, id: string, second: number) {
  await openStopped(page, address, id, second);
  await mediaOf(page).play();
  await expect.poll(() => mediaOf(page).position()).toBeGreaterThan(second + 0.5);
  await page.close({ runBeforeUnload: false });
}
