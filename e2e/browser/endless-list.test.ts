import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startBrowsing, type Browsing } from '../support/browsing.ts';
import { canBrowse, expectAccessibleAtAllWidths } from '../support/in-browser.ts';

describe.runIf(canBrowse)('infinite lists', () => {
  let b: Browsing;
  let page: Page;
  beforeAll(async () => {
    b = await startBrowsing();
    page = b.page;
  });
  afterAll(() => b.close());
  beforeEach(() => page.setViewportSize({ width: 1280, height: 800 }));

  const focused = () => page.evaluate('document.activeElement?.textContent');

  test('draws only visible rows, and restores the scroll position on back navigation', async () => {
    await b.visitor.call('POST', '/api/user/me/', { page_size: 4, grid_items: 3 });
    await page.goto(b.address);
    await page.getByRole('button', { name: 'Infinite scroll' }).click();
    await page.reload();
    await b.card('Journey 01').waitFor();
    // Rows have the height of their content, not the estimated height.
    const extraHeight = `(() => {
      const row = document.querySelector('main [data-at]');
      return row.getBoundingClientRect().height - row.querySelector('article').getBoundingClientRect().height;
    })()`;
    await expect.poll(() => page.evaluate<number>(extraHeight)).toBeLessThan(1.01);
    await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
    await b.card('Journey 13').waitFor();
    await expect.poll(() => page.getByRole('navigation', { name: 'Pages' }).count()).toBe(0);
    await expectAccessibleAtAllWidths(page);
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
    // The focused row is removed when it is scrolled out of view; arrow keys continue from its position.
    await page.setViewportSize({ width: 390, height: 600 });
    const countFirstCard = () => page.evaluate('scrollTo(0, 99_999)').then(() => b.card('Journey 01').count());
    await expect.poll(countFirstCard).toBe(0);
    await page.keyboard.press('ArrowDown');
    await expect.poll(focused).toBe('Journey 02');
    await page.reload();
    await b.card('Journey 01').waitFor();
    await expect.poll(() => page.getByRole('navigation', { name: 'Pages' }).count()).toBe(0);
    expect(b.errors).toEqual([]);
  });

  test('shows placeholders while scrolling fast, and requests no page that is already gone', async () => {
    await b.visitor.call('POST', '/api/user/me/', { page_size: 2 });
    await page.setViewportSize({ width: 390, height: 600 });
    const requestedPages = new Set<number>();
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url());
      if (pathname === '/api/video/') requestedPages.add(Number(searchParams.get('page') ?? 1));
    });
    // Scrolls at a fixed speed, independent of the frame rate. Returns the maximum number of visible placeholders.
    const scrollBy = (pixelsPerMs: number) =>
      page.evaluate<number>(`new Promise((resolve) => {
        let [before, maximum] = [performance.now(), 0];
        const step = (now) => {
          maximum = Math.max(maximum, document.querySelectorAll('main [data-at] [data-skeleton]').length);
          if (scrollY + innerHeight >= document.documentElement.scrollHeight - 1) return resolve(maximum);
          scrollTo(0, scrollY + ${pixelsPerMs} * (now - before));
          before = now;
          requestAnimationFrame(step);
        };
        requestAnimationFrame(step);
      })`);
    await page.goto(b.address);
    await b.card('Journey 01').waitFor();
    requestedPages.clear();
    expect(await scrollBy(6)).toBeGreaterThan(2);
    await b.card('A loaf').waitFor();
    await expect.poll(() => page.locator('main [data-at] [data-skeleton]').count()).toBe(0);
    const middle = [3, 4, 5, 6];
    expect(middle.filter((one) => requestedPages.has(one)).length).toBeLessThan(middle.length);

    await page.reload();
    await page.evaluate('scrollTo(0, 0)');
    await b.card('Journey 01').waitFor();
    await scrollBy(1);
    await expect.poll(() => middle.filter((one) => !requestedPages.has(one))).toEqual([]);
    expect(b.errors).toEqual([]);
  });
});
