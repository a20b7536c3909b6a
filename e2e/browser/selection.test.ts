import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { journeys, startBrowsing, type Browsing } from '../support/browsing.ts';
import { withDatabase } from '../support/restoring.ts';
import { canBrowse, expectAccessibleAtAllWidths, expectNoA11yProblems } from '../support/in-browser.ts';

describe.runIf(canBrowse)('selecting videos', () => {
  let b: Browsing;
  let page: Page;
  beforeAll(async () => {
    b = await startBrowsing();
    page = b.page;
  });
  afterAll(() => b.close());
  beforeEach(() => page.setViewportSize({ width: 1280, height: 800 }));

  const selectionText = () => page.getByRole('toolbar', { name: 'Selected videos' }).getByRole('status').textContent();

  /** Returns the titles in each custom playlist with this name. */
  const customPlaylists = async (name: string) => {
    const { data } = (await b.visitor.call('GET', '/api/playlist/?type=custom')).json as {
      data: { playlist_name: string; playlist_entries: { title: string }[] }[];
    };
    return data.filter((one) => one.playlist_name === name).map((one) => one.playlist_entries.map(({ title }) => title));
  };
  /** Makes the next request that adds to a playlist fail. */
  const failNextPlaylistRequest = () =>
    page.route(
      /\/api\/(playlist\/custom\/.+|video\/bulk\/playlist\/)/,
      (route) => route.fulfill({ status: 503, json: { error: 'Busy.' } }),
      { times: 1 },
    );

  test('selects several videos by click, Shift and keyboard', async () => {
    await page.goto(b.address);
    await page.getByRole('button', { name: 'Select multiple' }).click();
    await b.card('Journey 02').getByRole('heading').click();
    await b
      .card('Journey 04')
      .getByRole('heading')
      .click({ modifiers: ['Shift'] });
    await expect.poll(selectionText).toMatch(/^3 selected · \d/);
    // What floats lies over titles, depending on how far the page is: the tray while the first tasks run, and the toolbar.
    await page.evaluate(`document.adoptedStyleSheets = [new CSSStyleSheet()];
      document.adoptedStyleSheets[0].replaceSync(
        '[class*=_tray_] { display: none } [data-selection-bar] { position: static !important }')`);
    await expectAccessibleAtAllWidths(page);
    await page.evaluate('document.adoptedStyleSheets = []');
    const box = (title: string) => b.card(title).getByRole('checkbox');
    await box('Journey 06').click({ modifiers: ['Shift'] });
    await expect.poll(selectionText).toMatch(/^5 selected/);
    expect([await box('Journey 05').isChecked(), await box('Journey 06').isChecked()]).toEqual([true, true]);
    await page.keyboard.press('Control+a');
    await expect.poll(selectionText).toMatch(/^12 selected/);
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('toolbar', { name: 'Selected videos' }).count()).toBe(0);
    await b.card('Journey 01').getByRole('heading').getByRole('link').focus();
    await page.keyboard.press('x');
    await expect.poll(selectionText).toMatch(/^1 selected/);
    await page.keyboard.press('Shift+ArrowRight');
    await page.keyboard.press('Shift+ArrowRight');
    await expect.poll(selectionText).toMatch(/^3 selected/);
    await page.getByRole('button', { name: 'Watched', exact: true }).click();
    await expect.poll(async () => (await b.player(journeys[2]!.id)).watched).toBe(true);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(async () => (await b.player(journeys[2]!.id)).watched).toBe(false);
  });

  test('offers all matching videos after a full page, and changes them in one request after confirmation', async () => {
    const bar = page.getByRole('toolbar', { name: 'Selected videos' });
    const requestedPaths: string[] = [];
    page.on('request', (request) => request.method() !== 'GET' && requestedPaths.push(new URL(request.url()).pathname));
    const chooseAll = async () => {
      await b.card('Journey 01').getByRole('heading').getByRole('link').focus();
      await page.keyboard.press('Control+a');
      await bar.getByRole('button', { name: 'Select all 16 matches' }).click();
    };
    const confirm = (name: string) => page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
    await page.goto(b.address);
    await chooseAll();
    await expect.poll(selectionText).toMatch(/^All 16 matches · \d/);
    await expectAccessibleAtAllWidths(page);
    await page.getByRole('button', { name: 'Page 2' }).click();
    await expect.poll(() => b.card('Whistle').getByRole('checkbox').isChecked()).toBe(true);
    await bar.getByRole('button', { name: 'Watched', exact: true }).click();
    await page
      .getByRole('dialog')
      .getByText(/^16 videos \(\d.*iB\)$/)
      .waitFor();
    await expectNoA11yProblems(page);
    await confirm('Mark as watched');
    await page.getByText('16 videos marked as watched.').waitFor();
    expect(requestedPaths).toEqual(['/api/video/bulk/watched/']);
    expect((await b.player(journeys[13]!.id)).watched).toBe(true);
    await expect.poll(() => bar.count()).toBe(0);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Watched state of 16 videos restored.').waitFor();
    expect((await b.player(journeys[13]!.id)).watched).toBe(false);
    await page.goto(b.address);
    await chooseAll();
    await bar.getByRole('button', { name: 'Watched', exact: true }).click();
    await confirm('Mark as watched');
    await expect.poll(async () => (await b.player(journeys[13]!.id)).watched).toBe(true);

    await page.goto(`${b.address}/?watch=watched`);
    await chooseAll();
    await bar.getByRole('button', { name: 'Add to playlist' }).click();
    await page.getByRole('dialog').getByLabel('New playlist').fill('Everything');
    await expectNoA11yProblems(page);
    await failNextPlaylistRequest();
    const add = page.getByRole('dialog').getByRole('button', { name: 'Add all' });
    await add.click();
    await page.getByRole('dialog').getByText('Busy.').waitFor();
    await confirm('Add all');
    await page.getByText('16 videos added to “Everything”.').waitFor();
    expect(await customPlaylists('Everything')).toHaveLength(1);

    await chooseAll();
    await bar.getByRole('button', { name: 'Delete', exact: true }).click();
    await page
      .getByRole('dialog')
      .getByText(/^16 videos \(/)
      .waitFor();
    await confirm('Cancel');
    await b.card('Journey 03').getByRole('heading').click();
    await expect.poll(selectionText).toMatch(/^11 selected/);
    await page.keyboard.press('Control+a');
    await bar.getByRole('button', { name: 'Select all 16 matches' }).click();
    await bar.getByRole('button', { name: 'Unwatched' }).click();
    await confirm('Mark as unwatched');
    await page.getByRole('heading', { name: 'No matches' }).waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).first().click();
  });

  test('adds the selection to a playlist, redownloads it, and deletes it after confirmation', async () => {
    const choose = async (...names: string[]) => {
      await page.getByRole('button', { name: 'Select multiple' }).click();
      for (const name of names) await b.card(name).getByRole('heading').click();
    };
    await choose('Journey 07', 'Journey 06');
    await page.getByRole('button', { name: 'Add to playlist' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add to playlist' });
    await dialog.getByLabel('New playlist').fill('  For tonight ');
    await expectAccessibleAtAllWidths(page);
    await dialog.getByRole('button', { name: 'Create playlist' }).click();
    await page.getByText('2 videos added to “For tonight”.').waitFor();
    expect(await customPlaylists('For tonight')).toEqual([['Journey 07', 'Journey 06']]);
    await page.keyboard.press('Escape');

    // A playlist that could not be filled is filled by the next attempt and not created twice.
    await choose('Journey 07', 'Journey 06');
    await page.getByRole('button', { name: 'Add to playlist' }).click();
    await dialog.getByLabel('New playlist').fill('For the train');
    await failNextPlaylistRequest();
    await dialog.getByRole('button', { name: 'Create playlist' }).click();
    await dialog.getByText('Busy.').waitFor();
    await dialog.getByRole('button', { name: 'Create playlist' }).click();
    await page.getByText('2 videos added to “For the train”.').waitFor();
    expect(await customPlaylists('For the train')).toEqual([['Journey 07', 'Journey 06']]);
    await page.keyboard.press('Escape');

    await choose('Journey 08');
    await page.getByRole('button', { name: 'Redownload' }).click();
    await page.getByText(/1 video queued for redownload/).waitFor();

    await page.goto(`${b.address}/?page=2`);
    await choose('Whistle', 'Journey 14');
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page
      .getByRole('dialog')
      .getByText(/2 videos \(\d.*iB\)/)
      .waitFor();
    await page.getByRole('button', { name: 'Delete 2 videos' }).click();
    await page.getByText('2 videos moved to trash.').hover(); // hovering keeps the toast
    expect((await b.visitor.call('GET', `/api/video/${journeys[13]!.id}/`)).status).toBe(404);
  });

  test('restores deleted videos by undo, and restores or purges them on the trash page', async () => {
    const status = async () => (await b.visitor.call('GET', `/api/video/${journeys[13]!.id}/`)).status;
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('2 videos restored.').waitFor();
    expect(await status()).toBe(200);
    const { data } = (await b.visitor.call('GET', '/api/video/?type=shorts')).json as { data: { youtube_id: string }[] };
    for (const id of [journeys[13]!.id, data[0]!.youtube_id]) await b.visitor.call('DELETE', `/api/video/${id}/`);
    await page.goto(`${b.address}/settings/bin/`); // an address of earlier versions
    await page.waitForURL('**/trash/');
    const row = page.getByRole('listitem').filter({ hasText: 'Journey 14' });
    await row.getByText('deleted just now by demo').waitFor();
    await row.getByText('deleted permanently in 7 days').waitFor();
    await page.getByText(/2 videos · \d.*iB/).waitFor();
    await expect.poll(() => page.evaluate('document.querySelector("li img")?.naturalWidth ?? 0')).toBeGreaterThan(0);
    await expectAccessibleAtAllWidths(page);
    await row.getByRole('button', { name: 'Restore: Journey 14' }).click();
    await page.getByText('1 video restored.').waitFor();
    await expect.poll(() => row.count()).toBe(0);
    await b.visitor.call('DELETE', `/api/video/${journeys[13]!.id}/`);
    await row.waitFor(); // through the event stream
    await page.getByRole('button', { name: 'Empty trash' }).click();
    await page
      .getByRole('dialog', { name: 'Empty trash?' })
      .getByText(/2 videos \(\d.*iB\)/)
      .waitFor();
    await page.getByRole('button', { name: 'Delete 2 videos permanently' }).click();
    await page.getByText('The trash is empty.').waitFor();
    expect(b.errors).toEqual([]);
  });

  test('asks for the password in the same dialog before a large deletion, also one by a setting', async () => {
    const listed = (await b.visitor.call('GET', '/api/video/')).json as { data: { youtube_id: string; title: string }[] };
    const two = listed.data.slice(0, 2);
    withDatabase(b.data, (db) => {
      for (const { youtube_id } of two) db.prepare('update video set size_bytes = ? where id = ?').run(60e9, youtube_id);
    });
    const sizeOf = async () =>
      ((await b.visitor.call('GET', `/api/video/${two[0]!.youtube_id}/`)).json as { media_size: number }).media_size;
    await expect.poll(sizeOf).toBe(60e9); // written outside the server, which checks every second
    await page.goto(b.address);
    await page.getByRole('button', { name: 'Select multiple' }).click();
    for (const { title } of two) await b.card(title).getByRole('heading').click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete these videos?' });
    const deleteButton = dialog.getByRole('button', { name: 'Delete 2 videos' });
    await dialog.getByText(/2 videos \(112 GiB\)/).waitFor();
    const passwordField = dialog.getByLabel('Your password');
    await passwordField.waitFor();
    expect(await deleteButton.isDisabled()).toBe(true);
    await expectAccessibleAtAllWidths(page);
    await passwordField.fill('demoo');
    await deleteButton.click();
    await dialog.getByText('The current password is incorrect.').waitFor();
    await passwordField.fill('demo');
    await passwordField.press('Enter');
    await page.getByText('2 videos moved to trash.').waitFor();

    await page.goto(`${b.address}/settings/application/#trash`);
    const days = page.getByLabel('Keep deleted videos in the trash for (days)');
    await days.fill('0');
    await days.press('Enter');
    const confirmation = page.getByRole('dialog', { name: 'Delete videos automatically?' });
    await confirmation.getByText('2 videos (112 GiB) will be deleted the next time the rules run.').waitFor();
    await expectNoA11yProblems(page);
    await confirmation.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Nothing was changed.').waitFor();
    const config = async () =>
      ((await b.visitor.call('GET', '/api/appsettings/config/')).json as { trash: { days: number } }).trash.days;
    expect(await config()).toBe(7);
    await days.press('Enter');
    await confirmation.getByLabel('Your password').fill('demo');
    await confirmation.getByRole('button', { name: 'Save and delete 2 videos' }).click();
    await expect.poll(config).toBe(0);
    await expect.poll(() => confirmation.count()).toBe(0);
    expect(b.errors).toEqual([]);
  });
});
