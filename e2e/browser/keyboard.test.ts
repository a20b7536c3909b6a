import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startBrowsing, type Browsing } from '../support/browsing.ts';
import { canBrowse } from '../support/in-browser.ts';

describe.runIf(canBrowse)('keyboard', () => {
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

  test('returns the focus when a dialog is closed', async () => {
    await titleOf('Journey 02').focus();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(focused).toBe('Journey 02');
  });

  test('returns the focus when the focused element disappears', async () => {
    await titleOf('Journey 02').focus();
    await page.keyboard.press('x');
    await page.getByRole('toolbar').getByRole('button', { name: 'Watched', exact: true }).press('Enter');
    const undo = page.getByRole('button', { name: 'Undo' });
    await undo.waitFor();
    await expect.poll(focused).toBe('Journey 02');
    const isWatched = b.card('Journey 02').getByText('Watched', { exact: true });
    await isWatched.waitFor();
    await undo.press('Enter');
    await expect.poll(focused).toBe('Journey 02');
    // An earlier key press would act on the state that is being undone.
    await expect.poll(() => isWatched.count()).toBe(0);
    await page.keyboard.press('w');
    await isWatched.waitFor();
    await undo.waitFor();
    await page.keyboard.press('Control+z');
    await expect.poll(() => isWatched.count()).toBe(0);
    await page.getByRole('button', { name: 'Page 1', exact: true }).focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForURL(/page=2/);
    await expect.poll(focused).toBe('Page 2');
    await page.goto(`${b.address}/settings/application/`);
    await page.getByRole('spinbutton').first().fill('7');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate('document.activeElement?.type')).toBe('number');
  });

  test('recognizes shortcuts by position on other layouts, and with caps lock', async () => {
    const press = (key: string, code: string, isControl = false) =>
      page.evaluate(`document.activeElement.dispatchEvent(new KeyboardEvent('keydown',
        { key: '${key}', code: '${code}', ctrlKey: ${isControl}, bubbles: true, cancelable: true }))`);
    const bar = page.getByRole('toolbar', { name: 'Selected videos' });
    await titleOf('Journey 02').focus();
    await press('ч', 'KeyX');
    await bar.getByText(/^1 selected/).waitFor();
    await press('ф', 'KeyA', true);
    await bar.getByText(/^12 selected/).waitFor();
    await page.keyboard.press('Escape');
    await press('X', 'KeyX');
    await bar.getByText(/^1 selected/).waitFor();
    await page.keyboard.press('Escape');
    await press('л', 'KeyK', true);
    await page.getByRole('dialog', { name: 'Commands' }).waitFor();
    await page.keyboard.press('Escape');
  });
});
