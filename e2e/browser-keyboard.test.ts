import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startBrowsing, type Browsing } from './browsing.ts';
import { canBrowse } from './in-browser.ts';

describe.runIf(canBrowse)('by keys alone, in a browser', () => {
  let b: Browsing;
  let page: Browsing['page'];
  beforeAll(async () => {
    b = await startBrowsing();
    page = b.page;
  });
  afterAll(() => b.close());
  beforeEach(() => page.goto(b.address));

  const focused = () =>
    page.evaluate<string>('(document.activeElement?.ariaLabel ?? document.activeElement?.textContent ?? "").trim()');
  const titleOf = (title: string) => b.card(title).getByRole('link', { name: title, exact: true });

  test('a question that is closed gives the focus back to where it was', async () => {
    await titleOf('Journey 02').focus();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(focused).toBe('Journey 02');
  });
});
