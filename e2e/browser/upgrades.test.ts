import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Video } from '#contract/video.ts';
import { aCatalogue, aChannel, aVideo } from '../../test-site/builders.ts';
import { eventually } from '../support/acquisition.ts';
import { expectAccessible, openSettingsBrowser, type OpenBrowser } from '../support/browser-settings.ts';
import { canBrowse } from '../support/in-browser.ts';

const channel = aChannel({ name: 'Night Trains' });
const videos = ['First', 'Second', 'Third', 'Fourth'].map((title, place) =>
  aVideo({
    id: `upgradeVid${place}`,
    channelId: channel.id,
    title,
    durationSeconds: place < 2 ? 3 : 6,
    width: 640,
    height: 360,
    isProcessing: true,
  }),
);

describe.runIf(canBrowse)('a better quality at the source', () => {
  let b: OpenBrowser;
  const read = async (id: string) => (await b.visitor.call('GET', `/api/video/${id}/`)).json as unknown as Video;
  const heightOf = async (id: string) => (await read(id)).streams.find(({ type }) => type === 'video')?.height;
  const open = (place: number) => b.page.goto(`${b.address}/video/${videos[place]!.id}/`);
  const about = () => b.page.getByRole('region', { name: 'About this video' });

  beforeAll(async () => {
    b = await openSettingsBrowser(aCatalogue({ channels: [channel], videos }));
    const ids = videos.map(({ id }) => id);
    await b.visitor.call('POST', '/api/download/?autostart=true', { data: ids.map((youtube_id) => ({ youtube_id })) });
    for (const id of ids) await eventually(async () => (await b.visitor.call('GET', `/api/video/${id}/`)).status === 200);
    for (const video of b.testSite.catalogue.videos) video.isProcessing = false;
    for (const { id } of videos.slice(2)) b.testSite.catalogue.videos.find((video) => video.id === id)!.durationSeconds = 4;
    await b.visitor.call('POST', '/api/refresh/', { video: ids });
    for (const id of ids.slice(0, 2)) await eventually(async () => (await read(id)).upgrade !== undefined);
    for (const id of ids.slice(2)) await eventually(async () => (await read(id)).source_duration !== undefined);
  });
  afterAll(() => b.close());

  test('is counted on the dashboard, which leads to the videos', async () => {
    const { page } = b;
    await page.goto(`${b.address}/settings/#dashboard`);
    await page.getByRole('link', { name: '2 videos exist in a better quality at their sources' }).click();
    await page.getByRole('link', { name: 'First', exact: true }).waitFor();
    await page.getByRole('link', { name: 'Second', exact: true }).waitFor();
    expect(await page.getByRole('link', { name: 'Third', exact: true }).count()).toBe(0);
  });

  test('is not offered again after it was declined with the keyboard', async () => {
    const { page } = b;
    await open(0);
    await about()
      .getByText(/Better quality available \(360p, about \d+.*\)\./)
      .waitFor();
    await expectAccessible(page);
    await about().getByRole('button', { name: 'Keep this file' }).press('Enter');
    await page.getByText('This quality is not offered again.').waitFor();
    await expect.poll(() => about().getByText('Better quality available').count()).toBe(0);
    expect(await heightOf(videos[0]!.id)).toBe(180);
  });

  test('replaces the file', async () => {
    const { page } = b;
    await open(1);
    await about().getByRole('button', { name: 'Replace', exact: true }).click();
    await page.getByText('Queued for download.').waitFor();
    await eventually(async () => (await heightOf(videos[1]!.id)) === 360);
    await expect.poll(() => about().getByText('Better quality available').count()).toBe(0);
  });

  test('of another length is kept next to the present file', async () => {
    const { page } = b;
    await open(3);
    await about().getByRole('button', { name: 'Keep both' }).press('Enter');
    await page.getByText('The present file becomes a video of its own').waitFor();
    await eventually(async () => (await read(videos[3]!.id)).player.duration === 4);
    await page.goto(`${b.address}/channel/${channel.id}/`);
    await page.getByRole('link', { name: 'Fourth', exact: true }).waitFor();
    await page.getByRole('link', { name: 'Fourth (6s)', exact: true }).click();
    await expect
      .poll(() => page.locator('video').evaluate((media) => (media as unknown as { duration: number }).duration))
      .toBeCloseTo(6, 0);
  });

  test('of another length is replaced after a question', async () => {
    const { page } = b;
    await open(2);
    await about().getByText('The version at the source is 2 s shorter than this file.').waitFor();
    await about().getByRole('button', { name: 'Replace…' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Replace the file?' });
    await dialog.waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await expect.poll(() => dialog.count()).toBe(0);
    await about().getByRole('button', { name: 'Replace…' }).click();
    await dialog.getByRole('button', { name: 'Replace', exact: true }).click();
    await eventually(async () => (await read(videos[2]!.id)).player.duration === 4);
    await expect.poll(() => about().getByText('shorter than this file').count()).toBe(0);
  });
});
