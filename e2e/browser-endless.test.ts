import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startBrowsing, type Browsing } from './browsing.ts';
import { canBrowse, everybodyCanUse } from './in-browser.ts';

describe.runIf(canBrowse)('lists without end, in a browser', () => {
  let b: Browsing;
  let page: Page;
  beforeAll(async () => {
    b = await startBrowsing();
    page = b.page;
  });
  afterAll(() => b.close());
  beforeEach(() => page.setViewportSize({ width: 1280, height: 800 }));

  const focused = () => page.evaluate('document.activeElement?.textContent');

  test('as one list without end it draws what is in sight, and going back leads to the same place', async () => {
    await b.visitor.call('POST', '/api/user/me/', { page_size: 4, grid_items: 3 });
    await page.goto(b.address);
    await page.getByRole('button', { name: 'Filters' }).click();
    await page.getByLabel('Endless list').click();
    await page.reload();
    await b.card('Journey 01').waitFor();
    // Its rows are as high as what is in them, not as was guessed.
    const spare = `(() => {
      const row = document.querySelector('main [data-at]');
      return row.getBoundingClientRect().height - row.querySelector('article').getBoundingClientRect().height;
    })()`;
    await expect.poll(() => page.evaluate<number>(spare)).toBeLessThan(1.01);
    await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
    await b.card('Journey 13').waitFor();
    await expect.poll(() => page.getByRole('navigation', { name: 'Pages' }).count()).toBe(0);
    await everybodyCanUse(page);
    await page.evaluate('scrollTo(0, document.documentElement.scrollHeight - innerHeight - 150)');
    await page.waitForTimeout(300);
    const before = (await page.evaluate('scrollY')) as number;
    expect(before).toBeGreaterThan(300);
    await b.card('Journey 13').getByRole('heading').getByRole('link').click();
    await page.waitForURL(/video\/journeyNo13/);
    await page.goBack();
    await b.card('Journey 13').waitFor();
    await expect.poll(() => page.evaluate('scrollY')).toBe(before);
    await b.card('Journey 13').getByRole('heading').getByRole('link').focus();
    await page.keyboard.press('Home');
    await expect.poll(focused).toBe('Journey 01');
    // Scrolled out of sight it is taken off the page; the keys go on from where it was.
    await page.setViewportSize({ width: 390, height: 600 });
    const first = () => page.evaluate('scrollTo(0, 99_999)').then(() => b.card('Journey 01').count());
    await expect.poll(first).toBe(0);
    await page.keyboard.press('ArrowDown');
    await expect.poll(focused).toBe('Journey 02');
    await page.reload();
    await b.card('Journey 01').waitFor();
    await expect.poll(() => page.getByRole('navigation', { name: 'Pages' }).count()).toBe(0);
    expect(b.errors).toEqual([]);
  });

  test('who rushes past sees places alone, and asks for nothing that is gone at once', async () => {
    await b.visitor.call('POST', '/api/user/me/', { page_size: 2 });
    await page.setViewportSize({ width: 390, height: 600 });
    const asked = new Set<number>();
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url());
      if (pathname === '/api/video/') asked.add(Number(searchParams.get('page') ?? 1));
    });
    // As fast as is said, whatever a frame takes; answers the most places without a video that were in the window.
    const scrollBy = (pixelsEachMs: number) =>
      page.evaluate<number>(`new Promise((resolve) => {
        let [before, most] = [performance.now(), 0];
        const step = (now) => {
          most = Math.max(most, document.querySelectorAll('main [data-at] [data-skeleton]').length);
          if (scrollY + innerHeight >= document.documentElement.scrollHeight - 1) return resolve(most);
          scrollTo(0, scrollY + ${pixelsEachMs} * (now - before));
          before = now;
          requestAnimationFrame(step);
        };
        requestAnimationFrame(step);
      })`);
    await page.goto(b.address);
    await b.card('Journey 01').waitFor();
    asked.clear();
    expect(await scrollBy(6)).toBeGreaterThan(2);
    await b.card('A loaf').waitFor();
    await expect.poll(() => page.locator('main [data-at] [data-skeleton]').count()).toBe(0);
    const middle = [3, 4, 5, 6];
    expect(middle.filter((one) => asked.has(one)).length).toBeLessThan(middle.length);

    await page.reload();
    await page.evaluate('scrollTo(0, 0)');
    await b.card('Journey 01').waitFor();
    await scrollBy(1);
    await expect.poll(() => middle.filter((one) => !asked.has(one))).toEqual([]);
    expect(b.errors).toEqual([]);
  });
});
