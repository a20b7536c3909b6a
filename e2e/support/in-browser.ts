import { source as axe } from 'axe-core';
import { existsSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { hasTools } from './acquisition.ts';

/** Whether yt-dlp, ffmpeg and the built web app exist, as required by tests in any browser. */
export const hasPages = hasTools && existsSync(new URL('../../dist/index.html', import.meta.url));

/** Whether Chromium exists too. */
export const canBrowse = hasPages && Boolean(process.env.REELKEEP_TEST_CHROMIUM);

/** Collects errors, violations of the content security policy, and browser dialogs. */
export function noteErrors(page: Page, errors: string[]): void {
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    if (/Content Security Policy|Trusted ?Type/i.test(message.text())) errors.push(message.text());
  });
  page.on('dialog', (dialog) => {
    errors.push(`a dialog: ${dialog.message()}`);
    // A page that may not be left would also fail the tests after this one.
    void (dialog.type() === 'beforeunload' ? dialog.accept() : dialog.dismiss());
  });
}

/** Logs out with the account menu. */
export async function logOut(page: Page) {
  await page.getByRole('button', { name: /^Account: / }).click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
}

/** Logs in through the form, and waits for the app. */
export async function logIn(page: Page, address: string, name = 'demo', password = 'demo'): Promise<void> {
  await page.goto(`${address}/login/`);
  await page.getByLabel('Username').fill(name);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('link', { name: 'Channels' }).first().waitFor();
}

/** Waits until all finite animations have ended. */
const atRest = `(async () => {
  const frame = () => new Promise(requestAnimationFrame);
  for (let still = 0; still < 3; still++) {
    await frame();
    const moving = document.getAnimations().filter((one) => one.effect.getComputedTiming().endTime !== Infinity);
    await Promise.allSettled(moving.map((one) => one.finished));
    if (moving.length > 0) still = 0;
  }
})()`;

/** Runs axe on the page, and checks that it is not wider than the window. */
export async function expectNoA11yProblems(page: Page, rules?: string[]): Promise<void> {
  await page.evaluate(atRest);
  const runOnly = rules ?? ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
  // Without the axe package for Playwright, which opens another page for each run and takes three times as long.
  await page.evaluate(`globalThis.axe || (() => { ${axe} })()`);
  const violations = await page.evaluate<string[]>(
    `axe.run({ exclude: ['video'] }, { runOnly: ${JSON.stringify(runOnly)}, resultTypes: ['violations'] }).then((found) =>
      found.violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join('\\n')))`,
  );
  // As text, so that the report of a failure shows them.
  expect(violations.join('\n')).toBe('');
  const tooWide = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
  expect(tooWide).toBeLessThanOrEqual(0);
}

// Rules whose result depends on the width of the window; the others run once.
const byWidth = ['color-contrast', 'target-size', 'scrollable-region-focusable', 'aria-hidden-focus', 'link-in-text-block'];

/** Runs these checks at the widths of a phone and a desktop; the window keeps the latter. */
export async function expectAccessibleAtAllWidths(page: Page, heights = { phone: 844, desk: 800 }): Promise<void> {
  await page.setViewportSize({ width: 390, height: heights.phone });
  await expectNoA11yProblems(page);
  await page.setViewportSize({ width: 1280, height: heights.desk });
  await expectNoA11yProblems(page, byWidth);
}
