import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumOptions } from '../../../../e2e/support/chromium.ts';
import { createUser, testApp, type TestApp } from '../../../test-support/app.ts';

describe.runIf(process.env.REELKEEP_TEST_CHROMIUM)('API documentation in a browser', () => {
  let t: TestApp;
  let browser: Browser;
  let address: string;
  let webFolder: string;
  beforeAll(async () => {
    webFolder = await mkdtemp(join(tmpdir(), 'reelkeep-web-'));
    await mkdir(join(webFolder, 'assets'));
    await writeFile(join(webFolder, 'index.html'), '<!doctype html><base href="/"><body></body>');
    t = await testApp({ env: { REELKEEP_BASE_PATH: '/tube' }, serverOptions: { webFolder } });
    address = await t.server.listen({ port: 0, host: '127.0.0.1' });
    browser = await chromium.launch(chromiumOptions());
  });
  afterAll(async () => {
    await browser.close();
    await t.close();
    await rm(webFolder, { recursive: true });
  });

  test('trusted types block scripts in text', async () => {
    const page = await browser.newPage();
    await page.goto(`${address}/tube/`);
    const result = await page.evaluate(`(() => {
      const errors = [];
      try { document.body.innerHTML = '<img src=x onerror="window.ran = 1">'; } catch (error) { errors.push(error.name); }
      const script = document.createElement('script');
      try { script.text = 'window.ran = 2'; document.head.append(script); } catch (error) { errors.push(error.name); }
      return { errors, ran: window.ran ?? 0 };
    })()`);
    expect(result).toEqual({ errors: ['TypeError', 'TypeError'], ran: 0 });
    await page.close();
  });

  test('works under the strict policy without external requests, and can send changes', async () => {
    const user = await createUser(t);
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.route('**/favicon.svg', (route) => route.fulfill({ body: '' })); // part of the web app, which is not built here
    const problems: string[] = [];
    const externalRequests: string[] = [];
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') problems.push(message.text());
    });
    page.on('request', (request) => {
      if (!request.url().startsWith(address) && !request.url().startsWith('data:')) externalRequests.push(request.url());
    });
    await context.addCookies(
      user.headers.cookie.split('; ').map((pair) => {
        const [name = '', value = ''] = pair.split('=');
        return { name, value, url: address };
      }),
    );
    await page.goto(`${address}/tube/api/docs/`);
    const row = page.locator('.opblock', { hasText: "Update the caller's settings" }).first();
    if (!(await row.isVisible())) await page.locator('.opblock-tag', { hasText: /^user$/ }).click();
    await row.locator('.opblock-summary').click();
    await row.locator('textarea').first().fill('{"page_size": 31}');
    await row.getByRole('button', { name: 'Execute' }).click();
    await row.locator('.live-responses-table .response-col_status', { hasText: '200' }).waitFor();
    expect((await user.call('GET', '/api/user/me/')).json()).toMatchObject({ page_size: 31 });
    expect(externalRequests).toEqual([]);
    expect(problems).toEqual([]);
  });
});
