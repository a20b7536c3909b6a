import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aCatalogue, aChannel, aVideo } from '#standin/builders.ts';
import { eventually } from './acquiring.ts';
import { aBrowser, expectAccessible, type OpenBrowser } from './browser-settings.ts';
import { canBrowse } from './in-browser.ts';

const channel = aChannel({ name: 'Night Trains' });
const other = aChannel({ name: 'Boats' });
const good = aVideo({ id: 'goodVideo01', channelId: channel.id, title: 'A good train' });
const hidden = aVideo({ id: 'hiddenVid01', channelId: channel.id, title: 'A hidden train', fails: 'private' });
const boat = aVideo({ id: 'boatVideo01', channelId: other.id, title: 'A boat' });
const tooShort = aVideo({ id: 'shortVideo1', channelId: channel.id, title: 'A very short train', durationSeconds: 2 });

describe.runIf(canBrowse)('the queue as a workbench, in a browser', () => {
  let b: OpenBrowser;
  beforeAll(async () => {
    b = await aBrowser(aCatalogue({ channels: [channel, other], videos: [good, hidden, boat, tooShort], playlists: [] }));
    await b.visitor.call('POST', '/api/appsettings/config/', { downloads: { sleep_interval: null }, rules: { min_seconds: 4 } });
  });
  afterAll(() => b.close());
  const item = (title: string) => b.page.getByRole('article').filter({ hasText: title });
  const queueHas = async (count: number) =>
    eventually(
      async () =>
        ((await b.visitor.call('GET', '/api/download/?filter=pending')).json as { paginate: { total_hits: number } }).paginate
          .total_hits === count,
    );

  test('what a scan brought is told: new, left out with the reason, failed, each with the way to it', async () => {
    const { page, visitor } = b;
    await visitor.call('POST', '/api/channel/', { data: [{ channel_id: channel.id, channel_subscribed: true }] });
    await eventually(async () => ((await visitor.call('GET', '/api/channel/')).json as { data: unknown[] }).data.length === 1);
    await visitor.call('POST', '/api/task/by-name/update_subscribed/');
    await queueHas(2);
    await page.goto(`${b.address}/downloads/`);
    const scan = page.getByRole('region', { name: 'Last scan' });
    await scan.getByRole('button', { name: /Last scan/ }).click();
    await scan.getByText('It is too short.').waitFor();
    await scan.getByRole('link', { name: 'A good train' }).waitFor();
    await scan.getByText(/It is private/).waitFor();
    await scan.getByText('What the program said').first().click();
    await scan
      .getByText(/ERROR:.*[Pp]rivate/)
      .first()
      .waitFor();
    await expectAccessible(page);
    await scan.getByRole('link', { name: 'The log of this scan' }).click();
    await page.getByRole('heading', { name: 'Rescan your Subscriptions' }).waitFor();
    await page.getByText(/^Looking at Night Trains/).waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'All runs' }).click();
    await page.getByRole('radio', { name: 'With problems' }).click();
    await page.getByRole('link', { name: 'Rescan your Subscriptions' }).first().waitFor();
    expect(page.url()).toContain('trouble=true');
    await expectAccessible(page);
  });

  test('where subtitles are not searched, a search of what is spoken says so, and leads to the switch', async () => {
    const { page, address } = b;
    await page.goto(`${address}/search/?query=full:train`);
    await page.getByRole('heading', { name: 'What is spoken is not searched' }).waitFor();
    await expectAccessible(page);
    // On a phone not all kinds fit: the chosen one is in sight.
    await page.setViewportSize({ width: 390, height: 844 });
    await page.reload();
    const chosen = page.getByRole('radio', { name: 'Spoken' });
    const row = page.getByRole('radiogroup', { name: 'Search in' });
    await chosen.waitFor();
    const [inner, outer] = [(await chosen.boundingBox())!, (await row.boundingBox())!];
    expect(inner.x + inner.width).toBeLessThanOrEqual(outer.x + outer.width);
    await page.setViewportSize({ width: 1280, height: 900 });
    await b.visitor.call('POST', '/api/appsettings/config/', { downloads: { subtitle: 'en' } });
    await page.getByRole('link', { name: 'Subtitles, under Settings' }).click();
    await page.getByRole('switch', { name: 'Search in subtitles' }).waitFor();
    await page.goto(`${address}/search/?query=nowhere`);
    await page.getByRole('heading', { name: 'Nothing found' }).waitFor();
  });

  test('the queue is searched and filtered in the address, and survives a reload', async () => {
    const { page, visitor } = b;
    await visitor.call('POST', '/api/download/', { data: [{ youtube_id: boat.id }] });
    await queueHas(3);
    await page.goto(`${b.address}/downloads/`);
    await page.getByLabel('Search the queue').fill('train');
    await expect.poll(() => page.getByRole('article').count()).toBe(2);
    expect(new URL(page.url()).searchParams.get('q')).toBe('train');
    await page.getByLabel('State').selectOption('Failed');
    await expect.poll(() => page.getByRole('article').count()).toBe(1);
    await page.getByLabel('Search the queue').fill('a hidden train');
    await page.waitForURL((url) => url.search === '?q=a+hidden+train&error=true');
    await page.goBack();
    await page.waitForURL((url) => url.search === '?q=train&error=true');
    await expect.poll(() => page.getByLabel('Search the queue').inputValue()).toBe('train');
    // The way back taken before the page has followed the address.
    await page.evaluate(`{
      const push = history.pushState.bind(history);
      history.pushState = (...what) => {
        history.pushState = push;
        push(...what);
        history.back();
      };
    }`);
    await page.getByLabel('Search the queue').fill('a boat');
    await expect.poll(() => page.getByLabel('Search the queue').inputValue()).toBe('train');
    expect(new URL(page.url()).search).toBe('?q=train&error=true');
    await page.reload();
    await item('A hidden train')
      .getByText(/It waits until somebody tries it again/)
      .waitFor();
    await page.goto(`${b.address}/downloads/?channel=${other.id}`);
    await item('A boat').waitFor();
    await expect.poll(() => page.getByRole('article').count()).toBe(1);
    await expect.poll(() => page.getByLabel('Channel').locator('option:checked').textContent()).toBe('Boats (1)');
  });

  test('an item goes to the front and back in line; one that failed is deleted', async () => {
    const { page, visitor } = b;
    await page.goto(`${b.address}/downloads/`);
    await page.getByText('2 waiting').waitFor();
    await page.getByText('1 failed').first().waitFor();
    await expect.poll(() => item('A hidden train').getByRole('button', { name: 'Delete' }).count()).toBe(1);
    await expect.poll(() => item('A boat').getByRole('button', { name: 'Delete' }).count()).toBe(0);
    await item('A hidden train').getByRole('button', { name: 'Delete' }).press('Enter');
    await expect.poll(() => item('A hidden train').count()).toBe(0);
    // Who goes by keys is at the one beside it, and not at the top of the page.
    await expect
      .poll(() => page.evaluate('document.activeElement?.matches("li") && document.activeElement.textContent'))
      .toMatch(/boat|good/);
    expect((await visitor.call('GET', `/api/download/${hidden.id}/`)).status).toBe(404);
  });

  test('what is done to all says first how many that are, and can be undone where that is possible', async () => {
    const { page, visitor } = b;
    const all = page.getByRole('group', { name: 'All of these' });
    await all.getByText('All 2 of these:').waitFor();
    await all.getByRole('button', { name: 'Ignore' }).click();
    await page.getByRole('dialog', { name: 'Ignore these 2?' }).getByRole('button', { name: 'Ignore: 2' }).click();
    await page.getByRole('heading', { name: 'The queue is empty' }).waitFor();
    await page.getByRole('radio', { name: 'Ignored' }).click();
    await all.getByRole('button', { name: 'Add to queue' }).click();
    await page.getByRole('button', { name: 'Add to queue: 2' }).click();
    await page.getByRole('heading', { name: 'Nothing is ignored' }).waitFor();
    await page.goto(`${b.address}/downloads/?q=boat`);
    await all.getByRole('button', { name: 'Forget' }).click();
    await page.getByRole('button', { name: 'Forget: 1' }).click();
    await page.getByRole('heading', { name: 'Nothing like that' }).waitFor();
    expect((await visitor.call('GET', `/api/download/${boat.id}/`)).status).toBe(404);
    expect((await visitor.call('GET', `/api/download/${good.id}/`)).status).toBe(200);
    expect(b.errors).toEqual([]);
  });
});
