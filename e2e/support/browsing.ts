import { chromium } from 'playwright-core';
import { aCatalogue, aChannel, aPlaylist, aVideo, cuesFrom } from '../../test-site/builders.ts';
import { startTestSite } from '../../test-site/site.ts';
import { eventually, testSiteEnv } from './acquisition.ts';
import { chromiumOptions } from './chromium.ts';
import { createSeededFolder } from './seeded-folder.ts';
import { logIn, noteErrors } from './in-browser.ts';
import { addressOf, logInToProgram, startProgram } from './program.ts';

const day = 86_400_000;
const small = { width: 160, height: 90 };
export const trains = aChannel({ name: 'Night Trains', subscribers: 4200, look: { scene: 'train', seed: 2 } });
export const bakery = aChannel({ name: 'Slow Bread', look: { scene: 'blend', seed: 5 } });

/** `Journey 01` (the newest) to `Journey 14`; older ones are longer. */
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
  tags: ['one', 'two words', 'Sourdough'],
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

/** Starts the program with a filled library, and a browser that is logged in as staff. */
export async function startBrowsing({
  basePath = '',
  isSmall = false,
  isShellEnough = true,
}: { basePath?: string; isSmall?: boolean; isShellEnough?: boolean } = {}) {
  const videos = isSmall ? [loaf] : everything;
  const playlists = isSmall ? [] : [line];
  const catalogue = aCatalogue({ channels: [trains, bakery], videos, playlists });
  const testSite = await startTestSite({ catalogue });
  const ids = [...playlists, ...videos].map(({ id }) => id).join(' ');
  const folder = await createSeededFolder({
    name: isSmall ? 'one loaf' : 'night trains',
    env: testSiteEnv(testSite),
    async fill({ call }) {
      await call('POST', '/api/appsettings/config/', {
        downloads: { sleep_interval: null, subtitle: 'en', subtitle_index: true },
      });
      await call('POST', '/api/download/?autostart=true', { data: [{ youtube_id: ids }] });
      const hits = async () =>
        ((await call('GET', '/api/video/')).json as { paginate: { total_hits: number } }).paginate.total_hits;
      await eventually(async () => (await hits()) === videos.length);
      for (const { id } of playlists) await eventually(async () => (await call('GET', `/api/playlist/${id}/`)).status === 200);
    },
  });
  const program = await startProgram({
    data: folder.path,
    env: { ...testSiteEnv(testSite), ...(basePath && { REELKEEP_BASE_PATH: basePath }) },
  });
  const host = await addressOf(program);
  const address = host + basePath;
  const visitor = await logInToProgram(host);

  const browser = await chromium.launch(chromiumOptions({ isShellEnough }));
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' });
  const page = await context.newPage();
  page.setDefaultTimeout(120_000);
  const errors: string[] = [];
  noteErrors(page, errors);
  await logIn(page, address);
  const cards = () => page.getByRole('group', { name: 'Videos' }).getByRole('article');
  return {
    address,
    data: folder.path,
    visitor,
    browser,
    context,
    page,
    errors,
    /** The cards of the visible list. */
    cards,
    card: (title: string) => cards().filter({ hasText: title }),
    /** Returns the user's watch state of a video. */
    player: async (id: string) =>
      ((await visitor.call('GET', `/api/video/${id}/`)).json as { player: { watched: boolean; position?: number } }).player,
    /** Kills the server. */
    async end() {
      program.child.kill('SIGKILL');
      await program.ended;
    },
    async close() {
      await browser.close();
      program.child.kill('SIGKILL');
      await program.ended;
      await testSite.close();
      await folder.remove();
    },
  };
}
export type Browsing = Awaited<ReturnType<typeof startBrowsing>>;
