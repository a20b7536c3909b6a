import { chromium, type Browser, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumOptions } from './chromium.ts';
import { canBrowse, logIn, nothingIsWrong, noteErrors } from './in-browser.ts';
import { addressOf, aFolder, startProgram, type Program } from './program.ts';

describe.runIf(canBrowse)('below a path, in a browser', () => {
  let folder: Awaited<ReturnType<typeof aFolder>>;
  let program: Program;
  let address: string;
  let browser: Browser;
  let page: Page;
  const errors: string[] = [];
  const asked = new Set<string>();

  beforeAll(async () => {
    folder = await aFolder();
    program = await startProgram({ data: folder.path, env: { REELKEEP_BASE_PATH: '/tube' } });
    address = await addressOf(program);
    browser = await chromium.launch(chromiumOptions());
    page = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage();
    noteErrors(page, errors);
    page.on('request', (request) => void asked.add(new URL(request.url()).pathname));
  });
  afterAll(async () => {
    await browser.close();
    program.child.kill('SIGKILL');
    await program.ended;
    await folder.remove();
  });
  const below = () => page.url().slice(address.length);

  test('everything stays below it, and home is where the installed app begins', async () => {
    await page.goto(`${address}/tube`);
    await page.getByLabel('Username').waitFor();
    expect(below()).toMatch(/^\/tube\/login\//);
    await logIn(page, `${address}/tube`);
    expect(below()).toBe('/tube/');
    for (const [name, path] of Object.entries({ Channels: 'channel/', Downloads: 'downloads/', Home: '' })) {
      await page.getByRole('link', { name, exact: true }).first().click();
      await expect.poll(below).toBe(`/tube/${path}`);
    }
    await nothingIsWrong(page);
    expect([...asked].filter((path) => !path.startsWith('/tube/'))).toEqual(['/tube']);
    expect(errors).toEqual([]);
    const manifest = await page.evaluate(`(async () => {
      const { href } = document.querySelector('link[rel=manifest]');
      const { start_url, scope } = await (await fetch(href)).json();
      return [start_url, scope].map((one) => new URL(one, href).pathname);
    })()`);
    expect(manifest).toEqual(['/tube/', '/tube/']);
  });

  test('its address without the slash is home as well', async () => {
    await page.goto(`${address}/tube?query=a#b`);
    await expect.poll(below).toBe('/tube/?query=a#b');
    await page.getByRole('link', { name: 'Channels', exact: true }).first().waitFor();
  });
});
