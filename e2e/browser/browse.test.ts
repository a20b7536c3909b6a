import { glob, rm } from 'node:fs/promises';
import { join } from 'node:path';
import jsQR from 'jsqr';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '../support/acquisition.ts';
import { bakery, journeys, line, loaf, startBrowsing, trains, whistle, type Browsing } from '../support/browsing.ts';
import { pageList } from '../support/page-list.ts';
import { canBrowse, expectAccessibleAtAllWidths, expectNoA11yProblems, noteErrors } from '../support/in-browser.ts';
import { walkByTab } from '../support/a11y-checks.ts';

/** Reads a QR code that is drawn as squares of one unit, as a camera does. */
function readQrCode(path: string, size: number): string | undefined {
  const scale = 4;
  const pixels = new Uint8ClampedArray((size * scale) ** 2 * 4).fill(255);
  for (const [, x, y] of path.matchAll(/M(\d+) (\d+)h1v1h-1z/g))
    for (let at = 0; at < scale * scale; at++) {
      const pixel = (Number(y) * scale + Math.floor(at / scale)) * size * scale + Number(x) * scale + (at % scale);
      pixels.fill(0, pixel * 4, pixel * 4 + 3);
    }
  // The types of the package describe the function as an object with a default.
  return (jsQR as unknown as typeof jsQR.default)(pixels, size * scale, size * scale)?.data;
}

