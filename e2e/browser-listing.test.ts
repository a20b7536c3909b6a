import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { journeys, loaf, startBrowsing, type Browsing } from './browsing.ts';
import { canBrowse, everybodyCanUse } from './in-browser.ts';

describe.runIf(canBrowse)('lists of videos, in a browser', () => {
  let b: Browsing;
  let page: Page;
  beforeAll(async () => {
    b = await startBrowsing();
    page = b.page;
  });
  afterAll(() => b.close());
  beforeEach(() => page.setViewportSize({ width: 1280, height: 800 }));

  const titles = () => b.cards().getByRole('heading').allTextContents();
  const focused = () => page.evaluate('document.activeElement?.textContent');

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
    await b.card('Journey 13').waitFor();
    await page.getByRole('button', { name: 'Page 1', exact: true }).click();
    await expect.poll(() => page.url()).not.toMatch(/page/);
    await page.goto(`${b.address}/?page=2`);
    await b.card('Journey 13').waitFor();
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
    await b.card('Journey 01').waitFor();
  });

  test('cards, rows and a table show the same, with as many columns as somebody likes', async () => {
    const inFirstRow = async () => {
      const tops = await b
        .cards()
        .evaluateAll((all) =>
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
    await b.card('Journey 01').getByRole('heading').getByRole('link').focus();
    await page.keyboard.press('ArrowRight');
    await expect.poll(focused).toBe('Journey 02');
    await page.keyboard.press('ArrowDown');
    await expect.poll(focused).toBe('Journey 05');
    await page.keyboard.press('w');
    await b.card('Journey 05').getByText('Watched', { exact: true }).waitFor();
    await expect.poll(async () => (await b.player(journeys[4]!.id)).watched).toBe(true);
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
    await b.card('Journey 06').getByRole('heading').getByRole('link').focus();
    for (const key of ['q', 'w', 'x', '?', '/']) await page.keyboard.press(key);
    expect(await focused()).toBe('Journey 06');
    expect(await queued()).not.toContain(journeys[5]!.id);
    expect([await page.getByRole('toolbar', { name: 'Selected videos' }).count(), await help.count()]).toEqual([0, 0]);
    expect((await b.player(journeys[5]!.id)).watched).toBe(false);
    await page.evaluate('localStorage.clear()');
    await page.reload();
    await b.card('Journey 01').getByRole('heading').getByRole('link').focus();
    await page.keyboard.press('End');
    await expect.poll(focused).toBe('Journey 12');
    await page.keyboard.press('Home');
    await page.keyboard.press('Enter');
    await page.waitForURL(/video\/journeyNo01/);
    await page.goBack();
    await b.card('Journey 05').getByText('Watched', { exact: true }).waitFor();
  });

  test('who takes a mark back finds the place again where they had stopped', async () => {
    await b.visitor.call('POST', `/api/video/${journeys[13]!.id}/progress/`, { position: 6 });
    await page.goto(`${b.address}/?page=2`);
    await b.card('Journey 14').hover();
    await b
      .card('Journey 14')
      .getByRole('button', { name: /as watched/ })
      .click();
    await expect.poll(async () => (await b.player(journeys[13]!.id)).watched).toBe(true);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => b.player(journeys[13]!.id)).toMatchObject({ watched: false, position: 6 });
    await b.visitor.call('DELETE', `/api/video/${journeys[13]!.id}/progress/`);
  });

  test('a list is narrowed by what a video has, which is in the address, and is kept as a smart list', async () => {
    await page.goto(`${b.address}/?damaged=true`);
    await page.getByRole('heading', { name: 'Nothing like that' }).waitFor();
    await page.getByRole('button', { name: 'Filters · 1' }).click();
    await page.getByLabel('Check of the file').selectOption('Not failed');
    await b.card('Journey 01').waitFor();
    await page.getByLabel('Tag', { exact: true }).fill('SOURdough');
    await expect.poll(titles).toEqual([expect.stringMatching(/A loaf/)]);
    await page.getByLabel('Subtitles in').selectOption('English · 1');
    await page.getByLabel('Video codec').selectOption({ label: 'H.264 · 16' });
    await page.getByLabel('Transcript', { exact: true }).selectOption('Without one');
    await page.getByRole('heading', { name: 'Nothing like that' }).waitFor();
    await page.getByLabel('Transcript', { exact: true }).selectOption('With one');
    await b.card('A loaf').waitFor();
    await page.getByLabel('At least (MiB)').fill('900');
    await page.waitForURL(/min_size=943718400/);
    await page.getByRole('heading', { name: 'Nothing like that' }).waitFor();
    await page.getByLabel('At least (MiB)').fill('');
    await b.card('A loaf').waitFor();
    await everybodyCanUse(page);
    await page.setViewportSize({ width: 360, height: 740 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
    // A day is there with its year, and every choice in sight.
    const cut = await page.evaluate(`[...document.querySelectorAll('main [type=date], main [role=radiogroup]')].filter((one) => {
      const { width } = one.getBoundingClientRect();
      one.style.cssText = 'width: max-content; min-width: 0';
      const wanted = one.matches('input') ? one.getBoundingClientRect().width : 0;
      one.style.cssText = '';
      return width < wanted || one.scrollWidth > one.clientWidth;
    }).map((one) => one.labels?.[0].textContent ?? one.ariaLabel)`);
    expect(cut).toEqual([]);
    await everybodyCanUse(page);
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByRole('button', { name: 'Save as smart list' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Bread');
    await everybodyCanUse(page);
    await page.getByLabel('Name', { exact: true }).press('Enter');
    await page.waitForURL(/\/list\/\d+\/$/);
    await page.getByRole('heading', { name: 'Bread', level: 1 }).waitFor();
    await expect.poll(titles).toEqual([expect.stringMatching(/A loaf/)]);
  });

  test('a smart list is in the rail and on the phone, is found by its name, changed by looking, and comes back when deleted', async () => {
    const { id } = (await b.visitor.call('POST', '/api/list/', { name: 'All aboard', filter: { tag: 'one' } })).json as {
      id: number;
    };
    await page.goto(`${b.address}/list/${id}/`);
    await expect.poll(async () => (await titles())[0]).toBe('Journey 01');
    const rail = page.getByRole('list', { name: 'Smart lists' });
    await expect.poll(() => rail.getByRole('link').allTextContents()).toEqual(['All aboard', 'Bread']);
    await page.getByLabel('Order').selectOption({ label: 'Length' });
    await expect.poll(async () => (await titles())[0]).toMatch(/A loaf/);
    await page.reload();
    await expect.poll(async () => (await titles())[0]).toMatch(/A loaf/);
    await page.getByRole('button', { name: 'As it was saved' }).click();
    await expect.poll(async () => (await titles())[0]).toBe('Journey 01');
    await page.getByRole('button', { name: 'Filters · 1' }).click();
    await page.getByRole('radio', { name: 'Shorts' }).click();
    await expect.poll(titles).toEqual(['Whistle']);
    await everybodyCanUse(page);
    await page.getByRole('button', { name: 'Save what I see' }).click();
    await page.waitForURL(/\/list\/\d+\/$/);
    await page.getByRole('button', { name: 'Name and who sees it' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Zigzag');
    await page.getByLabel('Everybody here sees it').click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect.poll(() => rail.getByRole('link').allTextContents()).toEqual(['Bread', 'Zigzag']);
    await page.getByRole('button', { name: 'Delete this smart list' }).click();
    await expect.poll(() => rail.getByRole('link').allTextContents()).toEqual(['Bread']);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('heading', { name: 'Zigzag', level: 1 }).waitFor();
    await expect.poll(titles).toEqual(['Whistle']);
    await page.getByText('Everybody here sees it').waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog', { name: 'Commands' }).getByRole('combobox').fill('brea');
    await page.getByRole('option', { name: 'Bread', exact: true }).click();
    await page.getByRole('heading', { name: 'Bread', level: 1 }).waitFor();
    await page.setViewportSize({ width: 360, height: 740 });
    await page.getByRole('link', { name: 'Playlists' }).click();
    await page.getByRole('region', { name: 'Smart lists' }).getByRole('link', { name: 'Bread' }).click();
    await b.card('A loaf').waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
    await page.goto(`${b.address}/list/999999/`);
    await page.getByRole('heading', { name: 'That smart list is not there' }).waitFor();
  });

  test('at 320 pixels, as at four times the size, no page is wider than the window', async () => {
    await page.setViewportSize({ width: 320, height: 640 });
    const settings = ['', 'user/', 'application/', 'scheduling/', 'actions/', 'health/', 'runs/', 'bin/', 'people/'];
    const places = ['/', '/?view=table', '/channel/', '/playlist/', '/downloads/', '/search/?query=journey', '/about/'];
    const tooWide: string[] = [];
    for (const place of [...places, `/video/${journeys[0]!.id}/`, ...settings.map((name) => `/settings/${name}`)]) {
      await page.goto(`${b.address}${place}`);
      await page.locator('main :is(h1, h2, h3)').first().waitFor();
      await expect.poll(() => page.locator('[data-skeleton]').count()).toBe(0);
      const more = await page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');
      if (more > 0) tooWide.push(`${place}: ${more}`);
    }
    expect(tooWide).toEqual([]);
    // The titles of what is put into order are as long as they come.
    const made = (await b.visitor.call('POST', '/api/playlist/custom/', { playlist_name: 'All of the bread there is' })).json as {
      playlist_id: string;
    };
    for (const { id: video_id } of [loaf, journeys[0]!])
      await b.visitor.call('POST', `/api/playlist/custom/${made.playlist_id}/`, { action: 'create', video_id });
    await page.goto(`${b.address}/playlist/${made.playlist_id}/`);
    await page.getByRole('button', { name: 'Arrange' }).click();
    await page.getByRole('list', { name: 'Order of the playlist' }).waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320);
    // The sign of a person stands beside the name, not over it.
    await page.goto(`${b.address}/settings/people/`);
    const person = page.getByRole('listitem').filter({ has: page.locator('strong', { hasText: 'demo' }) });
    const [sign, name] = [await person.locator('svg').first().boundingBox(), await person.locator('strong').boundingBox()];
    expect(sign!.x + sign!.width).toBeLessThan(name!.x);
  });

  test('where the system chooses the colours, what is chosen and switched on is told by them', async () => {
    await page.emulateMedia({ forcedColors: 'active' });
    await page.goto(`${b.address}/settings/user/`);
    const ground = (found: Locator) =>
      found.evaluate(
        (one) =>
          (globalThis as never as { getComputedStyle(of: unknown): { backgroundColor: string } }).getComputedStyle(one)
            .backgroundColor,
      );
    const isOn = await ground(page.getByLabel('Show help texts'));
    expect(isOn).not.toBe(await ground(page.getByLabel('Hide what I have watched on the home page')));
    const tab = (name: string) => ground(page.getByRole('link', { name, exact: true }));
    expect(await tab('User')).not.toBe(await tab('Runs'));
    await page.emulateMedia({ forcedColors: null });
  });
});
