import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { eventually } from './acquiring.ts';
import { loaf, startBrowsing, type Browsing } from './browsing.ts';
import { canBrowse, logIn } from './in-browser.ts';

// What is said in states that a small archive is seldom in: the server's answers are changed on their way, and nothing else.
describe.runIf(canBrowse)('what is said when something is unusual, in a browser', () => {
  let b: Browsing;
  let page: Page;
  beforeAll(async () => {
    b = await startBrowsing({ isSmall: true });
    page = b.page;
  });
  afterAll(() => b.close());
  beforeEach(() => page.unrouteAll({ behavior: 'ignoreErrors' }));

  const heading = (name: string | RegExp) => page.getByRole('heading', { name });
  /** Changes what a call answers. */
  const changed = (path: string | RegExp, change: (answer: Record<string, unknown>) => unknown) =>
    page.route(path, async (route) => {
      if (route.request().method() !== 'GET') return route.continue();
      const answer = await route.fetch();
      return route.fulfill({ response: answer, json: change((await answer.json()) as Record<string, unknown>) });
    });
  const listOf = (more: object) => (answer: Record<string, unknown>) => ({
    ...answer,
    data: [],
    paginate: { ...(answer['paginate'] as object), ...more },
  });

  test('an empty archive says where to begin', async () => {
    await changed(/\/api\/video\/(\?|$)/, listOf({ total_hits: 0 }));
    await page.goto(`${b.address}/`);
    await page.getByText('Your archive is empty').waitFor();
    await page.getByRole('link', { name: 'Add the first video' }).click();
    await page.waitForURL('**/downloads/');
  });

  test('ten thousand in the queue are told with a plus', async () => {
    await changed(/\/api\/download\/(\?|$)/, (answer) => ({
      ...answer,
      paginate: { ...(answer['paginate'] as object), total_hits: 10_000 },
    }));
    await page.goto(`${b.address}/downloads/`);
    await page.getByText('10,000+').first().waitFor();
  });

  test('a video whose source is gone says Deactivated, and its file can be had', async () => {
    await changed(`**/api/video/${loaf.id}/`, (answer) => ({ ...answer, active: false }));
    await page.goto(`${b.address}/video/${loaf.id}/`);
    await page.getByText('Deactivated').first().waitFor();
    const coming = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download file' }).click();
    expect((await coming).suggestedFilename()).toMatch(/^A loaf .*\.mp4$/);
  });

  test('what does not exist is told, and leads on', async () => {
    await page.goto(`${b.address}/channel/UCnobodyAtAll000000000000/`);
    await page.getByText('Channel not found!').waitFor();
    await page.goto(`${b.address}/playlist/PLnothingAtAll/`);
    await page.getByText('That playlist does not exist').waitFor();
    await page.goto(`${b.address}/settings/nonsense/`);
    await page.getByText('There is no such page').waitFor();
    expect(await page.title()).toBe('Not found · Reelkeep');
    await page.goto(`${b.address}/playlist/PLnothingAtAll/`);
    await page.getByRole('link', { name: 'Go Home' }).click();
    await heading('Recent videos').waitFor();
  });

  test('a name without a space widens no page', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    const name = 'Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichenverordnung';
    await page.route(/\/api\/(video|channel)\//, async (route) => {
      if (route.request().method() !== 'GET') return route.continue();
      const answer = await route.fetch();
      return route.fulfill({
        response: answer,
        body: (await answer.text()).replace(/"channel_name":"[^"]*"/g, `"channel_name":"${name}"`),
      });
    });
    for (const path of [`/video/${loaf.id}/`, `/channel/${loaf.channelId}/`]) {
      await page.goto(`${b.address}${path}`);
      await page.getByRole('main').getByText(name).first().waitFor();
      expect(
        await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth'),
      ).toBeLessThanOrEqual(0);
    }
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  test('what a channel was to have of its own is named as it is shown', async () => {
    await page.goto(`${b.address}/channel/${loaf.channelId}/about/`);
    await page.getByRole('textbox', { name: 'Download format' }).fill('-');
    await page.getByRole('button', { name: 'Update: Download format' }).click();
    await page.getByText(/^Download format: not understood\. As yt-dlp understands it, such as /).waitFor();
  });

  test('letters twice as large widen no page of a phone', async () => {
    // A window of a desk keeps room for a scroll bar, in which something too wide would hide.
    const context = await b.browser.newContext({
      storageState: await b.context.storageState(),
      viewport: { width: 390, height: 844 },
      isMobile: true,
      reducedMotion: 'reduce',
    });
    const phone = await context.newPage();
    await phone.addInitScript(
      `addEventListener('DOMContentLoaded', () => { document.documentElement.style.fontSize = '200%'; })`,
    );
    const settings = ['', 'user/', 'application/', 'scheduling/', 'actions/', 'health/', 'runs/', 'bin/', 'people/'];
    const paths = ['/downloads/', '/about/', `/channel/${loaf.channelId}/about/`, ...settings.map((tab) => `/settings/${tab}`)];
    for (const path of paths) {
      await phone.goto(`${b.address}${path}`);
      await phone.getByRole('main').getByRole('heading').nth(1).waitFor();
      await expect.poll(() => phone.locator('[data-skeleton]').count()).toBe(0);
      expect(
        await phone.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth'),
        path,
      ).toBeLessThanOrEqual(0);
    }
    await context.close();
  });

  test('a page that breaks says so, and the rest goes on', async () => {
    await changed(/\/api\/channel\/(\?|$)/, () => ({ data: [null], paginate: null }));
    await page.goto(`${b.address}/channel/`);
    await page.getByText('Oops! Sorry, an unexpected error has occurred.').waitFor();
    b.errors.length = 0; // it is what is tried here
  });

  test('a page that cannot be fetched says so, and the way to the others stays', async () => {
    const context = await b.browser.newContext({ storageState: await b.context.storageState(), serviceWorkers: 'block' });
    const tab = await context.newPage();
    await tab.goto(`${b.address}/`);
    await tab.getByRole('heading', { name: 'Recent videos' }).waitFor();
    await tab.route('**/assets/**', (route) => route.abort());
    await tab.getByRole('link', { name: 'Channels' }).first().click();
    await tab.getByRole('main').getByText('This page could not be fetched').waitFor();
    expect(await tab.getByText(/preload|import/i).count()).toBe(0);
    await tab.getByRole('link', { name: 'Home', exact: true }).click();
    await tab.getByRole('heading', { name: 'Recent videos' }).waitFor();
    await tab.unrouteAll();
    await tab.getByRole('link', { name: 'Channels' }).first().click();
    await tab.getByRole('heading', { name: 'Channels' }).waitFor();
    await context.close();
  });

  test('who logs out in one tab is logged out in the others', async () => {
    const context = await b.browser.newContext();
    const [one, other] = [await context.newPage(), await context.newPage()];
    await logIn(one, b.address);
    await other.goto(`${b.address}/channel/`);
    await other.getByRole('heading', { name: 'Channels' }).waitFor();
    await one.route('**/api/user/logout/', (route) => route.abort());
    await one.getByRole('button', { name: 'Log out' }).click();
    await one.getByText('The server cannot be reached.').first().waitFor();
    await one.unrouteAll();
    await one.getByRole('button', { name: 'Log out' }).click();
    for (const tab of [one, other]) await tab.waitForURL('**/login/');
    await context.close();
  });

  test('whose session is ended from elsewhere is asked to log in, without a click', async () => {
    const context = await b.browser.newContext();
    const tab = await context.newPage();
    await logIn(tab, b.address);
    await tab.goto(`${b.address}/channel/`);
    await tab.getByRole('heading', { name: 'Channels' }).waitFor();
    const token = (await context.cookies()).find(({ name }) => name === 'csrftoken')?.value ?? '';
    // It is as if another program of the same browser did it: no tab hears of it.
    await context.request.post(`${b.address}/api/user/logout/`, { headers: { 'X-CSRFToken': token } });
    await tab.getByRole('dialog', { name: 'Log in again' }).waitFor();
    await context.close();
  });

  test('what runs is told where it was started, while it runs', async () => {
    const running = { 'setting:import': 'Processing import', 'setting:backup': 'Backing up archive', 'setting:restore': 'Restoring from backup', 'setting:filesystemscan': 'File system scan in progress' }; // prettier-ignore
    const notice = { level: 'info', api_start: false, api_stop: false, title: 'It', messages: ['At it.'] };
    await page.route('**/api/notification/**', (route) =>
      route.fulfill({ json: Object.keys(running).map((group) => ({ ...notice, group, id: group })) }),
    );
    await page.goto(`${b.address}/settings/actions/`);
    for (const said of Object.values(running)) await page.getByRole('main').getByText(said, { exact: true }).first().waitFor();
  });

  test('a server that is gone in the middle is told as it should be', async () => {
    await page.goto(`${b.address}/settings/scheduling/`);
    const first = page.getByRole('button', { name: /^Every day: / }).first();
    await first.waitFor();
    await page.route('**/api/task/**', (route) => (route.request().method() === 'GET' ? route.continue() : route.abort()));
    await first.click();
    await page.getByText('An unexpected error occurred.', { exact: true }).first().waitFor();
    await page.getByLabel('Task', { exact: true }).selectOption({ index: 1 });
    await page.getByLabel('Address', { exact: true }).fill('json://127.0.0.1/x');
    await page.getByRole('button', { name: 'Test', exact: true }).click();
    await page.getByText('An unexpected error occurred while testing notification.').waitFor();
  });

  test('without a network what cannot be had or done is told, and nothing is told that has not been done', async () => {
    await page.goto(b.address);
    const card = page.getByRole('group', { name: 'Videos' }).getByRole('article').first();
    await page.getByRole('button', { name: 'Filters' }).click();
    await page.getByLabel('Height in px').waitFor();
    await card.getByRole('button', { name: /^Mark / }).focus();
    await page.context().setOffline(true);
    await page.keyboard.press('Enter');
    await page.getByText('The server cannot be reached.', { exact: true }).waitFor();
    expect(await page.getByText(/^Marked as/).count()).toBe(0);
    await expect.poll(() => card.getByText('Watched', { exact: true }).count()).toBe(0);
    await page.getByLabel('Height in px').fill('999');
    await page.getByText('The server cannot be reached. It is tried again by itself.').waitFor();
    await page.context().setOffline(false);
    await heading('Nothing like that').waitFor();
  });

  test('where tabs do not fit, the one that is shown is in sight', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${b.address}/settings/people/`);
    const tab = page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'People' });
    await expect
      .poll(async () => {
        const box = await tab.boundingBox();
        return box !== null && box.x >= 0 && box.x + box.width <= 390;
      })
      .toBe(true);
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  /** What the server says in English of downloads, runs and checks is nowhere on the pages that tell it. */
  async function everythingIsGerman() {
    const { call } = b.visitor;
    const json = async <T>(path: string) => (await call('GET', path)).json as T;
    await call('POST', '/api/download/?autostart=true&flat=true', { data: [{ youtube_id: 'isNowhere01' }] });
    type Item = { message?: string };
    const failed = () => json<{ data: Item[] }>('/api/download/?error=true').then(({ data }) => data[0]?.message);
    const message = await eventually(failed);
    type Run = { id: string; title: string; result: string | null };
    const runs = (await json<{ data: Run[] }>('/api/task/runs/')).data;
    type Check = { title: string; says: string; do?: string };
    const checks = await json<Check[]>('/api/doctor/');
    const pages: [path: string, shown: string, english: (string | null | undefined)[]][] = [
      ['/downloads/?error=true', 'Es ist nicht mehr da oder war es nie.', [message]],
      ['/settings/runs/', 'Wird heruntergeladen', runs.flatMap(({ title, result }) => [title, result])],
      ['/settings/health/', 'Datenträger', checks.flatMap(({ title, says, do: what }) => [title, says, what])],
    ];
    for (const [path, shown, english] of pages) {
      await page.goto(`${b.address}${path}`);
      await page.getByText(shown).first().waitFor();
      const words = await page.getByRole('main').innerText();
      // Names of programs with their versions are the same in every language.
      const sentences = english.filter((one) => one && !/^(yt-dlp|ffmpeg)( \S+)?$/.test(one)) as string[];
      expect(sentences.length).toBeGreaterThan(0);
      expect([path, sentences.filter((one) => words.split('\n').includes(one))]).toEqual([path, []]);
    }
  }

  test('in German everything is German', async () => {
    await page.goto(`${b.address}/settings/user/`);
    await page.getByLabel('Language').selectOption('de');
    await page.getByRole('heading', { name: 'Einstellungen' }).waitFor();
    await page.goto(`${b.address}/`);
    await heading('Neueste Videos').waitFor();
    await expect.poll(() => page.evaluate('document.documentElement.lang')).toBe('de');
    await everythingIsGerman();
    await page.goto(`${b.address}/settings/user/`);
    await page.getByLabel('Sprache').selectOption('en');
    await page.getByRole('heading', { name: 'Settings' }).waitFor();
    expect(b.errors).toEqual([]);
  });
});
