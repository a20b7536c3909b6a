import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { chromiumOptions } from '../e2e/chromium.ts';

/** The scripts that a browser fetches for a page, in bytes as they travel. Null without a Chromium. */
export async function scriptsOf(address: string, path: string): Promise<number | null> {
  const options = chromiumOptions();
  if (!existsSync(options.executablePath ?? '')) return null;
  const browser = await chromium.launch(options);
  // What a service worker hands out has not travelled.
  const page = await browser.newPage({ serviceWorkers: 'block' });
  await page.goto(`${address}/login/`);
  await page.getByLabel('Username').fill('demo');
  await page.getByLabel('Password').fill('demo');
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('heading', { name: 'Recent videos' }).waitFor();
  await page.goto(address + path);
  await page.locator('main h1, main h2, main video').first().waitFor();
  await page.waitForTimeout(1_000);
  const bytes = await page.evaluate(() =>
    (performance.getEntriesByType('resource') as unknown as { name: string; encodedBodySize: number }[])
      .filter(({ name }) => new URL(name).pathname.endsWith('.js'))
      .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
  );
  await browser.close();
  return bytes;
}
