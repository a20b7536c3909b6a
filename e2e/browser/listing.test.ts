import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { journeys, loaf, startBrowsing, type Browsing } from '../support/browsing.ts';
import { canBrowse, expectAccessibleAtAllWidths, expectNoA11yProblems } from '../support/in-browser.ts';

describe.runIf(canBrowse)('lists of videos', () => {
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

  test('sorts by each field in both directions, and remembers it', async () => {
    await page.getByLabel('Order').selectOption({ label: 'Length' });
    await expect.poll(async () => (await titles())[0]).toMatch(/A loaf/);
    await page.getByRole('button', { name: /make it ascending/ }).click();
    await expect.poll(async () => (await titles())[0]).toBe('Journey 01');
    await page.reload();
    await expect.poll(async () => (await titles())[0]).toBe('Journey 01');
    for (const label of ['Added', 'Views', 'Likes', 'File size', 'Width', 'Resolution', 'Published'])
      await page.getByLabel('Order').selectOption({ label });
    await page.getByRole('button', { name: /make it descending/ }).click();
    await page.getByRole('button', { name: /make it ascending/ }).waitFor();
    await expect.poll(async () => (await titles())[0]).toBe('Journey 01');
    const order = async () => ((await b.visitor.call('GET', '/api/user/me/')).json as { sort_order: string }).sort_order;
    await expect.poll(order).toBe('desc');
  });

  test('keeps settings that are changed just before the page is left', async () => {
    const setting = async () => ((await b.visitor.call('GET', '/api/user/me/')).json as { sort_by: string }).sort_by;
    const leaveAfter = (...labels: string[]) =>
      page.getByLabel('Order').evaluate((order, all) => {
        for (const label of all) {
          order.value = [...order.options].find(({ text }) => text === label)!.value;
          order.dispatchEvent(new Event('change', { bubbles: true }));
        }
        order.ownerDocument.location.reload();
      }, labels);
    for (const [labels, saved] of [
      [['Views', 'Likes', 'Width'], 'width'],
      [['Published'], 'published'],
    ] as const) {
      await Promise.all([page.waitForEvent('load'), leaveAfter(...labels)]);
      await expect.poll(setting).toBe(saved);
      await expect.poll(() => page.getByLabel('Order').inputValue()).toBe(saved);
    }
    await b.card('Journey 01').waitFor();
  });

  test('keeps the page in the URL except the first one, and turns pages with the arrow keys', async () => {
    await page.keyboard.press('ArrowRight');
    await page.waitForURL(/page=2/);
    await b.card('Journey 13').waitFor();
    await page.getByRole('button', { name: 'Page 1', exact: true }).click();
    await expect.poll(() => page.url()).not.toMatch(/page/);
    await page.goto(`${b.address}/?page=99`);
    await page.getByText('Page 99 does not exist. This is the last page.').waitFor();
    await b.card('Journey 13').waitFor();
    expect(new URL(page.url()).search).toBe('?page=2');
    for (const invalid of ['0', 'abc', '-1']) {
      await page.goto(`${b.address}/?page=${invalid}`);
      await b.card('Journey 01').waitFor();
      await expect.poll(() => new URL(page.url()).search).toBe('');
    }
    await page.goto(`${b.address}/downloads/?page=5`);
    await page.getByText('Page 5 does not exist. This is the last page.').waitFor();
    await page.goto(`${b.address}/?page=2`);
    await b.card('Journey 13').waitFor();
    await page.getByRole('link', { name: 'Channels', exact: true }).first().click();
    await page.waitForURL(/channel\/$/);
  });

  test('filters by kind, height, dates, duration and unwatched', async () => {
    await page.goto(b.address);
    await page.getByRole('button', { name: 'Filters' }).click();
    await page.getByRole('radio', { name: 'Shorts' }).click();
    await expect.poll(titles).toEqual(['Whistle']);
    await page.getByRole('radiogroup', { name: 'Type' }).getByRole('radio', { name: 'All' }).click();
    await page.getByLabel('Resolution (px)').fill('160');
    await expect.poll(titles).toEqual(['Whistle']);
    await page.waitForURL(/height=160/);
    await page.getByLabel('Resolution (px)').fill('');
    const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
    const published = page.getByRole('group', { name: 'Published' });
    await published.getByLabel('From').fill(daysAgo(3));
    await published.getByLabel('To').fill(daysAgo(2));
    await expect.poll(titles).toEqual(['Journey 02', 'Journey 03']);
    const length = page.getByRole('group', { name: 'Length (minutes)' });
    await length.getByLabel('From').fill('1');
    await page.getByRole('heading', { name: 'No matches' }).waitFor();
    await length.getByRole('button', { name: 'Under 10 min' }).click();
    await expect.poll(titles).toEqual(['Journey 02', 'Journey 03']);
    expect(await length.getByLabel('From').inputValue()).toBe('');
    expect(await length.getByLabel('To').inputValue()).toBe('10');
    await length.getByRole('button', { name: '10 to 30 min' }).click();
    await page.waitForURL((url) => url.searchParams.get('min') === '10' && url.searchParams.get('max') === '30');
    await page.goto(`${b.address}/?from=${daysAgo(1)}&max=1`);
    await expect.poll(titles).toEqual(['Journey 01']);
    await page.getByRole('button', { name: 'Filters · 2' }).click();
    await page.getByRole('radiogroup', { name: 'Watched' }).getByRole('radio', { name: 'All' }).press('ArrowLeft');
    await page.waitForURL(/watch=watched/);
    await expect.poll(focused).toBe('Watched');
    await page.getByRole('heading', { name: 'No matches' }).waitFor();
    await expectAccessibleAtAllWidths(page);
    await page.getByRole('button', { name: 'Clear filters' }).first().click();
    await b.card('Journey 01').waitFor();
  });

  test('shows the same videos as cards, rows and table, with the chosen number of columns', async () => {
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
    await expectAccessibleAtAllWidths(page);
    await page.getByRole('radio', { name: 'Table' }).click();
    await page.getByRole('columnheader', { name: 'Length' }).getByRole('button').click();
    await expect.poll(() => page.getByRole('row').nth(1).textContent()).toMatch(/A loaf/);
    await expectAccessibleAtAllWidths(page);
    await page.getByRole('columnheader', { name: 'Title' }).getByRole('button').click();
    await expect.poll(() => page.getByRole('row').nth(1).textContent()).toMatch(/A loaf/);
    await page.getByRole('button', { name: 'Columns of the table' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Codec' }).click();
    await page.keyboard.press('Escape');
    await page.reload();
    await page.getByRole('columnheader', { name: 'Codec' }).waitFor();
    await page.evaluate('localStorage.removeItem("reelkeep.table-columns")');
    await page.getByRole('columnheader', { name: 'Published' }).getByRole('button').click();
    await page.getByRole('radio', { name: 'List' }).click();
    await expect.poll(inFirstRow).toBe(1);
    await expectAccessibleAtAllWidths(page);
    await page.getByRole('radio', { name: 'Grid' }).click();
  });

  test('moves over cards with arrow keys, and runs shortcuts, which are listed and can be disabled', async () => {
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
    await page.getByText('Added to Up next.').waitFor();
    const queued = () => page.evaluate(() => localStorage.getItem('reelkeep.queue') ?? '');
    expect(await queued()).toContain(journeys[4]!.id);
    await page.keyboard.press('?');
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await help.getByText('Mark as watched or unwatched').waitFor();
    await expectAccessibleAtAllWidths(page);
    await help.getByLabel('Single-key shortcuts').selectOption('off');
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

  test('turns the thumbnail of a card into the player, unless motion is reduced', async () => {
    for (const reducedMotion of ['no-preference', 'reduce'] as const) {
      await page.emulateMedia({ reducedMotion });
      await page.goto(b.address);
      await page.evaluate(`globalThis.animated = [];
        const start = document.startViewTransition.bind(document);
        document.startViewTransition = (update) => {
          const transition = start(update);
          transition.ready.then(() => animated.push(...document.getAnimations().map((one) => one.effect.pseudoElement)));
          return transition;
        }`);
      await b.card('Journey 01').getByRole('heading').getByRole('link').click();
      await page.waitForURL(/video\/journeyNo01/);
      const animated = () => page.evaluate<string[]>('animated');
      if (reducedMotion === 'reduce') expect(await animated()).toEqual([]);
      // The old picture and the new one: one element on both pages.
      else for (const half of ['old', 'new']) await expect.poll(animated).toContain(`::view-transition-${half}(player)`);
    }
  });

  test('restores the position when a watched mark is undone', async () => {
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

  test('filters a list in the URL, and saves the filter as a smart list', async () => {
    await page.goto(`${b.address}/?damaged=true`);
    await page.getByRole('heading', { name: 'No matches' }).waitFor();
    await page.getByRole('button', { name: 'Filters · 1' }).click();
    await page.getByLabel('File check', { exact: true }).selectOption('Not failed');
    await b.card('Journey 01').waitFor();
    await page.getByLabel('Tag', { exact: true }).fill('SOURdough');
    await expect.poll(titles).toEqual([expect.stringMatching(/A loaf/)]);
    await page.getByLabel('Subtitle language').selectOption('English · 1');
    await page.getByLabel('Video codec').selectOption({ label: 'H.264 · 16' });
    await page.getByLabel('Transcript', { exact: true }).selectOption('Missing');
    await page.getByRole('heading', { name: 'No matches' }).waitFor();
    await page.getByLabel('Transcript', { exact: true }).selectOption('Available');
    await b.card('A loaf').waitFor();
    await page.getByRole('group', { name: 'File size (MiB)' }).getByLabel('From').fill('900');
    await page.waitForURL(/min_size=943718400/);
    await page.getByRole('heading', { name: 'No matches' }).waitFor();
    await page.getByRole('group', { name: 'File size (MiB)' }).getByLabel('From').fill('');
    await b.card('A loaf').waitFor();
    await expectAccessibleAtAllWidths(page);
    await page.setViewportSize({ width: 360, height: 740 });
    const sheet = page.getByRole('dialog', { name: 'Filters' });
    await sheet.waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
    // Dates are shown with their year, and all options are visible.
    const clipped =
      await page.evaluate(`[...document.querySelectorAll('[role=dialog] :is([type=date], [role=radiogroup])')].filter((one) => {
      const { width } = one.getBoundingClientRect();
      one.style.cssText = 'width: max-content; min-width: 0';
      const needed = one.matches('input') ? one.getBoundingClientRect().width : 0;
      one.style.cssText = '';
      return width < needed || one.scrollWidth > one.clientWidth;
    }).map((one) => one.labels?.[0].textContent ?? one.ariaLabel)`);
    expect(clipped).toEqual([]);
    expect(await sheet.locator('[type=date]').count()).toBe(2);
    await expectAccessibleAtAllWidths(page);
    await page.setViewportSize({ width: 360, height: 740 });
    await sheet.getByRole('button', { name: 'Close' }).click();
    await expect.poll(() => page.evaluate('document.activeElement?.ariaLabel')).toMatch(/^Filters/);
    // All controls of the bar are inside of the window.
    const outside = `[...document.querySelectorAll('main :is(button, select)')].filter((one) => one.getBoundingClientRect().right > innerWidth).length`;
    expect(await page.evaluate(outside)).toBe(0);
    await page.getByRole('button', { name: 'View' }).click();
    await page.getByRole('menuitemradio', { name: 'List' }).click();
    await expect.poll(async () => (await b.visitor.call('GET', '/api/user/me/')).json).toMatchObject({ view_style_home: 'list' });
    await b.visitor.call('POST', '/api/user/me/', { view_style_home: 'grid' });
    await page.getByRole('button', { name: /^Filters/ }).click();
    await sheet.waitFor();
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByRole('radio', { name: 'Unwatched' }).click();
    const chips = () => page.getByRole('list', { name: 'Active filters' }).getByRole('button');
    await expect
      .poll(() => chips().allTextContents())
      .toEqual(['Unwatched', 'Tag “SOURdough”', 'Subtitles: English', 'H.264', 'With transcript', 'File check not failed']);
    await page.getByRole('button', { name: 'Remove the filter “H.264”' }).click();
    await expect.poll(() => chips().count()).toBe(5);
    expect(new URL(page.url()).searchParams.has('codec')).toBe(false);
    await page.getByRole('button', { name: 'Save as smart list' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Bread');
    await expectNoA11yProblems(page);
    await page.getByLabel('Name', { exact: true }).press('Enter');
    await page.waitForURL(/\/list\/\d+\/$/);
    await page.getByRole('heading', { name: 'Bread', level: 1 }).waitFor();
    await expect.poll(titles).toEqual([expect.stringMatching(/A loaf/)]);
    // The filter of watched videos is a setting, which would stay on the home page.
    await page.getByRole('link', { name: 'Home', exact: true }).click();
    await b.card('Journey 01').waitFor();
    expect(await chips().count()).toBe(0);
    expect((await b.visitor.call('GET', '/api/user/me/')).json).toMatchObject({ hide_watched: false });
  });

  test('shows a smart list in the sidebar, finds, changes, deletes and restores it', async () => {
    const { id } = (await b.visitor.call('POST', '/api/list/', { name: 'All aboard', filter: { tag: 'one' } })).json as {
      id: number;
    };
    await page.goto(`${b.address}/list/${id}/`);
    await expect.poll(async () => (await titles())[0]).toBe('Journey 01');
    const sidebarLists = page.getByRole('list', { name: 'Smart lists' });
    await expect.poll(() => sidebarLists.getByRole('link').allTextContents()).toEqual(['All aboard', 'Bread']);
    await page.getByLabel('Order').selectOption({ label: 'Length' });
    await expect.poll(async () => (await titles())[0]).toMatch(/A loaf/);
    await page.reload();
    await expect.poll(async () => (await titles())[0]).toMatch(/A loaf/);
    await page.getByRole('button', { name: 'Discard changes' }).click();
    await expect.poll(async () => (await titles())[0]).toBe('Journey 01');
    await page.getByRole('button', { name: 'Filters · 1' }).click();
    await page.getByRole('radio', { name: 'Shorts' }).click();
    await expect.poll(titles).toEqual(['Whistle']);
    await expectAccessibleAtAllWidths(page);
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.waitForURL(/\/list\/\d+\/$/);
    await page.getByRole('button', { name: 'Edit smart list' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Zigzag');
    await page.getByLabel('Share with all users').click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect.poll(() => sidebarLists.getByRole('link').allTextContents()).toEqual(['Bread', 'Zigzag']);
    await page.getByRole('button', { name: 'Delete smart list' }).click();
    await expect.poll(() => sidebarLists.getByRole('link').allTextContents()).toEqual(['Bread']);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('heading', { name: 'Zigzag', level: 1 }).waitFor();
    await expect.poll(titles).toEqual(['Whistle']);
    await page.getByText('Shared with all users').waitFor();
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
    await page.getByRole('heading', { name: 'That smart list does not exist' }).waitFor();
  });

  test('no page is wider than the window at 320 pixels or 400 % zoom', async () => {
    await page.setViewportSize({ width: 320, height: 640 });
    const settings = ['', 'user/', 'application/', 'scheduling/', 'actions/', 'health/', 'runs/', 'bin/', 'people/'];
    const paths = ['/', '/?view=table', '/channel/', '/playlist/', '/downloads/', '/search/?query=journey', '/about/'];
    const tooWide: string[] = [];
    for (const path of [...paths, `/video/${journeys[0]!.id}/`, ...settings.map((name) => `/settings/${name}`)]) {
      await page.goto(`${b.address}${path}`);
      await page.locator('main :is(h1, h2, h3)').first().waitFor();
      await expect.poll(() => page.locator('[data-skeleton]').count()).toBe(0);
      const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');
      if (overflow > 0) tooWide.push(`${path}: ${overflow}`);
    }
    expect(tooWide).toEqual([]);
    // Items of the reorder list have titles of any length.
    const created = (await b.visitor.call('POST', '/api/playlist/custom/', { playlist_name: 'All of the bread there is' }))
      .json as {
      playlist_id: string;
    };
    for (const { id: video_id } of [loaf, journeys[0]!])
      await b.visitor.call('POST', `/api/playlist/custom/${created.playlist_id}/`, { action: 'create', video_id });
    await page.goto(`${b.address}/playlist/${created.playlist_id}/`);
    await page.getByRole('button', { name: 'Reorder' }).click();
    await page.getByRole('list', { name: 'Playlist order' }).waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320);
    // The icon of a user is next to the name and does not cover it.
    await page.goto(`${b.address}/settings/health/users/`);
    const row = page.getByRole('listitem').filter({ has: page.locator('strong', { hasText: 'demo' }) });
    const [icon, name] = [await row.locator('svg').first().boundingBox(), await row.locator('strong').boundingBox()];
    expect(icon!.x + icon!.width).toBeLessThan(name!.x);
  });

  test('shows selection and switches in forced-colors mode', async () => {
    await page.emulateMedia({ forcedColors: 'active' });
    await page.goto(`${b.address}/settings/user/`);
    const backgroundOf = (element: Locator) =>
      element.evaluate(
        (one) =>
          (globalThis as never as { getComputedStyle(of: unknown): { backgroundColor: string } }).getComputedStyle(one)
            .backgroundColor,
      );
    const onColor = await backgroundOf(page.getByLabel('Show help texts'));
    expect(onColor).not.toBe(await backgroundOf(page.getByLabel('Hide watched videos on the home page')));
    const tab = (name: string) => backgroundOf(page.getByRole('link', { name, exact: true }));
    expect(await tab('Appearance')).not.toBe(await tab('Playback'));
    await page.emulateMedia({ forcedColors: null });
  });
});
