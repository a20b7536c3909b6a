import type { Page } from 'playwright-core';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Clip } from '#contract/clip.ts';
import { canBrowse, expectAccessibleAtAllWidths } from '../support/in-browser.ts';
import { film } from '../support/watch-catalogue.ts';
import { openStopped, startWatching } from '../support/watching.ts';

describe.runIf(canBrowse)('clips', () => {
  let watcher: Awaited<ReturnType<typeof startWatching>>;
  let page: Page;
  let address: string;
  beforeAll(async () => {
    watcher = await startWatching();
    ({ page, address } = watcher);
  });
  afterAll(() => watcher.close());

  const clips = async () => ((await watcher.visitor.call('GET', '/api/clip/')).json as { data: Clip[] }).data;
  const dialog = () => page.getByRole('dialog', { name: 'Clip' });
  const download = async () => {
    const started = page.waitForEvent('download');
    await dialog().getByRole('link', { name: 'Download' }).click();
    const file = await started;
    return { name: file.suggestedFilename(), content: await readFile(await file.path()) };
  };

  test('are cut exactly from selected lines of the transcript, and downloaded', async () => {
    await openStopped(page, address, film.id, 0);
    await page.getByRole('tab', { name: 'Transcript' }).click();
    const line = page.getByRole('button', { name: /Sentence number 2(?!\d)/ });
    await line.focus();
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Shift+ArrowDown');
    await page.getByRole('toolbar', { name: 'Selected lines' }).getByRole('button', { name: 'Clip' }).click();
    const [start, end] = [dialog().getByLabel('Start', { exact: true }), dialog().getByLabel('End', { exact: true })];
    expect([await start.inputValue(), await end.inputValue()]).toEqual(['0:05', '0:14.8']);
    await end.fill('7 s');
    await dialog().getByText('Write a time such as 12:31.5.').waitFor();
    await end.fill('4');
    await dialog().getByRole('button', { name: 'Make clip' }).click();
    await dialog().getByText('The end is before the start.').waitFor();
    await end.fill('0:06.5');
    await dialog().getByRole('radio', { name: 'Exact' }).check();
    await expectAccessibleAtAllWidths(page);
    await dialog().getByRole('button', { name: 'Make clip' }).click();
    await dialog().getByText('The clip is ready.').waitFor();
    await expectAccessibleAtAllWidths(page);
    const { name, content } = await download();
    expect(name).toBe(`${film.title} 0.05–0.06.mp4`);
    expect(content.subarray(4, 8).toString()).toBe('ftyp');
    expect(await clips()).toMatchObject([
      { state: 'done', mode: 'exact', start: 5, end: 6.5, actual_start: 5, size: content.length },
    ]);
    await dialog().getByRole('button', { name: 'Copy link' }).click();
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toMatch(/\/video\/watchFilm01\/\?t=5&end=7$/);
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
  });

  test('of the current time are made from the menu of the video on a phone, and deleted in the list', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await openStopped(page, address, film.id, 8);
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Clip…' }).click();
    expect(await dialog().getByLabel('Start', { exact: true }).inputValue()).toBe('0:08');
    await dialog().getByLabel('End', { exact: true }).fill('10');
    await page.keyboard.press('Enter');
    await dialog().getByText('The clip is ready.').waitFor();
    expect((await download()).name).toBe(`${film.title} 0.08–0.10.mp4`);
    await page.goto(`${address}/notes/`);
    await page.getByRole('link', { name: 'Clips' }).click();
    const row = page.getByRole('listitem').filter({ hasText: '0:08–0:10' });
    await row.getByRole('link', { name: 'Download' }).waitFor();
    await expectAccessibleAtAllWidths(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await row.getByRole('button', { name: 'Actions for 0:08–0:10' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await row.waitFor({ state: 'detached' });
    expect(await clips()).toHaveLength(1);
    await page.setViewportSize({ width: 1600, height: 900 });
  });

  test('of a note with a range are made from its menu, and shown below the notes', async () => {
    await watcher.visitor.call('POST', '/api/note/', { video: film.id, kind: 'bookmark', start: 2, end: 4 });
    await openStopped(page, address, film.id, 0);
    await page.getByRole('tab', { name: 'Notes' }).click();
    await page.getByRole('button', { name: 'Actions for 0:02–0:04' }).click();
    await page.getByRole('menuitem', { name: 'Clip…' }).click();
    await dialog().getByRole('button', { name: 'Make clip' }).click();
    await dialog().getByText('The clip is ready.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { name: 'Clips' }).waitFor();
    const row = page.getByRole('listitem').filter({ hasText: '0:02–0:04' }).filter({ hasText: 'Fast' });
    await row.getByRole('link', { name: 'Download' }).waitFor();
  });
});
