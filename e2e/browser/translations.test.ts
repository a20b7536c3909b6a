import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '../support/acquisition.ts';
import { loaf, startBrowsing, type Browsing } from '../support/browsing.ts';
import { canBrowse, expectAccessibleAtAllWidths, logIn, logOut } from '../support/in-browser.ts';

// Messages of states that are rare in a small archive. Only the responses of the server are changed.
describe.runIf(canBrowse)('unusual states and translations', () => {
  let b: Browsing;
  let page: Page;
  beforeAll(async () => {
    b = await startBrowsing({ isSmall: true });
    page = b.page;
  });
  afterAll(() => b.close());
  beforeEach(() => page.unrouteAll({ behavior: 'ignoreErrors' }));

  const heading = (name: string | RegExp) => page.getByRole('heading', { name });
  /** Changes the JSON response of a request. */
  const mockResponse = (path: string | RegExp, change: (json: Record<string, unknown>) => unknown) =>
    page.route(path, async (route) => {
      if (route.request().method() !== 'GET') return route.continue();
      const response = await route.fetch();
      return route.fulfill({ response, json: change((await response.json()) as Record<string, unknown>) });
    });
  test('an empty archive shows how to start', async () => {
    await mockResponse(/\/api\/home\/(\?|$)/, () => ({ sections: [], data: [], is_empty: true, needs_setup: false }));
    await page.goto(`${b.address}/`);
    await heading('Your archive is empty').waitFor();
    await page.getByLabel(/^Paste links/).waitFor();
    await page.getByRole('button', { name: 'Import from another program' }).waitFor();
    expect(await page.getByRole('button', { name: 'Filters' }).count()).toBe(0);
    await expectAccessibleAtAllWidths(page);
    await page.getByRole('button', { name: 'Restore a backup' }).click();
    // The page that has this section replaces the address.
    await page.waitForURL('**/settings/actions/backup/#backups');
    await page.goBack();
    await page.getByRole('link', { name: 'set up your archive' }).click();
    await heading('Set up your archive').waitFor();
    await mockResponse('**/api/user/account/', (json) => ({ ...json, is_staff: false, is_superuser: false }));
    await page.goto(`${b.address}/first-run/`);
    await page.getByText('Videos appear here once an administrator adds them.').waitFor();
    await page.unroute('**/api/user/account/');
  });

  test('shows ten thousand queued items with a plus sign', async () => {
    await mockResponse(/\/api\/download\/(\?|$)/, (json) => ({
      ...json,
      paginate: { ...(json['paginate'] as object), total_hits: 10_000 },
    }));
    await page.goto(`${b.address}/downloads/`);
    await page.getByText('10,000+').first().waitFor();
  });

  test('shows Deactivated for an unavailable video, and downloads its file', async () => {
    await mockResponse(`**/api/video/${loaf.id}/`, (json) => ({ ...json, active: false }));
    await page.goto(`${b.address}/video/${loaf.id}/`);
    await page.getByText('Deactivated').first().waitFor();
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download file' }).click();
    expect((await download).suggestedFilename()).toMatch(/^A loaf .*\.mp4$/);
  });

  test('shows a not-found message for missing content, with a link', async () => {
    await page.goto(`${b.address}/channel/UCnobodyAtAll000000000000/`);
    await page.getByText('Channel not found!').waitFor();
    await page.goto(`${b.address}/playlist/PLnothingAtAll/`);
    await page.getByText('That playlist does not exist').waitFor();
    await page.goto(`${b.address}/settings/nonsense/`);
    await page.getByText('Page not found').waitFor();
    expect(await page.title()).toBe('Not found · Reelkeep');
    await page.goto(`${b.address}/playlist/PLnothingAtAll/`);
    await page.getByRole('link', { name: 'Go home' }).click();
    await heading('Recent videos').waitFor();
  });

  test('a name without spaces widens no page', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    const name = 'Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichenverordnung';
    await page.route(/\/api\/(video|channel)\//, async (route) => {
      if (route.request().method() !== 'GET') return route.continue();
      const response = await route.fetch();
      return route.fulfill({
        response,
        body: (await response.text()).replace(/"channel_name":"[^"]*"/g, `"channel_name":"${name}"`),
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

  test('names overrides of a channel as the page shows them', async () => {
    await page.goto(`${b.address}/channel/${loaf.channelId}/about/`);
    await page.getByLabel('Quality', { exact: true }).selectOption('Custom…');
    await page.getByRole('textbox', { name: 'Download format' }).fill('best[height<');
    await page.keyboard.press('Enter');
    await page.getByText(/^Not a valid yt-dlp format: /).waitFor();
  });

  test('text at 200 % widens no page on a phone', async () => {
    // A desktop window reserves space for a scroll bar, which would hide an overflow.
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
    const settings = ['', '#dashboard', 'user/', 'application/format/', 'application/views/', 'application/media-servers/', 'scheduling/', 'scheduling/history/', 'actions/backup/', 'health/', 'health/users/']; // prettier-ignore
    const paths = [
      '/downloads/',
      '/about/',
      '/trash/',
      `/channel/${loaf.channelId}/about/`,
      ...settings.map((tab) => `/settings/${tab}`),
    ];
    for (const path of paths) {
      await phone.goto(`${b.address}${path}`);
      await phone.getByRole('main').getByRole('heading').first().waitFor();
      await expect.poll(() => phone.locator('[data-skeleton]').count()).toBe(0);
      expect(
        await phone.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth'),
        path,
      ).toBeLessThanOrEqual(0);
    }
    await context.close();
  });

  test('contains an error to the part of the page that fails', async () => {
    await mockResponse(/\/api\/channel\/(\?|$)/, () => ({ data: [null], paginate: null }));
    await page.goto(`${b.address}/channel/`);
    await page.getByText('Oops! Sorry, an unexpected error has occurred.').waitFor();
    b.errors.length = 0; // expected in this test
  });

  test('leaves out the tray while its code cannot be loaded, and shows it later', async () => {
    const context = await b.browser.newContext({ storageState: await b.context.storageState(), serviceWorkers: 'block' });
    const tab = await context.newPage();
    await tab.clock.install();
    const notice = { id: 'rescan', group: 'setting:filesystemscan', level: 'info', title: 'Rescan', messages: ['At it.'] };
    await tab.route('**/api/notification/**', (route) =>
      route.fulfill({ json: [{ ...notice, api_start: false, api_stop: false }] }),
    );
    await tab.route('**/assets/Tray-*.js', (route) => route.abort());
    const failed = tab.waitForEvent('requestfailed', (request) => request.url().includes('/assets/Tray-'));
    await tab.goto(`${b.address}/`);
    await failed;
    await tab.unroute('**/assets/Tray-*.js');
    await tab.getByRole('heading', { name: 'Recent videos' }).waitFor();
    await tab.clock.fastForward(10_000);
    await tab.getByRole('button', { name: /^Tasks and downloads/ }).waitFor();
    await context.close();
  });

  test('reports a page that cannot be loaded, and keeps navigation working', async () => {
    const context = await b.browser.newContext({ storageState: await b.context.storageState(), serviceWorkers: 'block' });
    const tab = await context.newPage();
    await tab.goto(`${b.address}/`);
    await tab.getByRole('heading', { name: 'Recent videos' }).waitFor();
    await tab.route('**/assets/**', (route) => route.abort());
    await tab.getByRole('link', { name: 'Channels' }).first().click();
    await tab.getByRole('main').getByText('This page could not be loaded').waitFor();
    expect(await tab.getByText(/preload|import/i).count()).toBe(0);
    await tab.getByRole('link', { name: 'Home', exact: true }).click();
    await tab.getByRole('heading', { name: 'Recent videos' }).waitFor();
    await tab.unrouteAll();
    await tab.getByRole('link', { name: 'Channels' }).first().click();
    await tab.getByRole('heading', { name: 'Channels' }).waitFor();
    await context.close();
  });

  test('logging out in one tab logs out the others', async () => {
    const context = await b.browser.newContext();
    const [first, other] = [await context.newPage(), await context.newPage()];
    await logIn(first, b.address);
    await other.goto(`${b.address}/channel/`);
    await other.getByRole('heading', { name: 'Channels' }).waitFor();
    await first.route('**/api/user/logout/', (route) => route.abort());
    await logOut(first);
    await first.getByText('Can’t reach the server.').first().waitFor();
    await first.unrouteAll();
    await logOut(first);
    for (const tab of [first, other]) await tab.waitForURL('**/login/');
    await context.close();
  });

  test('asks for the login when the session is revoked elsewhere', async () => {
    const context = await b.browser.newContext();
    const tab = await context.newPage();
    await logIn(tab, b.address);
    await tab.goto(`${b.address}/channel/`);
    await tab.getByRole('heading', { name: 'Channels' }).waitFor();
    const token = (await context.cookies()).find(({ name }) => name === 'csrftoken')?.value ?? '';
    // The logout happens outside the tabs, so no tab is notified.
    await context.request.post(`${b.address}/api/user/logout/`, { headers: { 'X-CSRFToken': token } });
    await tab.getByRole('dialog', { name: 'Log in again' }).waitFor();
    await context.close();
  });

  test('shows progress of a run where it was started', async () => {
    const running = { 'setting:import': 'Processing import', 'setting:backup': 'Backing up archive', 'setting:restore': 'Restoring from backup', 'setting:filesystemscan': 'File system scan in progress' }; // prettier-ignore
    const notice = { level: 'info', api_start: false, api_stop: false, title: 'It', messages: ['At it.'] };
    await page.route('**/api/notification/**', (route) =>
      route.fulfill({ json: Object.keys(running).map((group) => ({ ...notice, group, id: group })) }),
    );
    const statuses = Object.values(running);
    for (const [path, texts] of [
      ['', statuses.slice(0, 1)],
      ['backup/', statuses.slice(1, 3)],
      ['files/', statuses.slice(3)],
    ] as const) {
      await page.goto(`${b.address}/settings/actions/${path}`);
      for (const status of texts) await page.getByRole('main').getByText(status, { exact: true }).first().waitFor();
    }
  });

  test('reports a server that stops during use', async () => {
    await page.goto(`${b.address}/settings/scheduling/`);
    await page.getByRole('button', { name: 'Change the schedule: Thumbnail check' }).click();
    await page.getByLabel('Run', { exact: true }).selectOption('Every hour');
    const saveButton = page.getByRole('button', { name: 'Save', exact: true });
    await page.route('**/api/task/**', (route) => (route.request().method() === 'GET' ? route.continue() : route.abort()));
    await saveButton.click();
    await page.getByText('An unexpected error occurred.', { exact: true }).first().waitFor();
    await page.goto(`${b.address}/settings/scheduling/notifications/`);
    await page.getByLabel('Event or task', { exact: true }).selectOption({ index: 1 });
    await page.getByLabel('Notification URL', { exact: true }).fill('json://127.0.0.1/x');
    await page.getByRole('button', { name: 'Test', exact: true }).click();
    await page.getByText('An unexpected error occurred while testing notification.').waitFor();
    await page.getByLabel('Notification URL', { exact: true }).fill(''); // otherwise the browser asks before it leaves the page
  });

  test('reports failed reads and changes without network, and claims no success', async () => {
    await page.goto(b.address);
    const card = page.getByRole('group', { name: 'Videos' }).getByRole('article').first();
    await page.getByRole('button', { name: 'Filters' }).click();
    await page.getByLabel('Resolution (px)').waitFor();
    await card.getByRole('button', { name: /^Mark / }).focus();
    await page.context().setOffline(true);
    await page.keyboard.press('Enter');
    await page.getByText('Can’t reach the server.', { exact: true }).waitFor();
    expect(await page.getByText(/^Marked as/).count()).toBe(0);
    await expect.poll(() => card.getByText('Watched', { exact: true }).count()).toBe(0);
    await page.getByLabel('Resolution (px)').fill('999');
    await page.getByText('Can’t reach the server. Retrying…').waitFor();
    await page.context().setOffline(false);
    await heading('No matches').waitFor();
  });

  test('scrolls the current entry of the settings into view', async () => {
    await page.setViewportSize({ width: 1280, height: 500 });
    await page.goto(`${b.address}/settings/people/`); // an address of earlier versions
    await page.waitForURL('**/settings/health/users/');
    const entry = page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Users' });
    await expect
      .poll(async () => {
        const box = await entry.boundingBox();
        return box !== null && box.y >= 0 && box.y + box.height <= 500;
      })
      .toBe(true);
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  /** Expects that English messages of downloads, runs and checks do not appear on the pages that show them. */
  async function expectGermanPages() {
    const { call } = b.visitor;
    const json = async <T>(path: string) => (await call('GET', path)).json as T;
    await call('POST', '/api/download/?autostart=true&flat=true', { data: [{ youtube_id: 'isNowhere01' }] });
    type Item = { message?: string };
    const failed = () => json<{ data: Item[] }>('/api/download/?error=true').then(({ data }) => data[0]?.message);
    const message = await eventually(failed);
    type Run = { id: string; title: string; result: string | null };
    const runs = (await json<{ data: Run[] }>('/api/task/runs/')).data;
    type Check = { title: string; text: string; advice?: string };
    const checks = await json<Check[]>('/api/health/checks/');
    const pages: [path: string, shown: string | RegExp, english: (string | null | undefined)[]][] = [
      ['/downloads/?error=true', /^Nicht gefunden: Es wurde entfernt/, [message]],
      ['/settings/scheduling/history/', 'Herunterladen', runs.flatMap(({ title, result }) => [title, result])],
      ['/settings/health/', 'Speicherplatz', checks.flatMap(({ title, text, advice }) => [title, text, advice])],
    ];
    for (const [path, shown, english] of pages) {
      await page.goto(`${b.address}${path}`);
      await page.getByRole('main').getByText(shown).last().waitFor();
      const text = await page.getByRole('main').innerText();
      // Program names with versions are the same in every language.
      const sentences = english.filter((one) => one && !/^(yt-dlp|ffmpeg|Python)( \S+)?$/.test(one)) as string[];
      expect(sentences.length).toBeGreaterThan(0);
      expect([path, sentences.filter((one) => text.split('\n').includes(one))]).toEqual([path, []]);
    }
  }

  test('everything is translated into German', async () => {
    await page.goto(`${b.address}/settings/user/`);
    await page.getByLabel('Language').selectOption('de');
    await page.getByRole('heading', { name: 'Einstellungen' }).waitFor();
    await page.goto(`${b.address}/`);
    await heading('Neueste Videos').waitFor();
    await expect.poll(() => page.evaluate('document.documentElement.lang')).toBe('de');
    await expectGermanPages();
    await page.goto(`${b.address}/settings/user/`);
    await page.getByLabel('Sprache').selectOption('en');
    await page.getByRole('heading', { name: 'Settings' }).waitFor();
    expect(b.errors).toEqual([]);
  });
});
