import { source as axe } from 'axe-core';
import { existsSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { hasTools } from './acquiring.ts';

/** Whatever browser looks at them, these are there: yt-dlp, ffmpeg, and the built pages. */
export const hasPages = hasTools && existsSync(new URL('../dist/index.html', import.meta.url));

/** What these tests need is there: Chromium as well. */
export const canBrowse = hasPages && Boolean(process.env.REELKEEP_TEST_CHROMIUM);

/** Notes what a page must never do: throw, break its policy, or open a dialog of the browser. */
export function noteErrors(page: Page, errors: string[]): void {
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    if (/Content Security Policy|Trusted ?Type/i.test(message.text())) errors.push(message.text());
  });
  page.on('dialog', (dialog) => {
    errors.push(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
}

/** Logs in by hand, and waits for the app. */
export async function logIn(page: Page, address: string, name = 'demo', password = 'demo'): Promise<void> {
  await page.goto(`${address}/login/`);
  await page.getByLabel('Username').fill(name);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('link', { name: 'Channels' }).first().waitFor();
}

/** All of it has come to rest; what moves without end does not count. */
const atRest = `(async () => {
  const frame = () => new Promise(requestAnimationFrame);
  for (let still = 0; still < 3; still++) {
    await frame();
    const moving = document.getAnimations().filter((one) => one.effect.getComputedTiming().endTime !== Infinity);
    await Promise.allSettled(moving.map((one) => one.finished));
    if (moving.length > 0) still = 0;
  }
})()`;

/** As the page stands, nothing is wrong that a program can find, and nothing is wider than the window. */
export async function nothingIsWrong(page: Page, rules?: string[]): Promise<void> {
  await page.evaluate(atRest);
  const runOnly = rules ?? ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
  // By itself: what stands between it and Playwright opens a page of its own each time, which takes three times as long.
  await page.evaluate(`globalThis.axe || (() => { ${axe} })()`);
  const violations = await page.evaluate(
    `axe.run({ exclude: ['video'] }, { runOnly: ${JSON.stringify(runOnly)}, resultTypes: ['violations'] }).then((found) =>
      found.violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join('\\n')))`,
  );
  expect(violations).toEqual([]);
  const tooWide = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
  expect(tooWide).toBeLessThanOrEqual(0);
}

// What depends on how wide a window is; the rest is the same at every width, and looked at once.
const byWidth = ['color-contrast', 'target-size', 'scrollable-region-focusable', 'aria-hidden-focus', 'link-in-text-block'];

/** The same on a phone and on a desk; the desk's window stays. */
export async function everybodyCanUse(page: Page, heights = { phone: 844, desk: 800 }): Promise<void> {
  await page.setViewportSize({ width: 390, height: heights.phone });
  await nothingIsWrong(page);
  await page.setViewportSize({ width: 1280, height: heights.desk });
  await nothingIsWrong(page, byWidth);
}
