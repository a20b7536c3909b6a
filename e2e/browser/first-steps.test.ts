import { chromium, type Browser, type BrowserContext, type Page, type Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Settings } from '#contract/settings.ts';
import { startTestSite, type TestSite } from '../../test-site/site.ts';
import { eventually, testSiteEnv } from '../support/acquisition.ts';
import { chromiumOptions } from '../support/chromium.ts';
import { canBrowse, expectAccessibleAtAllWidths, expectNoA11yProblems, logOut, noteErrors } from '../support/in-browser.ts';
import { channel, hidden, journeyCatalogue, later, long, playlist, second } from '../support/journey-catalogue.ts';
import { addressOf, createTempFolder, logInToProgram, startProgram, type Program, type ApiClient } from '../support/program.ts';

describe.runIf(canBrowse)('first steps', () => {
  let testSite: TestSite;
  let folder: Awaited<ReturnType<typeof createTempFolder>>;
  let program: Program;
  let address: string;
  let visitor: ApiClient;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  const errors: string[] = [];

  beforeAll(async () => {
    testSite = await startTestSite({ catalogue: journeyCatalogue() });
    folder = await createTempFolder();
    program = await startProgram({ data: folder.path, env: testSiteEnv(testSite) });
    address = await addressOf(program);
    visitor = await logInToProgram(address);
    await visitor.call('POST', '/api/appsettings/config/', {
      downloads: { sleep_interval: null, subtitle: 'en', comment_max: '100,all,all,all' },
    });
    browser = await chromium.launch(chromiumOptions());
    context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' });
    page = await context.newPage();
    page.setDefaultTimeout(120_000);
    noteErrors(page, errors);
  });
  afterAll(async () => {
    await browser.close();
    program.child.kill('SIGKILL');
    await program.ended;
    await testSite.close();
    await folder.remove();
  });

  const heading = (name: string | RegExp) => page.getByRole('heading', { name });
  const media = () => page.locator('video');
  const position = () => media().evaluate((element) => (element as unknown as { currentTime: number }).currentTime);

  test('asks three questions at the first login, and fills the archive from a pasted link', async () => {
    await page.goto(address);
    await page.getByLabel('Username').fill('demo');
    await page.getByLabel('Password').fill('demo');
    await page.getByRole('button', { name: 'Log in' }).click();
    await heading('Set up your archive').waitFor();
    await page.getByRole('radio', { name: 'Up to 1080p, MP4' }).check();
    await page.getByRole('radio', { name: 'Other languages…' }).check();
    await page.getByLabel('Subtitle languages').fill('en');
    await page.getByRole('radio', { name: 'Only list in the queue' }).check();
    await expectAccessibleAtAllWidths(page);
    const settings = async () => (await visitor.call('GET', '/api/appsettings/config/')).json as Settings;
    expect((await settings()).application.setup_done).toBe(false);
    await page.getByLabel(/^Paste links/).fill(`${playlist.id}\n${hidden.id}`);
    await page.getByRole('button', { name: 'Download 2' }).click();
    await expect.poll(settings).toMatchObject({
      downloads: { format: expect.stringContaining('height<=1080'), subtitle: 'en' },
      subscriptions: { auto_start: false },
      application: { setup_done: true },
    });
    await eventually(async () => (await visitor.call('GET', `/api/video/${second.id}/`)).status === 200);
    await page.getByRole('link', { name: 'Home', exact: true }).click();
    await heading('Recent videos').waitFor();
    await logOut(page);
    await page.getByLabel('Username').waitFor();
  });

  test('the login page shows no text from its URL and redirects to no other host', async () => {
    for (const next of ['/%5Cevil.example', '//evil.example']) {
      await page.goto(`${address}/login/?why=Call+this+number&next=${next}`);
      await page.getByLabel('Username').fill('demo');
      expect(await page.getByText('Call this number').count()).toBe(0);
      await page.getByLabel('Password').fill('demo');
      await page.getByRole('button', { name: 'Log in' }).click();
      await heading('Recent videos').waitFor();
      expect(new URL(page.url()).pathname).toBe('/');
      await logOut(page);
      await page.getByLabel('Username').waitFor();
    }
    await page.goto(`${address}/login/?why=expired`);
    await page.getByText('The login took too long or was started in another browser. Try again.').waitFor();
  });

  test('asks for the login, reports a wrong password, and continues to the requested page', async () => {
    await page.goto(`${address}/video/${long.id}/`);
    await page.getByLabel('Username').fill('demo');
    await page.getByLabel('Password').fill('wrong');
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByText('Failed to login.').waitFor();
    await page.getByText('Invalid credentials').waitFor();
    await page.getByLabel('Password').fill('demo');
    await page.getByRole('button', { name: 'Log in' }).click();
    await heading(/A long journey/).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/video/${long.id}/`);
  });

  test('plays a video, jumps to chapters and timestamps, and shows captions', async () => {
    await media().evaluate((element) => (element as unknown as { play(): Promise<void> }).play());
    await expect.poll(position).toBeGreaterThan(0.5);
    await page.getByRole('button', { name: /0:30 Sea/ }).click();
    await expect.poll(position).toBeGreaterThanOrEqual(30);
    await page.getByRole('button', { name: '0:40', exact: true }).click();
    await expect.poll(position).toBeGreaterThanOrEqual(40);
    await page.locator('h1').click();
    await page.keyboard.press('c');
    const captionTracks = () =>
      media().evaluate((element) =>
        [...(element as unknown as { textTracks: Iterable<{ kind: string; mode: string; label: string }> }).textTracks]
          .filter((track) => track.kind === 'subtitles')
          .map(({ mode, label }) => `${label} ${mode}`),
      );
    await expect.poll(captionTracks).toEqual(['English showing']);
    await page.keyboard.press('2');
    await expect.poll(position).toBeLessThan(14);
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Player shortcuts' }).waitFor();
    await page.keyboard.press('Escape');
  });

  test('shows text of a site as text only', async () => {
    await page.getByText('<img src=x onerror=alert(2)>').waitFor();
    await page.getByText('Lovely <b>tea</b>').waitFor();
    await page.getByRole('button', { name: '1 reply' }).click();
    await page.getByText('Indeed').waitFor();
    const link = page.getByRole('link', { name: 'https://timetables.example/' });
    await expect.poll(() => link.getAttribute('rel')).toBe('noopener noreferrer nofollow');
    expect(errors).toEqual([]);
  });

  test('saves the position, lists it on the home page, and resumes there', async () => {
    await media().evaluate((element) => {
      const video = element as unknown as { currentTime: number; pause(): void };
      video.currentTime = 25;
      video.pause();
    });
    await expect
      .poll(
        async () =>
          ((await visitor.call('GET', `/api/video/${long.id}/`)).json as { player: { position?: number } }).player.position,
      )
      .toBe(25);
    await page.getByRole('link', { name: 'Home', exact: true }).click();
    await heading('Continue watching').waitFor();
    await page
      .getByRole('region', { name: 'Continue watching' })
      .getByRole('link', { name: /A long journey/ })
      .first()
      .click();
    await page.getByText('Resumed at 0:25.').waitFor();
    await expect.poll(() => position()).toBeGreaterThanOrEqual(24);
    await page.getByRole('button', { name: 'Start over' }).click();
    await expect.poll(position).toBeLessThan(20);
  });

  test('marks a video as watched at its end', async () => {
    await media().evaluate((element) => {
      const video = element as unknown as { currentTime: number; muted: boolean; play(): Promise<void> };
      video.muted = true;
      video.currentTime = 58.5;
      void video.play();
    });
    await page.getByRole('button', { name: 'Watched', exact: true }).waitFor();
    await page.goto(address);
    await page.getByText('Watched', { exact: true }).first().waitFor();
    await expect.poll(() => heading('Continue watching').count()).toBe(0);
  });

  test('undoes marking a video as watched', async () => {
    const card = page.getByRole('article').filter({ hasText: second.title });
    await card.hover();
    await card.getByRole('button', { name: /as watched/ }).click();
    await card.getByText('Watched', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => card.getByText('Watched', { exact: true }).count()).toBe(0);
  });

  test('downloads a pasted link, and shows why an item failed', async () => {
    await page.getByRole('link', { name: 'Downloads' }).first().click();
    await page.getByText(/^Private\./).waitFor();
    await page.getByLabel(/^Paste links/).fill(`https://youtu.be/${later.id}`);
    await page.getByRole('button', { name: 'Download', exact: true }).click();
    await page.getByText('Looking up the links…').first().waitFor();
    await expect.poll(async () => (await visitor.call('GET', `/api/video/${later.id}/`)).status).toBe(200);
    await page.getByRole('link', { name: 'Home', exact: true }).click();
    await page.getByRole('link', { name: later.title }).first().waitFor();
  });

  test('ignores an item, lists it as ignored, and forgets it', async () => {
    await page.goto(`${address}/downloads/`);
    await page.getByRole('article').filter({ hasText: hidden.id }).getByRole('button', { name: 'Ignore' }).click();
    await heading('The queue is empty').waitFor();
    await page.getByRole('radio', { name: 'Ignored' }).click();
    await page.getByRole('article').filter({ hasText: hidden.id }).getByRole('button', { name: 'Forget' }).click();
    await heading('No ignored videos').waitFor();
  });

  test('a session that expires while typing loses no input', async () => {
    await page.goto(`${address}/downloads/`);
    const box = page.getByLabel(/^Paste links/);
    await box.fill('https://youtu.be/halfTypedId');
    await page.getByRole('button', { name: 'Download', exact: true }).waitFor();
    const dialog = page.getByRole('dialog', { name: 'Log in again' });
    await context.clearCookies();
    // The page may detect the logout first; then the dialog covers the button.
    const click = page
      .getByRole('button', { name: 'Download', exact: true })
      .click()
      .catch(() => dialog.count());
    await dialog.waitFor();
    await dialog.getByLabel('Username').fill('demo');
    await dialog.getByLabel('Password').fill('demo');
    await dialog.getByRole('button', { name: 'Log in' }).click();
    await dialog.waitFor({ state: 'detached' });
    await click;
    await expect.poll(() => box.inputValue()).toBe('https://youtu.be/halfTypedId');
    await box.fill('');
  });

  test.each([
    '/',
    `/video/${long.id}/`,
    '/downloads/',
    '/channel/',
    `/channel/${channel.id}/`,
    '/playlist/',
    `/playlist/${playlist.id}/`,
    '/settings/',
    '/settings/#dashboard',
    '/settings/scheduling/',
    '/about/',
    '/first-run/',
    '/home/unavailable/',
    '/nowhere/',
  ])('%s is accessible and not wider than a phone', async (path) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(address + path);
    await page.locator('main h1, main h2').first().waitFor();
    await expectNoA11yProblems(page);
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  test('shows a not-found page with a link home', async () => {
    await page.goto(`${address}/video/notInHere01/`);
    await heading('This video is not in the archive').waitFor();
    await page.getByRole('link', { name: 'Go home' }).click();
    await heading('Recent videos').waitFor();
  });

  test('hides the queue from ordinary users, and rejects its page', async () => {
    const asOrdinaryUser = async (route: Route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), is_staff: false, is_superuser: false } });
    };
    await page.route('**/api/user/account/', asOrdinaryUser);
    await page.goto(address);
    await heading('Recent videos').waitFor();
    await expect.poll(() => page.getByRole('link', { name: 'Channels' }).count()).toBe(1);
    await expect.poll(() => page.getByRole('link', { name: 'Downloads' }).count()).toBe(0);
    await page.goto(`${address}/downloads/`);
    await page.getByText('This page is for administrators').waitFor();
    await page.unroute('**/api/user/account/', asOrdinaryUser);
  });

  test('asks for the login on every page after a logout', async () => {
    expect(errors).toEqual([]);
    await page.goto(address);
    await logOut(page);
    await page.getByLabel('Username').waitFor();
    await page.goto(`${address}/downloads/`);
    await page.getByLabel('Username').waitFor();
  });

  test('waits on the login page while the server is unavailable', async () => {
    await page.route('**/api/health/', (route) => route.abort());
    await page.goto(`${address}/login/`);
    await page.getByText('Waiting for backend').waitFor();
    await page.getByText('REELKEEP_PORT').waitFor();
    await page.unroute('**/api/health/');
    await expect.poll(() => page.getByText('Waiting for backend').count()).toBe(0);
    // An unhealthy server that responds allows the login, and reports its problem only to users who are logged in.
    let healthRequests = 0;
    await page.route('**/api/health/', (route) => {
      healthRequests++;
      return route.fulfill({ status: 503, json: { error: 'The database is damaged.', may_log_in: true } });
    });
    await page.reload();
    await expect.poll(() => healthRequests).toBe(1);
    await expect.poll(() => page.getByLabel('Username').isEnabled()).toBe(true);
    await page.waitForTimeout(500);
    expect(await page.getByText('Waiting for backend').count()).toBe(0);
    await page.unroute('**/api/health/');
  });

  test('asks before deleting, shows the size, and removes the video from the archive', async () => {
    await page.getByLabel('Username').fill('demo');
    await page.getByLabel('Password').fill('demo');
    await page.getByRole('button', { name: 'Log in' }).click();
    await heading('Recent videos').waitFor();
    const dialog = page.getByRole('dialog', { name: 'Delete this video?' });
    // The card asks in the same words, and “Cancel” changes nothing.
    await page
      .getByRole('button', { name: `More actions for “${later.title}”` })
      .first()
      .click();
    await page.getByRole('menuitem', { name: 'Delete…' }).click();
    await dialog.getByText(`Removes “${later.title}”`).waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect((await visitor.call('GET', `/api/video/${later.id}/`)).json).toMatchObject({ is_protected: false });
    await page.goto(`${address}/video/${later.id}/`);
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Delete video' }).click();
    await dialog.getByText(new RegExp(`“${later.title}” \\([\\d.]+ (KiB|MiB)\\)`)).waitFor();
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
    await heading(channel.name).waitFor();
    expect((await visitor.call('GET', `/api/video/${later.id}/`)).status).toBe(404);
  });

  test('changes a password, and reports a wrong current one', async () => {
    await page.goto(`${address}/settings/user/password/`);
    const change = async (current: string, next: string) => {
      await page.getByLabel('Current password').fill(current);
      await page.getByLabel('New password').fill(next);
      await page.getByRole('button', { name: 'Change password' }).click();
    };
    await change('not mine', 'better than demo');
    await page.getByText('The current password is incorrect.').waitFor();
    await change('demo', 'better than demo');
    await page.getByText('Password changed.').waitFor();
    await page.reload();
    await heading('Password and devices').waitFor();
    const oldLogin = await page.request.post(`${address}/api/user/login/`, { data: { username: 'demo', password: 'demo' } });
    expect(oldLogin.status()).toBe(400);
  });
});
