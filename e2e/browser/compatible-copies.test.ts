import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aCatalogue, aChannel, aVideo } from '../../test-site/builders.ts';
import { expectAccessible, openSettingsBrowser, type OpenBrowser } from '../support/browser-settings.ts';
import { canBrowse } from '../support/in-browser.ts';
import { importUnusualFilms, unplayableFilms } from '../support/unusual-films.ts';
import { mediaOf, withoutHls } from '../support/watching.ts';

const channel = aChannel({ name: 'Night Trains' });
const videos = Object.keys(unplayableFilms).map((id) =>
  aVideo({
    id,
    channelId: channel.id,
    title: `Film ${id}`,
    durationSeconds: 20,
    ...(id === 'nothing0002' && { fails: 'private' }),
  }),
);

// Chromium plays neither H.265 nor AC-3.
describe.runIf(canBrowse)('a compatible copy', () => {
  let b: OpenBrowser;
  let media: ReturnType<typeof mediaOf>;
  const open = (id: string, second = 0) => b.page.goto(`${b.address}/video/${id}/${second > 0 ? `?t=${second}` : ''}`);
  const alert = () => b.page.getByRole('alert');
  const offer = 'Fetch a compatible copy';

  beforeAll(async () => {
    b = await openSettingsBrowser(aCatalogue({ channels: [channel], videos }));
    media = mediaOf(b.page);
    await withoutHls(b.page);
    await importUnusualFilms({ folder: b.folder.path, visitor: b.visitor }, unplayableFilms);
  });
  afterAll(() => b.close());

  test('is offered to staff where nothing of the file plays, and plays at the same position when it is there', async () => {
    await open('nothing0001', 12);
    await alert().getByText('This browser does not play H.265 video.').waitFor();
    await alert().getByRole('button', { name: offer }).waitFor();
    await expectAccessible(b.page);
    await alert().getByRole('button', { name: offer }).press('Enter');
    await expect.poll(media.source).toMatch(/nothing0001\.small\.mp4/);
    await expect.poll(media.position).toBe(12);
    await expect.poll(media.widthOfPicture).toBeGreaterThan(0);
    expect(await alert().count()).toBe(0);
    await media.play();
    await expect.poll(media.position).toBeGreaterThan(13);
    await media.pause();
    await open('nothing0001', 5);
    await expect.poll(media.source).toMatch(/nothing0001\.small\.mp4/);
    await b.page.getByRole('button', { name: 'Player settings' }).press('Enter');
    await b.page.getByText('Compatible copy', { exact: true }).waitFor();
    await b.page.getByText('Why?').press('Enter');
    await b.page.getByRole('listitem').getByText('A copy from the source plays instead: H.264, 180p.').waitFor();
    await expectAccessible(b.page);
  });

  test('that the source does not give is explained', async () => {
    await open('nothing0002');
    await alert().getByRole('button', { name: offer }).click();
    await alert()
      .getByRole('status')
      .getByText(/Private\./)
      .waitFor();
    await expectAccessible(b.page);
    expect(await alert().getByRole('button', { name: offer }).count()).toBe(0);
  });

  test('is offered in the settings of the player while the server converts the picture', async () => {
    await b.page.unroute('**/api/video/*/playback/');
    await open('soundOnly01', 4);
    await expect.poll(media.source).toMatch(/^blob:/);
    await expect.poll(media.widthOfPicture).toBe(320);
    await b.page.getByRole('button', { name: 'Player settings' }).press('Enter');
    await b.page.getByText('Why?').press('Enter');
    await b.page.getByRole('dialog').getByRole('button', { name: offer }).waitFor();
    await expectAccessible(b.page);
    await withoutHls(b.page);
  });

  test('is offered where only the sound plays', async () => {
    await open('soundOnly01', 4);
    const button = b.page.getByRole('button', { name: offer });
    await button.waitFor();
    await expectAccessible(b.page);
    await media.play();
    await button.click();
    await expect.poll(media.source).toMatch(/soundOnly01\.small\.mp4/);
    await expect.poll(media.position).toBeGreaterThan(4);
    expect([await media.isPaused(), await button.count()]).toEqual([false, 0]);
    expect(b.errors).toEqual([]);
  });
});
