import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { canBrowse, expectAccessibleAtAllWidths } from '../support/in-browser.ts';
import { film, second } from '../support/watch-catalogue.ts';
import { mediaOf, startWatching } from '../support/watching.ts';

describe.runIf(canBrowse)('notes in a row', () => {
  let watcher: Awaited<ReturnType<typeof startWatching>>;
  let page: Page;
  let address: string;
  let media: ReturnType<typeof mediaOf>;
  beforeAll(async () => {
    watcher = await startWatching();
    ({ page, address } = watcher);
    media = mediaOf(page);
    const add = (body: object) => watcher.visitor.call('POST', '/api/note/', body);
    await add({ video: film.id, kind: 'bookmark', start: 40, end: 47 });
    await add({ video: second.id, start: 3, end: 10, text: 'The gate closes' });
    await add({ video: film.id, start: 25, end: 32, text: 'A mill' });
    await add({ video: film.id, text: 'About all of it' });
  });
  afterAll(() => watcher.close());

  const bar = () => page.getByRole('region', { name: 'Notes in a row' });
  const playing = () => page.locator('li[aria-current="true"]').textContent();
  const start = async () => {
    await page.goto(`${address}/notes/`);
    await page.getByRole('button', { name: 'Play in a row' }).click();
  };

  test('plays the range of each note, through all videos, and pauses after the last one', async () => {
    await start();
    await bar().getByText('Note 1 of 3').waitFor();
    await expect.poll(media.position).toBeGreaterThanOrEqual(25);
    await expect.poll(playing).toContain('A mill');
    expect(await media.position()).toBeLessThan(33);
    await bar().getByText('Note 2 of 3').waitFor();
    await expect.poll(media.position).toBeGreaterThanOrEqual(40);
    await bar().getByText('Note 3 of 3').waitFor();
    await expect.poll(media.duration).toBeLessThan(20);
    await page.getByRole('heading', { name: second.title }).waitFor();
    await expect.poll(playing).toContain('The gate closes');
    await bar().waitFor({ state: 'detached' });
    expect(await media.isPaused()).toBe(true);
    expect(await media.position()).toBeGreaterThanOrEqual(10);
    expect(await media.position()).toBeLessThan(13);
  });

  test('goes to the next and the previous note, continues in the mini player, and stops', async () => {
    await start();
    await bar().getByText('Note 1 of 3').waitFor();
    await expect.poll(media.position).toBeGreaterThanOrEqual(25);
    await media.pause();
    await expectAccessibleAtAllWidths(page);
    await bar().getByRole('button', { name: 'Next note' }).click();
    await bar().getByText('Note 2 of 3').waitFor();
    await expect.poll(media.position).toBeGreaterThanOrEqual(40);
    await media.pause();
    await page.keyboard.press('Shift+N');
    await bar().getByText('Note 3 of 3').waitFor();
    await expect.poll(media.duration).toBeLessThan(20);
    await media.pause();
    await bar().getByRole('button', { name: 'Previous note' }).click();
    await bar().getByText('Note 2 of 3').waitFor();
    await expect.poll(media.position).toBeGreaterThanOrEqual(40);
    await page.getByRole('link', { name: 'Channels' }).first().click();
    await page.locator('[data-player="corner"]').waitFor();
    await bar().getByText('Note 3 of 3').waitFor();
    await bar().getByRole('button', { name: 'Stop playing notes' }).click();
    await bar().waitFor({ state: 'detached' });
    expect(await media.isPaused()).toBe(true);
  });

  test('plays what the filter finds', async () => {
    await page.goto(`${address}/notes/?kind=bookmark`);
    await page.getByRole('button', { name: 'Play in a row' }).click();
    await bar().getByText('Note 1 of 1').waitFor();
    await expect.poll(media.position).toBeGreaterThanOrEqual(40);
    await bar().waitFor({ state: 'detached' });
  });
});
