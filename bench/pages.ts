import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Page } from 'playwright-core';
import { chromiumOptions } from '../e2e/chromium.ts';

/** What a browser says of one page, opened with an empty cache; times in milliseconds from the request on. */
export interface PageFigures {
  /** Scripts as they travel, in bytes. */
  scriptBytes: number;
  firstContentfulPaint: number;
  largestContentfulPaint: number;
  /** Of every task of the main thread what is beyond 50 ms, until the page has been at rest. */
  totalBlocking: number;
  /** The sum of what moved about, as browsers count it. */
  layoutShift: number;
}

const median = (numbers: number[]) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!;

/** Asks what `in-page.js` has seen. */
const asked = <T>(page: Page, what: string) => page.evaluate(`figures.${what}`) as Promise<T>;

async function inBrowser<T>(address: string, look: (page: Page) => Promise<T>): Promise<T | null> {
  const options = chromiumOptions();
  if (!existsSync(options.executablePath ?? '')) return null;
  const browser = await chromium.launch(options);
  try {
    // What a service worker hands out has not travelled.
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, serviceWorkers: 'block' });
    await page.addInitScript({ path: join(import.meta.dirname, 'in-page.js') });
    await page.goto(`${address}/login/`);
    await page.getByLabel('Username').fill('demo');
    await page.getByLabel('Password').fill('demo');
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByRole('heading', { name: 'Recent videos' }).waitFor();
    return await look(page);
  } finally {
    await browser.close();
  }
}

/** Opens each page five times with an empty cache, logged in; answers the medians. Null without a Chromium. */
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
        runs.push(await asked<PageFigures>(page, 'tell()'));
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

// A hand that comes to a card is on it for longer than this before it presses.
const handMs = 200;

/** From a click on the first card of the home page until its first frame, in milliseconds, the median of five; null without a Chromium. */
export const clickToFrame = (address: string) =>
  inBrowser(address, async (page) => {
    const times: number[] = [];
    for (let run = 0; run < 5; run++) {
      await page.goto(`${address}/`);
      const card = page.locator('main a[href*="/video/"]').first();
      await card.waitFor();
      await page.waitForTimeout(1_000);
      await card.hover();
      await page.waitForTimeout(handMs);
      await card.click();
      times.push(await asked<number>(page, 'clickToFrame()'));
    }
    return median(times);
  });

interface Scrolled {
  passed: number;
  frames: number;
  /** Milliseconds. */
  longest: number;
  /** Frames of more than 50 ms. */
  slow: number;
  /** Cards that were there at once. */
  most: number;
}

/**
 * Scrolls through the endless list of the home page, by so many pixels a frame, until so many videos have passed. Null without a
 * Chromium.
 */
export const endlessScroll = (address: string, cards: number, pixels: number) =>
  inBrowser(address, async (page) => {
    await page.evaluate("localStorage.setItem('reelkeep.endless', 'on')");
    await page.goto(`${address}/`);
    await page.locator('main [data-at]').first().waitFor();
    await page.waitForTimeout(2_000);
    return asked<Scrolled>(page, `scroll(${cards}, ${pixels})`);
  });
