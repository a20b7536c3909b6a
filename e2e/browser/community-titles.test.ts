import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Video } from '#contract/video.ts';
import { aCatalogue, aChannel, aVideo } from '../../test-site/builders.ts';
import { eventually } from '../support/acquisition.ts';
import { expectAccessible, openSettingsBrowser, type OpenBrowser } from '../support/browser-settings.ts';
import { canBrowse } from '../support/in-browser.ts';

const channel = aChannel({ name: 'Night Trains', look: { scene: 'train', seed: 2 } });
const [shouting, calm] = ['You WON’T believe this tunnel!!!', 'Crossing the Gotthard by night'];
const branding = { titles: [{ title: calm }], thumbnails: [{ timestamp: 4 }] };
const videos = [
  aVideo({ id: 'dearrowVid1', channelId: channel.id, title: shouting, durationSeconds: 6, branding }),
  aVideo({ id: 'dearrowVid2', channelId: channel.id, title: 'Plain title', durationSeconds: 6 }),
];
const note = `Title by viewers. Original: ${shouting}`;

describe.runIf(canBrowse)('titles and thumbnails by viewers', () => {
  let b: OpenBrowser;
  let page: Page;
  const goto = (path: string, on = page) => on.goto(`${b.address}${path}`);
  const card = (title: string, on = page) => on.getByRole('article').filter({ has: on.getByText(title, { exact: true }) });
  const pictureOf = (title: string, on = page) => card(title, on).locator('img').first().getAttribute('src');
  const heading = () => page.getByRole('heading', { level: 1 });
  const own = () => page.getByRole('button', { name: 'Show original' });

  beforeAll(async () => {
    b = await openSettingsBrowser(aCatalogue({ channels: [channel], videos }));
    ({ page } = b);
    await b.visitor.call('POST', '/api/appsettings/config/', { downloads: { integrate_dearrow: true } });
    const data = videos.map(({ id: youtube_id }) => ({ youtube_id }));
    await b.visitor.call('POST', '/api/download/?autostart=true', { data });
    const read = async (id: string) => (await b.visitor.call('GET', `/api/video/${id}/`)).json as unknown as Video;
    await eventually(async () => (await read('dearrowVid1')).community_thumb_url !== undefined);
    await eventually(async () => (await read('dearrowVid2')).title === 'Plain title');
  });
  afterAll(() => b.close());

  test('are not shown, nor their code loaded, until they are chosen', async () => {
    const loaded: string[] = [];
    page.on('request', (request) => loaded.push(new URL(request.url()).pathname));
    await goto('/');
    await card(shouting).waitFor();
    expect(await pictureOf(shouting)).toContain('/cache/videos/');
    await goto('/video/dearrowVid1/');
    await expect.poll(() => heading().textContent()).toBe(shouting);
    expect(await own().count()).toBe(0);
    expect(loaded.filter((path) => path.includes('/community'))).toEqual([]);
  });

  test('are chosen with the keyboard in Appearance, and are then on the cards, with a sign that names the original', async () => {
    await goto('/settings/user/');
    await page.getByText('Viewers submit better ones to DeArrow').waitFor();
    for (const label of ['Titles', 'Thumbnails']) {
      const field = page.getByLabel(label, { exact: true });
      await field.focus();
      await field.press('B');
      await expect.poll(() => field.inputValue()).toBe('community');
    }
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Home' }).first().click();
    await card(calm).waitFor();
    expect(await pictureOf(calm)).toContain('/cache/community/d/dearrowVid1.jpg');
    expect(await card(shouting).count()).toBe(0);
    const sign = card(calm).getByRole('img', { name: note });
    expect(await sign.getAttribute('title')).toBe(note);
    expect(
      await card('Plain title')
        .getByRole('img', { name: /Title by viewers/ })
        .count(),
    ).toBe(0);
    await expectAccessible(page);
  });

  test('are there from the start at the next visit, also in the table', async () => {
    await goto('/');
    await card(calm).waitFor();
    await b.visitor.call('POST', '/api/user/me/', { view_style_home: 'table' });
    await goto('/');
    await page.getByRole('row', { name: calm }).getByRole('img', { name: note }).waitFor();
    await expectAccessible(page);
    await b.visitor.call('POST', '/api/user/me/', { view_style_home: 'grid' });
  });

  test('are on the page of the video, in the player and in the mini player; the original is shown on request', async () => {
    await goto('/');
    await card(calm).getByRole('link', { name: calm }).last().click();
    await heading().filter({ hasText: calm }).waitFor();
    await heading().getByRole('img', { name: note }).waitFor();
    await page.getByLabel(`Player: ${calm}`).waitFor();
    expect(await page.title()).toContain(calm);
    await expectAccessible(page);
    await own().focus();
    await own().press('Enter');
    await expect.poll(() => heading().textContent()).toBe(shouting);
    expect(await page.getByRole('img', { name: 'Original thumbnail' }).getAttribute('src')).toContain('/cache/videos/d/');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Show version by viewers' }).press('Enter');
    await expect.poll(() => heading().textContent()).toBe(calm);
  });

  test('are in the palette and the search, which finds the original too', async () => {
    await goto('/');
    await card(calm).waitFor();
    await page.keyboard.press('Control+k');
    const palette = page.getByRole('dialog', { name: 'Commands' });
    await palette.getByRole('combobox').fill('believe');
    await palette
      .getByRole('option', { name: new RegExp(calm) })
      .first()
      .waitFor();
    await page.keyboard.press('Escape');
    for (const words of ['believe', 'gotthard']) {
      await goto(`/search/?query=${words}`);
      await page.getByRole('article', { name: calm }).getByRole('img', { name: note }).waitFor();
    }
    await expectAccessible(page);
  });

  test('are German', async () => {
    await page.evaluate(`localStorage.setItem('language', 'de')`);
    await goto('/video/dearrowVid1/');
    await heading()
      .getByRole('img', { name: `Titel von Zuschauern. Original: ${shouting}` })
      .waitFor();
    await page.getByRole('button', { name: 'Original anzeigen' }).waitFor();
    await page.evaluate(`localStorage.setItem('language', 'en')`);
  });

  test('are not shown to other people, and end with the choice', async () => {
    await b.visitor.call('POST', '/api/users/', { username: 'Other', password: 'words of another user' });
    const context = await b.browser.newContext();
    const other = await b.open(context);
    await b.logIn(other, 'Other', 'words of another user');
    await card(shouting, other).waitFor();
    expect(await pictureOf(shouting, other)).toContain('/cache/videos/');
    await context.close();
    await goto('/settings/user/');
    for (const label of ['Titles', 'Thumbnails']) await page.getByLabel(label, { exact: true }).selectOption('original');
    await page.getByRole('link', { name: 'Home' }).first().click();
    await card(shouting).waitFor();
    expect(await pictureOf(shouting)).toContain('/cache/videos/');
    expect(b.errors).toEqual([]);
  });
});
