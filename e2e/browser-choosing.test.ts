import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { journeys, startBrowsing, type Browsing } from './browsing.ts';
import { within } from './restoring.ts';
import { canBrowse, everybodyCanUse, nothingIsWrong } from './in-browser.ts';

describe.runIf(canBrowse)('choosing videos, in a browser', () => {
  let b: Browsing;
  let page: Page;
  beforeAll(async () => {
    b = await startBrowsing();
    page = b.page;
  });
  afterAll(() => b.close());
  beforeEach(() => page.setViewportSize({ width: 1280, height: 800 }));

  const chosen = () => page.getByRole('toolbar', { name: 'Selected videos' }).getByRole('status').textContent();

  /** What is in each playlist of one's own of that name. */
  const ownCalled = async (name: string) => {
    const { data } = (await b.visitor.call('GET', '/api/playlist/?type=custom')).json as {
      data: { playlist_name: string; playlist_entries: { title: string }[] }[];
    };
    return data.filter((one) => one.playlist_name === name).map((one) => one.playlist_entries.map(({ title }) => title));
  };
  /** The next time something is put into a playlist that fails. */
  const failToFill = () =>
    page.route(
      /\/api\/(playlist\/custom\/.+|video\/matching\/playlist\/)/,
      (route) => route.fulfill({ status: 503, json: { error: 'Busy.' } }),
      { times: 1 },
    );

  test('several are chosen by clicks, with Shift as a range, and by keys', async () => {
    await page.goto(b.address);
    await page.getByRole('button', { name: 'Select several' }).click();
    await b.card('Journey 02').getByRole('heading').click();
    await b
      .card('Journey 04')
      .getByRole('heading')
      .click({ modifiers: ['Shift'] });
    await expect.poll(chosen).toMatch(/^3 selected · \d/);
    await everybodyCanUse(page);
    const box = (title: string) => b.card(title).getByRole('checkbox');
    await box('Journey 06').click({ modifiers: ['Shift'] });
    await expect.poll(chosen).toMatch(/^5 selected/);
    expect([await box('Journey 05').isChecked(), await box('Journey 06').isChecked()]).toEqual([true, true]);
    await page.keyboard.press('Control+a');
    await expect.poll(chosen).toMatch(/^12 selected/);
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('toolbar', { name: 'Selected videos' }).count()).toBe(0);
    await b.card('Journey 01').getByRole('heading').getByRole('link').focus();
    await page.keyboard.press('x');
    await expect.poll(chosen).toMatch(/^1 selected/);
    await page.keyboard.press('Shift+ArrowRight');
    await page.keyboard.press('Shift+ArrowRight');
    await expect.poll(chosen).toMatch(/^3 selected/);
    await page.getByRole('button', { name: 'Watched', exact: true }).click();
    await expect.poll(async () => (await b.player(journeys[2]!.id)).watched).toBe(true);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(async () => (await b.player(journeys[2]!.id)).watched).toBe(false);
  });

  test('after all of a page, everything that matches is offered, and done by one request after a question', async () => {
    const bar = page.getByRole('toolbar', { name: 'Selected videos' });
    const asked: string[] = [];
    page.on('request', (request) => request.method() !== 'GET' && asked.push(new URL(request.url()).pathname));
    const chooseAll = async () => {
      await b.card('Journey 01').getByRole('heading').getByRole('link').focus();
      await page.keyboard.press('Control+a');
      await bar.getByRole('button', { name: 'Select all 16 that match' }).click();
    };
    const answer = (name: string) => page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
    await page.goto(b.address);
    await chooseAll();
    await expect.poll(chosen).toMatch(/^All 16 that match · \d/);
    await everybodyCanUse(page);
    await page.getByRole('button', { name: 'Page 2' }).click();
    await expect.poll(() => b.card('Whistle').getByRole('checkbox').isChecked()).toBe(true);
    await bar.getByRole('button', { name: 'Watched', exact: true }).click();
    await page
      .getByRole('dialog')
      .getByText(/^16 videos \(\d.*iB\)$/)
      .waitFor();
    await nothingIsWrong(page);
    await answer('Mark as watched');
    await page.getByText('16 videos marked as watched.').waitFor();
    expect(asked).toEqual(['/api/video/matching/watched/']);
    expect((await b.player(journeys[13]!.id)).watched).toBe(true);
    await expect.poll(() => bar.count()).toBe(0);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('16 videos are marked as before.').waitFor();
    expect((await b.player(journeys[13]!.id)).watched).toBe(false);
    await page.goto(b.address);
    await chooseAll();
    await bar.getByRole('button', { name: 'Watched', exact: true }).click();
    await answer('Mark as watched');
    await expect.poll(async () => (await b.player(journeys[13]!.id)).watched).toBe(true);

    await page.goto(`${b.address}/?watch=watched`);
    await chooseAll();
    await bar.getByRole('button', { name: 'Add to playlist' }).click();
    await page.getByRole('dialog').getByLabel('New playlist').fill('Everything');
    await nothingIsWrong(page);
    await failToFill();
    const add = page.getByRole('dialog').getByRole('button', { name: 'Add all of them' });
    await add.click();
    await page.getByRole('dialog').getByText('Busy.').waitFor();
    await answer('Add all of them');
    await page.getByText('16 videos added to “Everything”.').waitFor();
    expect(await ownCalled('Everything')).toHaveLength(1);

    await chooseAll();
    await bar.getByRole('button', { name: 'Delete', exact: true }).click();
    await page
      .getByRole('dialog')
      .getByText(/^16 videos \(/)
      .waitFor();
    await answer('Cancel');
    await b.card('Journey 03').getByRole('heading').click();
    await expect.poll(chosen).toMatch(/^11 selected/);
    await page.keyboard.press('Control+a');
    await bar.getByRole('button', { name: 'Select all 16 that match' }).click();
    await bar.getByRole('button', { name: 'Not watched' }).click();
    await answer('Mark as not watched');
    await page.getByRole('heading', { name: 'Nothing like that' }).waitFor();
    await page.getByRole('button', { name: 'Show everything' }).first().click();
  });

  test('what is chosen goes into a playlist of one’s own, is fetched again, or is deleted after a question', async () => {
    const choose = async (...names: string[]) => {
      await page.getByRole('button', { name: 'Select several' }).click();
      for (const name of names) await b.card(name).getByRole('heading').click();
    };
    await choose('Journey 07', 'Journey 06');
    await page.getByRole('button', { name: 'Add to playlist' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add to a playlist' });
    await dialog.getByLabel('New playlist').fill('  For tonight ');
    await everybodyCanUse(page);
    await dialog.getByRole('button', { name: 'Create playlist' }).click();
    await page.getByText('2 videos added to “For tonight”.').waitFor();
    expect(await ownCalled('For tonight')).toEqual([['Journey 07', 'Journey 06']]);
    await page.keyboard.press('Escape');

    // What could not be filled is filled by the next try, and not made once more.
    await choose('Journey 07', 'Journey 06');
    await page.getByRole('button', { name: 'Add to playlist' }).click();
    await dialog.getByLabel('New playlist').fill('For the train');
    await failToFill();
    await dialog.getByRole('button', { name: 'Create playlist' }).click();
    await dialog.getByText('Busy.').waitFor();
    await dialog.getByRole('button', { name: 'Create playlist' }).click();
    await page.getByText('2 videos added to “For the train”.').waitFor();
    expect(await ownCalled('For the train')).toEqual([['Journey 07', 'Journey 06']]);
    await page.keyboard.press('Escape');

    await choose('Journey 08');
    await page.getByRole('button', { name: 'Redownload' }).click();
    await page.getByText(/1 video is fetched again/).waitFor();

    await page.goto(`${b.address}/?page=2`);
    await choose('Whistle', 'Journey 14');
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page
      .getByRole('dialog')
      .getByText(/2 files \(\d.*iB\)/)
      .waitFor();
    await page.getByRole('button', { name: 'Delete 2 videos' }).click();
    await page.getByText('2 videos are in the bin.').hover(); // so that it stays
    expect((await b.visitor.call('GET', `/api/video/${journeys[13]!.id}/`)).status).toBe(404);
  });

  test('what is in the bin is taken back by the undo, or put back or deleted for good on the page of the bin', async () => {
    const status = async () => (await b.visitor.call('GET', `/api/video/${journeys[13]!.id}/`)).status;
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('2 videos are back.').waitFor();
    expect(await status()).toBe(200);
    const { data } = (await b.visitor.call('GET', '/api/video/?type=shorts')).json as { data: { youtube_id: string }[] };
    for (const id of [journeys[13]!.id, data[0]!.youtube_id]) await b.visitor.call('DELETE', `/api/video/${id}/`);
    await page.goto(`${b.address}/settings/bin/`);
    const row = page.getByRole('listitem').filter({ hasText: 'Journey 14' });
    await row.getByText('deleted just now by demo').waitFor();
    await row.getByText('goes for good in 7 days').waitFor();
    await page.getByText(/2 videos · \d.*iB/).waitFor();
    await expect.poll(() => page.evaluate('document.querySelector("li img")?.naturalWidth ?? 0')).toBeGreaterThan(0);
    await everybodyCanUse(page);
    await row.getByRole('button', { name: 'Put back: Journey 14' }).click();
    await page.getByText('1 video is back.').waitFor();
    await expect.poll(() => row.count()).toBe(0);
    await b.visitor.call('DELETE', `/api/video/${journeys[13]!.id}/`);
    await row.waitFor(); // told by the server
    await page.getByRole('button', { name: 'Empty the bin' }).click();
    await page
      .getByRole('dialog', { name: 'Empty the bin?' })
      .getByText(/2 videos \(\d.*iB\)/)
      .waitFor();
    await page.getByRole('button', { name: 'Delete 2 videos for good' }).click();
    await page.getByText('The bin is empty.').waitFor();
    expect(b.errors).toEqual([]);
  });

  test('before very much is deleted the password is asked for, in the same question; so it is where a setting would do it', async () => {
    const shown = (await b.visitor.call('GET', '/api/video/')).json as { data: { youtube_id: string; title: string }[] };
    const two = shown.data.slice(0, 2);
    within(b.data, (db) => {
      for (const { youtube_id } of two) db.prepare('update video set size_bytes = ? where id = ?').run(60e9, youtube_id);
    });
    const sizeOf = async () =>
      ((await b.visitor.call('GET', `/api/video/${two[0]!.youtube_id}/`)).json as { media_size: number }).media_size;
    await expect.poll(sizeOf).toBe(60e9); // written beside the program, which looks each second
    await page.goto(b.address);
    await page.getByRole('button', { name: 'Select several' }).click();
    for (const { title } of two) await b.card(title).getByRole('heading').click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    const question = page.getByRole('dialog', { name: 'Delete these videos?' });
    const go = question.getByRole('button', { name: 'Delete 2 videos' });
    await question.getByText(/2 files \(112 GiB\)/).waitFor();
    const field = question.getByLabel('Your password');
    await field.waitFor();
    expect(await go.isDisabled()).toBe(true);
    await everybodyCanUse(page);
    await field.fill('demoo');
    await go.click();
    await question.getByText('That is not your present password.').waitFor();
    await field.fill('demo');
    await field.press('Enter');
    await page.getByText('2 videos are in the bin.').waitFor();

    await page.goto(`${b.address}/settings/application/#bin`);
    const days = page.getByLabel('Deleted videos rest in the bin for (days)');
    await days.fill('0');
    await days.press('Enter');
    const asked = page.getByRole('dialog', { name: 'Delete that much by itself?' });
    await asked.getByText('2 videos (112 GiB) go at the next round because of this.').waitFor();
    await nothingIsWrong(page);
    await asked.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Nothing was changed.').waitFor();
    const config = async () =>
      ((await b.visitor.call('GET', '/api/appsettings/config/')).json as { bin: { days: number } }).bin.days;
    expect(await config()).toBe(7);
    await days.press('Enter');
    await asked.getByLabel('Your password').fill('demo');
    await asked.getByRole('button', { name: 'Save, and delete 2 videos' }).click();
    await expect.poll(config).toBe(0);
    await expect.poll(() => asked.count()).toBe(0);
    expect(b.errors).toEqual([]);
  });
});
