import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Note } from '#contract/note.ts';
import { canBrowse, expectAccessibleAtAllWidths } from '../support/in-browser.ts';
import { film, second } from '../support/watch-catalogue.ts';
import { mediaOf, openStopped, startWatching } from '../support/watching.ts';

describe.runIf(canBrowse)('notes', () => {
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
  const field = () => page.getByRole('textbox', { name: /^Note (at|about)/ });
  const entry = (text: string | RegExp) => page.getByRole('listitem').filter({ hasText: text });
  const choose = async (text: string, action: string) => {
    await entry(text)
      .getByRole('button', { name: /^Actions for/ })
      .click();
    await page.getByRole('menuitem', { name: action }).click();
  };

  test('N writes one at the current time, Enter saves it, and its time plays from there', async () => {
    await openStopped(page, address, film.id, 33);
    await page.keyboard.press('n');
    await page.getByRole('textbox', { name: 'Note at 0:33' }).waitFor();
    await page.keyboard.type('Look at the weir');
    await page.keyboard.press('Shift+Enter');
    await page.keyboard.type('and the mill');
    await page.keyboard.press('Enter');
    await entry('Look at the weir').waitFor();
    expect(await notes()).toMatchObject([{ text: 'Look at the weir\nand the mill', start: 33, kind: 'note', video: film.id }]);
    await openStopped(page, address, film.id, 5);
    await page.getByRole('tab', { name: 'Notes' }).click();
    await page.getByRole('button', { name: '0:33', exact: true }).click();
    await expect.poll(media.position).toBeGreaterThanOrEqual(33);
  });

  test('B sets a bookmark, and again ends its range', async () => {
    await openStopped(page, address, film.id, 20);
    await page.keyboard.press('b');
    await page.getByText('Bookmark at 0:20.').waitFor();
    await page.evaluate('document.querySelector("video").currentTime = 25');
    await expect.poll(media.position).toBe(25);
    await page.keyboard.press('b');
    await page.getByText('Bookmark from 0:20 to 0:25.').waitFor();
    expect((await notes()).find(({ kind }) => kind === 'bookmark')).toMatchObject({ start: 20, end: 25 });
  });

  test('are marked on the time bar, where a click seeks', async () => {
    const loaded = () => page.evaluate<string[]>('performance.getEntriesByType("resource").map(({ name }) => name)');
    const marks = page.getByRole('group', { name: 'Notes' });
    await openStopped(page, address, second.id, 2);
    await expect.poll(loaded).toContainEqual(expect.stringContaining('/api/note/'));
    expect(await marks.count()).toBe(0);
    expect(await loaded()).not.toContainEqual(expect.stringContaining('NoteMarks'));

    await openStopped(page, address, film.id, 5);
    await marks.getByRole('button').first().waitFor();
    const names = await marks.getByRole('button').evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')));
    expect(names).toEqual(['Bookmark at 0:20–0:25', expect.stringMatching(/^Note at 0:33: Look at the weir/)]);
    await marks.getByRole('button', { name: /^Note at/ }).hover();
    await marks.getByText('Look at the weir').waitFor();
    await page.keyboard.press('Escape');
    await marks.getByText('Look at the weir').waitFor({ state: 'detached' });
    await marks.getByRole('button', { name: /^Bookmark/ }).click();
    await expect.poll(media.position).toBe(20);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await expect.poll(media.position).toBe(33);
    expect(await media.isPaused()).toBe(true);
  });

  test('are edited, without losing what another window wrote', async () => {
    await openStopped(page, address, film.id, 5);
    await page.getByRole('tab', { name: 'Notes' }).click();
    await choose('Look at the weir', 'Edit');
    const [note] = (await notes()).filter(({ text }) => text.startsWith('Look'));
    // The edited text stays while the list is loaded again.
    const { status } = await watcher.visitor.call('PATCH', `/api/note/${note!.id}/`, {
      revision: note!.revision,
      text: 'Look away',
    });
    expect(status).toBe(200);
    await page.getByRole('textbox', { name: 'Edit note' }).fill('Look closely');
    await page.keyboard.press('Enter');
    await page.getByText('This note was changed elsewhere.').waitFor();
    await page.getByRole('blockquote').filter({ hasText: 'Look away' }).waitFor();
    await page.getByRole('button', { name: 'Replace it with mine' }).click();
    await expect.poll(async () => (await notes()).map(({ text }) => text)).toContain('Look closely');
    await entry('Look closely').waitFor();
  });

  test('a deleted one comes back with undo', async () => {
    await choose('Look closely', 'Delete');
    await entry('Look closely').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await entry('Look closely').waitFor();
  });

  test('are found on their own page, which exports them', async () => {
    await page.goto(`${address}/notes/`);
    await entry('Look closely').waitFor();
    await entry('0:20–0:25').waitFor();
    await page.getByRole('combobox', { name: 'Type' }).selectOption('bookmark');
    await entry('Look closely').waitFor({ state: 'detached' });
    await page.getByRole('combobox', { name: 'Type' }).selectOption('');
    // Changes are searched after some seconds.
    await expect
      .poll(async () => ((await watcher.visitor.call('GET', '/api/note/?query=closely')).json as { data: Note[] }).data.length)
      .toBe(1);
    await page.getByRole('searchbox', { name: 'Search notes' }).fill('closely');
    await entry('0:20–0:25').waitFor({ state: 'detached' });
    await page.getByRole('link', { name: '0:33', exact: true }).click();
    await page.waitForURL(/\/video\/.*t=33/);
    await field().waitFor();
    await page.goto(`${address}/notes/`);
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Export as Markdown' }).click();
    expect((await download).suggestedFilename()).toBe('notes.zip');
  });

  test('show their Markdown without HTML, and their times seek', async () => {
    const text = [
      '**Lock** opens at 0:41, not at 59:59',
      '',
      '- `gate` <img src=x onerror=alert(1)>',
      '- [map](https://map.example/) and [bad](javascript:alert(1))',
    ];
    const { status } = await watcher.visitor.call('POST', '/api/note/', { video: film.id, start: 44, text: text.join('\n') });
    expect(status).toBe(200);
    await openStopped(page, address, film.id, 5);
    await page.getByRole('tab', { name: 'Notes' }).click();
    const note = page.locator('aside li').filter({ has: page.locator('strong', { hasText: 'Lock' }) });
    await note.getByRole('listitem').filter({ hasText: 'gate <img src=x onerror=alert(1)>' }).waitFor();
    expect(await note.getByRole('link').evaluateAll((all) => all.map((one) => one.getAttribute('href')))).toEqual([
      'https://map.example/',
    ]);
    expect(await note.getByRole('button', { name: '59:59' }).count()).toBe(0);
    await note.getByRole('button', { name: '0:41', exact: true }).click();
    await expect.poll(media.position).toBeGreaterThanOrEqual(41);
    expect(watcher.errors).toEqual([]);
  });

  test('are accessible', async () => {
    await page.goto(`${address}/notes/`);
    await entry('Look closely').waitFor();
    await expectAccessibleAtAllWidths(page);
    await openStopped(page, address, film.id, 5);
    await page.getByRole('tab', { name: 'Notes' }).click();
    await entry('Look closely').waitFor();
    await expectAccessibleAtAllWidths(page);
  });
});
