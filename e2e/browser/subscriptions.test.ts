import { chromium, type Browser, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aCatalogue, aChannel, aPlaylist, aVideo } from '../../test-site/builders.ts';
import { startTestSite, type TestSite } from '../../test-site/site.ts';
import { testSiteEnv } from '../support/acquisition.ts';
import { chromiumOptions } from '../support/chromium.ts';
import { canBrowse, expectNoA11yProblems } from '../support/in-browser.ts';
import { addressOf, createTempFolder, startProgram, type Program } from '../support/program.ts';

const channel = aChannel({ name: 'Night Trains', subscribers: 4200 });
const video = aVideo({ id: 'blockedVid1', channelId: channel.id, title: 'Blocked', fails: 'botCheck' });
const list = aPlaylist({ channelId: channel.id, title: 'The line', videoIds: [video.id] });

describe.runIf(canBrowse)('subscriptions and schedules', () => {
  let testSite: TestSite;
  let folder: Awaited<ReturnType<typeof createTempFolder>>;
  let program: Program;
  let address: string;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    testSite = await startTestSite({ catalogue: aCatalogue({ channels: [channel], videos: [video], playlists: [list] }) });
    folder = await createTempFolder();
    program = await startProgram({ data: folder.path, env: testSiteEnv(testSite) });
    address = await addressOf(program);
    browser = await chromium.launch(chromiumOptions({ isShellEnough: true }));
    page = await (await browser.newContext({ viewport: { width: 390, height: 844 }, reducedMotion: 'reduce' })).newPage();
    page.setDefaultTimeout(120_000);
    await page.goto(`${address}/login/`);
    await page.getByLabel('Username').fill('demo');
    await page.getByLabel('Password').fill('demo');
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByRole('link', { name: 'Downloads' }).first().waitFor();
  });
  afterAll(async () => {
    await browser.close();
    program.child.kill('SIGKILL');
    await program.ended;
    await testSite.close();
    await folder.remove();
  });
  test('subscribes to a channel by its handle, and unsubscribes on its page', async () => {
    await page.goto(`${address}/channel/`);
    const box = page.getByLabel(/^Paste links/);
    await box.fill(`${channel.handle}\nnot a channel!!`);
    // An invalid line stays in the field, with its reason.
    await page.getByRole('alert').getByText('Not a valid ID, @handle or URL.').waitFor();
    await page.getByLabel('Earlier uploads').selectOption('None');
    await expectNoA11yProblems(page);
    await page.getByRole('button', { name: 'Subscribe' }).click();
    await expect.poll(() => box.inputValue()).toBe('not a channel!!');
    await page.getByText('4,200 subscribers').waitFor();
    await expectNoA11yProblems(page);
    await page.getByRole('link', { name: /Night Trains/ }).click();
    // The list has a button with the same name.
    await page.getByRole('heading', { level: 1, name: 'Night Trains' }).waitFor();
    await page.getByRole('button', { name: 'Subscribed', pressed: true }).click();
    await page.getByRole('button', { name: 'Subscribe', exact: true }).waitFor();
    await expectNoA11yProblems(page);
  });

  test('subscribes to a playlist and unsubscribes on its page', async () => {
    await page.goto(`${address}/playlist/`);
    await page.getByLabel(/^Paste links/).fill(list.id);
    await page.getByRole('button', { name: 'Subscribe' }).click();
    await page.getByRole('link', { name: /The line/ }).click();
    await page.getByRole('heading', { level: 1, name: /The line/ }).waitFor();
    await page.getByRole('button', { name: 'Subscribed', pressed: true }).waitFor();
    await expectNoA11yProblems(page);
  });

  test('shows a site in cooldown on the downloads page, and ends the cooldown', async () => {
    await page.goto(`${address}/downloads/`);
    await page.getByLabel(/^Paste links/).fill(video.id);
    await page.getByRole('button', { name: 'Download', exact: true }).click();
    await page.getByText(/Paused for .* – retrying/).waitFor();
    await page.getByText(/Retries /).waitFor();
    await expectNoA11yProblems(page);
    await page.getByRole('button', { name: 'Retry now' }).waitFor();
  });

  test('tests a notification URL before saving it, and rejects an invalid one', async () => {
    await page.goto(`${address}/settings/scheduling/notifications/`);
    const test = page.getByRole('button', { name: 'Test', exact: true });
    await page.getByLabel('Notification URL').fill('ntfy://127.0.0.1/topic');
    await expect.poll(() => test.isDisabled()).toBe(true);
    await page.getByLabel('Event or task', { exact: true }).selectOption('Start download');
    await test.click();
    await page.getByText(/Requests to it are blocked/).waitFor();
    // A webhook needs no URL of Apprise.
    await page.getByRole('radio', { name: 'Webhook' }).click();
    await page.getByLabel('Address', { exact: true }).fill('not an address');
    await expect.poll(() => test.isDisabled()).toBe(true);
    await page.getByLabel('Address', { exact: true }).fill('http://127.0.0.1:9/hook');
    await page.getByLabel('Secret (optional)').fill('s3cret');
    const sent = page.waitForRequest((request) => request.url().endsWith('/api/task/notification/test/'));
    await test.click();
    expect((await sent).postDataJSON()).toMatchObject({ url: 'json://127.0.0.1:9/hook?secret=s3cret' });
  });

  test('rejects text that is no cookie file', async () => {
    await page.goto(`${address}/settings/application/cookie/`);
    await page.getByLabel('Cookie file').fill('Cookie: a=b');
    await page.getByRole('button', { name: 'Save and test' }).click();
    await page.getByText(/seven fields a line/).waitFor();
    await expectNoA11yProblems(page);
  });

  test('shows the health of the archive', async () => {
    await page.goto(`${address}/settings/health/`);
    await page.getByText('All folders are writable.').waitFor();
    await page.getByText(/Requests are paused: youtube/).waitFor();
    // The window shows the whole page, because a button partly covered by the bottom bar counts as too small.
    await page.setViewportSize({ width: 390, height: 2000 });
    await expectNoA11yProblems(page);
  });
});
