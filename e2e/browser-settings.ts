import { AxeBuilder } from '@axe-core/playwright';
import { existsSync } from 'node:fs';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Catalogue } from '#standin/catalogue.ts';
import { startStandin } from '#standin/site.ts';
import { hasTools, throughStandin } from './acquiring.ts';
import { chromiumOptions } from './chromium.ts';
import { addressOf, aFolder, aVisitor, startProgram } from './program.ts';

const hasPages = existsSync(new URL('../dist/index.html', import.meta.url));
/** What these tests need is there: yt-dlp, ffmpeg, Chromium, and the built pages. */
export const canBrowse = hasTools && Boolean(process.env.REELKEEP_TEST_CHROMIUM) && hasPages;

/** The program behind the stand-in, and a browser in which somebody is logged in. */
export async function aBrowser(catalogue: Catalogue) {
  const standin = await startStandin({ catalogue });
  const folder = await aFolder();
  const program = await startProgram({ data: folder.path, env: throughStandin(standin) });
  const address = await addressOf(program);
  const visitor = await aVisitor(address);
  const browser: Browser = await chromium.launch(chromiumOptions());
  const errors: string[] = [];
  const context: BrowserContext = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const open = async (within: BrowserContext) => {
    const page = await within.newPage();
    page.setDefaultTimeout(15_000);
    page.on('pageerror', (error) => errors.push(error.message));
    page.on('console', (message) => {
      if (/Content Security Policy|Trusted ?Type/i.test(message.text())) errors.push(message.text());
    });
    return page;
  };
  const page = await open(context);
  const logIn = async (on: Page, name = 'demo', password = 'demo') => {
    await on.goto(`${address}/login/`);
    await on.getByLabel('Username').fill(name);
    await on.getByLabel('Password').fill(password);
    await on.getByRole('button', { name: 'Log in' }).click();
    await on.getByRole('link', { name: 'Channels' }).first().waitFor();
  };
  await logIn(page);
  return {
    standin,
    folder,
    program,
    address,
    visitor,
    browser,
    page,
    errors,
    logIn,
    open,
    async close() {
      await browser.close();
      program.child.kill('SIGKILL');
      await program.ended;
      await standin.close();
      await folder.remove();
    },
  };
}
export type OpenBrowser = Awaited<ReturnType<typeof aBrowser>>;

/** At both widths nothing is wrong that a program can find, and nothing is wider than the page. */
export async function expectAccessible(page: Page): Promise<void> {
  for (const size of [
    { width: 390, height: 2400 },
    { width: 1280, height: 2400 },
  ]) {
    await page.setViewportSize(size);
    await page.waitForTimeout(300);
    const { violations } = await new AxeBuilder({ page })
      .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
      .exclude('video')
      .analyze();
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
    const wider = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
    expect(wider, `at ${size.width}`).toBeLessThanOrEqual(0);
  }
  await page.setViewportSize({ width: 1280, height: 900 });
}
