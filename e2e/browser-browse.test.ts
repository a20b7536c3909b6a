import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { bakery, journeys, line, loaf, startBrowsing, trains, type Browsing } from './browsing.ts';
import { canBrowse, everybodyCanUse } from './in-browser.ts';
import { walkByTab } from './looking.ts';

describe.runIf(canBrowse)('channels, playlists and what is found, in a browser', () => {
  let b: Browsing;
  let page: Page;
  beforeAll(async () => {
    b = await startBrowsing();
    page = b.page;
  });
  afterAll(() => b.close());
  beforeEach(() => page.setViewportSize({ width: 1280, height: 800 }));

  const heading = (name: string | RegExp) => page.getByRole('heading', { name });
  const button = (name: string | RegExp) => page.getByRole('button', { name });
  const isWatched = async (id: string) => (await b.player(id)).watched;

  test('channels are shown all, subscribed or not, as cards or rows', async () => {
    await page.goto(`${b.address}/channel/`);
    await page.getByRole('link', { name: /Night Trains/ }).waitFor();
    await everybodyCanUse(page);
    await page.getByRole('radio', { name: 'Subscribed only', exact: true }).click();
    await heading('No channels found...').waitFor();
    await page.getByRole('radio', { name: 'All', exact: true }).click();
    await page.getByRole('radio', { name: 'Grid' }).click();
    await page.getByRole('link', { name: /Slow Bread/ }).waitFor();
  });

  test('a channel has its totals, its kinds as tabs, and all of it is marked at once', async () => {
    await page.goto(`${b.address}/channel/${trains.id}/`);
    await page.getByText('15 videos in all').waitFor();
    await page.getByRole('link', { name: 'Shorts' }).click();
    await page.waitForURL(/\/shorts\/$/);
    await page.getByRole('article').filter({ hasText: 'Whistle' }).waitFor();
    await page.getByRole('link', { name: 'Playlists' }).last().click();
    await page.getByRole('link', { name: /The line/ }).waitFor();
    await page.goto(`${b.address}/channel/${bakery.id}/`);
    const markAll = page.getByRole('button', { name: 'Mark all', exact: true });
    await markAll.click();
    await button('Mark all as watched').click();
    await expect.poll(() => isWatched(loaf.id)).toBe(true);
    await button('Undo').click();
    await expect.poll(() => isWatched(loaf.id)).toBe(false);
    await page.getByText('1 video is marked as before.').waitFor();
    await markAll.click();
    await button('Mark all as watched').click();
    await expect.poll(() => isWatched(loaf.id)).toBe(true);
    await markAll.click();
    await button('Mark all as unwatched').click();
    await expect.poll(() => isWatched(loaf.id)).toBe(false);
    await page.goto(`${b.address}/channel/UCnotInHereAtAll00000000/`);
    await heading('Channel not found!').waitFor();
  });

  test('what holds for a channel alone is set, kept and reset', async () => {
    const overwrites = async () =>
      ((await b.visitor.call('GET', `/api/channel/${trains.id}/`)).json as { channel_overwrites?: object }).channel_overwrites;
    await page.goto(`${b.address}/channel/${trains.id}/about/`);
    await expect.poll(() => button('Update: Videos to look at').count()).toBe(0);
    await page.getByLabel('Videos to look at').fill('7');
    await button('Update: Videos to look at').click();
    await expect.poll(overwrites).toMatchObject({ subscriptions_channel_size: 7 });
    await button('Configure: SponsorBlock').click();
    await expect.poll(overwrites).toMatchObject({ integrate_sponsorblock: false });
    await page.getByRole('switch', { name: /SponsorBlock/ }).click();
    await expect.poll(overwrites).toMatchObject({ integrate_sponsorblock: true });
    await everybodyCanUse(page);
    await page.reload();
    await button('Reset: SponsorBlock').click();
    await button('Configure: SponsorBlock').waitFor();
    await button('Reset: Videos to look at').click();
    await expect.poll(async () => (await overwrites()) ?? {}).not.toHaveProperty('subscriptions_channel_size', 7);
    await button('Reindex').first().click();
    await page.getByText('Reindex scheduled').waitFor();
  });

  test('a channel’s rules say what they would take before they are saved', async () => {
    const own = async () => ((await b.visitor.call('GET', `/api/channel/${trains.id}/rules/`)).json as { own: object }).own;
    const rule = (name: string) => page.getByRole('region', { name: 'Rules' }).getByLabel(name, { exact: true });
    await page.goto(`${b.address}/channel/${trains.id}/about/`);
    await page.getByText('These rules would take 15 of 15 videos').waitFor();
    await rule('Only titles with').selectOption('Its own');
    await rule('Only titles with: its own').fill('Journey 0');
    await page.getByText('These rules would take 9 of 15 videos').waitFor();
    await rule('Not longer than').selectOption('Its own');
    await rule('Not longer than (minutes)').fill('0.1');
    await page.getByText('These rules would take 4 of 15 videos').waitFor();
    await page.getByText('5 too long').waitFor();
    await everybodyCanUse(page);
    await rule('Only titles with: its own').fill('/(/');
    await page.getByText(/The expression .* is not understood/).waitFor();
    await rule('Only titles with').selectOption('As for all: no rule');
    await button('Save the rules').click();
    await expect.poll(own).toEqual({ max_seconds: 6 });
    await page.reload();
    await expect.poll(() => rule('Not longer than (minutes)').inputValue()).toBe('0.1');
    await rule('Not longer than').selectOption('As for all: no rule');
    await button('Save the rules').click();
    await expect.poll(own).toEqual({});
  });

  test('a playlist of one’s own is made, filled, arranged by keys and by a menu', async () => {
    await page.goto(`${b.address}/playlist/`);
    await page.getByLabel('A playlist of your own').fill('   ');
    await expect.poll(() => button('Create playlist').isDisabled()).toBe(true);
    await page.getByLabel('A playlist of your own').fill('  For tonight ');
    await button('Create playlist').click();
    await heading('For tonight').waitFor();
    const id = decodeURIComponent(new URL(page.url()).pathname.split('/')[2]!);
    for (const { id: video } of journeys.slice(0, 4))
      await b.visitor.call('POST', `/api/playlist/custom/${id}/`, { action: 'create', video_id: video });
    const order = async () =>
      ((await b.visitor.call('GET', `/api/playlist/${id}/`)).json as { playlist_entries: { title: string }[] }).playlist_entries
        .map(({ title }) => title.slice(-2))
        .join(' ');
    await button('Arrange').click();
    await button('Move “Journey 04”, now at 4').focus();
    await page.keyboard.press('Alt+ArrowUp');
    await expect.poll(order).toBe('01 02 04 03');
    await button('Move or remove “Journey 03”').click();
    await page.getByRole('menuitem', { name: 'To the top' }).click();
    await expect.poll(order).toBe('03 01 02 04');
    await button('Move “Journey 04”, now at 4').dragTo(button('Move “Journey 01”, now at 2'));
    await expect.poll(order).toBe('03 04 01 02');
    await everybodyCanUse(page);
    await button('Move or remove “Journey 01”').click();
    await page.getByRole('menuitem', { name: 'Remove from the playlist' }).click();
    await expect.poll(order).toBe('03 04 02');
    await button('Done').click();
    await page.getByText('3 videos').first().waitFor();
  });

  test('a playlist of a channel tells what it is, and is deleted alone or with its videos', async () => {
    await page.goto(`${b.address}/playlist/${line.id}/`);
    await heading('The line').waitFor();
    await page.getByRole('link', { name: 'Source: Active' }).waitFor();
    await page.getByText('0 watched, 4 not').waitFor();
    await page
      .getByRole('link', { name: /Night Trains/ })
      .first()
      .waitFor();
    await everybodyCanUse(page);
    await button('Sort order: top').click();
    await button('Sort order: bottom').waitFor();
    await button('Delete playlist').click();
    const dialog = page.getByRole('dialog', { name: 'Delete this playlist?' });
    await dialog.getByText(/4 videos with their files too \(\d/).waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await button('Delete playlist').click();
    await dialog.getByRole('button', { name: 'Delete metadata' }).click();
    await page.waitForURL(/\/playlist\/$/);
    expect((await b.visitor.call('GET', `/api/video/${journeys[0]!.id}/`)).status).toBe(200);
    await page.goto(`${b.address}/playlist/${line.id}/`);
    await heading('That playlist does not exist').waitFor();
    await page.getByRole('link', { name: 'Go Home' }).click();
    await heading('Recent videos').waitFor();
  });

  test('the slash leads to the search, which finds names and what is spoken while one types', async () => {
    await page.goto(`${b.address}/search/`);
    await heading('Keywords').waitFor();
    await everybodyCanUse(page);
    await page.getByRole('link', { name: 'Home', exact: true }).click();
    await heading('Recent videos').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('dough');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/search\/\?query=dough/);
    await page.getByRole('region', { name: /Spoken/ }).waitFor();
    const hit = page.getByRole('list', { name: /Spoken in “A loaf/ });
    await expect.poll(() => hit.locator('mark').allTextContents()).toContain('dough');
    // What is spoken there has tags in it: they are shown as text.
    await expect.poll(() => hit.textContent()).toContain('<i>score</i>');
    await expect.poll(() => hit.locator('i').count()).toBe(0);
    await everybodyCanUse(page);
    await page.getByRole('searchbox').fill('journey 1');
    await page.waitForURL(/query=journey\+1/);
    await page.getByRole('article').filter({ hasText: 'Journey 14' }).waitFor();
    await button('Show all: Videos').click();
    await page.waitForURL(/query=video%3Ajourney/);
    await button('Add active:no').click();
    await heading('Nothing found').waitFor();
    await button('Remove active:no').click();
    await page.getByRole('article').filter({ hasText: 'Journey 14' }).waitFor();
  });

  test('filters of the search are in the address', async () => {
    await page.goto(`${b.address}/search/?query=video:journey&max=0`);
    await heading('Nothing found').waitFor();
    await page.getByLabel('At most (minutes)').fill('5');
    await page.getByRole('article').filter({ hasText: 'Journey 01' }).waitFor();
    await page.getByLabel('Exact phrase').fill('journey 03');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await expect.poll(() => page.getByRole('article').count()).toBe(1);
    await everybodyCanUse(page);
  });

  test('a hit among what is spoken leads to its second, on the video’s page or right here', async () => {
    await page.goto(`${b.address}/search/?query=full:oven`);
    const spoken = page.getByRole('list', { name: /Spoken in/ });
    const link = spoken.getByRole('link').first();
    const [minutes = 0, seconds = 0] = ((await link.textContent()) ?? '').split(':').map(Number);
    await expect.poll(() => page.evaluate(`localStorage.getItem('reelkeep.searches')`)).toContain('full:oven'); // after a moment
    await spoken.getByRole('button', { name: /Play here from/ }).click();
    await page.waitForURL(/videoId=loafVideo01/);
    expect(new URL(page.url()).pathname).toBe('/search/');
    await page.goBack();
    await link.click();
    await page.waitForURL(/\/video\/loafVideo01\/\?t=\d+/);
    expect(new URL(page.url()).searchParams.get('t')).toBe(String(minutes * 60 + seconds));
    await page.goto(`${b.address}/search/`);
    await heading('Recent searches').waitFor();
  });

  test('a few letters lead everywhere: pages, actions, what is in the archive', async () => {
    await page.goto(b.address);
    await heading('Recent videos').waitFor();
    const palette = page.getByRole('dialog', { name: 'Commands' });
    await page.keyboard.press('Control+k');
    await palette.getByRole('option', { name: 'Channels' }).waitFor();
    await everybodyCanUse(page);
    await page.keyboard.type('theme light');
    await palette.getByRole('option', { name: 'Theme: light' }).waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate('document.documentElement.dataset.theme')).toBe('light');
    await page.keyboard.press('Control+k');
    await expect.poll(() => palette.getByRole('option').first().textContent()).toBe('Theme: light');
    await page.keyboard.type('slow bre');
    await palette
      .getByRole('option', { name: /Slow Bread/ })
      .first()
      .click();
    await page.waitForURL(new RegExp(`/channel/${bakery.id}/`));
    await page.keyboard.press('Control+k');
    await page.keyboard.press('Escape');
    await palette.waitFor({ state: 'detached' });
    await b.visitor.call('POST', '/api/user/me/', { stylesheet: 'dark.css' });
  });

  test('a link that is pasted anywhere is offered to the queue, but not while one types', async () => {
    await page.goto(b.address);
    await heading('Recent videos').waitFor();
    const paste = (selector: string) =>
      page.evaluate(`(() => {
        const data = new DataTransfer();
        data.setData('text/plain', 'see https://youtu.be/pastedVideo');
        document.querySelector('${selector}').dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }));
      })()`);
    await paste('[type=search]');
    await page.waitForTimeout(300);
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
    await paste('main');
    const dialog = page.getByRole('dialog', { name: 'Add to the queue?' });
    await dialog.getByText('https://youtu.be/pastedVideo').waitFor();
    await everybodyCanUse(page);
    await dialog.getByRole('button', { name: 'Add to the queue' }).click();
    await page.getByText('Looking it up.').waitFor();
    await page.goto(`${b.address}/share/?text=Look%20https%3A%2F%2Fyoutu.be%2FsharedVideo`);
    await dialog.getByText('https://youtu.be/sharedVideo').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.waitForURL(/\/downloads\//);
  });

  test('by Tab one goes through each page in its order, sees where one is, and nothing lies over it', async () => {
    const wrong: string[] = [];
    const [seen] = ((await b.visitor.call('GET', '/api/video/?type=videos')).json as { data: { youtube_id: string }[] }).data;
    const places = ['/', '/channel/', '/search/?query=journey', '/downloads/', '/settings/user/', `/video/${seen!.youtube_id}/`];
    for (const [width, height] of [
      [1280, 700],
      [390, 640],
    ] as const) {
      await page.setViewportSize({ width, height });
      for (const place of places) {
        await page.goto(`${b.address}${place}`);
        await page.locator('main :is(h1, h2, h3)').first().waitFor();
        await expect.poll(() => page.locator('[data-skeleton]').count()).toBe(0);
        const walk = await walkByTab(page);
        expect(walk.met).toBeGreaterThan(10);
        wrong.push(...walk.wrong.map((what) => `${place} at ${width}: ${what}`));
      }
    }
    expect(wrong).toEqual([]);
  });

  test('the rail is as narrow as somebody likes it, also tomorrow', async () => {
    const width = async () => (await page.getByRole('navigation', { name: 'Main' }).boundingBox())?.width ?? 0;
    await page.goto(b.address);
    await heading('Recent videos').waitFor();
    await expect.poll(() => width()).toBeGreaterThan(200);
    await button('Narrow').click();
    await expect.poll(width).toBeLessThan(100);
    await page.reload();
    await expect.poll(width).toBeLessThan(100);
    await page.getByTitle('Make this broad').click();
    expect(b.errors).toEqual([]);
  });
});
