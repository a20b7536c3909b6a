import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Note } from '#contract/note.ts';
import type { Tag } from '#contract/tag.ts';
import { canBrowse, expectAccessibleAtAllWidths } from '../support/in-browser.ts';
import { channel, film, second, third } from '../support/watch-catalogue.ts';
import { openStopped, startWatching } from '../support/watching.ts';

describe.runIf(canBrowse)('private tags', () => {
  let watcher: Awaited<ReturnType<typeof startWatching>>;
  let page: Page;
  let address: string;
  beforeAll(async () => {
    watcher = await startWatching();
    ({ page, address } = watcher);
    await page.setViewportSize({ width: 1280, height: 800 });
  });
  afterAll(() => watcher.close());

  const get = async <T>(path: string) => (await watcher.visitor.call('GET', path)).json as T;
  const tags = async () =>
    Object.fromEntries((await get<Tag[]>('/api/tag/')).map((tag) => [tag.name, [tag.videos, tag.channels, tag.notes]]));
  const notes = async () => (await get<{ data: Note[] }>('/api/note/')).data;
  const group = (name: string) => page.getByRole('group', { name });
  const entry = (text: string | RegExp) => page.getByRole('listitem').filter({ hasText: text });
  const choose = async (text: string, action: string) => {
    await entry(text)
      .getByRole('button', { name: /^Actions for/ })
      .click();
    await page.getByRole('menuitem', { name: action }).click();
  };
  const openNotes = async () => {
    await openStopped(page, address, film.id, 5);
    await page.getByRole('tab', { name: 'Notes' }).click();
  };

  test('are added to a video with Enter, completed from the existing ones, and removed', async () => {
    await openNotes();
    const field = group('Your tags').getByRole('combobox', { name: 'Add tag' });
    await field.fill(' Rivers  of "Europe" ');
    await field.press('Enter');
    await group('Your tags').getByRole('link', { name: 'Rivers of Europe' }).waitFor();
    await field.fill('Wrong');
    await field.press('Enter');
    await page.getByRole('button', { name: 'Remove tag Wrong' }).click();
    await expect.poll(tags).toEqual({ 'Rivers of Europe': [1, 0, 0], Wrong: [0, 0, 0] });
    await expect.poll(() => page.locator('datalist option[value="Wrong"]').count()).toBe(1);
    await page.reload();
    await group('Your tags').getByRole('link', { name: 'Rivers of Europe' }).click();
    await page.getByRole('link', { name: 'Down the river' }).first().waitFor();
    expect(await page.getByRole('link', { name: 'The delta' }).count()).toBe(0);
  });

  test('are written with a note, changed, and come back with undo', async () => {
    await openNotes();
    await page.getByRole('textbox', { name: /^Note/ }).fill('Remember the weir');
    const field = group('Tags of the note').getByRole('combobox', { name: 'Add tag' });
    await field.fill('Weirs');
    await field.press('Enter');
    // A tag that is typed, but not added, is saved too.
    await field.fill('Later');
    await page.getByRole('button', { name: 'Save note' }).click();
    await entry('Remember the weir').getByRole('link', { name: 'Weirs' }).waitFor();
    expect((await notes()).map((note) => note.tags)).toEqual([['Later', 'Weirs']]);
    await choose('Remember the weir', 'Edit');
    await page.getByRole('button', { name: 'Remove tag Later' }).click();
    await page.getByRole('textbox', { name: 'Edit note' }).press('Enter');
    await expect.poll(async () => (await notes()).map((note) => note.tags)).toEqual([['Weirs']]);
    await choose('Remember the weir', 'Delete');
    await entry('Remember the weir').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await entry('Remember the weir').getByRole('link', { name: 'Weirs' }).waitFor();
    await expectAccessibleAtAllWidths(page);
  });

  test('filter the notes, and are renamed and deleted there', async () => {
    await watcher.visitor.call('POST', '/api/note/', { video: film.id, text: 'Untagged' });
    await page.goto(`${address}/notes/`);
    await entry('Untagged').waitFor();
    await page.getByRole('combobox', { name: 'Tag' }).selectOption('Weirs');
    await entry('Untagged').waitFor({ state: 'detached' });
    await entry('Remember the weir').waitFor();
    expect(new URL(page.url()).searchParams.get('tag')).toBe('Weirs');
    await page.getByRole('combobox', { name: 'Tag' }).selectOption('');
    await page.getByRole('button', { name: 'Manage tags' }).click();
    const dialog = page.getByRole('dialog', { name: 'Manage tags' });
    await dialog.getByText('1 note').waitFor();
    await dialog.getByRole('button', { name: 'Rename tag Weirs' }).click();
    await dialog.getByRole('textbox', { name: 'New name of Weirs' }).fill('wrong');
    await dialog.getByRole('button', { name: 'Rename', exact: true }).click();
    await dialog.getByText('You already have a tag “Wrong”.').waitFor();
    await dialog.getByRole('textbox', { name: 'New name of Weirs' }).fill('Locks');
    await dialog.getByRole('button', { name: 'Rename', exact: true }).click();
    await dialog.getByRole('button', { name: 'Delete tag Wrong' }).click();
    await expectAccessibleAtAllWidths(page);
    await dialog.getByRole('button', { name: 'Delete tag', exact: true }).click();
    await expect.poll(tags).toEqual({ Later: [0, 0, 0], Locks: [0, 0, 1], 'Rivers of Europe': [1, 0, 0] });
    await dialog.getByRole('button', { name: 'Done' }).click();
    await entry('Remember the weir').getByRole('link', { name: 'Locks' }).waitFor();
  });

  test('are added to the selected videos, which can be undone', async () => {
    await page.goto(`${address}/videos/`);
    await page.getByRole('button', { name: 'Select multiple' }).click();
    await page.keyboard.press('Control+a');
    await page.getByRole('button', { name: 'Tag…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add tag' });
    await dialog.getByRole('combobox', { name: 'Tag' }).fill('rivers of europe');
    await page.keyboard.press('Enter');
    await page.getByText(/^Tag “.*” added to 2 videos\.$/i).waitFor();
    expect((await get<Tag[]>(`/api/tag/?video=${second.id}`)).map(({ name }) => name)).toEqual(['Rivers of Europe']);
    await page.getByRole('button', { name: 'Undo' }).click();
    // The film had it before.
    await expect.poll(async () => (await tags())['Rivers of Europe']).toEqual([1, 0, 0]);
    expect(await get(`/api/tag/?video=${third.id}`)).toEqual([]);
  });

  test('are added to a channel', async () => {
    await page.goto(`${address}/channel/${channel.id}/about/`);
    const field = group('Your tags').getByRole('combobox', { name: 'Add tag' });
    await field.fill('Calm');
    await field.press('Enter');
    await group('Your tags').getByRole('link', { name: 'Calm' }).waitFor();
    await expect.poll(async () => (await tags())['Calm']).toEqual([0, 1, 0]);
    await expectAccessibleAtAllWidths(page);
    await page.setViewportSize({ width: 1280, height: 800 });
    await group('Your tags').getByRole('link', { name: 'Calm' }).click();
    await page.getByRole('link', { name: 'The delta' }).first().waitFor();
  });
});
