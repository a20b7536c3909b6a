import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aCatalogue, aChannel, aVideo } from '#standin/builders.ts';
import { eventually } from './acquiring.ts';
import { aBrowser, expectAccessible, type OpenBrowser } from './browser-settings.ts';
import { canBrowse } from './in-browser.ts';

const channel = aChannel({ name: 'Night Trains' });
const videos = ['First', 'Second'].map((title, place) => aVideo({ id: `dashVid000${place}`, channelId: channel.id, title }));

describe.runIf(canBrowse)('the dashboard, in a browser', () => {
  let b: OpenBrowser;
  beforeAll(async () => {
    b = await aBrowser(aCatalogue({ channels: [channel], videos, playlists: [] }));
  });
  afterAll(() => b.close());
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
    await b.visitor.call('POST', '/api/download/?autostart=true', { data: videos.map(({ id }) => ({ youtube_id: id })) });
    for (const { id } of videos) await eventually(async () => (await b.visitor.call('GET', `/api/video/${id}/`)).status === 200);
    await page.reload();
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
      'What takes up the space',
      'Resolution and codec',
    ]) {
      await group(name)
        .getByRole('button', { name: `Table: ${name}` })
        .click();
      await group(name).getByRole('table').waitFor();
    }
    await expectAccessible(page);
    for (const name of ['Growth', 'What takes up the space'])
      await group(name)
        .getByRole('button', { name: `Table: ${name}` })
        .click();
    await expectAccessible(page);
  });

  test('how it grew is read by keyboard; channels are gone to from their rows and tiles', async () => {
    const { page } = b;
    const day = page.getByRole('slider', { name: 'Day' });
    await day.press('End');
    await expect.poll(() => day.getAttribute('aria-valuetext')).toMatch(/: .*B$/);
    await day.press('Home');
    await expect.poll(() => day.getAttribute('aria-valuetext')).toMatch(/: 0 B$/);
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

  test('sizes are told in the unit that the person chose', async () => {
    await b.visitor.call('POST', '/api/user/me/', { file_size_unit: 'metric' });
    await b.page.goto(`${b.address}/settings/`);
    await group('Overview')
      .getByRole('row', { name: /^All 2 [\d.]+ [kM]B / })
      .waitFor();
    await expect.poll(() => group('Overview').getByText(/iB/).count()).toBe(0);
    expect(b.errors).toEqual([]);
  });
});
