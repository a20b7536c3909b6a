import type { Page } from 'playwright-core';
import type { NodeState } from '#contract/system.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aCatalogue, aChannel, aVideo } from '../../test-site/builders.ts';
import { openSettingsBrowser, expectAccessible, type OpenBrowser } from '../support/browser-settings.ts';
import { canBrowse } from '../support/in-browser.ts';
import { startJellyfin } from '#server/test-support/media-servers/jellyfin.ts';

const channel = aChannel({ name: 'Night Trains' });
const video = aVideo({ channelId: channel.id, title: 'A train' });

describe.runIf(canBrowse)('settings and backups', () => {
  let b: OpenBrowser;
  beforeAll(async () => {
    const catalogue = aCatalogue({ channels: [channel], videos: [video], playlists: [] });
    // Media servers are on this machine.
    b = await openSettingsBrowser(catalogue, { REELKEEP_ALLOW_PRIVATE: '127.0.0.1' });
  });
  afterAll(() => b.close());
  const setting = async (section: string, key: string) =>
    ((await b.visitor.call('GET', '/api/appsettings/config/')).json as Record<string, Record<string, unknown>>)[section]![key];
  const button = (name: string | RegExp) => b.page.getByRole('button', { name, exact: true });

  test('saves a field after Enter or when it is left, with Saved and Undo next to it', async () => {
    const { page } = b;
    await page.goto(`${b.address}/settings/application/#downloads`);
    const speed = page.getByLabel('Speed limit (KB/s)', { exact: true });
    await speed.fill('500');
    await page.keyboard.press('Enter');
    await expect.poll(() => setting('downloads', 'limit_speed')).toBe(500);
    await button('Undo: Speed limit (KB/s)').waitFor();
    await speed.fill('900');
    expect(await button('Undo: Speed limit (KB/s)').count()).toBe(0);
    await page.getByLabel('Parallel downloads', { exact: true }).focus();
    await expect.poll(() => setting('downloads', 'limit_speed')).toBe(900);
    await button('Undo: Speed limit (KB/s)').click();
    await expect.poll(() => setting('downloads', 'limit_speed')).toBe(500);
    await expect.poll(() => speed.inputValue()).toBe('500');
    await speed.fill('');
    await page.keyboard.press('Enter');
    await expect.poll(() => setting('downloads', 'limit_speed')).toBe(null);
    await speed.fill('900');
    await page.keyboard.press('Escape');
    expect(await speed.inputValue()).toBe('');
    await expectAccessible(page);
  });

  test('saves what was typed when the page is left in any way', async () => {
    const { page } = b;
    const rate = page.getByLabel('Speed limit (KB/s)', { exact: true });
    await page.goto(`${b.address}/settings/application/downloads/`);
    await button('Menu')
      .or(page.getByRole('link', { name: 'Format' }))
      .first()
      .waitFor();
    await page.getByRole('link', { name: 'Home', exact: true }).first().click();
    await page.goBack();
    await rate.fill('410');
    await page.goForward();
    await expect.poll(() => setting('downloads', 'limit_speed')).toBe(410);
    await page.goto(`${b.address}/settings/application/downloads/`);
    await rate.fill('420');
    await page.reload();
    await expect.poll(() => setting('downloads', 'limit_speed')).toBe(420);
    await expect.poll(() => rate.inputValue()).toBe('420');
    await button('Reset: Speed limit (KB/s)').click();
    await expect.poll(() => setting('downloads', 'limit_speed')).toBe(null);
  });

  test('keeps what was typed when it is not valid, or cannot be saved, and says why', async () => {
    const { page } = b;
    await page.goto(`${b.address}/settings/application/downloads/`);
    const parallel = page.getByRole('spinbutton', { name: 'Parallel downloads', exact: true });
    await parallel.fill('99');
    await page.keyboard.press('Tab');
    await page.getByRole('alert').getByText('Enter a number from 1 to 8.').waitFor();
    expect(await parallel.inputValue()).toBe('99');
    expect(await parallel.getAttribute('aria-invalid')).toBe('true');
    await parallel.fill('3');
    expect(await page.getByRole('alert').count()).toBe(0);
    await page.route('**/api/appsettings/config/', (route) =>
      route.request().method() === 'POST' ? route.abort() : route.continue(),
    );
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    expect(await parallel.inputValue()).toBe('3');
    await page.unroute('**/api/appsettings/config/');
    await parallel.press('Enter');
    await expect.poll(() => setting('queue', 'at_once')).toBe(3);
    await button('Reset: Parallel downloads').click();
  });

  test('asks before a form with a Save button is left with changes', async () => {
    const { page } = b;
    await page.goto(`${b.address}/settings/application/cookie/`);
    await page.getByLabel('Cookie file', { exact: true }).fill('# Netscape');
    await page.getByRole('link', { name: 'Home', exact: true }).first().click();
    await page.getByRole('dialog').getByText('What you changed on this page is not saved yet.').waitFor();
    await expectAccessible(page);
    await button('Keep editing').click();
    expect(await page.getByLabel('Cookie file', { exact: true }).inputValue()).toBe('# Netscape');
    await page.getByRole('link', { name: 'Home', exact: true }).first().click();
    await button('Discard').click();
    await expect.poll(() => new URL(page.url()).pathname).toBe('/');
    // The URL changes before the form is gone, and until then the browser asks too.
    await page.getByLabel('Cookie file', { exact: true }).waitFor({ state: 'detached' });
  });

  test('shows a value that another tab saves, and keeps one that is being typed', async () => {
    const { page } = b;
    const other = await b.open(page.context());
    const speedOf = (tab: Page) => tab.getByLabel('Speed limit (KB/s)', { exact: true });
    for (const tab of [page, other]) {
      await tab.goto(`${b.address}/settings/application/downloads/`);
      await speedOf(tab).waitFor();
    }
    await speedOf(other).fill('700');
    await speedOf(page).fill('500');
    await page.keyboard.press('Enter');
    await expect.poll(() => setting('downloads', 'limit_speed')).toBe(500);
    // The saved value has arrived in the other tab: it can be reset there.
    await other.getByRole('button', { name: 'Reset: Speed limit' }).waitFor();
    expect(await speedOf(other).inputValue()).toBe('700');
    await other.keyboard.press('Enter');
    await expect.poll(() => speedOf(page).inputValue()).toBe('700');
    // What the other tab had saved is not lost.
    await other.getByRole('button', { name: 'Undo: Speed limit' }).click();
    await expect.poll(() => speedOf(page).inputValue()).toBe('500');
    await page.getByRole('button', { name: 'Reset: Speed limit' }).click();
    await expect.poll(() => speedOf(other).inputValue()).toBe('');
    await other.close();
  });

  test('an empty limit scans whole channels, and reset restores the default', async () => {
    const { page } = b;
    await page.goto(`${b.address}/settings/application/`);
    const size = page.getByRole('spinbutton', { name: 'Newest videos to check' });
    await size.fill('');
    await page.keyboard.press('Enter');
    await expect.poll(() => setting('subscriptions', 'channel_size')).toBe(null);
    await button('Reset: Newest videos to check').click();
    await expect.poll(() => setting('subscriptions', 'channel_size')).toBe(50);
    await expect.poll(() => size.inputValue()).toBe('50');
  });

  test('names an invalid value and the accepted ones', async () => {
    const { page } = b;
    await page.goto(`${b.address}/settings/application/format/`);
    await page.getByLabel('Format sort order', { exact: true }).fill('res;1080');
    await page.keyboard.press('Enter');
    await page.getByText('Format sort order: invalid value. For example res:1080,vcodec:h264.').waitFor();
    expect(await setting('downloads', 'format_sort')).toBe(null);
    // A format that was stored before yt-dlp could check it.
    const problem = [{ id: 'health.format', params: { problem: 'nonsense' } }];
    const check = {
      name: 'format',
      title: 'Download format',
      state: 'bad',
      text: 'The format of the settings is not valid: nonsense',
      messages: problem,
    };
    await page.route('**/api/health/checks/', (route) => route.fulfill({ json: [check] }));
    await page.reload();
    await page.getByRole('alert').getByText('The format of the settings is not valid: nonsense').waitFor();
    await page.unroute('**/api/health/checks/');
    await page.goto(`${b.address}/settings/application/#rules`);
    await page.getByLabel('Published on or after', { exact: true }).fill('2024-02-29');
    await page.keyboard.press('Enter');
    await expect.poll(() => setting('rules', 'published_after')).toBe('2024-02-29');
    await button('Reset: Published on or after').click();
    await expect.poll(() => setting('rules', 'published_after')).toBe(null);
    // Lengths of videos are typed in minutes everywhere.
    const length = page.getByLabel('Minimum length (minutes)', { exact: true });
    await length.fill('1.5');
    await page.keyboard.press('Enter');
    await expect.poll(() => setting('rules', 'min_seconds')).toBe(90);
    await expect.poll(() => length.inputValue()).toBe('1.5');
    await button('Reset: Minimum length (minutes)').click();
    await expect.poll(() => setting('rules', 'min_seconds')).toBe(null);
  });

  test('0 days until watched videos are deleted means never', async () => {
    const { page } = b;
    await page.goto(`${b.address}/settings/application/storage/`);
    const days = page.getByLabel('Delete after watching (days)', { exact: true });
    await days.fill('90');
    await page.keyboard.press('Enter');
    await expect.poll(() => setting('downloads', 'autodelete_days')).toBe(90);
    await days.fill('0');
    await page.keyboard.press('Enter');
    await expect.poll(() => setting('downloads', 'autodelete_days')).toBe(null);
  });

  test('shows dependent settings once their setting is enabled', async () => {
    const { page } = b;
    await page.goto(`${b.address}/settings/application/subtitles/`);
    await page.getByRole('combobox', { name: 'Comments', exact: true }).waitFor();
    await expect.poll(() => page.getByLabel('Comment order').count()).toBe(0);
    await page.getByRole('combobox', { name: 'Comments', exact: true }).selectOption('Custom…');
    await page.getByRole('textbox', { name: 'Comments' }).fill('100,all,10,5');
    await page.keyboard.press('Enter');
    await page.getByLabel('Comment order').selectOption('new');
    await expect.poll(() => setting('downloads', 'comment_sort')).toBe('new');
    const captions = page.getByRole('switch', { name: /Include automatic captions/ });
    await captions.waitFor(); // subtitles are enabled in a new archive
    await page.getByRole('textbox', { name: 'Subtitle languages' }).fill('');
    await page.keyboard.press('Enter');
    await expect.poll(() => captions.count()).toBe(0);
    await page.getByRole('textbox', { name: 'Subtitle languages' }).fill('en,de');
    await page.keyboard.press('Enter');
    await captions.click();
    await expect.poll(() => setting('downloads', 'subtitle_source')).toBe('user');
    await captions.click();
    await expect.poll(() => setting('downloads', 'subtitle_source')).toBe('auto');
    await captions.click();
    await expect.poll(() => setting('downloads', 'subtitle_source')).toBe('user');
  });

  test('shows a switch change immediately, and saves the last one', async () => {
    const { page } = b;
    const captions = page.getByRole('switch', { name: /Include automatic captions/ });
    const saving = '**/api/appsettings/config/';
    // Requests are held until the test has checked the page.
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route(saving, async (route) => {
      if (route.request().method() === 'POST') await released;
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
    release();
    await expect.poll(() => saved).toBe(3);
    expect(await setting('downloads', 'subtitle_source')).toBe(source(!before));
    expect(await captions.isChecked()).toBe(!before);
    await page.unroute(saving);
  });

  test('saves a PO token only when it is complete; help texts can be hidden', async () => {
    const { page, visitor } = b;
    await page.goto(`${b.address}/settings/application/cookie/`);
    const token = page.getByLabel('PO token', { exact: true });
    await expect.poll(() => token.inputValue()).toBe('web+');
    await token.fill('web.gvs+abcdef');
    await page.keyboard.press('Enter');
    await button('Reset: PO token').waitFor();
    const help = page.getByText('In yt-dlp’s format, for example web.gvs+TOKEN.');
    await help.waitFor();
    await visitor.call('POST', '/api/user/me/', { show_help_text: false });
    await page.reload();
    await token.waitFor();
    await expect.poll(() => help.count()).toBe(0);
    await visitor.call('POST', '/api/user/me/', { show_help_text: true });
  });

  test('reports an unreachable membership service', async () => {
    const { page } = b;
    await page.goto(`${b.address}/settings/application/integrations/`);
    await page.getByLabel('Membership token').fill('a-token');
    await page.keyboard.press('Enter');
    await button('Sync subscriptions').click();
    await page.getByText(/^(Error: |Task created)/).waitFor();
  });

  test('creates a backup, shows its content, and asks before restoring it', async () => {
    const { page, visitor } = b;
    await page.goto(`${b.address}/settings/actions/#backups`);
    await button('Back up now').click();
    const row = page.locator('li', { hasText: 'ta_backup-' }).first();
    await row.getByText('manual', { exact: true }).waitFor();
    const file = (await row.locator('p bdi').textContent())!;
    await row.getByRole('button', { name: /^Actions for ta_backup/ }).click();
    await page.getByRole('menuitem', { name: 'Dry run' }).click();
    await page.getByRole('menu').waitFor({ state: 'detached' });
    await page
      .getByText(/Details/)
      .first()
      .waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      row
        .getByRole('button', { name: /^Actions for ta_backup/ })
        .click()
        .then(() => page.getByRole('menuitem', { name: 'Download' }).click()),
    ]);
    expect(download.suggestedFilename()).toBe(file);
    const created = await visitor.call('POST', '/api/users/', { username: 'Since', password: 'words of another user' });
    await row.getByRole('button', { name: /^Actions for ta_backup/ }).click();
    await page.getByRole('menuitem', { name: /Restore/ }).click();
    await page.getByText(/the queue and watch history\. No media files/).waitFor();
    await page.getByText('Not included, but kept: Since').waitFor();
    await page.getByRole('row', { name: 'Videos 0 0' }).waitFor();
    await page.getByRole('columnheader', { name: 'After the restore' }).waitFor();
    await button('Restore').last().click();
    const { user: createdUser } = created.json as { user: { id: number } };
    // Nothing can be changed during the restore.
    await expect.poll(async () => (await visitor.call('DELETE', `/api/users/${createdUser.id}/`)).status).toBe(200);
    await page
      .getByLabel('Backup file')
      .setInputFiles({ name: 'notes.zip', mimeType: 'application/zip', buffer: Buffer.from('x') });
    await page.getByRole('region', { name: 'ZIP backup' }).getByRole('alert').waitFor();
    await expectAccessible(page);
  });

  test('adds a library view with the keyboard, says what is wrong with its names, and deletes it', async () => {
    const { page } = b;
    await page.goto(`${b.address}/settings/application/views/`);
    await button('Add view').focus();
    await page.keyboard.press('Enter');
    const form = page.getByRole('region', { name: 'Add view' });
    // The form is filled: the folder follows the name, and the name follows the kind of names.
    const valueOf = (label: string) => form.getByLabel(label, { exact: true }).inputValue();
    expect([await valueOf('Name'), await valueOf('Folder')]).toEqual(['Jellyfin', 'jellyfin']);
    await form.getByLabel('File names').selectOption('Plex shows, by date');
    expect([await valueOf('Name'), await valueOf('Folder')]).toEqual(['Plex', 'plex']);
    await form.getByLabel('Name', { exact: true }).fill('');
    await form.getByRole('button', { name: 'Add and build' }).click();
    await form.getByText(/^Enter a name, a folder/).waitFor();
    await form.getByLabel('Name', { exact: true }).fill('My TV');
    expect(await valueOf('Folder')).toBe('my-tv');
    await form.getByLabel('File names').selectOption('Jellyfin and Emby shows');
    await form.getByLabel('Name', { exact: true }).fill('TV');
    await form.getByLabel('Folder').fill('../outside');
    await form.getByText(/The folder must be below .*\/views \(REELKEEP_VIEWS\)/).waitFor();
    await form.getByLabel('Folder').fill('tv');
    await form.getByText('No videos match.').waitFor();
    await form.getByLabel('File names').selectOption('Custom template');
    await form.getByLabel('Template').fill('{channel}/{title}');
    await form.getByText(/needs \{id\}, so that two videos never have the same name/).waitFor();
    await expectAccessible(page);
    await form.getByRole('button', { name: 'Add and build' }).click();
    await form
      .getByRole('alert')
      .getByText(/needs \{id\}/)
      .waitFor();
    await form.getByLabel('Template').fill('{channel}/{title} [{id}]');
    await form.getByRole('button', { name: 'Add and build' }).click();
    const views = page.getByRole('region', { name: 'Library views' });
    await views.getByText('Up to date').waitFor();
    await views.getByText('Next: add the folder to your media server as a library.').waitFor();
    await views.getByRole('button', { name: 'Copy the folder of TV' }).waitFor();
    await views.getByText('Hard links work here and need no additional space.').waitFor();
    await views.getByText(`${b.folder.path}/views/tv`).waitFor();
    await expectAccessible(page);
    await views.getByRole('button', { name: 'Actions for TV' }).click();
    await page.getByRole('menuitem', { name: 'Delete…' }).click();
    await page.getByRole('button', { name: 'Delete view' }).click();
    await views.getByText('No views yet').waitFor();
  });

  test('adds a media server, tests it, chooses users, and shows a dry run', async () => {
    const { page, visitor } = b;
    const fake = await startJellyfin({ kind: 'jellyfin' });
    const library = fake.addLibrary('Archive', '/media');
    fake.addItem(library, '/media/A/unknown.mp4');
    await page.goto(`${b.address}/settings/application/media-servers/`);
    const servers = page.getByRole('region', { name: 'Media servers' });
    await servers.getByText('Add a library view first').waitFor();
    await visitor.call('POST', '/api/view/', { name: 'TV', root: 'tv', preset: 'jellyfin' });
    await button('Add media server').focus();
    await page.keyboard.press('Enter');
    let form = page.getByRole('region', { name: 'Add media server' });
    await form.getByLabel('Name', { exact: true }).fill('Living room');
    await form.getByLabel('Address').fill(fake.address);
    await form.getByLabel('Token').fill('wrong');
    await form.getByLabel('Folder on the server').fill('/media');
    await expectAccessible(page);
    await page.keyboard.press('Enter');
    form = page.getByRole('region', { name: 'Change Living room' });
    await form
      .getByText(/rejected the token/)
      .first()
      .waitFor();
    await servers.getByText('Token rejected').waitFor();
    await form.getByLabel('Token').fill('secret-token');
    await form.getByRole('button', { name: 'Save' }).click();
    await servers.getByText('Token rejected').waitFor({ state: 'detached' });

    await servers.getByRole('button', { name: 'Actions for Living room' }).click();
    await page.getByRole('menuitem', { name: 'Test connection' }).click();
    await servers.getByText(/^Connected to Living room/).waitFor();
    await servers.getByText('contains a view').waitFor();
    await servers.getByRole('button', { name: 'Actions for Living room' }).click();
    await page.getByRole('menuitem', { name: 'Change' }).click();
    await form.getByRole('combobox', { name: 'demo' }).selectOption('Ann');
    await expectAccessible(page);
    await form.getByRole('button', { name: 'Save' }).click();
    await servers.getByText('1 user').waitFor();
    await servers.getByRole('button', { name: 'Actions for Living room' }).click();
    await page.getByRole('menuitem', { name: 'Dry run' }).click();
    await servers.getByText('Nothing was changed.').waitFor();
    await expectAccessible(page);
    expect(fake.requests.map(({ method }) => method)).not.toContain('POST');
    await servers.getByRole('button', { name: 'Actions for Living room' }).click();
    await page.getByRole('menuitem', { name: 'Remove…' }).click();
    await page.getByRole('button', { name: 'Remove server' }).click();
    await servers.getByText('No media servers yet').waitFor();
    await fake.close();
  });

  test('takes and deletes a snapshot, and shows the result of an import', async () => {
    const { page } = b;
    await page.goto(`${b.address}/settings/actions/backup/`);
    const snapshots = page.getByRole('region', { name: 'Snapshots' });
    await snapshots.getByRole('button', { name: 'Create snapshot' }).click();
    const list = page.getByRole('region', { name: 'Restore points' });
    const newest = list.getByRole('listitem').filter({ hasText: 'Snapshot' }).first();
    await newest.getByText('OK', { exact: true }).waitFor();
    // Scheduled snapshots may be created in the meantime.
    const id = (await newest.locator('p bdi').textContent())!;
    await list.getByRole('button', { name: `Actions for ${id}` }).click();
    await page.getByRole('menuitem', { name: 'Delete…' }).click();
    await page.getByRole('button', { name: 'Delete snapshot' }).click();
    await expect.poll(() => list.getByText(id).count()).toBe(0);
    await page.goto(`${b.address}/settings/actions/`);
    const manual = page.getByRole('region', { name: 'Manual import' });
    await manual.getByText(`${b.folder.path}/import`).waitFor();
    await manual.getByText('The folder is empty.').waitFor();
    const fileOf = (name: string) => ({ name, mimeType: 'video/mp4', buffer: Buffer.from('not a video') });
    await manual.getByLabel('Files to import').setInputFiles([fileOf('Broken [brokenVide1].mp4'), fileOf('notes.txt')]);
    await manual.getByText('1 file uploaded').waitFor();
    await manual.getByText(/^Files of this type are not imported\. Choose videos/).waitFor();
    await manual.getByText('1 file or folder', { exact: true }).waitFor();
    await manual.getByRole('button', { name: /^Dry run/ }).click();
    await manual
      .getByRole('row', { name: /^Broken \[brokenVide1\]\.mp4 Would stay in the folder The file cannot be read/ })
      .waitFor();
    await expectAccessible(page);
    await manual.getByRole('switch', { name: 'Copy – keep originals' }).click();
    const started = page.waitForRequest('**/api/appsettings/manual-import/');
    await button('Start import').click();
    const options = { ignore_error: false, prefer_local: false, leave_files: true, dry_run: false };
    expect((await started).postDataJSON()).toEqual(options);
    await manual.getByText('Details').waitFor();
    await page.goto(`${b.address}/settings/actions/files/`);
    const rescan = page.getByRole('region', { name: 'Rescan filesystem' });
    await rescan.getByRole('switch', { name: 'Prefer local metadata files over the site' }).click();
    const rescanRequest = page.waitForRequest('**/api/appsettings/rescan-filesystem/');
    await rescan.getByRole('button', { name: /^Dry run/ }).click();
    expect((await rescanRequest).postDataJSON()).toEqual({ ignore_error: false, prefer_local: true, dry_run: true });
    await rescan.getByText('Details').waitFor();
  });

  test('imports from another program: check, choice, report and undo, by keyboard', async () => {
    const { page } = b;
    await page.goto(`${b.address}/settings/actions/migrate/`);
    await page.getByRole('radio', { name: /^OPML/ }).press('Space');
    await page.getByRole('radio', { name: /^OPML/ }).press('Enter');
    const heading = (name: string) => page.getByRole('heading', { name });
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Where is the data of OPML?');
    await expect.poll(() => button('Check').isDisabled()).toBe(true);
    const feed = (id: string, name: string) =>
      `<outline text="${name}" xmlUrl="https://www.youtube.com/feeds/videos.xml?channel_id=${id}"/>`;
    const opml = `<opml version="2.0"><body>${feed('UCaaaaaaaaaaaaaaaaaaaaaa', 'From elsewhere')}${feed('nothing', 'Other')}</body></opml>`;
    await page
      .getByLabel('File to import from')
      .setInputFiles({ name: 'feeds.opml', mimeType: 'text/xml', buffer: Buffer.from(opml) });
    await page.getByText('Uploaded: feeds.opml').waitFor();
    await expectAccessible(page);
    await button('Check').press('Enter');
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('What should be imported?');
    expect(
      await page
        .getByRole('row', { name: /Subscriptions/ })
        .getByRole('cell')
        .allTextContents(),
    ).toEqual(['1', '1', '0', '0']);
    await page.getByText('Only YouTube entries are imported.').waitFor();
    await page.getByRole('checkbox', { name: /Subscriptions/ }).press('Space');
    await expect.poll(() => button('Import now').isDisabled()).toBe(true);
    await page.getByRole('checkbox', { name: /Subscriptions/ }).press('Space');
    await expectAccessible(page);
    await button('Import now').press('Enter');
    await heading('Import finished').waitFor();
    const names = async () =>
      ((await b.visitor.call('GET', '/api/channel/?filter=subscribed')).json as { data: { channel_name: string }[] }).data.map(
        (one) => one.channel_name,
      );
    expect(await names()).toContain('From elsewhere');
    await page.goto(`${b.address}/settings/actions/migrate/#past-imports`);
    await page.getByRole('button', { name: /^Undo OPML/ }).click();
    await button('Undo import').click();
    await page.getByText('undone', { exact: true }).waitFor();
    expect(await names()).not.toContain('From elsewhere');
    await page.getByRole('button', { name: /^Report of OPML/ }).click();
    await page.getByRole('dialog').getByText('Only YouTube entries are imported.').waitFor();
    await button('Close').click();
  });

  test('lists all tasks, and runs one with a link to its result', async () => {
    const { page, visitor } = b;
    await page.goto(`${b.address}/settings/scheduling/`);
    const row = page.getByRole('row', { name: /^Verify files/ });
    await row.getByText('Never').waitFor();
    await expectAccessible(page);
    await row.getByRole('button', { name: 'Run now: Verify files' }).click();
    await page.getByText('Verify files: started.').waitFor();
    await row.getByText(/^Verified 0 of 0 files/).waitFor();
    await row.getByRole('link', { name: 'just now' }).click();
    await page.getByRole('heading', { name: 'Verify files' }).waitFor();
    await page.goBack();
    await row.getByRole('link', { name: 'History: Verify files' }).click();
    await expect.poll(() => page.getByLabel('Task', { exact: true }).inputValue()).toBe('verify');
    await expect.poll(() => page.getByRole('main').getByRole('link', { name: 'Verify files' }).count()).toBe(1);
    await page.getByLabel('Task', { exact: true }).selectOption('All tasks');
    await page.getByRole('main').getByRole('link', { name: 'Manual import' }).first().waitFor();
    const { tasks } = (await visitor.call('GET', '/api/task/overview/')).json as { tasks: { name: string }[] };
    await page.goto(`${b.address}/settings/scheduling/`);
    await row.waitFor();
    expect(await page.getByRole('row').count()).toBe(tasks.length + 1);
  });

  test('schedules a task in words and in the time zone of the browser', async () => {
    const { visitor } = b;
    const context = await b.browser.newContext({ timezoneId: 'Asia/Kolkata', reducedMotion: 'reduce', locale: 'en-GB' });
    const page = await b.open(context);
    await b.logIn(page);
    await page.goto(`${b.address}/settings/scheduling/`);
    const row = page.getByRole('row', { name: /^ZIP backup/ });
    await row.getByText('Off', { exact: true }).waitFor();
    const open = () => row.getByRole('button', { name: 'Change the schedule: ZIP backup' }).click();
    const save = () => page.getByRole('button', { name: 'Save', exact: true }).click();
    await open();
    await page.getByLabel('Run', { exact: true }).selectOption('Every week');
    await page.getByLabel('Day', { exact: true }).selectOption('Monday');
    await page.getByLabel('Time', { exact: true }).fill('03:00');
    await page.getByText(/^Every Monday at 3:00 AM \(Asia\/(Kolkata|Calcutta)\); next: /).waitFor();
    await page.getByLabel('Backups to keep').fill('7');
    await save();
    await row.getByText('Every Monday at 3:00 AM').waitFor();
    const saved = async () =>
      (await visitor.call('GET', '/api/task/schedule/run_backup/')).json as { schedule: string; config: { rotate: number } };
    // The server of the tests uses UTC, 5:30 hours behind.
    expect(await saved()).toMatchObject({ schedule: '30 21 0', config: { rotate: 7 } });
    await open();
    await page.getByLabel('Run', { exact: true }).selectOption('Custom');
    const fields = page.getByLabel('Minute, hour, day of week');
    expect(await fields.inputValue()).toBe('30 21 0');
    await fields.fill('0 25 *');
    await page.getByText('“0 25 *” is not a valid schedule.').waitFor();
    await expectAccessible(page);
    await save();
    await page.getByText('Error 400: “0 25 *” is not a valid schedule.').waitFor();
    expect((await saved()).schedule).toBe('30 21 0');
    await page.getByLabel('Run', { exact: true }).selectOption('Off');
    await save();
    await row.getByText('Off', { exact: true }).waitFor();
    expect((await visitor.call('GET', '/api/task/schedule/run_backup/')).status).toBe(404);
    await context.close();
  });

  test('searches all settings, and focuses the field of a result', async () => {
    const { page } = b;
    const activeLabel = () => page.evaluate('document.activeElement?.labels?.[0]?.textContent');
    await page.goto(`${b.address}/settings/user/`);
    const search = page.getByRole('combobox', { name: 'Search settings' });
    await search.fill('4k');
    await page.getByRole('option', { name: /^Quality/ }).click();
    await page.waitForURL('**/settings/application/format/#downloads.format');
    await expect.poll(activeLabel).toBe('Quality');
    await search.fill('nothing like it');
    await page.getByText('No setting found.').waitFor();
    await search.fill('cookie file');
    await search.press('Enter');
    await expect.poll(activeLabel).toBe('Cookie file');
    // The same result of the command palette, on the same page.
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog', { name: 'Commands' }).getByRole('combobox').fill('netscape');
    await page.getByRole('option', { name: /^Cookie file/ }).waitFor();
    await page.getByRole('option', { name: /^Cookie file/ }).click();
    await expect.poll(activeLabel).toBe('Cookie file');
    // An anchor of earlier versions.
    await page.goto(`${b.address}/settings/application/#trash`);
    await page.waitForURL('**/settings/application/storage/#trash');
    await page.getByLabel('Keep deleted videos in the trash for (days)').waitFor();
  });

  test('shows the settings as an index on phones, from where every page leads back', async () => {
    const { page } = b;
    await page.setViewportSize({ width: 390, height: 844 });
    // Not the home page, which leads to the first setup while the archive is empty.
    await page.goto(`${b.address}/channel/`);
    await page.getByRole('link', { name: 'Settings' }).click();
    const index = page.getByRole('navigation', { name: 'Settings' });
    await index.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
    await expectAccessible(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await index.getByRole('link', { name: 'Storage' }).click();
    await page.getByRole('heading', { name: 'Storage', level: 1 }).waitFor();
    expect(await index.isVisible()).toBe(false);
    await page.getByRole('main').getByRole('link', { name: 'Settings' }).click();
    await index.getByRole('link', { name: 'Dashboard' }).click();
    await page.getByRole('heading', { name: 'Your archive' }).waitFor();
    await page.getByRole('main').getByRole('link', { name: 'Settings' }).click();
    await index.getByRole('link', { name: 'Trash' }).click();
    await page.getByText('The trash is empty.').waitFor();
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  test('accepts three to seven columns, falls back to 12 videos per page, and keeps custom CSS', async () => {
    const { page, visitor } = b;
    // A response that was requested before a change has the old value and arrives after it.
    const delayed = Promise.withResolvers<void>();
    let requestCount = 0;
    await page.route('**/api/events/', (route) =>
      route.fulfill({ contentType: 'text/event-stream', body: 'event: missed\ndata: {}\n\n' }),
    );
    await page.route('**/api/user/me/', async (route) => {
      if (route.request().method() !== 'GET' || ++requestCount < 2) return route.continue();
      const response = await route.fetch();
      await delayed.promise;
      await route.fulfill({ response }).catch(() => undefined); // the request may have been cancelled
    });
    await page.goto(`${b.address}/settings/user/`);
    const me = async () => (await visitor.call('GET', '/api/user/me/')).json as Record<string, unknown>;
    await expect.poll(() => button('Fewer columns').isDisabled()).toBe(true);
    await expect.poll(() => requestCount).toBeGreaterThanOrEqual(2);
    for (let columns = 4; columns <= 7; columns++) {
      await button('More columns').click();
      await expect.poll(async () => (await me())['grid_items']).toBe(columns);
      delayed.resolve();
    }
    await page.unrouteAll({ behavior: 'wait' });
    await expect.poll(() => button('More columns').isDisabled()).toBe(true);
    await page.getByLabel('Videos per page', { exact: true }).fill('48');
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await me())['page_size']).toBe(48);
    await page.getByLabel('Videos per page', { exact: true }).fill('');
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await me())['page_size']).toBe(12);
    await page.getByLabel('Theme').selectOption('Custom');
    await page.getByLabel('Custom CSS').fill(':root { --accent: #88ccff; }');
    await page.keyboard.press('Tab');
    await expect.poll(async () => (await me())['custom_css']).toContain('#88ccff');
    await visitor.call('POST', '/api/user/me/', { stylesheet: 'dark.css' });
    await page.reload();
    await page.getByLabel('Videos per page', { exact: true }).waitFor();
    await expectAccessible(page);
  });

  // This server is the only one, so the answers about several are invented (server/app/join-nodes.test.ts has real ones).
  test('drains one of several servers, and removes one that has ended, by keyboard', async () => {
    const { page } = b;
    const link = page.getByRole('link', { name: 'Servers', exact: true });
    await page.goto(`${b.address}/settings/health/users/`);
    await page.getByText('You', { exact: true }).waitFor();
    expect(await link.count()).toBe(0);
    const seconds = Math.floor(Date.now() / 1000);
    const work = { runs: [], downloads: 0, problems: [], problem_messages: [] };
    const alive = { ...work, is_alive: true, is_this: false, is_leader: false, is_draining: false };
    const begun = {
      ...alive,
      role: 'worker' as const,
      version: 'v1.0.0',
      egress: '',
      ytdlp: null,
      started_at: seconds - 7200,
      seen_at: seconds,
    };
    const runs = [{ id: 'run', name: 'verify', title: 'Verify' }];
    let nodes: NodeState[] = [
      { ...begun, name: 'gone', is_alive: false, seen_at: seconds - 3600 },
      { ...begun, name: 'front', role: 'web', is_this: true },
      { ...begun, name: 'attic', is_leader: true, version: 'v1.1.0', runs },
    ];
    await page.route('**/api/node/', (route) => route.fulfill({ json: nodes }));
    await page.route('**/api/node/*/', async (route) => {
      const name = new URL(route.request().url()).pathname.split('/')[3];
      const change = route.request().postDataJSON() as Partial<NodeState> | null;
      nodes = nodes.flatMap((one) => (one.name !== name ? one : change ? { ...one, ...change, runs: [] } : []));
      await route.fulfill({ status: 204 });
    });
    await page.reload();
    await link.click();
    const rows = page.locator('#servers li');
    await expect
      .poll(() => rows.allInnerTexts())
      .toMatchObject([
        expect.stringMatching(/front.*This server.*Web server.*v1\.0\.0.*started 2 hours ago/s),
        expect.stringMatching(/attic.*Leader.*Worker.*Other version: v1\.1\.0.*Verify files/s),
        expect.stringMatching(/gone.*Not running.*last seen 1 hour ago/s),
      ]);
    await button('Drain: attic').press('Enter');
    await page.getByText('Nothing left to complete. You can stop it.').waitFor();
    await page.getByText('all workers are draining or not running').waitFor();
    await button('Stop draining: attic').press('Enter');
    await button('Drain: attic').waitFor();
    await button('Remove: gone').press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).press('Enter');
    await expect.poll(() => rows.count()).toBe(2);
    await expectAccessible(page);
    for (const path of ['**/api/node/', '**/api/node/*/']) await page.unroute(path);
    expect(b.errors).toEqual([]);
  });

  test('lists outgoing connections on one page, and counts failed logins', async () => {
    const { page } = b;
    await page.goto(`${b.address}/about/`);
    await page.getByText('sponsor.ajay.app', { exact: true }).waitFor();
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
