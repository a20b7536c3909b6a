import { chromium, type Browser, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aCatalogue, aChannel, aPlaylist, aVideo } from '#standin/builders.ts';
import { startStandin, type Standin } from '#standin/site.ts';
import { throughStandin } from './acquiring.ts';
import { chromiumOptions } from './chromium.ts';
import { canBrowse, nothingIsWrong } from './in-browser.ts';
import { addressOf, aFolder, aVisitor, startProgram, type Program } from './program.ts';

const channel = aChannel({ name: 'Night Trains', subscribers: 4200 });
const video = aVideo({ id: 'blockedVid1', channelId: channel.id, title: 'Blocked', fails: 'botCheck' });
const list = aPlaylist({ channelId: channel.id, title: 'The line', videoIds: [video.id] });

describe.runIf(canBrowse)('what keeps coming in, in a browser', () => {
  let standin: Standin;
  let folder: Awaited<ReturnType<typeof aFolder>>;
  let program: Program;
  let address: string;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    standin = await startStandin({ catalogue: aCatalogue({ channels: [channel], videos: [video], playlists: [list] }) });
    folder = await aFolder();
    program = await startProgram({ data: folder.path, env: throughStandin(standin) });
    address = await addressOf(program);
    await aVisitor(address);
    browser = await chromium.launch(chromiumOptions());
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
    await standin.close();
    await folder.remove();
  });
  test('a channel is subscribed to by its handle, and unsubscribed on its page', async () => {
    await page.goto(`${address}/channel/`);
    await page.getByLabel(/^Subscribe: channel links/).fill(channel.handle);
    await page.getByRole('button', { name: 'Subscribe' }).click();
    await page.getByText('4.2K subscribers · subscribed').waitFor();
    await nothingIsWrong(page);
    await page.getByRole('link', { name: /Night Trains/ }).click();
    await page.getByRole('button', { name: 'Unsubscribe' }).click();
    await page.getByRole('button', { name: 'Subscribe', exact: true }).waitFor();
    await nothingIsWrong(page);
  });

  test('so is a playlist', async () => {
    await page.goto(`${address}/playlist/`);
    await page.getByLabel(/^Subscribe: playlist links/).fill(list.id);
    await page.getByRole('button', { name: 'Subscribe' }).click();
    await page.getByRole('link', { name: /The line/ }).click();
    await page.getByRole('button', { name: 'Unsubscribe' }).waitFor();
    await nothingIsWrong(page);
  });

  test('a site that turns us away is told on the downloads page, and can be asked again', async () => {
    await page.goto(`${address}/downloads/`);
    await page.getByLabel(/^Paste links/).fill(video.id);
    await page.getByRole('button', { name: 'Add' }).click();
    await page.getByText(/is left alone, and asked again/).waitFor();
    await page.getByText(/Tried again by itself/).waitFor();
    await nothingIsWrong(page);
    await page.getByRole('button', { name: 'Ask again now' }).waitFor();
  });

  test('a task runs by itself when somebody says so, and not at times that are none', async () => {
    await page.goto(`${address}/settings/scheduling/`);
    await page.getByRole('button', { name: 'Every day: Rescan subscriptions' }).click();
    await page.getByText(/^At 08:00/).waitFor();
    const field = page.getByLabel('Rescan subscriptions', { exact: true });
    await field.fill('0 25 *');
    await page.getByRole('button', { name: 'Save: Rescan subscriptions' }).click();
    await page.getByText('Error 400: invalid crontab: 0 25 *').waitFor();
    await page.getByRole('button', { name: 'Switch off: Rescan subscriptions' }).click();
    await page.getByRole('button', { name: 'Every day: Rescan subscriptions' }).waitFor();
    // Nothing typed is no time at all: what runs is switched off by it, what does not stays so.
    const sent: (string | null)[] = [];
    page.on('request', (request) => void (request.method() === 'POST' && sent.push(request.postData())));
    await field.fill(' ');
    await field.press('Enter');
    await field.fill('30 7 *');
    await field.press('Enter');
    await page.getByText(/^At 07:30/).waitFor();
    expect(sent).toEqual([JSON.stringify({ schedule: '30 7 *' })]);
    await field.fill('');
    await page.getByRole('button', { name: 'Save: Rescan subscriptions' }).click();
    await page.getByRole('button', { name: 'Every day: Rescan subscriptions' }).waitFor();
    await nothingIsWrong(page);
  });

  test('where to tell things is tried before it is saved, and what cannot be meant is said', async () => {
    const test = page.getByRole('button', { name: 'Test', exact: true });
    await page.getByLabel('Address').fill('ntfy://127.0.0.1/topic');
    await expect.poll(() => test.isDisabled()).toBe(true);
    await page.getByLabel('Task', { exact: true }).selectOption('Start download');
    await test.click();
    await page.getByText(/may not go there/).waitFor();
  });

  test('a text that is no cookie file is refused with a sentence', async () => {
    await page.goto(`${address}/settings/application/`);
    await page.getByLabel('Cookie file').fill('Cookie: a=b');
    await page.getByRole('button', { name: 'Store and try' }).click();
    await page.getByText(/seven fields a line/).waitFor();
    await nothingIsWrong(page);
  });

  test('how the archive is stands on one page, and what can be done for it', async () => {
    await page.goto(`${address}/settings/health/`);
    await page.getByText('All folders can be written.').waitFor();
    await page.getByText(/Left alone for now: youtube/).waitFor();
    // All of it at once: a button half below the bar at the foot is no small button.
    await page.setViewportSize({ width: 390, height: 2000 });
    await nothingIsWrong(page);
    await page.getByRole('button', { name: 'Start: Verify files' }).click();
    await page.getByText('Verify files: started.').waitFor();
  });
});
