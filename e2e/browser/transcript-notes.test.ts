import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Note } from '#contract/note.ts';
import { canBrowse, expectAccessibleAtAllWidths } from '../support/in-browser.ts';
import { film } from '../support/watch-catalogue.ts';
import { mediaOf, openStopped, startWatching } from '../support/watching.ts';

describe.runIf(canBrowse)('selected lines of a transcript', () => {
  let watcher: Awaited<ReturnType<typeof startWatching>>;
  let page: Page;
  let address: string;
  let media: ReturnType<typeof mediaOf>;
  beforeAll(async () => {
    watcher = await startWatching();
    ({ page, address } = watcher);
    media = mediaOf(page);
  });
  afterAll(() => watcher.close());

  const notes = async () => ((await watcher.visitor.call('GET', '/api/note/')).json as { data: Note[] }).data;
  const line = (number: number) => page.getByRole('button', { name: new RegExp(`Sentence number ${number}(?!\\d)`) });
  const bar = () => page.getByRole('toolbar', { name: 'Selected lines' });
  const open = async () => {
    await openStopped(page, address, film.id, 0);
    await page.getByRole('tab', { name: 'Transcript' }).click();
    await line(1).waitFor();
  };
  /** Selects the text from one line to another with the mouse. */
  const drag = async (from: number, to: number) => {
    const [first, last] = [await line(from).locator('bdi').boundingBox(), await line(to).locator('bdi').boundingBox()];
    await page.mouse.move(first!.x + 2, first!.y + first!.height / 2);
    await page.mouse.down();
    await page.mouse.move(last!.x + last!.width - 2, last!.y + last!.height / 2, { steps: 5 });
    await page.mouse.up();
  };

  test('with the mouse become a highlight, which the transcript shows', async () => {
    await open();
    await drag(2, 4);
    await bar().getByText('3 lines').waitFor();
    expect(await media.position()).toBe(0);
    await expectAccessibleAtAllWidths(page);
    await bar().getByRole('button', { name: 'Highlight' }).click();
    await page.getByText('Highlighted.').waitFor();
    await bar().waitFor({ state: 'detached' });
    await expect.poll(() => page.getByRole('button', { name: /Sentence.*Highlighted/ }).count()).toBe(3);
    expect(await notes()).toMatchObject([
      {
        kind: 'highlight',
        start: 5,
        end: 19.8,
        quote: 'Sentence number 2\nSentence number 3\nSentence number 4',
        quote_lang: 'en',
        text: '',
      },
    ]);
    await page
      .getByRole('group', { name: 'Notes' })
      .getByRole('button', { name: /^Highlight at 0:05–0:20/ })
      .waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page
      .getByRole('button', { name: /Sentence.*Highlighted/ })
      .first()
      .waitFor({ state: 'detached' });
    expect(await notes()).toEqual([]);
  });

  test('with the keyboard fill in the range of a note', async () => {
    await open();
    await line(3).focus();
    await page.keyboard.press('Shift+ArrowDown');
    await bar().getByText('1 line').waitFor();
    await page.keyboard.press('Shift+ArrowDown');
    await bar().getByText('2 lines').waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toContain('Sentence number 4');
    await page.keyboard.press('Escape');
    await bar().waitFor({ state: 'detached' });
    await page.keyboard.press('Shift+ArrowUp');
    await page.keyboard.press('Shift+ArrowUp');
    await bar().getByText('2 lines').waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('textbox', { name: 'Note at 0:10–0:20' }).waitFor();
    await page.keyboard.type('What she says');
    await page.keyboard.press('Enter');
    await page.getByRole('listitem').filter({ hasText: 'What she says' }).waitFor();
    expect(await notes()).toMatchObject([{ kind: 'note', start: 10, end: 19.8, text: 'What she says' }]);
  });

  test('are copied as a link, which plays to their end and pauses there once', async () => {
    await open();
    await drag(2, 2);
    await bar().getByRole('button', { name: 'Copy link' }).click();
    await page.getByText('Link copied.').waitFor();
    const link = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(link).toMatch(/\/video\/watchFilm01\/\?t=5&end=10$/);
    await page.goto(link);
    await expect.poll(media.hasPicture).toBe(true);
    await expect.poll(media.position).toBe(5);
    await media.play();
    await expect.poll(media.position).toBeGreaterThan(5.2);
    await expect.poll(media.isPaused).toBe(true);
    expect(await media.position()).toBeGreaterThanOrEqual(10);
    expect(await media.position()).toBeLessThan(12);
    await media.play();
    await expect.poll(media.position).toBeGreaterThan(12.5);
    expect(await media.isPaused()).toBe(false);
  });
});
