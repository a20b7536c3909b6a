import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import type { Catalogue } from '../../test-site/catalogue.ts';
import { startTestSite } from '../../test-site/site.ts';
import { testSiteEnv } from './acquisition.ts';
import { chromiumOptions } from './chromium.ts';
import { expectAccessibleAtAllWidths, logIn, noteErrors } from './in-browser.ts';
import { addressOf, createTempFolder, logInToProgram, startProgram } from './program.ts';

/** Starts the program with the test site, and a browser that is logged in. */
export async function openSettingsBrowser(catalogue: Catalogue, env: NodeJS.ProcessEnv = {}) {
  const testSite = await startTestSite({ catalogue });
  const folder = await createTempFolder();
  const program = await startProgram({ data: folder.path, env: { ...testSiteEnv(testSite), ...env } });
  const address = await addressOf(program);
  const visitor = await logInToProgram(address);
  const browser: Browser = await chromium.launch(chromiumOptions({ isShellEnough: true }));
  const errors: string[] = [];
  const context: BrowserContext = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const open = async (browserContext: BrowserContext) => {
    const page = await browserContext.newPage();
    page.setDefaultTimeout(120_000);
    noteErrors(page, errors);
    return page;
  };
  const page = await open(context);
  await logIn(page, address);
  return {
    testSite,
    folder,
    program,
    address,
    visitor,
    browser,
    page,
    errors,
    logIn: (on: Page, name?: string, password?: string) => logIn(on, address, name, password),
    open,
    async close() {
      await browser.close();
      program.child.kill('SIGKILL');
      await program.ended;
      await testSite.close();
      await folder.remove();
    },
  };
}
export type OpenBrowser = Awaited<ReturnType<typeof openSettingsBrowser>>;

/** Checks a page at phone and desktop width, in windows tall enough to show long pages completely. */
export async function expectAccessible(page: Page): Promise<void> {
  try {
    await expectAccessibleAtAllWidths(page, { phone: 2400, desk: 2400 });
  } finally {
    await page.setViewportSize({ width: 1280, height: 900 }); // also for the tests that follow a failed one
  }
}
