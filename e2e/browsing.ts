import { AxeBuilder } from '@axe-core/playwright';
import { existsSync } from 'node:fs';
import { chromium, type Page } from 'playwright-core';
import { expect } from 'vitest';
import { aCatalogue, aChannel, aPlaylist, aVideo, cuesFrom } from '#standin/builders.ts';
import { startStandin } from '#standin/site.ts';
import { eventually, hasTools, throughStandin } from './acquiring.ts';
import { chromiumOptions } from './chromium.ts';
import { addressOf, aFolder, aVisitor, startProgram } from './program.ts';

/** Whether browsers can be tried here: the tools, Chromium and a built web app. */
export const canBrowse =
  hasTools && Boolean(process.env.REELKEEP_TEST_CHROMIUM) && existsSync(new URL('../dist/index.html', import.meta.url));

const day = 86_400_000;
const small = { width: 160, height: 90 };
export const trains = aChannel({ name: 'Night Trains', subscribers: 4200, look: { scene: 'train', seed: 2 } });
export const bakery = aChannel({ name: 'Slow Bread', look: { scene: 'blend', seed: 5 } });

/** `Journey 01`, the newest, to `Journey 14`; the longer the older. */
export const journeys = Array.from({ length: 14 }, (_, n) =>
  aVideo({
    ...small,
    id: `journeyNo${String(n + 1).padStart(2, '0')}`,
    channelId: trains.id,
    title: `Journey ${String(n + 1).padStart(2, '0')}`,
    durationSeconds: 3 + n,
    published: new Date(Date.now() - (n + 1) * day),
  }),
);
export const whistle = aVideo({
  id: 'whistleShrt',
  channelId: trains.id,
  title: 'Whistle',
  kind: 'short',
  width: 90,
  height: 160,
  durationSeconds: 4,
  published: new Date(Date.now() - 20 * day),
});
export const loaf = aVideo({
  ...small,
  id: 'loafVideo01',
  channelId: bakery.id,
  title: 'A loaf <b>in the morning</b>',
  durationSeconds: 30,
  published: new Date(Date.now() - 30 * day),
  subtitles: [
    {
      language: 'en',
      name: 'English',
      automatic: false,
      cues: cuesFrom(
        [
          'flour and water',
          'the dough rests overnight',
          'now we <i>score</i> the dough',
          'steam in the oven',
          'and listen to it sing',
        ],
        30,
      ),
    },
  ],
});
export const line = aPlaylist({
  channelId: trains.id,
  title: 'The line',
  videoIds: journeys.slice(0, 4).map(({ id }) => id),
});
const everything = [...journeys, whistle, loaf];

/** A library that has arrived, and somebody of the staff who looks at it. */
export async function startBrowsing({ below = '', isSmall = false }: { below?: string; isSmall?: boolean } = {}) {
  const videos = isSmall ? [loaf] : everything;
  const playlists = isSmall ? [] : [line];
  const catalogue = aCatalogue({ channels: [trains, bakery], videos, playlists });
  const standin = await startStandin({ catalogue });
  const folder = await aFolder();
  const program = await startProgram({
    data: folder.path,
    env: { ...throughStandin(standin), ...(below && { REELKEEP_BASE_PATH: below }) },
  });
  const host = await addressOf(program);
  const address = host + below;
  const visitor = await aVisitor(host);
  await visitor.call('POST', '/api/appsettings/config/', {
    downloads: { sleep_interval: null, subtitle: 'en', subtitle_index: true },
  });
  const wanted = [...playlists, ...videos].map(({ id }) => id).join(' ');
  await visitor.call('POST', '/api/download/?autostart=true', { data: [{ youtube_id: wanted }] });
  const hits = async () =>
    ((await visitor.call('GET', '/api/video/')).json as { paginate: { total_hits: number } }).paginate.total_hits;
  await eventually(async () => (await hits()) === videos.length, 230_000);
  for (const { id } of playlists)
    await eventually(async () => (await visitor.call('GET', `/api/playlist/${id}/`)).status === 200, 20_000);

  const browser = await chromium.launch(chromiumOptions());
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' });
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    if (/Content Security Policy|Trusted ?Type/i.test(message.text())) errors.push(message.text());
  });
  page.on('dialog', (dialog) => {
    errors.push(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.goto(`${address}/login/`);
  await page.getByLabel('Username').fill('demo');
  await page.getByLabel('Password').fill('demo');
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('heading', { name: 'Recent videos' }).waitFor();
  return {
    address,
    visitor,
    browser,
    context,
    page,
    errors,
    /** The server is away, for good. */
    async end() {
      program.child.kill('SIGKILL');
      await program.ended;
    },
    async close() {
      await browser.close();
      program.child.kill('SIGKILL');
      await program.ended;
      await standin.close();
      await folder.remove();
    },
  };
}
/** Asks again and again until it is so; patient, as other programs run beside it. */
export const soon = <T>(look: () => T | Promise<T>) => expect.poll(look, { timeout: 10_000 });

export type Browsing = Awaited<ReturnType<typeof startBrowsing>>;

/** Nothing is wrong that a program can find, and nothing is wider than the window: on a phone and on a desk. */
export async function everybodyCanUse(page: Page) {
  for (const size of [
    { width: 390, height: 844 },
    { width: 1280, height: 800 },
  ]) {
    await page.setViewportSize(size);
    await page.waitForTimeout(300);
    const { violations } = await new AxeBuilder({ page })
      .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
      .exclude('video')
      .analyze();
    expect(violations.map(({ id, nodes }) => `${size.width} ${id}: ${nodes.map(({ html }) => html).join('\n')}`)).toEqual([]);
    const tooWide = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
    expect(tooWide).toBeLessThanOrEqual(0);
  }
}
