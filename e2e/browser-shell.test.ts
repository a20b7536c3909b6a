import type { Page, Route } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { eventually } from './acquiring.ts';
import { loaf, startBrowsing, type Browsing } from './browsing.ts';
import { canBrowse, everybodyCanUse } from './in-browser.ts';
import { leastContrast, noteMotion } from './looking.ts';

// Below a path of its host, where every address that forgets it shows.
describe.runIf(canBrowse)('what is around every page, in a browser', () => {
  let b: Browsing;
  let page: Page;
  beforeAll(async () => {
    b = await startBrowsing({ isSmall: true, below: '/keep' });
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
  const ground = () => page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--ground').trim()");

  test('the footer tells what runs, that it is the newest for a moment, and when it is not', async () => {
    await atHome();
    const footer = page.getByRole('contentinfo');
    await footer.getByText(/^v\d/).waitFor();
    await page.reload();
    await footer.getByRole('img', { name: 'Up to date' }).waitFor();
    await expect.poll(() => footer.getByRole('img').count()).toBe(0);
    await page.route('**/api/ping/', async (route) => {
      const answer = await route.fetch();
      const ta_update = { status: true, version: 'v9.0.0', is_breaking: true };
      await route.fulfill({ response: answer, json: { ...(await answer.json()), ta_update } });
    });
    await page.reload();
    await footer.getByText(/v9\.0\.0 is available, with breaking changes/).waitFor();
    await everybodyCanUse(page);
    await page.unroute('**/api/ping/');
  });

  test('what is typed right after Ctrl K goes into the palette, however late it comes, and is no key of the page', async () => {
    // What a service worker hands out cannot be held up.
    const context = await b.browser.newContext({ serviceWorkers: 'block' });
    try {
      const visit = await context.newPage();
      await visit.request.post(`${b.address}/api/user/login/`, { data: { username: 'demo', password: 'demo' } });
      const held: Route[] = [];
      await visit.route(/\/assets\/Palette-.*\.js$/, (route) => void held.push(route));
      await visit.goto(`${b.address}/`);
      const main = visit.getByRole('article').getByRole('heading').getByRole('link');
      await main.focus();
      await visit.keyboard.press('Control+k');
      await visit.keyboard.type('qx your oowm');
      for (const key of ['Backspace', 'Backspace', 'Backspace']) await visit.keyboard.press(key);
      await visit.keyboard.type('wn');
      await visit.keyboard.press('Enter'); // on the video that has the focus
      await expect.poll(() => held.length).toBe(1);
      expect(new URL(visit.url()).pathname).toBe('/keep/');
      expect(await visit.getByRole('toolbar', { name: 'Selected videos' }).count()).toBe(0);
      expect(await visit.evaluate(() => localStorage.getItem('reelkeep.queue'))).toBeNull();
      await held[0]!.continue();
      const field = visit.getByRole('dialog', { name: 'Commands' }).getByRole('combobox');
      await expect.poll(() => field.inputValue()).toBe('qx your own');
      await expect
        .poll(() => visit.evaluate('document.activeElement?.role ?? document.activeElement?.getAttribute("role")'))
        .toBe('combobox');
      await visit.keyboard.type('!');
      await expect.poll(() => field.inputValue()).toBe('qx your own!');
      await visit.keyboard.press('Escape');
      await expect
        .poll(() =>
          main.evaluate(
            (one) => one === (one as unknown as { ownerDocument: { activeElement: unknown } }).ownerDocument.activeElement,
          ),
        )
        .toBe(true);
      // Asked for again, it begins with nothing.
      await visit.keyboard.press('Control+k');
      await expect.poll(() => field.inputValue()).toBe('');
    } finally {
      await context.close();
    }
  });

  test('a theme of one’s own is laid over the app, and the address leads back from it', async () => {
    await atHome();
    await page.keyboard.press('Control+k');
    await page.getByRole('option').first().waitFor();
    await page.keyboard.type('your own');
    await page.keyboard.press('Enter');
    await page.getByLabel('Your own CSS').fill(':root { --ground: rgb(1, 2, 3) } main { display: none }');
    await page.getByRole('button', { name: 'Update: Your own CSS' }).click();
    await expect.poll(ground).toBe('rgb(1, 2, 3)');
    await page.goto(`${b.address}/`);
    await expect.poll(theme).toBe('custom');
    await expect.poll(() => page.locator('main').isVisible()).toBe(false);
    await page.goto(`${b.address}/?theme=dark`);
    await heading('Recent videos').waitFor();
    expect([await theme(), await ground()]).toEqual(['dark', '#131211']);
    await b.visitor.call('POST', '/api/user/me/', { stylesheet: 'dark.css', custom_css: null });
  });

  test('what came since somebody was here last is marked and counted; loading again is the same visit', async () => {
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
    await everybodyCanUse(page);
  });

  test('along the pointer a card shows what the video looks like there', async () => {
    const storyboard = async () =>
      ((await b.visitor.call('GET', `/api/video/${loaf.id}/`)).json as { storyboard_url: string | null }).storyboard_url;
    await eventually(storyboard);
    await atHome();
    const box = (await page.getByRole('article').boundingBox())!;
    const shown = () =>
      page.evaluate(
        `getComputedStyle(document.querySelector('article [style*=background-image]') ?? document.body).backgroundPosition`,
      );
    await page.mouse.move(box.x + 20, box.y + 90);
    await page.mouse.move(box.x + 30, box.y + 90, { steps: 3 });
    await page.waitForTimeout(600);
    await page.mouse.move(box.x + 34, box.y + 90);
    await expect.poll(() => page.locator('article [style*=background-image]').count()).toBe(1);
    const before = await shown();
    await page.mouse.move(box.x + box.width - 20, box.y + 90, { steps: 5 });
    await expect.poll(shown).not.toBe(before);
    // Escape takes it away while the pointer stays, and while it moves on there; elsewhere and back it is shown again.
    await page.keyboard.press('Escape');
    await expect.poll(() => page.locator('article [style*=background-image]').count()).toBe(0);
    await page.mouse.move(box.x + box.width - 40, box.y + 90, { steps: 3 });
    expect(await page.locator('article [style*=background-image]').count()).toBe(0);
    await page.mouse.move(5, 5);
    let at = 40;
    const again = () =>
      page.mouse.move(box.x + at++, box.y + 90).then(() => page.locator('article [style*=background-image]').count());
    await expect.poll(again).toBe(1);
    await page.mouse.move(5, 5);
    await expect.poll(() => page.locator('article [style*=background-image]').count()).toBe(0);
  });

  test('nothing moves where less motion is wished for, and nothing for long where it is not', async () => {
    await b.visitor.call('POST', '/api/watched/', { id: loaf.id, is_watched: false });
    const moved = () => page.evaluate<number[]>('moved');
    const goAround = async () => {
      await atHome();
      await noteMotion(page);
      await page.getByRole('article').hover();
      await page.getByRole('article').getByRole('button', { name: 'More' }).click();
      await page.getByRole('menu').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Narrow' }).hover();
      await page.getByRole('button', { name: 'Filters' }).click();
      await page.getByLabel('Endless list').click();
      await page.getByLabel('Endless list').click();
      await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    };
    try {
      await goAround();
      expect((await moved()).filter((ms) => ms > 1)).toEqual([]);
      await page.emulateMedia({ reducedMotion: 'no-preference' });
      await goAround();
      await expect.poll(async () => (await moved()).length).toBeGreaterThan(0);
      expect(Math.max(...(await moved()))).toBeLessThan(5000);
      await expect
        .poll(() => page.evaluate("document.getAnimations().filter((one) => one.playState === 'running').length"))
        .toBe(0);
    } finally {
      await page.emulateMedia({ reducedMotion: 'reduce' });
    }
  });

  test('what is written on pictures can be read on the brightest and the darkest, in every theme', async () => {
    const low: string[] = [];
    await b.visitor.call('POST', '/api/watched/', { id: loaf.id, is_watched: true });
    for (const look of ['dark', 'light', 'midnight', 'matrix'])
      for (const picture of ['brightness(0)', 'brightness(0) invert(1)']) {
        await page.goto(`${b.address}/?theme=${look}`);
        const card = page.getByRole('article');
        await card.getByText('Watched', { exact: true }).waitFor();
        await page.evaluate(`document.querySelector('article img').style.setProperty('filter', '${picture}', 'important')`);
        for (const text of [card.getByText('Watched', { exact: true }), card.getByText('0:30', { exact: true })]) {
          const contrast = await leastContrast(page, text);
          if (contrast < 4.5) low.push(`${look}, ${picture}: ${contrast.toFixed(2)} ${await text.textContent()}`);
        }
      }
    expect(low).toEqual([]);
    await b.visitor.call('POST', '/api/watched/', { id: loaf.id, is_watched: false });
  });

  test('several tabs share one stream, and all of them hear what changes', async () => {
    await b.visitor.call('POST', '/api/watched/', { id: loaf.id, is_watched: false });
    let streams = 0;
    b.context.on('request', (request) => {
      if (request.url().endsWith('/api/events/')) streams++;
    });
    await atHome();
    const other = await b.context.newPage();
    await other.goto(`${b.address}/`);
    const marks = (tab: Page) => tab.getByRole('article').getByText('Watched', { exact: true }).count();
    await expect.poll(() => other.getByRole('article').count()).toBe(1);
    await other.waitForTimeout(1000);
    expect(streams).toBe(1);
    await b.visitor.call('POST', '/api/watched/', { id: loaf.id, is_watched: true });
    await expect.poll(() => Promise.all([marks(page), marks(other)])).toEqual([1, 1]);
    // Who had the stream goes; the other takes it over.
    await page.goto('about:blank');
    await b.visitor.call('POST', '/api/watched/', { id: loaf.id, is_watched: false });
    await expect.poll(() => marks(other)).toBe(0);
    expect(streams).toBe(2);
    await other.close();
  });

  test('where the stream cannot be had, the page asks what goes on, and shows it', async () => {
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
    await page.getByRole('list', { name: 'Going on now' }).getByText('Half').waitFor();
    await everybodyCanUse(page);
    await page.unroute('**/api/notification/');
    await expect.poll(() => page.getByRole('list', { name: 'Going on now' }).count()).toBe(0);
    await page.unroute('**/api/events/');
  });

  test('the app can be installed, and says so when the server is away', async () => {
    const inGerman = await page.request.get(`${b.address}/manifest.webmanifest`, {
      headers: { 'accept-language': 'fr, de;q=0.9, en;q=0.8' },
    });
    expect([await inGerman.json(), inGerman.headers()]).toMatchObject([
      { lang: 'de' },
      { vary: expect.stringContaining('Accept-Language') as string },
    ]);
    const manifest = (await (await page.request.get(`${b.address}/manifest.webmanifest`)).json()) as {
      share_target: { action: string };
      shortcuts: { url: string }[];
    };
    expect(manifest).not.toHaveProperty('orientation');
    expect(manifest.share_target.action).toBe('./share/');
    for (const { url } of manifest.shortcuts)
      expect((await page.request.get(new URL(url, `${b.address}/`).href)).status()).toBe(200);
    await atHome();
    await page.evaluate('navigator.serviceWorker.ready.then(() => true)');
    await page.reload();
    await heading('Recent videos').waitFor();
    const keptPaths = (await page.evaluate(`(async () => {
      const paths = [];
      for (const name of await caches.keys())
        for (const { url } of await (await caches.open(name)).keys()) paths.push(new URL(url).pathname);
      return paths;
    })()`)) as string[];
    expect(keptPaths).toContain('/keep/offline.html');
    expect(keptPaths.filter((path) => !/^\/keep\/(assets\/|offline|favicon)/.test(path))).toEqual([]);
    await b.end();
    await page.goto(`${b.address}/channel/`).catch(() => {});
    await heading('Your archive cannot be reached').waitFor();
    expect(await heading('Das Archiv ist nicht erreichbar').count()).toBe(0);
    await page.evaluate("document.documentElement.lang = 'de'");
    await heading('Das Archiv ist nicht erreichbar').waitFor();
    await everybodyCanUse(page);
    expect(b.errors).toEqual([]);
  });
});
