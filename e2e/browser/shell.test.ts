import { createServer, type Server } from 'node:http';
import type { Page, Route } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '../support/acquisition.ts';
import { loaf, startBrowsing, type Browsing } from '../support/browsing.ts';
import { canBrowse, expectAccessibleAtAllWidths, expectNoA11yProblems, noteErrors } from '../support/in-browser.ts';
import { leastContrast, noteMotion } from '../support/a11y-checks.ts';

// Runs with a base path, which reveals URLs that ignore it.
describe.runIf(canBrowse)('the page frame', () => {
  let b: Browsing;
  let page: Page;
  beforeAll(async () => {
    b = await startBrowsing({ isSmall: true, basePath: '/keep' });
    page = b.page;
  });
  afterAll(() => b.close());
  beforeEach(() => page.setViewportSize({ width: 1280, height: 800 }));

  const heading = (name: string | RegExp) => page.getByRole('heading', { name });
  const atHome = async () => {
    await page.goto(`${b.address}/`);
    await heading('Recent videos').waitFor();
  };
  const theme = () => page.evaluate('document.documentElement.dataset.theme');
  const background = () => page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--ground').trim()");

  test('the footer shows the version, a recent update, and an available one', async () => {
    await atHome();
    const footer = page.getByRole('contentinfo');
    await footer.getByText(/^v\d/).waitFor();
    expect(await footer.getByText('v0.5.10').count()).toBe(0); // the API version
    await page.reload();
    await footer.getByRole('img', { name: 'Up to date' }).waitFor();
    await expect.poll(() => footer.getByRole('img').count()).toBe(0);
    await page.route('**/api/ping/', async (route) => {
      const response = await route.fetch();
      const ta_update = { status: true, version: 'v9.0.0', is_breaking: true, notes_url: 'https://releases.example/9' };
      const community = [{ name: 'Forum', url: 'https://forum.example/' }];
      await route.fulfill({ response, json: { ...(await response.json()), ta_update, community } });
    });
    await page.reload();
    await footer.getByText(/v9\.0\.0 is available, with breaking changes/).waitFor();
    const hrefOf = (name: string) => footer.getByRole('link', { name }).getAttribute('href');
    expect([await hrefOf('Release notes'), await hrefOf('Forum')]).toEqual([
      'https://releases.example/9',
      'https://forum.example/',
    ]);
    await expectAccessibleAtAllWidths(page);
    await page.unroute('**/api/ping/');
  });

  test('text typed right after Ctrl K goes into the palette and triggers no shortcut', async () => {
    // Responses of a service worker cannot be delayed.
    const context = await b.browser.newContext({ serviceWorkers: 'block' });
    try {
      const tab = await context.newPage();
      await tab.request.post(`${b.address}/api/user/login/`, { data: { username: 'demo', password: 'demo' } });
      const heldRoutes: Route[] = [];
      await tab.route(/\/assets\/Palette-.*\.js$/, (route) => void heldRoutes.push(route));
      await tab.goto(`${b.address}/`);
      const main = tab.getByRole('article').getByRole('heading').getByRole('link');
      await main.focus();
      await tab.keyboard.press('Control+k');
      await tab.keyboard.type('qx your oowm');
      for (const key of ['Backspace', 'Backspace', 'Backspace']) await tab.keyboard.press(key);
      await tab.keyboard.type('wn');
      await tab.keyboard.press('Enter'); // while a video has the focus
      await expect.poll(() => heldRoutes.length).toBe(1);
      expect(new URL(tab.url()).pathname).toBe('/keep/');
      expect(await tab.getByRole('toolbar', { name: 'Selected videos' }).count()).toBe(0);
      expect(await tab.evaluate(() => localStorage.getItem('reelkeep.queue'))).toBeNull();
      await heldRoutes[0]!.continue();
      const field = tab.getByRole('dialog', { name: 'Commands' }).getByRole('combobox');
      await expect.poll(() => field.inputValue()).toBe('qx your own');
      await expect
        .poll(() => tab.evaluate('document.activeElement?.role ?? document.activeElement?.getAttribute("role")'))
        .toBe('combobox');
      await tab.keyboard.type('!');
      await expect.poll(() => field.inputValue()).toBe('qx your own!');
      await tab.keyboard.press('Escape');
      await expect
        .poll(() =>
          main.evaluate(
            (one) => one === (one as unknown as { ownerDocument: { activeElement: unknown } }).ownerDocument.activeElement,
          ),
        )
        .toBe(true);
      // The palette opens empty the next time.
      await tab.keyboard.press('Control+k');
      await expect.poll(() => field.inputValue()).toBe('');
    } finally {
      await context.close();
    }
  });

  test('shows failed downloads and deleted videos in the navigation, and the account menu at every width', async () => {
    await page.route('**/api/download/?filter=pending&error=true', async (route) => {
      const response = await route.fetch();
      const json = (await response.json()) as { paginate: object };
      await route.fulfill({ response, json: { ...json, paginate: { ...json.paginate, total_hits: 3 } } });
    });
    await atHome();
    const main = page.getByRole('navigation', { name: 'Main' });
    await main.getByRole('link', { name: 'Downloads 3 failed' }).waitFor();
    await main.getByRole('link', { name: 'Dashboard' }).click();
    await heading('Your archive').waitFor();
    await expect.poll(() => main.locator('[aria-current=page]').textContent()).toBe('Dashboard');
    const menuItems = async () => {
      await page.getByRole('button', { name: 'Account: demo' }).click();
      await page.getByRole('menu').waitFor();
      await expectNoA11yProblems(page);
      return page.getByRole('menuitem').allTextContents();
    };
    expect(await menuItems()).toEqual([
      'My settings',
      'Offline videos',
      'Notes',
      'Open on a phone…',
      'Keyboard shortcuts',
      'About',
      'Log out',
    ]);
    await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).click();
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await page.keyboard.press('Escape');
    await page.setViewportSize({ width: 390, height: 844 });
    const onPhones = ['Trash', 'Dashboard', 'Commands', 'My settings', 'Offline videos', 'Notes', 'About', 'Log out'];
    expect(await menuItems()).toEqual(onPhones);
    await page.getByRole('menuitem', { name: 'Commands' }).click();
    await page.getByRole('dialog', { name: 'Commands' }).getByRole('combobox').fill('backup');
    await page.getByRole('option', { name: 'Run now: ZIP backup' }).waitFor();
    await page.keyboard.press('Escape');
    await page.unrouteAll({ behavior: 'wait' });
    await menuItems();
    await page.getByRole('menuitem', { name: 'Offline videos' }).click();
    await heading('Offline videos').waitFor();
  });

  test('applies custom CSS, and a URL parameter disables it', async () => {
    await atHome();
    await page.keyboard.press('Control+k');
    await page.getByRole('option').first().waitFor();
    await page.keyboard.type('custom');
    await page.keyboard.press('Enter');
    await page.getByLabel('Custom CSS').fill(':root { --ground: rgb(1, 2, 3) } main { display: none }');
    await page.keyboard.press('Tab'); // saves itself when it is left
    await expect.poll(background).toBe('rgb(1, 2, 3)');
    await page.goto(`${b.address}/`);
    await expect.poll(theme).toBe('custom');
    await expect.poll(() => page.locator('main').isVisible()).toBe(false);
    await page.goto(`${b.address}/?theme=dark`);
    await heading('Recent videos').waitFor();
    expect([await theme(), await background()]).toEqual(['dark', '#131211']);
    await b.visitor.call('POST', '/api/user/me/', { stylesheet: 'dark.css', custom_css: null });
  });

  test('has the chosen theme before any script of the app has loaded; “System” follows the browser', async () => {
    const context = await b.browser.newContext({ serviceWorkers: 'block', colorScheme: 'dark' });
    try {
      const tab = await context.newPage();
      noteErrors(tab, b.errors);
      let release = () => {};
      const isReleased = new Promise<void>((resolve) => (release = resolve));
      await tab.route(/\/assets\/.*\.js$/, (route) => isReleased.then(() => route.continue()));
      const ground = () => tab.evaluate('getComputedStyle(document.documentElement).backgroundColor');
      const [dark, light] = ['rgb(19, 18, 17)', 'rgb(245, 242, 237)'];
      const open = () => tab.goto(`${b.address}/login/`, { waitUntil: 'commit' });
      await open();
      await expect.poll(ground).toBe(dark);
      await tab.emulateMedia({ colorScheme: 'light' });
      await open();
      await expect.poll(ground).toBe(light);
      await tab.evaluate("localStorage.setItem('reelkeep.theme', 'dark')");
      await open();
      await expect.poll(ground).toBe(dark);
      await tab.evaluate("localStorage.setItem('reelkeep.theme', 'system')");
      release();
      await tab.goto(`${b.address}/login/`);
      await tab.getByLabel('Username').waitFor();
      await expect.poll(ground).toBe(light);
    } finally {
      await context.close();
    }
  });

  test('marks and counts videos since the last visit; a reload is the same visit', async () => {
    await atHome();
    await expect.poll(() => page.getByText('New', { exact: true }).count()).toBe(0);
    await page.evaluate(`(() => {
      const key = Object.keys(localStorage).find((one) => one.startsWith('reelkeep.visits.'));
      localStorage.setItem(key, '0 1000');
    })()`);
    for (let visit = 0; visit < 2; visit++) {
      await atHome();
      await page.getByRole('button', { name: '1 new since your last visit' }).waitFor();
      await page.getByRole('article').getByText('New', { exact: true }).waitFor();
    }
    await expectAccessibleAtAllWidths(page);
  });

  test('shows storyboard frames of a card under the pointer', async () => {
    const storyboard = async () =>
      ((await b.visitor.call('GET', `/api/video/${loaf.id}/`)).json as { storyboard_url: string | null }).storyboard_url;
    await eventually(storyboard);
    await atHome();
    const box = (await page.getByRole('article').boundingBox())!;
    const framePosition = () =>
      page.evaluate(
        `getComputedStyle(document.querySelector('article [style*=background-image]') ?? document.body).backgroundPosition`,
      );
    await page.mouse.move(box.x + 20, box.y + 90);
    await page.mouse.move(box.x + 30, box.y + 90, { steps: 3 });
    await page.waitForTimeout(600);
    await page.mouse.move(box.x + 34, box.y + 90);
    await expect.poll(() => page.locator('article [style*=background-image]').count()).toBe(1);
    const before = await framePosition();
    await page.mouse.move(box.x + box.width - 20, box.y + 90, { steps: 5 });
    await expect.poll(framePosition).not.toBe(before);
    // Escape hides the preview, also while the pointer moves over the card. It is shown again after the pointer has left the card.
    await page.keyboard.press('Escape');
    await expect.poll(() => page.locator('article [style*=background-image]').count()).toBe(0);
    await page.mouse.move(box.x + box.width - 40, box.y + 90, { steps: 3 });
    expect(await page.locator('article [style*=background-image]').count()).toBe(0);
    await page.mouse.move(5, 5);
    let at = 40;
    const hoverCard = () =>
      page.mouse.move(box.x + at++, box.y + 90).then(() => page.locator('article [style*=background-image]').count());
    await expect.poll(hoverCard).toBe(1);
    await page.mouse.move(5, 5);
    await expect.poll(() => page.locator('article [style*=background-image]').count()).toBe(0);
  });

  test('respects reduced motion, and limits animations otherwise', async () => {
    await b.visitor.call('POST', '/api/watched/', { id: loaf.id, is_watched: false });
    const moved = () => page.evaluate<number[]>('moved');
    const exercisePage = async () => {
      await atHome();
      await noteMotion(page);
      await page.getByRole('article').hover();
      await page.getByRole('article').getByRole('button', { name: 'More' }).click();
      await page.getByRole('menu').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Collapse' }).hover();
      await page.getByLabel('Infinite scroll').click();
      await page.getByLabel('Infinite scroll').click();
      await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    };
    try {
      await exercisePage();
      expect((await moved()).filter((ms) => ms > 1)).toEqual([]);
      await page.emulateMedia({ reducedMotion: 'no-preference' });
      await exercisePage();
      await expect.poll(async () => (await moved()).length).toBeGreaterThan(0);
      expect(Math.max(...(await moved()))).toBeLessThan(5000);
      await expect
        .poll(() => page.evaluate("document.getAnimations().filter((one) => one.playState === 'running').length"))
        .toBe(0);
    } finally {
      await page.emulateMedia({ reducedMotion: 'reduce' });
    }
  });

  test('text on thumbnails has enough contrast on bright and dark pictures, in every theme', async () => {
    const low: string[] = [];
    await b.visitor.call('POST', '/api/watched/', { id: loaf.id, is_watched: true });
    for (const themeName of ['dark', 'light', 'midnight', 'matrix'])
      for (const filter of ['brightness(0)', 'brightness(0) invert(1)']) {
        await page.goto(`${b.address}/?theme=${themeName}`);
        const card = page.getByRole('article');
        await card.getByText('Watched', { exact: true }).waitFor();
        await page.evaluate(`document.querySelector('article img').style.setProperty('filter', '${filter}', 'important')`);
        for (const text of [card.getByText('Watched', { exact: true }), card.getByText('0:30', { exact: true })]) {
          const contrast = await leastContrast(page, text);
          if (contrast < 4.5) low.push(`${themeName}, ${filter}: ${contrast.toFixed(2)} ${await text.textContent()}`);
        }
      }
    expect(low).toEqual([]);
    await b.visitor.call('POST', '/api/watched/', { id: loaf.id, is_watched: false });
  });

  test('several tabs share one event stream', async () => {
    await b.visitor.call('POST', '/api/watched/', { id: loaf.id, is_watched: false });
    let streams = 0;
    b.context.on('request', (request) => {
      if (request.url().endsWith('/api/events/')) streams++;
    });
    await atHome();
    const other = await b.context.newPage();
    await other.goto(`${b.address}/`);
    const countWatched = (tab: Page) => tab.getByRole('article').getByText('Watched', { exact: true }).count();
    await expect.poll(() => other.getByRole('article').count()).toBe(1);
    await other.waitForTimeout(1000);
    expect(streams).toBe(1);
    await b.visitor.call('POST', '/api/watched/', { id: loaf.id, is_watched: true });
    await expect.poll(() => Promise.all([countWatched(page), countWatched(other)])).toEqual([1, 1]);
    // The tab with the stream closes; the other one opens its own.
    await page.goto('about:blank');
    await b.visitor.call('POST', '/api/watched/', { id: loaf.id, is_watched: false });
    await expect.poll(() => countWatched(other)).toBe(0);
    expect(streams).toBe(2);
    await other.close();
  });

  test('polls when the event stream is unavailable', async () => {
    await page.route('**/api/events/', (route) => route.fulfill({ status: 503 }));
    await page.goto(`${b.address}/channel/`);
    await heading('Channels').waitFor();
    await page.route('**/api/notification/', (route) =>
      route.fulfill({
        json: [
          {
            id: 'x',
            title: 'Rescan',
            group: 'download:scan',
            api_start: true,
            api_stop: true,
            level: 'info',
            messages: ['Half'],
            progress: 0.5,
          },
        ],
      }),
    );
    await page.getByRole('button', { name: /^Tasks and downloads/ }).click();
    await page.getByRole('list', { name: 'Running tasks' }).getByText('Half').waitFor();
    await expectAccessibleAtAllWidths(page);
    await page.unroute('**/api/notification/');
    await expect.poll(() => page.getByRole('list', { name: 'Running tasks' }).count()).toBe(0);
    await page.keyboard.press('Escape');
    await page.unroute('**/api/events/');
  });

  test('can be installed, says at once when the server is down or was updated, and shows an offline page', async () => {
    const germanManifest = await page.request.get(`${b.address}/manifest.webmanifest`, {
      headers: { 'accept-language': 'fr, de;q=0.9, en;q=0.8' },
    });
    expect([await germanManifest.json(), germanManifest.headers()]).toMatchObject([
      { lang: 'de' },
      { vary: expect.stringContaining('Accept-Language') as string },
    ]);
    const manifest = (await (await page.request.get(`${b.address}/manifest.webmanifest`)).json()) as {
      share_target: { action: string };
      shortcuts: { url: string }[];
    };
    expect(manifest).not.toHaveProperty('orientation');
    expect(manifest.share_target.action).toBe('./share/');
    expect(manifest.shortcuts.length).toBeGreaterThan(0);
    for (const { url } of manifest.shortcuts)
      expect((await page.request.get(new URL(url, `${b.address}/`).href)).status()).toBe(200);
    await atHome();
    await page.evaluate('navigator.serviceWorker.ready.then(() => true)');
    await page.reload();
    await heading('Recent videos').waitFor();
    const cachedPaths = (await page.evaluate(`(async () => {
      const paths = [];
      for (const name of await caches.keys())
        for (const { url } of await (await caches.open(name)).keys()) paths.push(new URL(url).pathname);
      return paths;
    })()`)) as string[];
    expect(cachedPaths).toContain('/keep/offline.html');
    expect(cachedPaths.filter((path) => !/^\/keep\/(assets\/|offline|favicon)/.test(path))).toEqual([]);
    await b.end();
    await page.getByText('Can’t reach the server. This page continues when it is back.').waitFor({ timeout: 3000 });
    await expectAccessibleAtAllWidths(page);

    // The server comes back with another version of the app.
    const newServer = () =>
      createServer(({ url }, response) => {
        if (url === '/keep/api/events/')
          return void response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': \n');
        const isApi = url?.includes('/api/');
        const isKnown = !isApi || /\/(health|notification)\//.test(url ?? '');
        response.writeHead(isKnown ? 200 : 500, { 'content-type': isApi ? 'application/json' : 'text/html' });
        response.end(isApi ? '[]' : '<h1>The new version</h1><script type="module" src="./assets/new.js"></script>');
      }).listen(Number(new URL(b.address).port), '127.0.0.1');
    const stop = (server: Server) => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    };
    const updated = newServer();
    await page.getByText('Reelkeep was updated.').waitFor();
    await page.getByRole('link', { name: 'Channels' }).first().click();
    await heading('The new version').waitFor();
    await stop(updated);

    await page.goto(`${b.address}/channel/`).catch(() => {});
    await heading('Your archive cannot be reached').waitFor();
    await expect.poll(() => page.evaluate('document.fonts.check(\'16px "Inter Variable"\')')).toBe(true);
    expect(await heading('Das Archiv ist nicht erreichbar').count()).toBe(0);
    await page.evaluate("document.documentElement.lang = 'de'");
    await heading('Das Archiv ist nicht erreichbar').waitFor();
    await expectAccessibleAtAllWidths(page);
    const back = newServer();
    await heading('The new version').waitFor();
    await stop(back);
    expect(b.errors).toEqual([]);
  });
});
