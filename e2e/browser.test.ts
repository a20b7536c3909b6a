import { chromium, type Browser, type BrowserContext, type Page, type Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startStandin, type Standin } from '#standin/site.ts';
import { eventually, throughStandin } from './acquiring.ts';
import { chromiumOptions } from './chromium.ts';
import { canBrowse, noteErrors, nothingIsWrong } from './in-browser.ts';
import { channel, hidden, journeyCatalogue, later, long, playlist, second } from './journey-catalogue.ts';
import { addressOf, aFolder, aVisitor, startProgram, type Program, type Visitor } from './program.ts';

describe.runIf(canBrowse)('in a browser', () => {
  let standin: Standin;
  let folder: Awaited<ReturnType<typeof aFolder>>;
  let program: Program;
  let address: string;
  let visitor: Visitor;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  const errors: string[] = [];

  beforeAll(async () => {
    standin = await startStandin({ catalogue: journeyCatalogue() });
    folder = await aFolder();
    program = await startProgram({ data: folder.path, env: throughStandin(standin) });
    address = await addressOf(program);
    visitor = await aVisitor(address);
    await visitor.call('POST', '/api/appsettings/config/', {
      downloads: { sleep_interval: null, subtitle: 'en', comment_max: '100,all,all,all' },
    });
    await visitor.call('POST', '/api/download/?autostart=true', { data: [{ youtube_id: `${playlist.id} ${hidden.id}` }] });
    await eventually(async () => (await visitor.call('GET', `/api/video/${second.id}/`)).status === 200);
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
    await standin.close();
    await folder.remove();
  });

  const heading = (name: string | RegExp) => page.getByRole('heading', { name });
  const media = () => page.locator('video');
  const position = () => media().evaluate((element) => (element as unknown as { currentTime: number }).currentTime);

  test('somebody who is not logged in is asked to, told when it is wrong, and goes on to where they wanted', async () => {
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

  test('a video plays, jumps to chapters and times, and shows its captions', async () => {
    await media().evaluate((element) => (element as unknown as { play(): Promise<void> }).play());
    await expect.poll(position).toBeGreaterThan(0.5);
    await page.getByRole('button', { name: /0:30 Sea/ }).click();
    await expect.poll(position).toBeGreaterThanOrEqual(30);
    await page.getByRole('button', { name: '0:40', exact: true }).click();
    await expect.poll(position).toBeGreaterThanOrEqual(40);
    await page.locator('h1').click();
    await page.keyboard.press('c');
    const shown = () =>
      media().evaluate((element) =>
        [...(element as unknown as { textTracks: Iterable<{ kind: string; mode: string; label: string }> }).textTracks]
          .filter((track) => track.kind === 'subtitles')
          .map(({ mode, label }) => `${label} ${mode}`),
      );
    await expect.poll(shown).toEqual(['English showing']);
    await page.keyboard.press('2');
    await expect.poll(position).toBeLessThan(14);
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys of the player' }).waitFor();
    await page.keyboard.press('Escape');
  });

  test('what a site wrote is text and nothing else', async () => {
    await page.getByText('<img src=x onerror=alert(2)>').waitFor();
    await page.getByText('Lovely <b>tea</b>').waitFor();
    await page.getByRole('button', { name: '1 reply' }).click();
    await page.getByText('Indeed').waitFor();
    const link = page.getByRole('link', { name: 'https://timetables.example/' });
    await expect.poll(() => link.getAttribute('rel')).toBe('noopener noreferrer nofollow');
    expect(errors).toEqual([]);
  });

  test('where somebody stopped is kept, shown at home, and gone on with', async () => {
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
    await page.getByText('Going on at 0:25.').waitFor();
    await expect.poll(() => position()).toBeGreaterThanOrEqual(24);
    await page.getByRole('button', { name: 'Start over' }).click();
    await expect.poll(position).toBeLessThan(20);
  });

  test('seen to its end, a video is watched by itself', async () => {
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

  test('a mark can be taken back', async () => {
    const card = page.getByRole('article').filter({ hasText: second.title });
    await card.hover();
    await card.getByRole('button', { name: /as watched/ }).click();
    await card.getByText('Watched', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => card.getByText('Watched', { exact: true }).count()).toBe(0);
  });

  test('a link that is pasted arrives while one looks on, and what failed says why', async () => {
    await page.getByRole('link', { name: 'Downloads' }).first().click();
    await page.getByText(/^It is private\./).waitFor();
    await page.getByLabel(/^Paste links/).fill(`https://youtu.be/${later.id}`);
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('Looking it up.').first().waitFor();
    await expect.poll(async () => (await visitor.call('GET', `/api/video/${later.id}/`)).status).toBe(200);
    await page.getByRole('link', { name: 'Home', exact: true }).click();
    await page.getByRole('link', { name: later.title }).first().waitFor();
  });

  test('an item is ignored, found among the ignored, and forgotten', async () => {
    await page.goto(`${address}/downloads/`);
    await page.getByRole('article').filter({ hasText: hidden.id }).getByRole('button', { name: 'Ignore' }).click();
    await heading('The queue is empty').waitFor();
    await page.getByRole('radio', { name: 'Ignored' }).click();
    await page.getByRole('article').filter({ hasText: hidden.id }).getByRole('button', { name: 'Forget' }).click();
    await heading('Nothing is ignored').waitFor();
  });

  test('a session that runs out in the middle of typing loses nothing', async () => {
    await page.goto(`${address}/downloads/`);
    const box = page.getByLabel(/^Paste links/);
    await box.fill('https://youtu.be/halfTypedId');
    const dialog = page.getByRole('dialog', { name: 'Log in again' });
    await context.clearCookies();
    // The page may notice by itself first; then the dialog covers the button.
    const pressed = page
      .getByRole('button', { name: 'Add', exact: true })
      .click()
      .catch(() => dialog.count());
    await dialog.waitFor();
    await dialog.getByLabel('Username').fill('demo');
    await dialog.getByLabel('Password').fill('demo');
    await dialog.getByRole('button', { name: 'Log in' }).click();
    await dialog.waitFor({ state: 'detached' });
    await pressed;
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
    '/settings/application/',
    '/about/',
    '/nowhere/',
  ])('everybody can use %s: nothing is wrong that a program can find, and nothing is wider than a phone', async (path) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(address + path);
    await page.locator('main h1, main h2').first().waitFor();
    await nothingIsWrong(page);
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  test('a page that is not there says so, and leads home', async () => {
    await page.goto(`${address}/video/notInHere01/`);
    await heading('This video is not in the archive').waitFor();
    await page.getByRole('link', { name: 'Go home' }).click();
    await heading('Recent videos').waitFor();
  });

  test('who is not staff is shown no way to the queue, and is told so on its page', async () => {
    const asViewer = async (route: Route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, json: { ...(await answer.json()), is_staff: false, is_superuser: false } });
    };
    await page.route('**/api/user/account/', asViewer);
    await page.goto(address);
    await heading('Recent videos').waitFor();
    await expect.poll(() => page.getByRole('link', { name: 'Channels' }).count()).toBe(1);
    await expect.poll(() => page.getByRole('link', { name: 'Downloads' }).count()).toBe(0);
    await page.goto(`${address}/downloads/`);
    await page.getByText('Only staff may see the queue.').waitFor();
    await page.unroute('**/api/user/account/', asViewer);
  });

  test('who has logged out is asked to log in wherever they go', async () => {
    expect(errors).toEqual([]);
    await page.goto(address);
    await page.getByRole('button', { name: 'Log out' }).first().click();
    await page.getByLabel('Username').waitFor();
    await page.goto(`${address}/downloads/`);
    await page.getByLabel('Username').waitFor();
  });

  test('while the server is away, the login waits, and helps', async () => {
    await page.route('**/api/health/', (route) => route.abort());
    await page.goto(`${address}/login/`);
    await page.getByText('Waiting for backend').waitFor();
    await page.getByText('REELKEEP_PORT').waitFor();
    await page.unroute('**/api/health/');
    await expect.poll(() => page.getByText('Waiting for backend').count()).toBe(0);
    // Of a server that is not well, but answers, one sees only inside what is wrong with it.
    let asked = 0;
    await page.route('**/api/health/', (route) => {
      asked++;
      return route.fulfill({ status: 503, json: { error: 'The database is damaged.', may_log_in: true } });
    });
    await page.reload();
    await expect.poll(() => asked).toBe(1);
    await expect.poll(() => page.getByLabel('Username').isEnabled()).toBe(true);
    await page.waitForTimeout(500);
    expect(await page.getByText('Waiting for backend').count()).toBe(0);
    await page.unroute('**/api/health/');
  });

  test('deleting asks first, says how much, and takes it out of the archive', async () => {
    await page.getByLabel('Username').fill('demo');
    await page.getByLabel('Password').fill('demo');
    await page.getByRole('button', { name: 'Log in' }).click();
    await heading('Recent videos').waitFor();
    await page.goto(`${address}/video/${later.id}/`);
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Delete Video' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete this video?' });
    await dialog.getByText(/1 video \([\d.]+ (KiB|MiB)\)/).waitFor();
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
    await heading(channel.name).waitFor();
    expect((await visitor.call('GET', `/api/video/${later.id}/`)).status).toBe(404);
  });

  test('somebody changes their password, and is told when the present one is wrong', async () => {
    await page.goto(`${address}/settings/user/`);
    const change = async (current: string, next: string) => {
      await page.getByLabel('Present password').fill(current);
      await page.getByLabel('New password').fill(next);
      await page.getByRole('button', { name: 'Change password' }).click();
    };
    await change('not mine', 'better than demo');
    await page.getByText('That is not your present password.').waitFor();
    await change('demo', 'better than demo');
    await page.getByText('Your password is changed.').waitFor();
    await page.reload();
    await heading('Password').waitFor();
    const old = await page.request.post(`${address}/api/user/login/`, { data: { username: 'demo', password: 'demo' } });
    expect(old.status()).toBe(400);
  });
});
