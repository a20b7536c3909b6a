import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aCatalogue, aChannel, aVideo } from '#standin/builders.ts';
import { aBrowser, expectAccessible, type OpenBrowser } from './browser-settings.ts';
import { canBrowse } from './in-browser.ts';

const channel = aChannel({ name: 'Night Trains' });
const video = aVideo({ channelId: channel.id, title: 'A train' });

describe.runIf(canBrowse)('settings and care, in a browser', () => {
  let b: OpenBrowser;
  beforeAll(async () => {
    b = await aBrowser(aCatalogue({ channels: [channel], videos: [video], playlists: [] }));
  });
  afterAll(() => b.close());
  const setting = async (section: string, key: string) =>
    ((await b.visitor.call('GET', '/api/appsettings/config/')).json as Record<string, Record<string, unknown>>)[section]![key];
  const button = (name: string | RegExp) => b.page.getByRole('button', { name, exact: true });

  test('a value is updated once it differs, an empty number is nothing, and reset takes it away', async () => {
    const { page } = b;
    await page.goto(`${b.address}/settings/application/#downloads`);
    const speed = page.getByLabel('Speed limit (KB/s)');
    await speed.waitFor();
    await expect.poll(() => button('Update: Speed limit').count()).toBe(0);
    await speed.fill('500');
    await button('Update: Speed limit').click();
    await expect.poll(() => setting('downloads', 'limit_speed')).toBe(500);
    await expect.poll(() => button('Update: Speed limit').count()).toBe(0);
    await speed.fill('');
    await button('Update: Speed limit').click();
    await expect.poll(() => setting('downloads', 'limit_speed')).toBe(null);
    await speed.fill('900');
    await button('Update: Speed limit').click();
    await button('Reset: Speed limit').click();
    await expect.poll(() => setting('downloads', 'limit_speed')).toBe(null);
    await expect.poll(() => speed.inputValue()).toBe('');
    await expectAccessible(page);
  });

  test('an empty size looks at all of a channel, and reset brings back what it was at first', async () => {
    const { page } = b;
    await page.goto(`${b.address}/settings/application/#subscriptions`);
    const size = page.getByRole('spinbutton', { name: 'Videos to look at' });
    await size.fill('');
    await button('Update: Videos to look at').click();
    await expect.poll(() => setting('subscriptions', 'channel_size')).toBe(null);
    await button('Reset: Videos to look at').click();
    await expect.poll(() => setting('subscriptions', 'channel_size')).toBe(50);
    await expect.poll(() => size.inputValue()).toBe('50');
  });

  test('what is not understood is told by its name, with what would be', async () => {
    const { page } = b;
    await page.getByLabel('Format order').fill('res;1080');
    await button('Update: Format order').click();
    await page.getByText('Format order: not understood. For example res:1080,vcodec:h264.').waitFor();
    expect(await setting('downloads', 'format_sort')).toBe(null);
    await page.goto(`${b.address}/settings/application/#rules`);
    await page.getByLabel('Not published before').fill('2024-02-29');
    await button('Update: Not published before').click();
    await expect.poll(() => setting('rules', 'published_after')).toBe('2024-02-29');
    await button('Reset: Not published before').click();
    await expect.poll(() => setting('rules', 'published_after')).toBe(null);
  });

  test('0 days until what was watched is deleted are none', async () => {
    const { page } = b;
    await page.goto(`${b.address}/settings/application/#downloads`);
    const days = page.getByLabel('Delete after watching (days)');
    await days.fill('90');
    await button('Update: Delete after watching').click();
    await expect.poll(() => setting('downloads', 'autodelete_days')).toBe(90);
    await days.fill('0');
    await button('Update: Delete after watching').click();
    await expect.poll(() => setting('downloads', 'autodelete_days')).toBe(null);
    await expect.poll(() => button('Update: Delete after watching').count()).toBe(0);
    // What has to be a number asks for one.
    const atOnce = page.getByRole('spinbutton', { name: 'Downloads at once' });
    await atOnce.fill('');
    await button('Update: Downloads at once').click();
    await expect.poll(() => page.evaluate('document.activeElement.validity?.valueMissing')).toBe(true);
    await atOnce.fill('3');
    await button('Update: Downloads at once').click();
    await expect.poll(() => setting('queue', 'at_once')).toBe(3);
    await button('Reset: Downloads at once').click();
  });

  test('what depends on another setting is there once that is set', async () => {
    const { page } = b;
    await expect.poll(() => page.getByLabel('Comment order').count()).toBe(0);
    await page.getByRole('textbox', { name: 'Comments' }).fill('100,all,10,5');
    await button('Update: Comments').click();
    await page.getByLabel('Comment order').selectOption('new');
    await expect.poll(() => setting('downloads', 'comment_sort')).toBe('new');
    await expect.poll(() => page.getByRole('switch', { name: /Automatic captions too/ }).count()).toBe(0);
    await page.getByLabel('Subtitle languages').fill('en,de');
    await button('Update: Subtitle languages').click();
    const captions = page.getByRole('switch', { name: /Automatic captions too/ });
    await captions.click();
    await expect.poll(() => setting('downloads', 'subtitle_source')).toBe('auto');
    await captions.click();
    await expect.poll(() => setting('downloads', 'subtitle_source')).toBe('user');
  });

  test('a switch shows at once what was chosen, and what was chosen last is what is saved', async () => {
    const { page } = b;
    const captions = page.getByRole('switch', { name: /Automatic captions too/ });
    const saving = '**/api/appsettings/config/';
    // Nothing is saved before what the page shows has been looked at, however long that takes here.
    let letGo = () => {};
    const looked = new Promise<void>((resolve) => (letGo = resolve));
    await page.route(saving, async (route) => {
      if (route.request().method() === 'POST') await looked;
      await route.continue();
    });
    const before = await captions.isChecked();
    for (const isOn of [!before, before, !before]) {
      await captions.click();
      await expect.poll(() => captions.isChecked()).toBe(isOn);
    }
    const source = (isOn: boolean) => (isOn ? 'auto' : 'user');
    expect(await setting('downloads', 'subtitle_source')).toBe(source(before));
    let saved = 0;
    page.on('requestfinished', (request) => void (request.method() === 'POST' && saved++));
    letGo();
    await expect.poll(() => saved).toBe(3);
    expect(await setting('downloads', 'subtitle_source')).toBe(source(!before));
    expect(await captions.isChecked()).toBe(!before);
    await page.unroute(saving);
  });

  test('a PO token is updated once there is more than its beginning; help is hidden when nobody wants it', async () => {
    const { page, visitor } = b;
    const token = page.getByLabel('PO token', { exact: true });
    await expect.poll(() => token.inputValue()).toBe('web+');
    await expect.poll(() => button('Update: PO token').count()).toBe(0);
    await token.fill('web.gvs+abcdef');
    await button('Update: PO token').click();
    await button('Reset: PO token').waitFor();
    await page.getByText('Varied by half each way; under 10 invites a block.').waitFor();
    await visitor.call('POST', '/api/user/me/', { show_help_text: false });
    await page.reload();
    await token.waitFor();
    await expect.poll(() => page.getByText('Varied by half each way').count()).toBe(0);
    await visitor.call('POST', '/api/user/me/', { show_help_text: true });
  });

  test('the membership service that cannot be reached is told as an error', async () => {
    const { page } = b;
    await page.getByLabel('Membership token').fill('a-token');
    await button('Update: Membership token').click();
    await button('Sync subscriptions').click();
    await page.getByText(/^(Error: |Task created)/).waitFor();
  });

  test('a backup is written, looked into, and asked about before it replaces anything', async () => {
    const { page } = b;
    await page.goto(`${b.address}/settings/actions/#backups`);
    await button('Back up now').click();
    const row = page.locator('li', { hasText: 'ta_backup-' }).first();
    await row.getByText('by hand').waitFor();
    const file = (await row.locator('bdi').textContent())!;
    await row.getByRole('button', { name: /^With ta_backup/ }).click();
    await page.getByRole('menuitem', { name: 'Only say what it would do' }).click();
    await page.getByRole('menu').waitFor({ state: 'detached' });
    await page
      .getByText(/Everything it did/)
      .first()
      .waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      row
        .getByRole('button', { name: /^With ta_backup/ })
        .click()
        .then(() => page.getByRole('menuitem', { name: 'Download' }).click()),
    ]);
    expect(download.suggestedFilename()).toBe(file);
    await row.getByRole('button', { name: /^With ta_backup/ }).click();
    await page.getByRole('menuitem', { name: /Restore/ }).click();
    await page.getByText(/people and what they watched, settings, channels/).waitFor();
    await button('Restore').last().click();
    await page
      .getByText(/Everything it did/)
      .first()
      .waitFor();
    await page
      .getByLabel('Backup file')
      .setInputFiles({ name: 'notes.zip', mimeType: 'application/zip', buffer: Buffer.from('x') });
    await page.getByRole('region', { name: 'ZIP backup' }).getByRole('alert').waitFor();
    await expectAccessible(page);
  });

  test('a snapshot is taken and deleted; an import tells what it found', async () => {
    const { page } = b;
    await page.goto(`${b.address}/settings/actions/`);
    const snapshots = page.getByRole('region', { name: 'Snapshots' });
    await snapshots.getByRole('button', { name: 'Take a snapshot' }).click();
    await snapshots.getByText('whole', { exact: true }).first().waitFor();
    // Others may come by themselves meanwhile.
    const id = (await snapshots.locator('bdi').first().textContent())!;
    await snapshots.getByRole('button', { name: `Delete: ${id}` }).click();
    await page.getByRole('button', { name: 'Delete snapshot' }).click();
    await expect.poll(() => snapshots.getByText(id).count()).toBe(0);
    const manual = page.getByRole('region', { name: 'Manual import' });
    await manual.getByRole('switch', { name: 'Leave the files in the import folder as they are' }).click();
    const started = page.waitForRequest('**/api/appsettings/manual-import/');
    await button('Start import').click();
    const wishes = { ignore_error: false, prefer_local: false, leave_files: true, dry_run: false };
    expect((await started).postDataJSON()).toEqual(wishes);
    await manual.getByText('Everything it did').waitFor();
    const rescan = page.getByRole('region', { name: 'Rescan filesystem' });
    await rescan.getByRole('switch', { name: 'What stands beside a file goes before what its site says now' }).click();
    const asked = page.waitForRequest('**/api/appsettings/rescan-filesystem/');
    await rescan.getByRole('button', { name: /^Only say/ }).click();
    expect((await asked).postDataJSON()).toEqual({ ignore_error: false, prefer_local: true, dry_run: true });
    await rescan.getByText('Everything it did').waitFor();
  });

  test('what may be set beside a time is updated, and what cannot be is said', async () => {
    const { page, visitor } = b;
    await page.goto(`${b.address}/settings/scheduling/`);
    await button('Every day: ZIP backup').click();
    const kept = page.getByLabel('ZIP backup: Backups to keep');
    // The answer comes late: what is typed until then stays.
    const typedOn = Promise.withResolvers<void>();
    await page.route('**/api/task/schedule/run_backup/', async (route) => {
      const response = await route.fetch();
      await typedOn.promise;
      await route.fulfill({ response });
    });
    await kept.fill('7');
    await button('Update').click();
    const rotate = async () =>
      ((await visitor.call('GET', '/api/task/schedule/run_backup/')).json as { config: { rotate: number } }).config.rotate;
    await expect.poll(rotate).toBe(7);
    await kept.fill('-5');
    typedOn.resolve();
    await page.unrouteAll({ behavior: 'wait' });
    await button('Update').click();
    await page.getByText(/^Error 400: /).waitFor();
    await expectAccessible(page);
  });

  test('columns are three to seven, a page size that is none becomes 12, and one’s own CSS is kept', async () => {
    const { page, visitor } = b;
    // An answer that was on its way while somebody chose tells what was before, and comes after.
    const late = Promise.withResolvers<void>();
    let asked = 0;
    await page.route('**/api/events/', (route) =>
      route.fulfill({ contentType: 'text/event-stream', body: 'event: missed\ndata: {}\n\n' }),
    );
    await page.route('**/api/user/me/', async (route) => {
      if (route.request().method() !== 'GET' || ++asked < 2) return route.continue();
      const response = await route.fetch();
      await late.promise;
      await route.fulfill({ response }).catch(() => undefined); // nobody may be waiting for it any more
    });
    await page.goto(`${b.address}/settings/user/`);
    const me = async () => (await visitor.call('GET', '/api/user/me/')).json as Record<string, unknown>;
    await expect.poll(() => button('Fewer columns').isDisabled()).toBe(true);
    await expect.poll(() => asked).toBeGreaterThanOrEqual(2);
    for (let columns = 4; columns <= 7; columns++) {
      await button('More columns').click();
      await expect.poll(async () => (await me())['grid_items']).toBe(columns);
      late.resolve();
    }
    await page.unrouteAll({ behavior: 'wait' });
    await expect.poll(() => button('More columns').isDisabled()).toBe(true);
    await page.getByLabel('Videos on a page').fill('48');
    await button('Update: Videos on a page').click();
    await expect.poll(async () => (await me())['page_size']).toBe(48);
    await page.getByLabel('Videos on a page').fill('');
    await button('Update: Videos on a page').click();
    await expect.poll(async () => (await me())['page_size']).toBe(12);
    await page.getByLabel('Theme').selectOption('Custom');
    await page.getByLabel('Your own CSS').fill(':root { --accent: #88ccff; }');
    await button('Update: Your own CSS').click();
    await expect.poll(async () => (await me())['custom_css']).toContain('#88ccff');
    await visitor.call('POST', '/api/user/me/', { stylesheet: 'dark.css' });
    await page.reload();
    await page.getByLabel('Videos on a page').waitFor();
    await expectAccessible(page);
  });

  test('what the program talks to is on one page, and the login counts its attempts', async () => {
    const { page } = b;
    await page.goto(`${b.address}/about/`);
    await page.getByText('sponsor.ajay.app').waitFor();
    await page.getByText(/^yt-dlp \d{4}/).waitFor();
    await expectAccessible(page);
    await page.route('**/api/health/', (route) => route.abort());
    await page.goto(`${b.address}/login/`);
    await page.getByText('Waiting for backend').waitFor();
    await page.getByText(/^\d+ attempts?$/).waitFor();
    await page.unroute('**/api/health/');
    const name = page.getByLabel('Username');
    await expect.poll(() => name.getAttribute('maxlength')).toBe('150');
    expect(b.errors).toEqual([]);
  });
});