describe.runIf(canBrowse)('channels, playlists and search', () => {
  let b: Browsing;
  let page: Page;
  beforeAll(async () => {
    // In the headless shell, an element on /settings/user/ that is reached by Shift+Tab counts as hidden.
    b = await startBrowsing({ isShellEnough: false });
    page = b.page;
  });
  afterAll(() => b.close());
  beforeEach(() => page.setViewportSize({ width: 1280, height: 800 }));

  const heading = (name: string | RegExp) => page.getByRole('heading', { name });
  const button = (name: string | RegExp) => page.getByRole('button', { name });
  const isWatched = async (id: string) => (await b.player(id)).watched;

  test('lists all, subscribed or unsubscribed channels as cards or rows', async () => {
    await page.goto(`${b.address}/channel/`);
    await page.getByRole('link', { name: /Night Trains/ }).waitFor();
    await expectAccessibleAtAllWidths(page);
    const names = () => page.locator('main li strong').allTextContents();
    await page.getByRole('link', { name: /Night Trains.*15 videos/ }).waitFor();
    await expect.poll(names).toEqual(['Night Trains', 'Slow Bread']);
    await page.getByLabel('Sort by').selectOption('Newest first');
    await page.getByLabel('Filter by name').fill('BRÉ');
    await expect.poll(names).toEqual(['Slow Bread']);
    await page.reload();
    await expect.poll(names).toEqual(['Slow Bread']);
    await page.getByLabel('Filter by name').fill('');
    await expect.poll(async () => (await names()).length).toBe(2);
    await page.getByLabel('Sort by').selectOption('Most videos');
    await expect.poll(names).toEqual(['Night Trains', 'Slow Bread']);
    await page.getByRole('radio', { name: 'Subscribed only', exact: true }).click();
    await heading('No channels found...').waitFor();
    await page.getByRole('radio', { name: 'All', exact: true }).click();
    await page.getByRole('radio', { name: 'Grid' }).click();
    await page.getByRole('link', { name: /Slow Bread/ }).waitFor();
  });

  test('creates a podcast feed of a channel, and revokes it in the settings', async () => {
    await page.goto(`${b.address}/channel/${trains.id}/`);
    await page.getByRole('button', { name: 'More', exact: true }).first().click();
    await page.getByRole('menuitem', { name: 'Subscribe as podcast…' }).click();
    const dialog = page.getByRole('dialog', { name: `Podcast: ${trains.name}` });
    await dialog.getByRole('button', { name: 'Create an audio feed' }).click();
    const url = await dialog.getByRole('region', { name: 'Audio' }).locator('code').innerText();
    const feed = await page.request.get(url);
    expect([feed.status(), (await feed.text()).match(/<item>/g)?.length]).toEqual([200, 15]);
    await dialog.getByText(/^Only this computer can reach 127\.0\.0\.1:\d+\./).waitFor();
    await expectNoA11yProblems(page);

    // As opened by the address of the network: the camera of a phone reads the address.
    await page.route('**/api/podcast/', async (route) => {
      const text = await (await route.fetch()).text();
      await route.fulfill({ body: text.replaceAll('127.0.0.1', 'nas.example'), contentType: 'application/json' });
    });
    await page.reload();
    await page.getByRole('button', { name: 'More', exact: true }).first().click();
    await page.getByRole('menuitem', { name: 'Subscribe as podcast…' }).click();
    await dialog.getByRole('button', { name: 'QR code' }).click();
    const code = dialog.getByRole('img', { name: 'QR code of the address' });
    const [path, size] = [await code.locator('path').getAttribute('d'), (await code.getAttribute('viewBox'))!.split(' ')[2]];
    expect(readQrCode(path!, Number(size))).toBe(url.replace('127.0.0.1', 'nas.example'));
    await expectNoA11yProblems(page);
    await page.unroute('**/api/podcast/');
    await dialog.getByRole('link', { name: 'Podcasts and share links' }).click();
    const feeds = page.getByRole('region', { name: 'Podcast feeds' });
    await feeds.getByText(trains.name).waitFor();
    await feeds.getByRole('link', { name: 'Export as OPML' }).waitFor();
    await feeds.getByRole('button', { name: `Revoke: ${trains.name}` }).click();
    await expect.poll(() => feeds.getByRole('listitem').count()).toBe(0);
    expect((await page.request.get(url)).status()).toBe(410);
  });

  test('shows the M3U address of a list, and the address of the archive, to the camera of a phone', async () => {
    const settings = (address: string | null) => b.visitor.call('POST', '/api/appsettings/config/', { application: { address } });
    const scanned = async () => {
      const code = page.getByRole('dialog').getByRole('img', { name: 'QR code of the address' });
      await code.waitFor();
      return readQrCode(
        (await code.locator('path').getAttribute('d'))!,
        Number((await code.getAttribute('viewBox'))!.split(' ')[2]),
      );
    };
    await page.goto(`${b.address}/channel/${trains.id}/`);
    await button(/^Account: /).click();
    await page.getByRole('menuitem', { name: 'Open on a phone…' }).click();
    await page
      .getByRole('dialog')
      .getByText(/^Only this computer can reach 127/)
      .waitFor();
    await page.getByRole('dialog').getByRole('link', { name: 'address of this archive' }).click();
    await page.getByRole('textbox', { name: 'Address of this archive' }).fill('https://videos.example.org/');
    await page.keyboard.press('Enter');
    await button('Undo: Address of this archive').waitFor();
    await page.goto(`${b.address}/channel/${trains.id}/`);
    await button(/^Account: /).click();
    await page.getByRole('menuitem', { name: 'Open on a phone…' }).click();
    expect(await scanned()).toBe('https://videos.example.org/');
    await expectNoA11yProblems(page);
    await button('Done').click();
    await page.getByRole('button', { name: 'More', exact: true }).first().click();
    await page.getByRole('menuitem', { name: 'M3U address…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'QR code' }).click();
    expect(await scanned()).toMatch(/^https:\/\/videos\.example\.org\/m3u\/.*\/channel\//);
    await settings(null);
  });

  test('shares a video with a guest, who needs the password', async () => {
    await page.goto(`${b.address}/video/${loaf.id}/`);
    await page.getByRole('main').getByRole('button', { name: 'More', exact: true }).first().click();
    await page.getByRole('menuitem', { name: 'Create share link…' }).click();
    const dialog = page.getByRole('dialog', { name: `Share: ${loaf.title}` });
    await dialog.getByLabel('Password (optional)').fill('rye');
    await expectNoA11yProblems(page);
    await dialog.getByRole('button', { name: 'Create link' }).click();
    const url = await dialog.locator('code').innerText();

    const context = await b.browser.newContext({ viewport: { width: 390, height: 844 }, reducedMotion: 'reduce' });
    const guest = await context.newPage();
    const failures: string[] = [];
    noteErrors(guest, failures);
    await guest.goto(url);
    const field = guest.getByLabel('Password');
    await field.fill('wheat');
    await guest.keyboard.press('Enter');
    await guest.getByText('The password is incorrect.').waitFor();
    await expectNoA11yProblems(guest);
    await field.fill('rye');
    await guest.keyboard.press('Enter');
    await guest.getByRole('heading', { name: loaf.title }).waitFor();
    await expect.poll(() => guest.evaluate('document.querySelector("video").duration')).toBeGreaterThan(1);
    await guest.evaluate('document.querySelector("video").play()');
    await expect.poll(() => guest.evaluate('document.querySelector("video").currentTime')).toBeGreaterThan(0);
    expect(await guest.getByRole('link', { name: 'Download' }).count()).toBe(0);
    // The page has not loaded the app, which would show its login.
    expect(await guest.getByRole('button', { name: 'Log in' }).count()).toBe(0);
    await expectAccessibleAtAllWidths(guest);

    await dialog.getByRole('link', { name: 'Podcasts and share links' }).click();
    const links = page.getByRole('region', { name: 'Share links' });
    await links.getByText('opened once').waitFor();
    await links.getByRole('button', { name: `Revoke: ${loaf.title}` }).click();
    await links.getByText('Nothing is shared.').waitFor();
    expect((await guest.goto(url))?.status()).toBe(410);
    await guest.getByText('This link was revoked. Ask for a new one.').waitFor();
    expect(failures).toEqual([]);
    await context.close();
  });

  test('shows totals and kinds of a channel, and marks all its videos', async () => {
    await page.goto(`${b.address}/channel/${trains.id}/`);
    await page.getByText('15 videos', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Shorts' }).click();
    await page.waitForURL(/\/shorts\/$/);
    await page.getByRole('article').filter({ hasText: 'Whistle' }).waitFor();
    await page.getByRole('link', { name: 'Playlists' }).last().click();
    await page.getByRole('link', { name: /The line/ }).waitFor();
    await page.goto(`${b.address}/channel/${bakery.id}/`);
    const markAll = page.getByRole('button', { name: 'Mark all as…' });
    const dialogButton = (name: string) => page.getByRole('dialog').getByRole('button', { name, exact: true });
    await markAll.click();
    await dialogButton('Watched').click();
    await expect.poll(() => isWatched(loaf.id)).toBe(true);
    await button('Undo').click();
    await expect.poll(() => isWatched(loaf.id)).toBe(false);
    await page.getByText('Watched state of 1 video restored.').waitFor();
    await markAll.click();
    await dialogButton('Watched').click();
    await expect.poll(() => isWatched(loaf.id)).toBe(true);
    await markAll.click();
    await dialogButton('Unwatched').click();
    await expect.poll(() => isWatched(loaf.id)).toBe(false);
    await page.goto(`${b.address}/channel/UCnotInHereAtAll00000000/`);
    await heading('Channel not found!').waitFor();
  });

  test('saves and resets the settings of one channel', async () => {
    const overwrites = async () =>
      ((await b.visitor.call('GET', `/api/channel/${trains.id}/`)).json as { channel_overwrites?: object }).channel_overwrites;
    await page.goto(`${b.address}/channel/${trains.id}/about/`);
    await page.getByLabel('Newest videos to check').fill('7');
    await page.keyboard.press('Enter');
    await expect.poll(overwrites).toMatchObject({ subscriptions_channel_size: 7 });
    await button('Configure: SponsorBlock').click();
    await expect.poll(overwrites).toMatchObject({ integrate_sponsorblock: false });
    await page.getByRole('switch', { name: /SponsorBlock/ }).click();
    await expect.poll(overwrites).toMatchObject({ integrate_sponsorblock: true });
    // The sticky header must not cover a part of a button.
    await button('Reset: Newest videos to check').evaluate((one) =>
      (one as unknown as { scrollIntoView(o: object): void }).scrollIntoView({ block: 'center' }),
    );
    await expectAccessibleAtAllWidths(page);
    await page.reload();
    await button('Reset: SponsorBlock').click();
    await button('Configure: SponsorBlock').waitFor();
    await button('Reset: Newest videos to check').click();
    await expect.poll(async () => (await overwrites()) ?? {}).not.toHaveProperty('subscriptions_channel_size', 7);
    await button('Reindex').first().click();
    await page.getByText('Reindex scheduled').waitFor();
  });

  /** The page asks before it is left with changes, until the answer has arrived. */
  async function saveRules() {
    await button('Save rules').click();
    await page.locator('button:disabled:not([aria-busy])', { hasText: 'Save rules' }).waitFor();
  }

  test('previews filter rules of a channel before saving them', async () => {
    const own = async () => ((await b.visitor.call('GET', `/api/channel/${trains.id}/rules/`)).json as { own: object }).own;
    const rule = (name: string) => page.getByRole('region', { name: 'Rules' }).getByLabel(name, { exact: true });
    await page.goto(`${b.address}/channel/${trains.id}/about/`);
    const add = (name: string) => page.getByLabel('Add rule').selectOption(name);
    await page.getByText('Uses the download rules of the archive.').waitFor();
    await add('Title must contain');
    await page.getByText('15 of 15 known videos').waitFor();
    await rule('Title must contain: custom value').fill('Journey 0');
    await page.getByText('9 of 15 known videos').waitFor();
    await add('Maximum length');
    await rule('Maximum length (minutes)').fill('0.1');
    await page.getByText('4 of 15 known videos').waitFor();
    await page.getByText('5 – too long').waitFor();
    // Otherwise the top bar may cover a part of a button.
    await page.evaluate('scrollTo(0, 0)');
    await expectAccessibleAtAllWidths(page);
    await rule('Title must contain: custom value').fill('/(/');
    await page.getByText(/The expression .* is invalid/).waitFor();
    await rule('Title must contain').selectOption('Default (no limit)');
    await saveRules();
    await expect.poll(own).toEqual({ max_seconds: 6 });
    await page.reload();
    await expect.poll(() => rule('Maximum length (minutes)').inputValue()).toBe('0.1');
    await rule('Maximum length').selectOption('Default (no limit)');
    await saveRules();
    await expect.poll(own).toEqual({});
  });

  test('creates, fills and reorders a custom playlist by keyboard and menu', async () => {
    await page.goto(`${b.address}/playlist/`);
    await page.getByLabel('New playlist').fill('   ');
    await expect.poll(() => button('Create playlist').isDisabled()).toBe(true);
    await page.getByLabel('New playlist').fill('  For tonight ');
    await button('Create playlist').click();
    await heading('For tonight').waitFor();
    const id = decodeURIComponent(new URL(page.url()).pathname.split('/')[2]!);
    for (const { id: video } of journeys.slice(0, 4))
      await b.visitor.call('POST', `/api/playlist/custom/${id}/`, { action: 'create', video_id: video });
    const order = async () =>
      ((await b.visitor.call('GET', `/api/playlist/${id}/`)).json as { playlist_entries: { title: string }[] }).playlist_entries
        .map(({ title }) => title.slice(-2))
        .join(' ');
    await button('Reorder').click();
    await button('Move “Journey 04”, position 4').focus();
    await page.keyboard.press('Alt+ArrowUp');
    await expect.poll(order).toBe('01 02 04 03');
    await button('Move or remove “Journey 03”').click();
    await page.getByRole('menuitem', { name: 'Move to top' }).click();
    await expect.poll(order).toBe('03 01 02 04');
    await button('Move “Journey 04”, position 4').dragTo(button('Move “Journey 01”, position 2'));
    await expect.poll(order).toBe('03 04 01 02');
    await expectAccessibleAtAllWidths(page);
    await button('Move or remove “Journey 01”').click();
    await page.getByRole('menuitem', { name: 'Remove from playlist' }).click();
    await expect.poll(order).toBe('03 04 02');
    await button('Done').click();
    await page.getByText('3 videos').first().waitFor();
    await page.getByText('Private, by demo').waitFor();
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Share with all users' }).click();
    await page.getByText('Shared by demo').waitFor();
    await page.keyboard.press('Escape');
  });

  test('previews and saves download rules of a playlist', async () => {
    const own = async () => ((await b.visitor.call('GET', `/api/playlist/${line.id}/rules/`)).json as { own: object }).own;
    await page.goto(`${b.address}/playlist/${line.id}/`);
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Download rules…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Download rules: The line' });
    await dialog.getByText('Uses the download rules of the archive.').waitFor();
    // A playlist deletes nothing.
    expect((await dialog.getByLabel('Add rule').allTextContents()).join()).not.toContain('Keep');
    await dialog.getByLabel('Add rule').selectOption('Title must contain');
    await dialog.getByLabel('Title must contain: custom value').fill('Journey 0');
    await dialog.getByText(/of 4 known videos match/).waitFor();
    await expectAccessibleAtAllWidths(page);
    await saveRules();
    await expect.poll(own).toEqual({ title_include: 'Journey 0' });
    await dialog.getByLabel('Title must contain', { exact: true }).selectOption('Default (no limit)');
    await saveRules();
    await expect.poll(own).toEqual({});
  });

  test('shows a channel playlist, and deletes it with or without its videos', async () => {
    await page.goto(`${b.address}/playlist/${line.id}/`);
    await heading('The line').waitFor();
    expect(await page.getByRole('link', { name: 'Active', exact: true }).getAttribute('href')).toContain(line.id);
    await page.getByText('0 of 4 watched').waitFor();
    await page
      .getByRole('link', { name: /Night Trains/ })
      .first()
      .waitFor();
    await expectAccessibleAtAllWidths(page);
    const choose = async (role: 'menuitem' | 'menuitemcheckbox', name: string) => {
      await page.getByRole('button', { name: 'More', exact: true }).click();
      await page.getByRole(role, { name }).click();
    };
    const sortOrder = async () =>
      ((await b.visitor.call('GET', `/api/playlist/${line.id}/`)).json as { playlist_sort_order: string }).playlist_sort_order;
    await choose('menuitemcheckbox', 'Insert new entries at the top');
    await expect.poll(sortOrder).toBe('bottom');
    await page.keyboard.press('Escape');
    await choose('menuitem', 'Delete playlist');
    const dialog = page.getByRole('dialog', { name: 'Delete this playlist?' });
    await dialog.getByText(/also removes 4 videos \(\d/).waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await choose('menuitem', 'Delete playlist');
    await dialog.getByRole('button', { name: 'Delete metadata' }).click();
    await page.waitForURL(/\/playlist\/$/);
    expect((await b.visitor.call('GET', `/api/video/${journeys[0]!.id}/`)).status).toBe(200);
    await page.goto(`${b.address}/playlist/${line.id}/`);
    await heading('That playlist does not exist').waitFor();
    await page.getByRole('link', { name: 'Go home' }).click();
    await heading('Recent videos').waitFor();
  });

  test('opens the search with / and finds names and transcripts while typing', async () => {
    await page.goto(`${b.address}/search/`);
    await heading('Keywords').waitFor();
    await expectAccessibleAtAllWidths(page);
    await page.getByRole('link', { name: 'Home', exact: true }).click();
    await heading('Recent videos').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('dough');
    const suggestions = page.getByRole('listbox', { name: 'Suggestions' });
    await suggestions.getByRole('option', { name: 'All results for “dough”' }).waitFor();
    await suggestions.getByRole('group', { name: 'Spoken moments' }).getByRole('option').first().waitFor();
    await expectNoA11yProblems(page);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(new RegExp(`/video/${loaf.id}/`));
    await expect.poll(() => suggestions.count()).toBe(0);
    await page.goto(b.address);
    await heading('Recent videos').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('dough');
    await suggestions.waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => suggestions.count()).toBe(0);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/search\/\?query=dough/);
    const hit = page.getByRole('list', { name: /^Matches in “A loaf/ });
    await expect.poll(() => hit.locator('mark').allTextContents()).toContain('dough');
    await hit
      .getByRole('link', { name: /^Spoken 0:\d\d$/ })
      .first()
      .waitFor();
    await hit.getByText('English', { exact: true }).first().waitFor();
    // The transcript contains tags, which are shown as text.
    await expect.poll(() => hit.textContent()).toContain('<i>score</i>');
    await expect.poll(() => hit.locator('i').count()).toBe(0);
    await expectAccessibleAtAllWidths(page);
    // A typing error is corrected, and the words as typed are one click away.
    await page.getByRole('searchbox').fill('doogh');
    await page.waitForURL(/query=doogh/);
    await page.getByText(/^Showing results for dough\./).waitFor();
    await page.getByRole('link', { name: 'Search for “doogh” instead' }).click();
    await page.getByText('Nothing found').waitFor();
    await page.getByRole('searchbox').fill('journey 1');
    await page.waitForURL(/query=journey\+1/);
    await page.getByRole('article').filter({ hasText: 'Journey 14' }).waitFor();
    await page.getByRole('radio', { name: 'Videos', exact: true }).click();
    await page.waitForURL(/query=video%3Ajourney/);
    await button('Add active:no').click();
    await heading('Nothing found').waitFor();
    await button('Remove active:no').click();
    await page.getByRole('article').filter({ hasText: 'Journey 14' }).waitFor();
  });

  test('keeps search filters in the URL', async () => {
    await page.goto(`${b.address}/search/?query=video:journey&max=0`);
    await heading('Nothing found').waitFor();
    await page.getByLabel('Maximum length (minutes)').fill('5');
    await page.getByRole('article').filter({ hasText: 'Journey 01' }).waitFor();
    await page.getByLabel('Exact phrase').fill('journey 03');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await expect.poll(() => page.getByRole('article').count()).toBe(1);
    await expectAccessibleAtAllWidths(page);
  });

  test('opens a transcript hit at its second, on the video page or inline', async () => {
    await page.goto(`${b.address}/search/?query=full:oven`);
    const spoken = page.getByRole('list', { name: /Transcript matches in/ });
    const link = spoken.getByRole('link').first();
    const [minutes = 0, seconds = 0] = ((await link.textContent()) ?? '').split('–')[0]!.split(':').map(Number);
    await expect.poll(() => page.evaluate(`localStorage.getItem('reelkeep.searches')`)).toContain('full:oven'); // saved with a delay
    await spoken.getByRole('button', { name: /Play here from/ }).click();
    await page.waitForURL(/videoId=loafVideo01/);
    expect(new URL(page.url()).pathname).toBe('/search/');
    await expect
      .poll(() => page.locator('video').evaluate((media) => (media as unknown as { currentTime: number }).currentTime))
      .toBeGreaterThanOrEqual(minutes * 60 + seconds);
    await page.goBack();
    await link.click();
    await page.waitForURL(/\/video\/loafVideo01\/\?t=\d+/);
    expect(new URL(page.url()).searchParams.get('t')).toBe(String(minutes * 60 + seconds));
    await page.goto(`${b.address}/search/`);
    await heading('Recent searches').waitFor();
  });

  test('the command palette finds spoken moments, which open or play without leaving the page', async () => {
    await page.goto(b.address);
    await heading('Recent videos').waitFor();
    const palette = page.getByRole('dialog', { name: 'Commands' });
    const findMoment = async () => {
      await page.keyboard.press('Control+k');
      await palette.getByRole('combobox').fill('steam');
      const moment = palette.getByRole('option', { name: /steam in the oven .*A loaf/ });
      await moment.and(page.locator('[data-highlighted]')).waitFor();
      return moment;
    };
    const moment = await findMoment();
    expect(await moment.locator('mark').allTextContents()).toEqual(['steam']);
    const isLoaded = () =>
      moment.locator('img').evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth > 0);
    await expect.poll(isLoaded).toBe(true);
    await expectAccessibleAtAllWidths(page);
    await page.keyboard.press('Shift+Enter');
    await page.waitForURL(/\/\?videoId=loafVideo01&t=\d+$/);
    await page.getByRole('region', { name: 'Player' }).first().waitFor();
    await findMoment();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/video\/loafVideo01\/\?t=\d+$/);
  });

  test('the command palette finds pages, actions and content', async () => {
    await page.goto(b.address);
    await heading('Recent videos').waitFor();
    const palette = page.getByRole('dialog', { name: 'Commands' });
    await page.keyboard.press('Control+k');
    await palette.getByRole('option', { name: 'Channels' }).waitFor();
    await expectAccessibleAtAllWidths(page);
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

  test('offers to download a pasted link, but not while typing', async () => {
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
    const dialog = page.getByRole('dialog', { name: 'Add to your archive' });
    await dialog.getByRole('list', { name: 'Preview' }).getByText('https://youtu.be/pastedVideo').waitFor();
    await expectAccessibleAtAllWidths(page);
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Download'); // Enter accepts
    await dialog.getByRole('button', { name: 'Add to queue' }).click();
    await page.getByText('Looking up the links…').waitFor();
    await page.goto(`${b.address}/share/?text=Look%20https%3A%2F%2Fyoutu.be%2FsharedVideo`);
    await dialog.getByRole('list', { name: 'Preview' }).getByText('https://youtu.be/sharedVideo').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.waitForURL(/\/downloads\//);
  });

  test('Tab reaches every element of each page in order, visibly focused and not covered', async () => {
    const wrong: string[] = [];
    const [video] = ((await b.visitor.call('GET', '/api/video/?type=videos')).json as { data: { youtube_id: string }[] }).data;
    const paths = ['/', '/channel/', '/search/?query=journey', '/downloads/', '/settings/user/', `/video/${video!.youtube_id}/`];
    for (const [width, height] of [
      [1280, 700],
      [390, 640],
    ] as const) {
      await page.setViewportSize({ width, height });
      for (const path of paths) {
        await page.goto(`${b.address}${path}`);
        await page.locator('main :is(h1, h2, h3)').first().waitFor();
        await expect.poll(() => page.locator('[data-skeleton]').count()).toBe(0);
        const walk = await walkByTab(page);
        expect(walk.met).toBeGreaterThan(10);
        wrong.push(...walk.wrong.map((what) => `${path} at ${width}: ${what}`));
      }
    }
    expect(wrong).toEqual([]);
  });

  test('shows sections on the home page, with their full lists, and lets the user choose them', async () => {
    const { call } = b.visitor;
    await call('POST', `/api/channel/${trains.id}/`, { channel_subscribed: true });
    await page.goto('about:blank'); // ends what a test before this one plays
    await call('POST', '/api/watched/', { id: loaf.id, is_watched: false });
    await call('POST', `/api/video/${loaf.id}/progress/`, { position: 9 });
    const sections = () => page.locator('main section[aria-labelledby^=section-] h2').allTextContents();
    await page.goto(b.address);
    await expect.poll(sections).toEqual(['Continue watching', 'New from your subscriptions', 'Shorts']);
    await expectAccessibleAtAllWidths(page);
    // With three sections above it, the list begins on the first screen.
    for (const size of [
      { width: 390, height: 844 },
      { width: 1440, height: 900 },
    ]) {
      await page.setViewportSize(size);
      const bottomBar = size.width === 390 ? 60 : 0;
      await expect.poll(async () => (await b.cards().first().boundingBox())!.y).toBeLessThan(size.height - bottomBar);
    }
    await page.setViewportSize({ width: 1280, height: 800 });
    await button('Recent videos').click();
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Recent videos');
    await page.getByRole('link', { name: 'Show all: New from your subscriptions' }).click();
    // Exactly: the home page, which may still be there, has “New from your subscriptions”.
    await page.getByRole('heading', { name: 'From your subscriptions', exact: true }).waitFor();
    await b.card('Journey').first().waitFor();
    expect(await b.card('A loaf').count()).toBe(0);
    await page.goBack();

    await button('Customize home page').click();
    await page.getByRole('switch', { name: 'New from your subscriptions' }).click();
    // Above the section that is off, then above “Continue watching”.
    await button('Move up: Shorts').click();
    await button('Move up: Shorts').click();
    await expectAccessibleAtAllWidths(page);
    await button('Done').click();
    await expect.poll(sections).toEqual(['Shorts', 'Continue watching']);
    await page.reload();
    await expect.poll(sections).toEqual(['Shorts', 'Continue watching']);
    // A link to a part of the list leads to the list.
    await page.goto(`${b.address}/?tag=Sourdough`);
    await b.card('A loaf').waitFor();
    expect(await sections()).toEqual([]);
    await button('Remove the filter “Tag “Sourdough””').click();
    await expect.poll(sections).toEqual(['Shorts', 'Continue watching']);
    await call('POST', `/api/channel/${trains.id}/`, { channel_subscribed: false });
    await call('DELETE', `/api/video/${loaf.id}/progress/`);
    expect(b.errors).toEqual([]);
  });

  test('keeps the width of the sidebar', async () => {
    const width = async () => (await page.getByRole('navigation', { name: 'Main' }).boundingBox())?.width ?? 0;
    await page.goto(b.address);
    await heading('Recent videos').waitFor();
    await expect.poll(() => width()).toBeGreaterThan(200);
    await button('Collapse').click();
    await expect.poll(width).toBeLessThan(100);
    await page.reload();
    await expect.poll(width).toBeLessThan(100);
    await page.getByTitle('Expand sidebar').click();
    expect(b.errors).toEqual([]);
  });

  test('staff pause and resume storyboard generation', async () => {
    const { address, visitor } = b;
    const folder = join(b.data, 'cache/storyboards');
    const storyboards = () => Array.fromAsync(glob('*/*.vtt', { cwd: folder }));
    await rm(folder, { recursive: true, force: true });
    const { task_id: id } = (await visitor.call('POST', '/api/task/by-name/make_storyboards/')).json as { task_id: string };
    expect((await visitor.call('POST', `/api/task/by-id/${id}/`, { command: 'pause' })).status).toBe(204);
    await page.goto(`${address}/downloads/`);
    await page.getByText('Paused.').waitFor();
    await expectNoA11yProblems(page);
    const before = (await storyboards()).length; // the current video may still be completed
    await page.getByRole('button', { name: 'Resume', exact: true }).click();
    await eventually(async () => (await storyboards()).length > before + 1);
    await visitor.call('POST', `/api/task/by-id/${id}/`, { command: 'kill' });
  });

  test('no page writes to the console, for staff and for users, nor does deleting a video', async () => {
    const other = { username: 'reader', password: 'several words of a reader' };
    await b.visitor.call('POST', '/api/users/', other);
    const { playlist_id: playlist } = (
      await b.visitor.call('POST', '/api/playlist/custom/', { playlist_name: 'Tonight', is_shared: true })
    ).json as { playlist_id: string };
    const paths = Object.values(pageList({ video: loaf.id, channel: trains.id, playlist }));
    for (const login of [{ username: 'demo', password: 'demo' }, other]) {
      const context = await b.browser.newContext();
      const tab = await context.newPage();
      const written: string[] = [];
      tab.on('console', (line) => {
        if (['error', 'warning'].includes(line.type())) written.push(`${tab.url()}: ${line.text()} ${line.location().url}`);
      });
      tab.on('pageerror', (error) => written.push(`${tab.url()}: ${error.message}`));
      await tab.goto(`${b.address}/login/`);
      await tab.getByRole('button', { name: 'Log in' }).waitFor();
      // Before a login, the page asks for the account and is refused.
      written.splice(0, written.length, ...written.filter((line) => !line.includes('403')));
      await tab.request.post(`${b.address}/api/user/login/`, { data: login });
      // For users, all staff pages are the same.
      const isSame = (path: string) => login === other && /^\/settings\/(application\/\w|scheduling|actions|health)/.test(path);
      for (const path of paths.filter((one) => !isSame(one))) {
        await tab.goto(b.address + path);
        await tab.locator('main:has(h1, h2):not(:has([data-skeleton]))').waitFor();
        // A class that a CSS module does not have.
        const withoutStyle = await tab.locator('.undefined').evaluateAll((found) => found.map(({ outerHTML }) => outerHTML));
        written.push(...withoutStyle.map((html) => `${path}: ${html}`));
      }
      if (login.username === 'demo') {
        await tab.goto(`${b.address}/video/${whistle.id}/`);
        await tab.getByRole('main').getByRole('button', { name: 'More', exact: true }).first().click();
        await tab.getByRole('menuitem', { name: 'Delete video' }).click();
        await tab.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
        await tab.getByRole('heading', { name: trains.name, exact: true }).waitFor();
      }
      // The test before this one deletes storyboards, whose addresses are known to the app.
      expect(written.filter((line) => !/404.*\/cache\/storyboards\//.test(line))).toEqual([]);
      await context.close();
    }
  });
});
