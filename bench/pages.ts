import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Page } from 'playwright-core';
import { chromiumOptions } from '../e2e/support/chromium.ts';

/** Metrics of one page that a browser opens with an empty cache; times in milliseconds since the request. */
export interface PageFigures {
  /** Transferred bytes of scripts. */
  scriptBytes: number;
  firstContentfulPaint: number;
  largestContentfulPaint: number;
  /** Sum of the time above 50 ms in each main thread task, until the page is idle. */
  totalBlocking: number;
  /** Cumulative layout shift. */
  layoutShift: number;
}

const median = (numbers: number[]) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!;

/** Reads a value that `in-page.js` has recorded. */
const readMetric = <T>(page: Page, what: string) => page.evaluate(`figures.${what}`) as Promise<T>;

async function inBrowser<T>(
  address: string,
  measure: (page: Page) => Promise<T>,
  viewport = { width: 1280, height: 800 },
): Promise<T | null> {
  const options = chromiumOptions();
  if (!existsSync(options.executablePath ?? '')) return null;
  const browser = await chromium.launch(options);
  try {
    // Responses from a service worker do not count as transferred.
    const page = await browser.newPage({ viewport, serviceWorkers: 'block' });
    await page.addInitScript({ path: join(import.meta.dirname, 'in-page.js') });
    await page.goto(`${address}/login/`);
    await page.getByLabel('Username').fill('demo');
    await page.getByLabel('Password').fill('demo');
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByRole('heading', { name: 'Recent videos' }).waitFor();
    return await measure(page);
  } finally {
    await browser.close();
  }
}

/** Opens each page five times with an empty cache, logged in. Returns the medians; null without Chromium. */
export const pageFigures = (address: string, paths: readonly string[]) =>
  inBrowser(address, async (page) => {
    const session = await page.context().newCDPSession(page);
    const figures = new Map<string, PageFigures>();
    for (const path of paths) {
      const runs: PageFigures[] = [];
      for (let run = 0; run < 5; run++) {
        await session.send('Network.clearBrowserCache');
        await page.goto(address + path);
        await page.locator('main h1, main h2, main video').first().waitFor();
        await page.waitForTimeout(1_500);
        runs.push(await readMetric<PageFigures>(page, 'metrics()'));
      }
      const of = (name: keyof PageFigures) => median(runs.map((one) => one[name]));
      figures.set(path, {
        scriptBytes: of('scriptBytes'),
        firstContentfulPaint: of('firstContentfulPaint'),
        largestContentfulPaint: of('largestContentfulPaint'),
        totalBlocking: of('totalBlocking'),
        layoutShift: of('layoutShift'),
      });
    }
    return figures;
  });

/** Cumulative layout shift of each page, and the elements that moved; null without Chromium. */
export const layoutShifts = (address: string, paths: readonly string[], viewport: { width: number; height: number }) =>
  inBrowser(
    address,
    async (page) => {
      const shifts = new Map<string, { value: number; moved: string[] }>();
      for (const path of paths) {
        await page.goto(address + path);
        await page.locator('main').waitFor();
        await page.waitForTimeout(2_000);
        shifts.set(path, await readMetric(page, 'shift()'));
      }
      return shifts;
    },
    viewport,
  );

// Users hover over a card for longer than this before they click.
const hoverMs = 200;

/**
 * Returns the time from a click on the first card of the home page to the first frame, in milliseconds, as the median of five;
 * null without Chromium.
 */
export const clickToFrame = (address: string) =>
  inBrowser(address, async (page) => {
    const times: number[] = [];
    for (let run = 0; run < 5; run++) {
      await page.goto(`${address}/`);
      const card = page.locator('main a[href*="/video/"]').first();
      await card.waitFor();
      await page.waitForTimeout(1_000);
      await card.hover();
      await page.waitForTimeout(hoverMs);
      await card.click();
      times.push(await readMetric<number>(page, 'clickToFrame()'));
    }
    return median(times);
  });

interface Scrolled {
  passed: number;
  frames: number;
  /** Milliseconds. */
  longest: number;
  /** Frames longer than 50 ms. */
  slow: number;
  /** Maximum number of cards in the page. */
  maxCards: number;
}

/**
 * Scrolls the infinite list of the home page by a number of pixels per frame until this many videos have passed. Returns null
 * without Chromium.
 */
export const endlessScroll = (address: string, cards: number, pixels: number) =>
  inBrowser(address, async (page) => {
    await page.evaluate("localStorage.setItem('reelkeep.endless', 'on')");
    await page.goto(`${address}/`);
    await page.locator('main [data-at]').first().waitFor();
    await page.waitForTimeout(2_000);
    return readMetric<Scrolled>(page, `scroll(${cards}, ${pixels})`);
  });
