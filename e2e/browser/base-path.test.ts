import { chromium, type Browser, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumOptions } from '../support/chromium.ts';
import { canBrowse, logIn, expectNoA11yProblems, noteErrors } from '../support/in-browser.ts';
import { addressOf, createTempFolder, startProgram, type Program } from '../support/program.ts';

describe.runIf(canBrowse)('below a base path', () => {
  let folder: Awaited<ReturnType<typeof createTempFolder>>;
  let program: Program;
  let address: string;
  let browser: Browser;
  let page: Page;
  const errors: string[] = [];
  const requestedPaths = new Set<string>();

  beforeAll(async () => {
    folder = await createTempFolder();
    program = await startProgram({ data: folder.path, env: { REELKEEP_BASE_PATH: '/tube' } });
    address = await addressOf(program);
    browser = await chromium.launch(chromiumOptions({ isShellEnough: true }));
    page = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage();
    noteErrors(page, errors);
    page.on('request', (request) => void requestedPaths.add(new URL(request.url()).pathname));
  });
  afterAll(async () => {
    await browser.close();
    program.child.kill('SIGKILL');
    await program.ended;
    await folder.remove();
  });
  const currentPath = () => page.url().slice(address.length);

  test('all pages stay below the base path, which is the start URL of the installed app', async () => {
    await page.goto(`${address}/tube`);
    await page.getByLabel('Username').waitFor();
    expect(currentPath()).toMatch(/^\/tube\/login\//);
    await logIn(page, `${address}/tube`);
    await expect.poll(currentPath).toBe('/tube/first-run/');
    await page.getByRole('button', { name: 'Skip' }).click();
    await expect.poll(currentPath).toBe('/tube/');
    for (const [name, path] of Object.entries({ Channels: 'channel/', Downloads: 'downloads/', Home: '' })) {
      await page.getByRole('link', { name, exact: true }).first().click();
      await expect.poll(currentPath).toBe(`/tube/${path}`);
    }
    await expectNoA11yProblems(page);
    expect([...requestedPaths].filter((path) => !path.startsWith('/tube/'))).toEqual(['/tube']);
    expect(errors).toEqual([]);
    const manifest = await page.evaluate(`(async () => {
      const { href } = document.querySelector('link[rel=manifest]');
      const { start_url, scope } = await (await fetch(href)).json();
      return [start_url, scope].map((one) => new URL(one, href).pathname);
    })()`);
    expect(manifest).toEqual(['/tube/', '/tube/']);
  });

  test('the base path without a slash is the home page', async () => {
    await page.goto(`${address}/tube?query=a#b`);
    await expect.poll(currentPath).toBe('/tube/?query=a#b');
    await page.getByRole('link', { name: 'Channels', exact: true }).first().waitFor();
  });
});
