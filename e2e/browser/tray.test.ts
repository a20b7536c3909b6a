import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aCatalogue, aChannel, aVideo } from '../../test-site/builders.ts';
import { eventually } from '../support/acquisition.ts';
import { expectAccessible, openSettingsBrowser, type OpenBrowser } from '../support/browser-settings.ts';
import { canBrowse, expectNoA11yProblems, logIn } from '../support/in-browser.ts';

const channel = aChannel({ name: 'Night Trains' });
const aFilm = (id: string, title: string) =>
  aVideo({ id, channelId: channel.id, title, durationSeconds: 20, width: 640, height: 360, look: { scene: 'pattern', seed: 1 } });
const first = aVideo({ id: 'trayFirst01', channelId: channel.id, title: 'The first train', durationSeconds: 3 });
const slow = aFilm('traySlow001', 'A slow train');
const waiting = aFilm('trayWait001', 'A waiting train');
const adult = aVideo({ id: 'trayAdult01', channelId: channel.id, title: 'Members only', fails: 'members' });
const crawl = { kind: 'slow' as const, bytesPerSecond: 4000 };

/** Shifts of the layout since the page was opened, without those that the user caused. */
const shifts = (page: Page) =>
  page.evaluate<string[]>(`new Promise((resolve) => {
    new PerformanceObserver((list) => resolve(list.getEntries().filter((one) => !one.hadRecentInput).flatMap(({ value, sources }) =>
      sources.map(({ node }) => value.toFixed(4) + ' ' + (node?.outerHTML ?? node?.textContent ?? '?').slice(0, 200)))))
      .observe({ type: 'layout-shift', buffered: true });
    setTimeout(() => resolve([]), 300);
  })`);

