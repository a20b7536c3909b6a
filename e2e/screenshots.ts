/**
 * `npm run screenshots [address] [page …]`: pictures of every page at three widths, dark and light, of a running demo. They go
 * to `screenshots/`.
 */
import { mkdir } from 'node:fs/promises';
import { chromium, type Page } from 'playwright-core';
import { chromiumOptions } from './support/chromium.ts';
import { demoPages } from './support/page-list.ts';

const [address = 'http://127.0.0.1:8000', ...only] = process.argv.slice(2);

const widths = { phone: { width: 390, height: 844 }, desktop: { width: 1024, height: 768 }, wide: { width: 1600, height: 1000 } };

async function shoot(page: Page, name: string) {
  await page.waitForLoadState('networkidle').catch(() => {}); // the event stream never ends
  await page.waitForTimeout(500);
  await page.screenshot({ path: `screenshots/${name}.png`, fullPage: false });
}

await mkdir('screenshots', { recursive: true });
const browser = await chromium.launch(chromiumOptions());
for (const theme of ['dark', 'light'] as const) {
  for (const [size, viewport] of Object.entries(widths)) {
    const context = await browser.newContext({
      viewport,
      deviceScaleFactor: 1,
      isMobile: size === 'phone',
      hasTouch: size === 'phone',
    });
    await context.addInitScript(`localStorage.setItem('reelkeep.theme', '${theme}')`);
    const page = await context.newPage();
    page.on('pageerror', (error) => console.log(`! ${error.message}`));
    page.on('console', (message) => message.type() === 'error' && console.log(`! ${message.text()}`));
    await page.goto(`${address}/login/`);
    if (only.length === 0 || only.includes('login')) await shoot(page, `login-${size}-${theme}`);
    await page.getByLabel('Username').fill('demo');
    await page.getByLabel('Password').fill('demo');
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByRole('heading', { name: 'Recent videos' }).waitFor();
    const token = (await context.cookies()).find((cookie) => cookie.name === 'csrftoken')?.value ?? '';
    await page.request.post(`${address}/api/user/me/`, {
      data: { stylesheet: `${theme}.css` },
      headers: { 'x-csrftoken': token },
    });
    for (const [name, path] of Object.entries(demoPages)) {
      if (only.length > 0 && !only.includes(name)) continue;
      await page.goto(address + path);
      await page.locator('main').waitFor();
      await shoot(page, `${name}-${size}-${theme}`);
    }
    await context.close();
  }
}
await browser.close();
