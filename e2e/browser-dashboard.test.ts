import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aCatalogue, aChannel, aVideo } from '#standin/builders.ts';
import { eventually } from './acquiring.ts';
import { aBrowser, expectAccessible, type OpenBrowser } from './browser-settings.ts';
import { canBrowse, nothingIsWrong } from './in-browser.ts';

const channel = aChannel({ name: 'Night Trains' });
const videos = ['First', 'Second'].map((title, place) => aVideo({ id: `dashVid000${place}`, channelId: channel.id, title }));

describe.runIf(canBrowse)('the dashboard, in a browser', () => {
  let b: OpenBrowser;
  beforeAll(async () => {
    b = await aBrowser(aCatalogue({ channels: [channel], videos, playlists: [] }));
  });
  afterAll(() => b.close());
  /** Both videos are there, whichever test needs them first. */
  const haveVideos = async () => {
    const isThere = async (id: string) => (await b.visitor.call('GET', `/api/video/${id}/`)).status === 200;
    const ids = videos.map(({ id }) => id);
    if ((await Promise.all(ids.map(isThere))).every(Boolean)) return;
    await b.visitor.call('POST', '/api/download/?autostart=true', { data: ids.map((youtube_id) => ({ youtube_id })) });
    for (const id of ids) await eventually(() => isThere(id));
  };
  const group = (name: string) => b.page.getByRole('region', { name, exact: true });

  test('of an empty archive it says that there is nothing', async () => {
    const { page } = b;
    await page.goto(`${b.address}/settings/`);
    await page.getByRole('heading', { name: 'Your Archive' }).waitFor();
    await page.getByText('No recent downloads').waitFor();
    await page.getByText('It begins with the first video.').waitFor();
    await expectAccessible(page);
  });

  test('it tells what there is as pictures, and each picture as a table', async () => {
    const { page } = b;
    await haveVideos();
    await page.goto(`${b.address}/settings/`);
    await group('Download History').getByText('+2 Videos').waitFor();
    await group('Overview')
      .getByRole('row', { name: /^All 2 .*B/ })
      .waitFor();
    await group('Video Type').getByRole('img', { name: 'Video Type: Regular 2, Shorts 0, Streams 0' }).waitFor();
    await group('Watch Progress')
      .getByRole('row', { name: /^Unwatched 2 / })
      .waitFor();
    for (const name of [
      'Growth',
      'Video Type',
      'Storage',
      'Download History',
      'Hours of the week',
      'What takes up the space',
      'Resolution and codec',
      'How sites answer',
    ]) {
      await group(name)
        .getByRole('button', { name: `Table: ${name}` })
        .click();
      await group(name).getByRole('table').waitFor();
    }
    await expectAccessible(page);
    for (const name of ['Growth', 'What takes up the space', 'How sites answer'])
      await group(name)
        .getByRole('button', { name: `Table: ${name}` })
        .click();
    await expectAccessible(page);
  });

  test('how it grew is read by keyboard; channels are gone to from their rows and tiles', async () => {
    const { page } = b;
    await haveVideos();
    await page.goto(`${b.address}/settings/`);
    const day = group('Growth').getByRole('slider', { name: 'Day' });
    await day.press('End');
    await expect.poll(() => day.getAttribute('aria-valuetext')).toMatch(/: .*B$/);
    await day.press('Home');
    await expect.poll(() => day.getAttribute('aria-valuetext')).toMatch(/: 0 B$/);
    await group('Growth').getByText('What is marked: 1 event').click();
    await group('Growth')
      .getByRole('listitem')
      .filter({ hasText: /yt-dlp .* from here on/ })
      .waitFor();
    await group('Growth').getByRole('radio', { name: 'Videos' }).click();
    await day.press('End');
    await expect.poll(() => day.getAttribute('aria-valuetext')).toMatch(/: 2 videos$/);
    await expect.poll(() => group('Biggest Channels').getByRole('table').count()).toBe(3);
    await group('What takes up the space')
      .getByRole('link', { name: /^Night Trains/ })
      .click();
    await page.getByRole('heading', { name: 'Night Trains' }).waitFor();
    await page.goBack();
    await group('Biggest Channels').getByRole('link', { name: 'Night Trains' }).first().click();
    await page.getByRole('heading', { name: 'Night Trains' }).waitFor();
  });

  test('of a longer time a part is looked at, by keys and by drawing; and it is told when the disk is full', async () => {
    const { page } = b;
    const today = Math.floor(Date.now() / 86_400_000);
    const days = Array.from({ length: 60 }, (_, n) => ({
      date: new Date((today - 59 + n) * 86_400_000).toISOString().slice(0, 10),
      count: 1,
      media_size: n % 2 ? 3e9 : 1e9,
    }));
    await page.route('**/api/stats/growth/', (route) => route.fulfill({ json: days }));
    await page.route('**/api/stats/storage/', (route) =>
      route.fulfill({ json: { free: 200e9, total: 400e9, media_size: 120e9, last_problem: null } }),
    );
    await page.goto(`${b.address}/settings/`);
    const from = group('Growth').getByRole('slider', { name: 'Shown from' });
    const day = group('Growth').getByRole('slider', { name: 'Day' });
    await expect.poll(() => day.getAttribute('max')).toBe('60');
    await from.press('End');
    await expect.poll(() => day.getAttribute('max')).toBe('1');
    await group('Growth').getByRole('button', { name: 'The whole time' }).click();
    const box = (await from.boundingBox())!;
    await page.mouse.move(box.x + box.width * 0.25, box.y + 10);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.75, box.y + 10, { steps: 4 });
    await page.mouse.up();
    await expect.poll(() => day.getAttribute('max')).toBe('30');
    await group('Storage')
      .getByText(/^At the speed of the last 30 days it is full about .*: between .* and .*\.$/)
      .waitFor();
    const forecast = group('Storage').getByRole('slider', { name: 'Day of the forecast' });
    await forecast.press('End');
    await expect.poll(() => forecast.getAttribute('aria-valuetext')).toMatch(/: about 0 B free$/);
    await forecast.fill('40');
    await expect.poll(() => forecast.getAttribute('aria-valuetext')).toMatch(/: .*B to .*B free$/);
    await expectAccessible(page);
    // Where one reads from the right nothing is wider than the window either, and time still goes to the right.
    await page.evaluate("document.documentElement.dir = 'rtl'");
    await nothingIsWrong(page, ['color-contrast']);
    await day.press('Home');
    await day.press('ArrowRight');
    await expect.poll(() => day.inputValue()).toBe('1');
    await page.unrouteAll();
  });

  test('a day of the history leads to what came on it, and the list lets go of that again', async () => {
    const { page } = b;
    await haveVideos();
    await page.goto(`${b.address}/settings/`);
    await expect
      .poll(() => group('How sites answer').getByRole('slider').getAttribute('aria-valuetext'))
      .toMatch(/youtube: 2 archived$/);
    await group('Download History')
      .getByRole('link', { name: /\+2 Videos/ })
      .click();
    await page.getByRole('button', { name: /^Came on / }).waitFor();
    await page.getByRole('link', { name: 'Second' }).first().waitFor();
    await page.goto(`${b.address}/?downloaded_to=2020-01-01`);
    await page.getByText('No video matches what is chosen above.').waitFor();
    await page.getByRole('button', { name: /^Came on .* or before$/ }).click();
    await page.getByRole('link', { name: 'Second' }).first().waitFor();
    expect(new URL(page.url()).search).toBe('');
  });

  test('in which hours of the week one watches and videos come, and how much on which day, is read by keys and as tables', async () => {
    const { page } = b;
    await haveVideos();
    await b.visitor.call('POST', '/api/watched/', { id: videos[0]!.id, is_watched: true });
    await page.goto(`${b.address}/settings/`);
    const hour = group('Hours of the week').getByRole('slider', { name: 'Hour of the week' });
    await expect.poll(() => hour.getAttribute('aria-valuetext')).toMatch(/day, \d+ [AP]M: 1 video, \d+ (s|min)$/);
    await hour.press('Home');
    await expect.poll(() => hour.getAttribute('aria-valuetext')).toMatch(/^Monday, 12 AM: /);
    await group('Hours of the week').getByRole('radio', { name: 'Downloaded' }).click();
    await expect.poll(() => hour.getAttribute('aria-valuetext')).toMatch(/day, \d+ [AP]M: [12] videos?$/);
    const day = group('Watched day by day').getByRole('slider', { name: 'Day' });
    await day.press('End');
    await expect.poll(() => day.getAttribute('aria-valuetext')).toMatch(/20\d\d: 1 video, \d+ (s|min)$/);
    await day.press('Home');
    await expect.poll(() => day.getAttribute('aria-valuetext')).toMatch(/: nothing$/);
    await expectAccessible(page);
    for (const name of ['Hours of the week', 'Watched day by day']) {
      await group(name)
        .getByRole('button', { name: `Table: ${name}` })
        .click();
      await group(name).getByRole('table').getByRole('row').nth(1).waitFor();
    }
    await b.visitor.call('POST', '/api/watched/', { id: videos[0]!.id, is_watched: false });
  });

  test('sizes are told in the unit that the person chose', async () => {
    await haveVideos();
    await b.visitor.call('POST', '/api/user/me/', { file_size_unit: 'metric' });
    await b.page.goto(`${b.address}/settings/`);
    await group('Overview')
      .getByRole('row', { name: /^All 2 [\d.]+ [kM]B / })
      .waitFor();
    await expect.poll(() => group('Overview').getByText(/iB/).count()).toBe(0);
    expect(b.errors).toEqual([]);
  });
});
