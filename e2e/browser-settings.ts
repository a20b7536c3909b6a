import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import type { Catalogue } from '#standin/catalogue.ts';
import { startStandin } from '#standin/site.ts';
import { throughStandin } from './acquiring.ts';
import { chromiumOptions } from './chromium.ts';
import { everybodyCanUse, logIn, noteErrors } from './in-browser.ts';
import { addressOf, aFolder, aVisitor, startProgram } from './program.ts';

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
    page.setDefaultTimeout(120_000);
    noteErrors(page, errors);
    return page;
  };
  const page = await open(context);
  await logIn(page, address);
  return {
    standin,
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
      await standin.close();
      await folder.remove();
    },
  };
}
export type OpenBrowser = Awaited<ReturnType<typeof aBrowser>>;

/** On a phone and on a desk, long pages seen as a whole. */
export async function expectAccessible(page: Page): Promise<void> {
  await everybodyCanUse(page, { phone: 2400, desk: 2400 });
  await page.setViewportSize({ width: 1280, height: 900 });
}
