import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aCatalogue, aChannel, aVideo } from '../../test-site/builders.ts';
import { eventually } from '../support/acquisition.ts';
import { openSettingsBrowser, expectAccessible, type OpenBrowser } from '../support/browser-settings.ts';
import { canBrowse } from '../support/in-browser.ts';

const channel = aChannel({ name: 'Night Trains' });
const other = aChannel({ name: 'Boats' });
const good = aVideo({ id: 'goodVideo01', channelId: channel.id, title: 'A good train' });
const hidden = aVideo({ id: 'hiddenVid01', channelId: channel.id, title: 'A hidden train', fails: 'private' });
const boat = aVideo({ id: 'boatVideo01', channelId: other.id, title: 'A boat' });
const tooShort = aVideo({ id: 'shortVideo1', channelId: channel.id, title: 'A very short train', durationSeconds: 2 });

describe.runIf(canBrowse)('the download queue', () => {
  let b: OpenBrowser;
  beforeAll(async () => {
    b = await openSettingsBrowser(
      aCatalogue({ channels: [channel, other], videos: [good, hidden, boat, tooShort], playlists: [] }),
    );
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

  test('shows the result of a scan: new, skipped with reason and failed items with links', async () => {
    const { page, visitor } = b;
    await visitor.call('POST', '/api/channel/', { data: [{ channel_id: channel.id, channel_subscribed: true }] });
    await eventually(async () => ((await visitor.call('GET', '/api/channel/')).json as { data: unknown[] }).data.length === 1);
    await visitor.call('POST', '/api/task/by-name/update_subscribed/');
    await queueHas(2);
    await page.goto(`${b.address}/downloads/`);
    const scan = page.getByRole('region', { name: 'Last scan' });
    await scan.getByRole('button', { name: /Last scan/ }).click();
    await scan.getByText('Shorter than the minimum length.').waitFor();
    await scan.getByRole('link', { name: 'A good train' }).waitFor();
    await scan.getByText(/^Private\./).waitFor();
    await scan.getByText('Raw output').first().click();
    await scan
      .getByText(/ERROR:.*[Pp]rivate/)
      .first()
      .waitFor();
    await expectAccessible(page);
    await scan.getByRole('link', { name: 'View scan log' }).click();
    await page.getByRole('heading', { name: 'Rescan subscriptions' }).waitFor();
    await page.getByText(/^Scanning Night Trains/).waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'All runs' }).click();
    await page.getByRole('radio', { name: 'With problems' }).click();
    await page.getByRole('link', { name: 'Rescan subscriptions' }).first().waitFor();
    expect(page.url()).toContain('problems=true');
    await expectAccessible(page);
  });

  test('offers to enable transcript indexing when a search has no results', async () => {
    const { page, address } = b;
    await b.visitor.call('POST', '/api/appsettings/config/', { downloads: { subtitle_index: false } });
    await page.goto(`${address}/search/?query=full:train`);
    await page.getByText(/Spoken words are not indexed/).waitFor();
    await expectAccessible(page);
    // On a phone, not all kinds fit; the selected one is visible.
    await page.setViewportSize({ width: 390, height: 844 });
    await page.reload();
    const chosen = page.getByRole('radio', { name: 'Transcripts' });
    const row = page.getByRole('radiogroup', { name: 'Search in' });
    await chosen.waitFor();
    const [inner, outer] = [(await chosen.boundingBox())!, (await row.boundingBox())!];
    expect(inner.x + inner.width).toBeLessThanOrEqual(outer.x + outer.width);
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.getByRole('button', { name: 'Turn on' }).click();
    await page.getByText('Spoken words are indexed from now on.').waitFor();
    await expect.poll(() => page.getByText(/Spoken words are not indexed/).count()).toBe(0);
    await page.goto(`${address}/search/?query=nowhere`);
    await page.getByRole('heading', { name: 'Nothing found' }).waitFor();
  });

  test('searches and filters the queue in the URL, also after a reload', async () => {
    const { page, visitor } = b;
    await visitor.call('POST', '/api/download/', { data: [{ youtube_id: boat.id }] });
    await queueHas(3);
    await page.goto(`${b.address}/downloads/`);
    await page.getByLabel('Search the queue').fill('train');
    await expect.poll(() => page.getByRole('article').count()).toBe(2);
    expect(new URL(page.url()).searchParams.get('q')).toBe('train');
    await page.getByLabel('Status').selectOption('Failed');
    await expect.poll(() => page.getByRole('article').count()).toBe(1);
    await page.getByLabel('Search the queue').fill('a hidden train');
    await page.waitForURL((url) => url.search === '?q=a+hidden+train&error=true');
    await page.goBack();
    await page.waitForURL((url) => url.search === '?q=train&error=true');
    await expect.poll(() => page.getByLabel('Search the queue').inputValue()).toBe('train');
    // Navigates back before the page has processed the new URL.
    await page.evaluate(`{
      const push = history.pushState.bind(history);
      history.pushState = (...args) => {
        history.pushState = push;
        push(...args);
        history.back();
      };
    }`);
    await page.getByLabel('Search the queue').fill('a boat');
    await expect.poll(() => page.getByLabel('Search the queue').inputValue()).toBe('train');
    expect(new URL(page.url()).search).toBe('?q=train&error=true');
    await page.reload();
    await item('A hidden train')
      .getByText(/Won’t retry automatically/)
      .waitFor();
    await page.goto(`${b.address}/downloads/?channel=${other.id}`);
    await item('A boat').waitFor();
    await expect.poll(() => page.getByRole('article').count()).toBe(1);
    await expect.poll(() => page.getByLabel('Channel').locator('option:checked').textContent()).toBe('Boats (1)');
  });

  test('moves an item to the front and back, and removes a failed one', async () => {
    const { page, visitor } = b;
    await page.goto(`${b.address}/downloads/`);
    await page.getByText('2 waiting').waitFor();
    await page.getByText('1 failed').first().waitFor();
    await expect.poll(() => item('A hidden train').getByRole('button', { name: 'Remove' }).count()).toBe(1);
    await expect.poll(() => item('A boat').getByRole('button', { name: 'Remove' }).count()).toBe(0);
    await item('A hidden train').getByRole('button', { name: 'Remove' }).press('Enter');
    await expect.poll(() => item('A hidden train').count()).toBe(0);
    // The keyboard focus moves to the next item, not to the top of the page.
    await expect
      .poll(() => page.evaluate('document.activeElement?.matches("li") && document.activeElement.textContent'))
      .toMatch(/boat|good/);
    expect((await visitor.call('GET', `/api/download/${hidden.id}/`)).status).toBe(404);
  });

  test('shows the number of items before a bulk action, and offers undo', async () => {
    const { page, visitor } = b;
    const all = page.getByRole('group', { name: 'Bulk actions' });
    await all.getByText('All 2 items').waitFor();
    await all.getByRole('button', { name: 'Ignore' }).click();
    await page.getByRole('dialog', { name: 'Ignore 2 items?' }).getByRole('button', { name: 'Ignore' }).click();
    await page.getByRole('heading', { name: 'The queue is empty' }).waitFor();
    await page.getByRole('radio', { name: 'Ignored' }).click();
    await all.getByRole('button', { name: 'Add to queue' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Add to queue' }).click();
    await page.getByRole('heading', { name: 'No ignored videos' }).waitFor();
    await page.goto(`${b.address}/downloads/?q=boat`);
    await all.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('dialog', { name: 'Remove this item from the queue?' }).getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('heading', { name: 'No matches' }).waitFor();
    expect((await visitor.call('GET', `/api/download/${boat.id}/`)).status).toBe(404);
    expect((await visitor.call('GET', `/api/download/${good.id}/`)).status).toBe(200);
    expect(b.errors).toEqual([]);
  });
});
