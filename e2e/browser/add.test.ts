import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aCatalogue, aChannel, aPlaylist, aVideo } from '../../test-site/builders.ts';
import { eventually } from '../support/acquisition.ts';
import { expectAccessible, openSettingsBrowser, type OpenBrowser } from '../support/browser-settings.ts';
import { canBrowse } from '../support/in-browser.ts';

const channel = aChannel({ name: 'Night Trains' });
const other = aChannel({ name: 'Boats' });
const trams = aChannel({ name: 'Trams' });
const videos = ['First train', 'Second train', 'Third train'].map((title) =>
  aVideo({ channelId: channel.id, title, durationSeconds: 4 }),
);
const [first, second, third] = videos as [(typeof videos)[number], (typeof videos)[number], (typeof videos)[number]];
const boat = aVideo({ channelId: other.id, title: 'A boat', durationSeconds: 4 });
const tram = aVideo({ channelId: trams.id, title: 'A tram', durationSeconds: 4 });
const list = aPlaylist({ channelId: channel.id, title: 'The line', videoIds: [first.id, second.id] });
const hidden = aPlaylist({ channelId: channel.id, title: 'Hidden', videoIds: [first.id], private: true });

describe.runIf(canBrowse)('the box that adds links', () => {
  let b: OpenBrowser;
  beforeAll(async () => {
    b = await openSettingsBrowser(
      aCatalogue({ channels: [channel, other, trams], videos: [...videos, boat, tram], playlists: [list, hidden] }),
    );
    b.page.setDefaultTimeout(20_000);
    await b.visitor.call('POST', '/api/appsettings/config/', { downloads: { sleep_interval: null } });
  });
  afterAll(() => b.close());

  const box = () => b.page.getByLabel(/^Paste links/);
  const preview = () => b.page.getByRole('list', { name: 'Preview' });
  const dialog = () => b.page.getByRole('dialog', { name: 'Add to your archive' });
  const isArchived = (id: string) =>
    eventually(async () => (await b.visitor.call('GET', `/api/video/${id}/`)).status === 200, `archived: ${id}`);
  const paste = (text: string) =>
    b.page.evaluate(`(() => {
      const data = new DataTransfer();
      data.setData('text/plain', ${JSON.stringify(text)});
      document.querySelector('main').dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }));
    })()`);

  test('downloads a video with Enter, before its lookup has ended', async () => {
    await b.page.goto(`${b.address}/downloads/`);
    await box().fill(`https://youtu.be/${first.id}`);
    await box().press('Enter');
    await expect.poll(() => box().inputValue()).toBe('');
    await isArchived(first.id);
  });

  test('shows a pasted channel with its number of videos, and subscribes with Enter', async () => {
    const { page } = b;
    await page.goto(`${b.address}/`);
    await page.getByRole('heading', { name: 'Recent videos' }).waitFor();
    await paste(`https://www.youtube.com/${other.handle}`);
    await dialog().getByText('1 video', { exact: true }).waitFor();
    await preview().getByText('Boats').waitFor();
    await dialog().getByRole('button', { name: 'Download 1 video, about' }).waitFor();
    await expectAccessible(page);
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Subscribe');
    await page.keyboard.press('Enter');
    await dialog().waitFor({ state: 'detached' });
    await isArchived(boat.id);
  });

  test('opens an archived video that was pasted, and a subscribed channel', async () => {
    const { page } = b;
    await paste(`https://youtu.be/${first.id}`);
    await dialog().getByText('In the archive').waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Open');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/video/${first.id}/`);
    await page.getByRole('button', { name: 'Add videos or channels' }).click();
    await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('TEXTAREA');
    await dialog()
      .getByLabel(/^Paste links/)
      .fill(other.handle);
    await dialog().getByText('Subscribed').waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/channel/${other.id}/`);
  });

  test('offers to add a link or @handle that was typed into the search', async () => {
    const { page } = b;
    await page.goto(`${b.address}/`);
    await page.getByRole('combobox', { name: 'Search' }).fill(trams.handle);
    await page.keyboard.press('Enter');
    await dialog().getByText('1 video', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    expect(new URL(page.url()).pathname).toBe('/');
  });

  test('lists several links with one action for each kind, and removes one', async () => {
    const { page } = b;
    await page.goto(`${b.address}/downloads/`);
    await box().fill(`https://youtu.be/${second.id}\nhttps://youtu.be/${third.id}\n${trams.handle}\n${hidden.id}\nnonsense!`);
    await preview().getByText('Second train').waitFor();
    await preview().getByText('1 video', { exact: true }).waitFor();
    await preview()
      .getByText(/^Private\.|No playlist was found|Not found/)
      .waitFor();
    await page.getByText('Not a valid ID, @handle or URL.').waitFor();
    await page.getByRole('button', { name: 'Download 3' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: `Remove ${hidden.id}` }).click();
    await page.getByRole('button', { name: 'Download 2' }).click();
    // The channel and the invalid line are left.
    await expect.poll(() => box().inputValue()).toBe(`${trams.handle}\nnonsense!`);
    await page.getByLabel('Earlier uploads').selectOption('None');
    await page.getByRole('button', { name: 'Subscribe', exact: true }).click();
    await expect.poll(() => box().inputValue()).toBe('nonsense!');
    await isArchived(third.id);
    await eventually(async () => {
      const found = await b.visitor.call('GET', `/api/channel/${trams.id}/`);
      return (found.json as { channel_subscribed?: boolean }).channel_subscribed === true;
    }, 'subscribed');
  });

  test('keeps the text over a reload', async () => {
    await b.page.reload();
    await expect.poll(() => box().inputValue()).toBe('nonsense!');
    await box().fill('');
  });

  test('adds a long list without looking it up', async () => {
    const { page } = b;
    const ids = Array.from({ length: 60 }, (_, n) => `longList${String(n).padStart(3, '0')}`);
    await box().fill(ids.join('\n'));
    await page.getByText('and 10 more').waitFor();
    await preview().getByText('not looked up').first().waitFor();
    await page.getByLabel('Quick add').check();
    await expectAccessible(page);
    const sent = page.waitForRequest((request) => request.method() === 'POST' && request.url().includes('/api/download/?'));
    await page.getByRole('button', { name: 'Add to queue' }).first().click();
    const request = await sent;
    expect(request.url()).toMatch(/autostart=false&flat=true/);
    expect((request.postDataJSON() as { data: { youtube_id: string }[] }).data[0]!.youtube_id.split('\n')).toHaveLength(60);
  });

  test('puts back a channel and a playlist that cannot be subscribed to, with their reasons', async () => {
    const { page } = b;
    const both = `@nobodyAtAll\n${hidden.id}`;
    await page.goto(`${b.address}/channel/`);
    await box().fill(both);
    const form = page.locator('form').filter({ has: box() });
    await form.getByRole('button', { name: /^Subscribe/ }).click();
    const reasons = form.getByRole('alert').getByRole('listitem');
    await reasons.filter({ hasText: '@nobodyAtAll' }).waitFor();
    await reasons.filter({ hasText: hidden.id }).waitFor();
    expect(await box().inputValue()).toBe(both);
  });

  test('previews a shared playlist', async () => {
    const { page } = b;
    await page.goto(`${b.address}/share/?text=${encodeURIComponent(`https://www.youtube.com/playlist?list=${list.id}`)}`);
    await dialog().getByText('The line').waitFor();
    await dialog().getByText('2 videos').waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Download');
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    await page.waitForURL(/\/downloads\//);
  });

  test('puts lines that failed back into the box with the reason, before what was typed meanwhile', async () => {
    const { page } = b;
    await page.goto(`${b.address}/downloads/`);
    const typed = Promise.withResolvers<void>();
    await page.route('**/api/task/runs/*', (route) => typed.promise.then(() => route.fallback()));
    await box().fill(hidden.id);
    await page.getByRole('button', { name: 'Download', exact: true }).click();
    await expect.poll(() => box().inputValue()).toBe('');
    await box().fill('typed meanwhile');
    typed.resolve();
    await expect.poll(() => box().inputValue()).toBe(`${hidden.id}\ntyped meanwhile`);
    await page.getByRole('alert').getByText(hidden.id).waitFor();
    await page
      .getByRole('alert')
      .getByText(/Private\.|No playlist was found|Not found/)
      .waitFor();
    await page.unroute('**/api/task/runs/*');
    await box().fill('');
  });
});
