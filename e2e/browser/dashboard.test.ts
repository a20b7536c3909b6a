import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aCatalogue, aChannel, aVideo } from '../../test-site/builders.ts';
import { eventually } from '../support/acquisition.ts';
import { openSettingsBrowser, expectAccessible, type OpenBrowser } from '../support/browser-settings.ts';
import { canBrowse, expectNoA11yProblems } from '../support/in-browser.ts';

const channel = aChannel({ name: 'Night Trains' });
const videos = ['First', 'Second'].map((title, index) => aVideo({ id: `dashVid000${index}`, channelId: channel.id, title }));

describe.runIf(canBrowse)('the dashboard', () => {
  let b: OpenBrowser;
  beforeAll(async () => {
    b = await openSettingsBrowser(aCatalogue({ channels: [channel], videos, playlists: [] }));
  });
  afterAll(() => b.close());
  /** Downloads both videos if they are missing, because tests may run alone. */
  const ensureVideos = async () => {
    const isArchived = async (id: string) => (await b.visitor.call('GET', `/api/video/${id}/`)).status === 200;
    const ids = videos.map(({ id }) => id);
    if ((await Promise.all(ids.map(isArchived))).every(Boolean)) return;
    await b.visitor.call('POST', '/api/download/?autostart=true', { data: ids.map((youtube_id) => ({ youtube_id })) });
    for (const id of ids) await eventually(() => isArchived(id));
  };
  /** The library grows on the last days, one video a day; growth of a single day is not drawn. */
  const growOver = (count: number, sizeOf: (n: number) => number) => {
    const today = Math.floor(Date.now() / 86_400_000);
    const days = Array.from({ length: count }, (_, n) => ({
      date: new Date((today - count + 1 + n) * 86_400_000).toISOString().slice(0, 10),
      count: 1,
      media_size: sizeOf(n),
    }));
    return b.page.route('**/api/stats/growth/', (route) => route.fulfill({ json: days }));
  };
  const group = (name: string) => b.page.getByRole('region', { name, exact: true });

  const openDashboard = async () => {
    await b.page.goto('about:blank'); // an address that differs in its fragment only would not be loaded again
    await b.page.goto(`${b.address}/settings/#dashboard`);
  };

  test('shows an empty archive', async () => {
    const { page } = b;
    await openDashboard();
    await page.getByRole('heading', { name: 'Your archive' }).waitFor();
    await page.getByText('No recent downloads').waitFor();
    await group('Overview')
      .getByRole('row', { name: /^All 0 / })
      .waitFor();
    for (const name of ['Growth', 'Biggest channels', 'Storage by channel', 'Watched per day'])
      await expect.poll(() => group(name).count()).toBe(0);
    await expectAccessible(page);
  });

  test('counts the videos that their source no longer has, and opens their list', async () => {
    const { page } = b;
    await ensureVideos();
    const sum = { doc_count: 2, media_size: 2e9, duration: 1500, duration_str: '25m' };
    const [type_videos, type_shorts, type_streams] = [sum, null, null];
    const stats = { ...sum, type_videos, type_shorts, type_streams, active_true: null, active_false: { ...sum, doc_count: 1 } };
    await page.route('**/api/stats/video/', (route) => route.fulfill({ json: stats }));
    await openDashboard();
    await page.getByText('25 min', { exact: true }).first().waitFor();
    await page.getByRole('link', { name: '1 no longer available at the source' }).click();
    await page.getByRole('heading', { name: 'No longer available at the source' }).waitFor();
    await page.getByText('No videos match these filters.').waitFor();
    expect(new URL(page.url()).searchParams.get('active')).toBe('false');
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Filters · 1' }).click();
    await page.getByLabel('At the source', { exact: true }).selectOption('Available');
    await page.getByRole('heading', { name: 'Still available at the source' }).waitFor();
    await page.getByText(/^2 videos · /).waitFor();
    await expectAccessible(page);
  });

  test('shows statistics as charts, and each chart as a table', async () => {
    const { page } = b;
    await ensureVideos();
    await growOver(2, () => 1e6);
    await openDashboard();
    await group('Download history').getByText('+2 videos').waitFor();
    await group('Overview')
      .getByRole('row', { name: /^All 2 .*B/ })
      .waitFor();
    await group('Video type').getByRole('img', { name: 'Video type: Regular 2, Shorts 0, Streams 0' }).waitFor();
    await group('Watch progress')
      .getByRole('row', { name: /^Unwatched 2 / })
      .waitFor();
    for (const name of [
      'Growth',
      'Video type',
      'Storage',
      'Download history',
      'Activity by weekday and hour',
      'Storage by channel',
      'Resolution and codec',
      'Site reliability',
    ]) {
      await group(name)
        .getByRole('button', { name: `Table: ${name}` })
        .click();
      await group(name).getByRole('table').waitFor();
    }
    await expectAccessible(page);
    for (const name of ['Growth', 'Storage by channel', 'Site reliability'])
      await group(name)
        .getByRole('button', { name: `Table: ${name}` })
        .click();
    await expectAccessible(page);
  });

  test('reads the growth chart by keyboard, and opens channels from rows and tiles', async () => {
    const { page } = b;
    await ensureVideos();
    await growOver(2, () => 1e6);
    await openDashboard();
    const day = group('Growth').getByRole('slider', { name: 'Day' });
    await day.press('End');
    await expect.poll(() => day.getAttribute('aria-valuetext')).toMatch(/: .*B$/);
    await day.press('Home');
    await expect.poll(() => day.getAttribute('aria-valuetext')).toMatch(/: 0 B$/);
    await group('Growth').getByText('1 event').click();
    await group('Growth')
      .getByRole('listitem')
      .filter({ hasText: /Switched to yt-dlp / })
      .waitFor();
    await group('Growth').getByRole('radio', { name: 'Videos' }).click();
    await day.press('End');
    await expect.poll(() => day.getAttribute('aria-valuetext')).toMatch(/: 2 videos$/);
    await expect.poll(() => group('Biggest channels').getByRole('table').count()).toBe(3);
    await group('Storage by channel')
      .getByRole('button', { name: /^Night Trains/ })
      .click();
    // The suggestions change the size of the menu.
    await page.getByRole('menu').waitFor();
    await expect.poll(() => page.getByRole('menu').locator('[data-skeleton]').count()).toBe(0);
    await page.getByRole('menuitem', { name: 'Open channel' }).click();
    await page.getByRole('heading', { name: 'Night Trains' }).waitFor();
    await page.goBack();
    await group('Biggest channels').getByRole('link', { name: 'Night Trains' }).first().click();
    await page.getByRole('heading', { name: 'Night Trains' }).waitFor();
  });

  test('zooms into a period by keyboard and pointer, and forecasts when the disk is full', async () => {
    const { page } = b;
    await growOver(60, (n) => (n % 2 ? 3e9 : 1e9));
    await page.route('**/api/stats/storage/', (route) =>
      route.fulfill({ json: { free: 200e9, total: 400e9, media_size: 120e9 } }),
    );
    await openDashboard();
    const from = group('Growth').getByRole('slider', { name: 'Start of range' });
    const day = group('Growth').getByRole('slider', { name: 'Day' });
    await expect.poll(() => day.getAttribute('max')).toBe('60');
    await from.press('End');
    await expect.poll(() => day.getAttribute('max')).toBe('1');
    await group('Growth').getByRole('button', { name: 'All time' }).click();
    const box = (await from.boundingBox())!;
    await page.mouse.move(box.x + box.width * 0.25, box.y + 10);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.75, box.y + 10, { steps: 4 });
    await page.mouse.up();
    await expect.poll(() => day.getAttribute('max')).toBe('30');
    await group('Storage')
      .getByText(/^At the rate of the last 30 days, the disk is full around .* \(between .* and .*\)\.$/)
      .waitFor();
    const forecast = group('Storage').getByRole('slider', { name: 'Forecast date' });
    await forecast.press('End');
    await expect.poll(() => forecast.getAttribute('aria-valuetext')).toMatch(/: about 0 B free$/);
    await forecast.fill('40');
    await expect.poll(() => forecast.getAttribute('aria-valuetext')).toMatch(/: .*B to .*B free$/);
    await expectAccessible(page);
    // In right-to-left layout, the page is not wider than the window and charts keep their direction.
    await page.evaluate("document.documentElement.dir = 'rtl'");
    await expectNoA11yProblems(page, ['color-contrast']);
    await day.press('Home');
    await day.press('ArrowRight');
    await expect.poll(() => day.inputValue()).toBe('1');
    await page.unrouteAll();
  });

  test('opens the videos of a day from the history, and removes that filter', async () => {
    const { page } = b;
    await ensureVideos();
    await openDashboard();
    await expect
      .poll(() => group('Site reliability').getByRole('slider').getAttribute('aria-valuetext'))
      .toMatch(/youtube: 2 archived$/);
    await group('Download history')
      .getByRole('link', { name: /\+2 videos/ })
      .click();
    await page.getByRole('button', { name: /Added on / }).waitFor();
    await page.getByRole('link', { name: 'Second' }).first().waitFor();
    await page.goto(`${b.address}/?downloaded_to=2020-01-01`);
    await page.getByText('No videos match these filters.').waitFor();
    await page.getByRole('button', { name: /Added on or before / }).click();
    await page.getByRole('link', { name: 'Second' }).first().waitFor();
    expect(new URL(page.url()).search).toBe('');
  });

  test('shows activity by hour and day by keyboard and as tables', async () => {
    const { page } = b;
    await ensureVideos();
    await b.visitor.call('POST', '/api/watched/', { id: videos[0]!.id, is_watched: true });
    await openDashboard();
    const hour = group('Activity by weekday and hour').getByRole('slider', { name: 'Weekday and hour' });
    await expect.poll(() => hour.getAttribute('aria-valuetext')).toMatch(/day, \d+ [AP]M: 1 video, \d+ (s|min)$/);
    await hour.press('Home');
    await expect.poll(() => hour.getAttribute('aria-valuetext')).toMatch(/^Monday, 12 AM: /);
    await group('Activity by weekday and hour').getByRole('radio', { name: 'Downloaded' }).click();
    await expect.poll(() => hour.getAttribute('aria-valuetext')).toMatch(/day, \d+ [AP]M: [12] videos?$/);
    const day = group('Watched per day').getByRole('slider', { name: 'Day' });
    await day.press('End');
    await expect.poll(() => day.getAttribute('aria-valuetext')).toMatch(/20\d\d: 1 video, \d+ (s|min)$/);
    await day.press('Home');
    await expect.poll(() => day.getAttribute('aria-valuetext')).toMatch(/: nothing$/);
    await expectAccessible(page);
    for (const name of ['Activity by weekday and hour', 'Watched per day']) {
      await group(name)
        .getByRole('button', { name: `Table: ${name}` })
        .click();
      await group(name).getByRole('table').getByRole('row').nth(1).waitFor();
    }
    await b.visitor.call('POST', '/api/watched/', { id: videos[0]!.id, is_watched: false });
  });

  test('suggests lists of videos to delete to staff, with number and size, and deletes after a preview', async () => {
    const { page } = b;
    await ensureVideos();
    await b.visitor.call('POST', '/api/watched/', { id: videos[0]!.id, is_watched: true });
    const suggestion = group('Free up space').getByRole('link', {
      name: /^Watched · Still available at the source 1 video · /,
    });
    const account = '**/api/user/account/';
    await page.route(account, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...((await response.json()) as object), is_staff: false } });
    });
    await openDashboard();
    await group('Storage by channel')
      .getByRole('link', { name: /^Night Trains/ })
      .waitFor();
    await expect.poll(() => group('Free up space').count()).toBe(0);
    await page.unroute(account);
    await openDashboard();
    await suggestion.waitFor();
    await expectAccessible(page);
    await suggestion.click();
    await page.getByRole('heading', { name: 'Watched · Still available at the source' }).waitFor();
    await page.getByRole('link', { name: 'First', exact: true }).first().waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Delete 1 video…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete all matching videos?' });
    await dialog.getByText(/^1 video \(.*B\)$/).waitFor();
    await dialog.getByRole('button', { name: 'Delete all videos' }).click();
    await page.getByText('No videos match these filters.').waitFor();
    const { json } = await b.visitor.call('GET', '/api/trash/');
    expect((json as { data: { title: string }[] }).data.map(({ title }) => title)).toEqual(['First']);
  });

  test('turns a list of watched videos into a cleanup rule, after a preview', async () => {
    const { page, visitor } = b;
    await ensureVideos();
    const { id } = videos[1]!;
    await visitor.call('POST', '/api/watched/', { id, is_watched: true });
    await openDashboard();
    await group('Storage by channel')
      .getByRole('button', { name: /^Night Trains/ })
      .press('Enter');
    await page.getByRole('menuitem', { name: /^Watched · Still available at the source 1 video/ }).waitFor();
    await expectAccessible(page);
    await page.getByRole('menuitem', { name: /^Watched · Still available at the source 1 video/ }).click();
    await page.getByRole('heading', { name: 'Night Trains · Watched · Still available at the source' }).waitFor();
    await page.getByRole('button', { name: 'Delete automatically…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete watched videos of Night Trains automatically' });
    await dialog.getByText('Would delete nothing now.').waitFor();
    await dialog.getByLabel('Days after watching').fill('0');
    await dialog.getByText(/^Would delete 1 video now \(.*B\)\.$/).waitFor();
    await dialog.getByText('Show videos').click();
    await dialog.getByText('Second', { exact: true }).waitFor();
    await expectAccessible(page);
    await dialog.getByLabel(/^Larger than/).fill('1');
    await dialog.getByText('Would delete nothing now.').waitFor();
    await dialog.getByRole('button', { name: 'Save rule' }).click();
    await page.getByText('Cleanup rule saved.').waitFor();
    const { json } = await visitor.call('GET', `/api/channel/${channel.id}/`);
    expect((json as { channel_overwrites: object }).channel_overwrites).toMatchObject({
      autodelete_days: 0,
      autodelete_min_size: 1024 ** 3,
      autodelete_available_only: true,
    });
    await page.goto(`${b.address}/channel/${channel.id}/about/`);
    await page.getByText('Larger than 1.0 GiB · Still available at the source').waitFor();
    await page.getByRole('button', { name: 'Reset: Delete watched videos after (days)' }).click();
    await expect.poll(() => page.getByText('Larger than 1.0 GiB').count()).toBe(0);
  });

  test('shows sizes in the unit of the user', async () => {
    await ensureVideos();
    await b.visitor.call('POST', '/api/user/me/', { file_size_unit: 'metric' });
    await openDashboard();
    await group('Overview')
      .getByRole('row', { name: /^All 2 [\d.]+ [kM]B / })
      .waitFor();
    await expect.poll(() => group('Overview').getByText(/iB/).count()).toBe(0);
    expect(b.errors).toEqual([]);
  });
});