describe.runIf(canBrowse)('the tray', () => {
  let b: OpenBrowser;
  let page: Page;
  beforeAll(async () => {
    slow.fault = waiting.fault = crawl;
    b = await openSettingsBrowser(aCatalogue({ channels: [channel], videos: [first, slow, waiting, adult], playlists: [] }));
    page = b.page;
    page.setDefaultTimeout(60_000);
    await b.visitor.call('POST', '/api/appsettings/config/', { downloads: { sleep_interval: null } });
    await b.visitor.call('POST', '/api/download/?autostart=true', { data: [{ youtube_id: first.id }] });
    await eventually(async () => (await b.visitor.call('GET', `/api/video/${first.id}/`)).status === 200);
  });
  afterAll(() => b.close());

  const bar = (on = page) => on.getByRole('button', { name: /^Tasks and downloads/ });
  const panel = (on = page) => on.getByRole('region', { name: 'Tasks and downloads' }).first();
  const notices = async () =>
    (await b.visitor.call('GET', '/api/notification/')).json as { name: string; api_stop: boolean; downloads?: unknown[] }[];
  const isIdle = async () => !(await notices()).some(({ api_stop: canStop }) => canStop);
  const enqueue = (...ids: string[]) =>
    b.visitor.call('POST', '/api/download/?autostart=true', { data: [{ youtube_id: ids.join(' ') }] });

  test('a running download is in a bar on every page, whose content does not move', async () => {
    await eventually(isIdle);
    await page.goto(`${b.address}/`);
    await page.getByRole('link', { name: 'The first train' }).first().waitFor();
    for (const [path, heading] of [
      ['/', 'Recent videos'],
      ['/channel/', 'Channels'],
      ['/playlist/', 'Playlists'],
      ['/downloads/', 'Downloads'],
    ] as const) {
      await page.goto(b.address + path);
      await page.getByRole('heading', { name: heading, exact: true }).first().waitFor();
      await page.waitForLoadState('networkidle');
      const before = await shifts(page);
      if (path === '/') {
        await enqueue(slow.id, waiting.id);
        await bar().getByText('Downloading 1 of 2').waitFor();
      }
      await bar()
        .getByText(/\/s · A slow train/)
        .waitFor();
      await bar().locator('img').waitFor();
      expect((await shifts(page)).join('\n')).toBe(before.join('\n'));
    }
    await expectNoA11yProblems(page);
  });

  test('opens with Shift T, pauses and resumes, and Escape returns the focus', async () => {
    await page.goto(`${b.address}/`);
    await bar()
      .getByText(/A slow train/)
      .waitFor();
    const link = page.getByRole('link', { name: 'Channels' }).first();
    await link.focus();
    await page.keyboard.press('Shift+T');
    await panel().getByRole('heading', { name: 'Tasks and downloads' }).waitFor();
    expect(await bar().getAttribute('aria-expanded')).toBe('true');
    const tasks = panel().getByRole('list', { name: 'Running tasks' });
    await tasks.getByText('Downloading', { exact: true }).waitFor();
    await tasks.getByRole('progressbar', { name: 'A slow train' }).waitFor();
    await tasks.getByRole('button', { name: 'Pause' }).press('Enter');
    await tasks.getByRole('button', { name: 'Resume' }).waitFor();
    await bar().getByText('Downloads paused').waitFor();
    await tasks.getByText('Paused. Downloads continue where they were interrupted.').waitFor();
    expect((await b.visitor.call('GET', `/api/download/${slow.id}/`)).json).toMatchObject({ running: false });
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await expect.poll(() => panel().count()).toBe(0);
    expect(await page.evaluate('document.activeElement?.textContent')).toMatch(/^Channels/);
    // The page of the queue has the same button.
    await page.goto(`${b.address}/downloads/`);
    await page.getByRole('main').getByRole('button', { name: 'Resume' }).click();
    await page.getByRole('main').getByRole('button', { name: 'Pause' }).waitFor();
    await bar()
      .getByText(/\/s · A slow train/)
      .waitFor();
  });

  test('is a bar above the navigation on a phone, and nothing is hidden behind it', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    try {
      await page.goto(`${b.address}/`);
      await bar()
        .getByText(/A slow train/)
        .waitFor();
      const box = (await page.locator('[data-tray]').boundingBox())!;
      const nav = (await page.getByRole('navigation', { name: 'Main' }).boundingBox())!;
      expect([box.x, box.width, Math.round(box.y + box.height)]).toEqual([nav.x, nav.width, Math.round(nav.y)]);
      await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
      const last = (await page.getByRole('contentinfo').getByRole('link').last().boundingBox())!;
      expect(last.y + last.height).toBeLessThanOrEqual(box.y);
      await bar().click();
      await panel().getByRole('button', { name: 'Pause' }).waitFor();
      await expectNoA11yProblems(page);
      await panel().getByRole('button', { name: 'Close' }).click();
      await expectNoA11yProblems(page);
    } finally {
      await page.setViewportSize({ width: 1280, height: 900 });
    }
  });

  test('users see what runs, without controls', async () => {
    const context = await b.browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' });
    try {
      const tab = await b.open(context);
      tab.setDefaultTimeout(60_000);
      await tab.route('**/api/user/account/', async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, json: { ...(await response.json()), is_staff: false, is_superuser: false } });
      });
      await logIn(tab, b.address);
      await bar(tab)
        .getByText(/A slow train/)
        .waitFor();
      await bar(tab).click();
      await panel(tab).getByText('A slow train').first().waitFor();
      expect(await tab.getByRole('button', { name: /Pause|Stop/ }).count()).toBe(0);
    } finally {
      await context.close();
    }
  });

  test('shows archived videos with their pictures as they arrive, until they are cleared', async () => {
    await page.goto(`${b.address}/`);
    await bar()
      .getByText(/A slow train/)
      .waitFor();
    await page.locator('[data-tray]').getByRole('button', { name: 'Pause' }).click();
    await bar().getByText('Downloads paused').waitFor();
    // Also for a download that is not interrupted between pausing and resuming.
    crawl.bytesPerSecond = 10_000_000;
    await bar().click();
    await panel().getByRole('button', { name: 'Resume' }).click();
    for (const title of ['A slow train', 'A waiting train']) {
      const link = panel().getByRole('link', { name: new RegExp(title) });
      await link.waitFor();
      await expect
        .poll(() => link.locator('img').evaluate(((one: { naturalWidth: number }) => one.naturalWidth) as never))
        .toBeGreaterThan(0);
    }
    await panel().getByRole('button', { name: 'Close' }).click();
    await eventually(isIdle);
    await bar().waitFor({ state: 'detached' });
    // The user started nothing since, so the tray stays away.
    await page.reload();
    await page.getByRole('link', { name: 'A slow train' }).first().waitFor();
    expect(await page.locator('[data-tray]').count()).toBe(0);
  });

  test('shows a failed download with its remedy, and leads to it', async () => {
    await enqueue(adult.id);
    await bar().getByText('1 failed').waitFor();
    await expectAccessible(page);
    await bar().click();
    await panel().getByText(new RegExp(adult.id)).waitFor();
    await panel()
      .getByRole('button', { name: `Retry: ${adult.id}` })
      .waitFor();
    await panel().getByRole('link', { name: 'All failed downloads (1)' }).waitFor();
    await panel().getByRole('button', { name: 'Clear' }).click();
    await expect
      .poll(() =>
        panel()
          .getByRole('link', { name: /A slow train/ })
          .count(),
      )
      .toBe(0);
    await expectAccessible(page);
    await panel().getByRole('link', { name: 'Add cookies' }).click();
    await page.waitForURL('**/settings/application/cookie/');
    await page
      .getByRole('heading', { name: /Cookie/ })
      .first()
      .waitFor();
    expect(b.errors).toEqual([]);
  });
});
