import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { journeys, startBrowsing, type Browsing } from './browsing.ts';
import { canBrowse, everybodyCanUse, nothingIsWrong } from './in-browser.ts';

describe.runIf(canBrowse)('lists of videos, in a browser', () => {
  let b: Browsing;
  let page: Page;
  beforeAll(async () => {
    b = await startBrowsing();
    page = b.page;
  });
  afterAll(() => b.close());
  beforeEach(() => page.setViewportSize({ width: 1280, height: 800 }));

  const cards = () => page.getByRole('group', { name: 'Videos' }).getByRole('article');
  const titles = () => cards().getByRole('heading').allTextContents();
  const card = (title: string) => cards().filter({ hasText: title });
  const focused = () => page.evaluate('document.activeElement?.textContent');
  const player = async (id: string) =>
    ((await b.visitor.call('GET', `/api/video/${id}/`)).json as { player: { watched: boolean; position?: number } }).player;
  const chosen = () => page.getByRole('toolbar', { name: 'Selected videos' }).getByRole('status').textContent();

  test('everything is listed by each field, up and down, and stays so', async () => {
    await page.getByLabel('Order').selectOption({ label: 'Length' });
    await expect.poll(async () => (await titles())[0]).toMatch(/A loaf/);
    await page.getByRole('button', { name: /make it ascending/ }).click();
    await expect.poll(async () => (await titles())[0]).toBe('Journey 01');
    await page.reload();
    await expect.poll(async () => (await titles())[0]).toBe('Journey 01');
    for (const label of ['Added', 'Views', 'Likes', 'File size', 'Width', 'Height', 'Published'])
      await page.getByLabel('Order').selectOption({ label });
    await page.getByRole('button', { name: /make it descending/ }).click();
    await expect.poll(async () => (await titles())[0]).toBe('Journey 01');
  });

  test('the page is in the address, the arrow keys turn it, and the first one is not written there', async () => {
    await page.keyboard.press('ArrowRight');
    await page.waitForURL(/page=2/);
    await card('Journey 13').waitFor();
    await page.getByRole('button', { name: 'Page 1', exact: true }).click();
    await expect.poll(() => page.url()).not.toMatch(/page/);
    await page.goto(`${b.address}/?page=2`);
    await card('Journey 13').waitFor();
    await page.getByRole('link', { name: 'Channels', exact: true }).first().click();
    await page.waitForURL(/channel\/$/);
  });

  test('only what somebody wants to see is shown: a kind, a height, days and lengths, what they have not watched', async () => {
    await page.goto(b.address);
    await page.getByRole('button', { name: 'Filters' }).click();
    await page.getByRole('radio', { name: 'Shorts' }).click();
    await expect.poll(titles).toEqual(['Whistle']);
    await page.getByRole('radio', { name: 'Everything' }).click();
    await page.getByLabel('Height in px').fill('160');
    await expect.poll(titles).toEqual(['Whistle']);
    await page.waitForURL(/height=160/);
    await page.getByLabel('Height in px').fill('');
    const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
    await page.getByLabel('Published from').fill(daysAgo(3));
    await page.getByLabel('until', { exact: true }).fill(daysAgo(2));
    await expect.poll(titles).toEqual(['Journey 02', 'Journey 03']);
    await page.getByLabel('At least (minutes)').fill('1');
    await page.getByRole('heading', { name: 'Nothing like that' }).waitFor();
    await page.goto(`${b.address}/?from=${daysAgo(1)}&max=1`);
    await expect.poll(titles).toEqual(['Journey 01']);
    await page.getByRole('button', { name: 'Filters · 2' }).click();
    await page.getByRole('radio', { name: 'Watched or not' }).press('ArrowLeft');
    await page.waitForURL(/watch=watched/);
    await expect.poll(focused).toBe('Only watched');
    await page.getByRole('heading', { name: 'Nothing like that' }).waitFor();
    await everybodyCanUse(page);
    await page.getByRole('button', { name: 'Show everything' }).first().click();
    await card('Journey 01').waitFor();
  });

  test('cards, rows and a table show the same, with as many columns as somebody likes', async () => {
    const inFirstRow = async () => {
      const tops = await cards().evaluateAll((all) =>
        all.map((one) =>
          Math.round((one as unknown as { getBoundingClientRect(): { top: number } }).getBoundingClientRect().top),
        ),
      );
      return tops.filter((top) => top === tops[0]).length;
    };
    await expect.poll(inFirstRow).toBe(3);
    await expect.poll(() => page.getByRole('button', { name: 'Fewer columns' }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'More columns' }).click();
    await expect.poll(inFirstRow).toBe(4);
    await page.getByRole('button', { name: 'Fewer columns' }).click();
    await everybodyCanUse(page);
    await page.getByRole('radio', { name: 'Table' }).click();
    await page.getByRole('columnheader', { name: 'Length' }).getByRole('button').click();
    await expect.poll(() => page.getByRole('row').nth(1).textContent()).toMatch(/A loaf/);
    await everybodyCanUse(page);
    await page.getByRole('columnheader', { name: 'Published' }).getByRole('button').click();
    await page.getByRole('radio', { name: 'List' }).click();
    await expect.poll(inFirstRow).toBe(1);
    await everybodyCanUse(page);
    await page.getByRole('radio', { name: 'Grid' }).click();
  });

  test('arrows go over the cards, w marks one as watched, q queues it, Enter opens it; the keys are listed and can be off', async () => {
    await page.goto(b.address);
    await card('Journey 01').getByRole('heading').getByRole('link').focus();
    await page.keyboard.press('ArrowRight');
    await expect.poll(focused).toBe('Journey 02');
    await page.keyboard.press('ArrowDown');
    await expect.poll(focused).toBe('Journey 05');
    await page.keyboard.press('w');
    await card('Journey 05').getByText('Watched', { exact: true }).waitFor();
    await expect.poll(async () => (await player(journeys[4]!.id)).watched).toBe(true);
    await page.keyboard.press('q');
    await page.getByText('Added to the queue.').waitFor();
    const queued = () => page.evaluate(() => localStorage.getItem('reelkeep.queue') ?? '');
    expect(await queued()).toContain(journeys[4]!.id);
    await page.keyboard.press('?');
    const help = page.getByRole('dialog', { name: 'Keys' });
    await help.getByText('Mark it as watched, or not').waitFor();
    await everybodyCanUse(page);
    await help.getByLabel('Single keys work').selectOption('off');
    await page.keyboard.press('Escape');
    await card('Journey 06').getByRole('heading').getByRole('link').focus();
    for (const key of ['q', 'w', 'x', '?']) await page.keyboard.press(key);
    expect(await queued()).not.toContain(journeys[5]!.id);
    expect([await page.getByRole('toolbar', { name: 'Selected videos' }).count(), await help.count()]).toEqual([0, 0]);
    expect((await player(journeys[5]!.id)).watched).toBe(false);
    await page.evaluate('localStorage.clear()');
    await page.reload();
    await card('Journey 01').getByRole('heading').getByRole('link').focus();
    await page.keyboard.press('End');
    await expect.poll(focused).toBe('Journey 12');
    await page.keyboard.press('Home');
    await page.keyboard.press('Enter');
    await page.waitForURL(/video\/journeyNo01/);
    await page.goBack();
    await card('Journey 05').getByText('Watched', { exact: true }).waitFor();
  });

  test('who takes a mark back finds the place again where they had stopped', async () => {
    await b.visitor.call('POST', `/api/video/${journeys[13]!.id}/progress/`, { position: 6 });
    await page.goto(`${b.address}/?page=2`);
    await card('Journey 14').hover();
    await card('Journey 14')
      .getByRole('button', { name: /as watched/ })
      .click();
    await expect.poll(async () => (await player(journeys[13]!.id)).watched).toBe(true);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => player(journeys[13]!.id)).toMatchObject({ watched: false, position: 6 });
    await b.visitor.call('DELETE', `/api/video/${journeys[13]!.id}/progress/`);
  });

  test('several are chosen by clicks, with Shift as a range, and by keys', async () => {
    await page.goto(b.address);
    await page.getByRole('button', { name: 'Select several' }).click();
    await card('Journey 02').getByRole('heading').click();
    await card('Journey 04')
      .getByRole('heading')
      .click({ modifiers: ['Shift'] });
    await expect.poll(chosen).toMatch(/^3 selected · \d/);
    await everybodyCanUse(page);
    await page.keyboard.press('Control+a');
    await expect.poll(chosen).toMatch(/^12 selected/);
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('toolbar', { name: 'Selected videos' }).count()).toBe(0);
    await card('Journey 01').getByRole('heading').getByRole('link').focus();
    await page.keyboard.press('x');
    await expect.poll(chosen).toMatch(/^1 selected/);
    await page.keyboard.press('Shift+ArrowRight');
    await page.keyboard.press('Shift+ArrowRight');
    await expect.poll(chosen).toMatch(/^3 selected/);
    await page.getByRole('button', { name: 'Watched', exact: true }).click();
    await expect.poll(async () => (await player(journeys[2]!.id)).watched).toBe(true);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(async () => (await player(journeys[2]!.id)).watched).toBe(false);
  });

  test('after all of a page, everything that matches is offered, and done by one request after a question', async () => {
    const bar = page.getByRole('toolbar', { name: 'Selected videos' });
    const asked: string[] = [];
    page.on('request', (request) => request.method() !== 'GET' && asked.push(new URL(request.url()).pathname));
    const chooseAll = async () => {
      await card('Journey 01').getByRole('heading').getByRole('link').focus();
      await page.keyboard.press('Control+a');
      await bar.getByRole('button', { name: 'Select all 16 that match' }).click();
    };
    const answer = (name: string) => page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
    await page.goto(b.address);
    await chooseAll();
    await expect.poll(chosen).toMatch(/^All 16 that match · \d/);
    await everybodyCanUse(page);
    await page.getByRole('button', { name: 'Page 2' }).click();
    await expect.poll(() => card('Whistle').getByRole('checkbox').isChecked()).toBe(true);
    await bar.getByRole('button', { name: 'Watched', exact: true }).click();
    await page
      .getByRole('dialog')
      .getByText(/^16 videos \(\d.*iB\)$/)
      .waitFor();
    await nothingIsWrong(page);
    await answer('Mark as watched');
    await page.getByText('16 videos marked as watched.').waitFor();
    expect(asked).toEqual(['/api/video/matching/watched/']);
    expect((await player(journeys[13]!.id)).watched).toBe(true);
    await expect.poll(() => bar.count()).toBe(0);

    await page.goto(`${b.address}/?watch=watched`);
    await chooseAll();
    await bar.getByRole('button', { name: 'Add to playlist' }).click();
    await page.getByRole('dialog').getByLabel('New playlist').fill('Everything');
    await nothingIsWrong(page);
    await answer('Add all of them');
    await page.getByText('16 videos added to “Everything”.').waitFor();

    await chooseAll();
    await bar.getByRole('button', { name: 'Delete', exact: true }).click();
    await page
      .getByRole('dialog')
      .getByText(/^16 videos/)
      .waitFor();
    await answer('Cancel');
    await card('Journey 03').getByRole('heading').click();
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
      for (const name of names) await card(name).getByRole('heading').click();
    };
    await choose('Journey 07', 'Journey 06');
    await page.getByRole('button', { name: 'Add to playlist' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add to a playlist' });
    await dialog.getByLabel('New playlist').fill('  For tonight ');
    await everybodyCanUse(page);
    await dialog.getByRole('button', { name: 'Create playlist' }).click();
    await page.getByText('2 videos added to “For tonight”.').waitFor();
    const own = (await b.visitor.call('GET', '/api/playlist/?type=custom')).json as {
      data: { playlist_name: string; playlist_entries: { title: string }[] }[];
    };
    const made = own.data.find((one) => one.playlist_name === 'For tonight');
    expect(made?.playlist_entries.map(({ title }) => title)).toEqual(['Journey 07', 'Journey 06']);
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
    await page.getByText('2 videos are in the bin.').waitFor();
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
    await row.getByText('goes for good in 6 days').waitFor();
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
  });

  test('as one list without end it draws what is in sight, and going back leads to the same place', async () => {
    await b.visitor.call('POST', '/api/user/me/', { page_size: 4, grid_items: 3 });
    await page.goto(b.address);
    await page.getByRole('button', { name: 'Filters' }).click();
    await page.getByLabel('Endless list').click();
    await page.reload();
    await card('Journey 01').waitFor();
    await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
    await card('Journey 13').waitFor();
    await expect.poll(() => page.getByRole('navigation', { name: 'Pages' }).count()).toBe(0);
    await everybodyCanUse(page);
    await page.evaluate('scrollTo(0, document.documentElement.scrollHeight - innerHeight - 150)');
    await page.waitForTimeout(300);
    const before = (await page.evaluate('scrollY')) as number;
    expect(before).toBeGreaterThan(300);
    await card('Journey 13').getByRole('heading').getByRole('link').click();
    await page.waitForURL(/video\/journeyNo13/);
    await page.goBack();
    await card('Journey 13').waitFor();
    await expect.poll(() => page.evaluate('scrollY')).toBe(before);
    await card('Journey 13').getByRole('heading').getByRole('link').focus();
    await page.keyboard.press('Home');
    await expect.poll(focused).toBe('Journey 01');
    // Scrolled out of sight it is taken off the page; the keys go on from where it was.
    await page.setViewportSize({ width: 390, height: 600 });
    const first = () => page.evaluate('scrollTo(0, 99_999)').then(() => card('Journey 01').count());
    await expect.poll(first).toBe(0);
    await page.keyboard.press('ArrowDown');
    await expect.poll(focused).toBe('Journey 02');
    await page.reload();
    await card('Journey 01').waitFor();
    await expect.poll(() => page.getByRole('navigation', { name: 'Pages' }).count()).toBe(0);
    expect(b.errors).toEqual([]);
  });
});
