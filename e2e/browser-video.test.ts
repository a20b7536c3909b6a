import { readFile } from 'node:fs/promises';
import type { Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { channel, film, playlist, second, third } from './watch-catalogue.ts';
import { canBrowse, everybodyCanUse, nothingIsWrong } from './in-browser.ts';
import { aWatcher, closeWhilePlaying, mediaOf, openStopped } from './watching.ts';

describe.runIf(canBrowse)('the page of a video', () => {
  let watcher: Awaited<ReturnType<typeof aWatcher>>;
  let page: Page;
  let address: string;
  let media: ReturnType<typeof mediaOf>;
  beforeAll(async () => {
    watcher = await aWatcher();
    ({ page, address } = watcher);
    media = mediaOf(page);
  });
  afterAll(() => watcher.close());

  const open = (at = 5) => openStopped(page, address, film.id, at);
  const side = () => new URL(page.url()).searchParams.get('side');
  const tab = (name: string | RegExp) => page.getByRole('tab', { name });
  const videoNow = async (id: string) => (await watcher.visitor.call('GET', `/api/video/${id}/`)).json as Record<string, unknown>;

  test('says what there is to say, and nothing that there is not', async () => {
    await open();
    await page.getByText('4.3K views').waitFor();
    await page.getByText('210 likes').waitFor();
    await expect.poll(() => page.getByText(/dislike/).count()).toBe(0);
    await page.getByText(/Last refreshed/).waitFor();
    await page.getByRole('link', { name: 'Active' }).waitFor();
    await page.locator('summary', { hasText: 'File' }).click();
    await page.getByText(/h264 · 320 × 180/).waitFor();
    await page.getByText('Video has no comments').waitFor();
    await page.getByRole('button', { name: '0:30', exact: true }).first().click();
    await expect.poll(media.position).toBeGreaterThanOrEqual(30);
  });

  test('subscribes to its channel, keeps it from rules, has it reindexed, and gives its link away', async () => {
    await open();
    await page.getByRole('button', { name: 'Subscribe', exact: true }).click();
    await page.getByText(`Subscribed to ${channel.name}.`).waitFor();
    await page.getByRole('button', { name: 'Subscribed', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('button', { name: 'Subscribe', exact: true }).waitFor();
    const more = async (name: string) => {
      await page.getByRole('button', { name: 'More', exact: true }).click();
      await page.getByRole('menuitem', { name }).click();
    };
    await more('Keep whatever rules say');
    await expect.poll(async () => (await videoNow(film.id))['is_kept']).toBe(true);
    await more('Reindex');
    await page.getByText('Reindex scheduled').waitFor();
    await more('Copy link');
    await page.getByText('Link copied.').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(`${address}/video/${film.id}/`);
    await page.evaluate("navigator.clipboard.writeText = () => Promise.reject(new Error('not allowed'))");
    await more('Copy link');
    await page.getByText(`The browser did not let it be copied: ${address}/video/${film.id}/`).waitFor();
  });

  test('puts it into playlists of one’s own, and takes it out', async () => {
    await watcher.visitor.call('POST', '/api/playlist/custom/', { playlist_name: 'For the evening' });
    await open();
    await page.getByRole('button', { name: 'Add to playlist' }).click();
    const item = page.getByRole('menuitemcheckbox', { name: 'For the evening' });
    await item.click();
    await page.getByText('Added to For the evening.').waitFor();
    await expect.poll(async () => ((await videoNow(film.id))['playlist'] as string[]).length).toBe(2);
    await item.click();
    await page.getByText('Taken out of For the evening.').waitFor();
    await page.getByRole('menuitem', { name: 'Create playlist' }).click();
    await page.waitForURL(`${address}/playlist/`);
  });

  test('follows a playlist by itself when asked, after eight seconds that can be stopped', async () => {
    await open(57);
    await tab('Playlists').click();
    await page
      .getByRole('region', { name: `Playlist ${playlist.title}` })
      .getByRole('switch', { name: 'Autoplay' })
      .click();
    await media.mark();
    await media.play();
    const card = page.getByRole('region', { name: 'Next video' });
    await card.getByText(/Next in \d s/).waitFor();
    await card.getByText(second.title, { exact: true }).waitFor();
    await card.getByRole('button', { name: 'Cancel' }).click();
    await page.waitForTimeout(9_000);
    expect(new URL(page.url()).pathname).toBe(`/video/${film.id}/`);
    // The wait can be made longer, or left to the person; it is remembered.
    await card.getByLabel('The next one follows').selectOption('after 60 s');
    await card.getByText(/Next in (60|5\d) s/).waitFor();
    await card.getByLabel('The next one follows').selectOption('when I choose it');
    await card.getByText('Next', { exact: true }).waitFor();
    await page.goto(`${address}/video/${film.id}/?side=playlist&t=57`);
    await expect.poll(media.position).toBe(57);
    await media.play();
    await card.getByText('Next', { exact: true }).waitFor();
    const wait = page.getByRole('tabpanel').getByLabel('The next one follows');
    await expect.poll(() => wait.inputValue()).toBe('0');
    await wait.selectOption('after 8 s');
    await openStopped(page, address, film.id, 57);
    await media.mark();
    await media.goTo(59.5);
    await media.play();
    await page.waitForURL(`**/video/${second.id}/**`);
    expect([await media.isMarked(), await media.isPaused()]).toEqual([true, false]);
    await page.getByRole('heading', { name: second.title }).first().waitFor();
    await page.locator('h1').click();
    await page.keyboard.press('Shift+P');
    await page.waitForURL(`**/video/${film.id}/**`);
    await page.keyboard.press('Shift+N');
    await page.waitForURL(`**/video/${second.id}/**`);
    await page.evaluate('localStorage.clear()');
  });

  test('keeps speed and volume for the next video, and for tomorrow', async () => {
    await open(5);
    await page.keyboard.press('>');
    await page.keyboard.press('>');
    await expect.poll(media.rate).toBe(1.5);
    await page.getByRole('group', { name: /^Player/ }).focus();
    for (let step = 0; step < 4; step++) await page.keyboard.press('ArrowDown');
    await expect.poll(media.volume).toBeCloseTo(0.8);
    await page.keyboard.press('Shift+N');
    await page.waitForURL(`**/video/${second.id}/**`);
    await expect.poll(media.duration).toBeLessThan(20);
    await expect.poll(media.rate).toBe(1.5);
    await page.reload();
    await expect.poll(media.duration).toBeGreaterThan(10);
    expect([await media.rate(), await media.volume()]).toEqual([1.5, 0.8]);
    await page.evaluate('localStorage.clear()');
  });

  test('keeps a queue in the order one likes, also over a reload', async () => {
    await open();
    await page.goto(`${address}/video/${third.id}/?side=queue`);
    await page.getByText('Nothing is queued').waitFor();
    for (const id of [third.id, second.id]) {
      await page.goto(`${address}/video/${id}/?side=queue`);
      await page.getByRole('button', { name: 'More', exact: true }).click();
      await page.getByRole('menuitem', { name: 'Add to the queue' }).click();
    }
    await open();
    await page.reload();
    await tab('Queue (2)').click();
    expect(side()).toBe('queue');
    const titles = () => page.locator('[role=tabpanel] li bdi[title]').allTextContents();
    await expect.poll(() => titles()).toEqual([third.title, second.title]);
    await page.getByRole('button', { name: `Move “${second.title}” up` }).click();
    await expect.poll(() => titles()).toEqual([second.title, third.title]);
    await page.getByRole('button', { name: `Take “${third.title}” out of the queue` }).click();
    await expect.poll(() => titles()).toEqual([second.title]);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => titles()).toEqual([second.title, third.title]);
    await page.locator('h1').click();
    await page.keyboard.press('Shift+N');
    await page.waitForURL(`**/video/${second.id}/**`);
    await page.keyboard.press('Shift+N');
    await page.waitForURL(`**/video/${third.id}/**`);
    await page.evaluate('localStorage.clear()');
  });

  test('asks whether somebody is still watching, after four that nobody asked for', async () => {
    const other = await watcher.context.newPage();
    await other.clock.install();
    const item = { id: second.id, title: second.title, thumbnail: '/t.jpg' };
    const items = [item, { ...item, id: third.id, title: third.title }];
    await other.addInitScript(`localStorage.setItem('reelkeep.queue', '${JSON.stringify({ items, repeat: 'all' })}')`);
    await other.goto(`${address}/video/${second.id}/`);
    const theirs = mediaOf(other);
    const card = other.getByRole('region', { name: 'Next video' });
    for (let turn = 0; turn < 4; turn++) {
      await other.waitForURL(`**/video/${turn % 2 === 0 ? second.id : third.id}/**`);
      await expect.poll(theirs.duration).toBeGreaterThan(10);
      await theirs.goTo(13.8);
      await theirs.play();
      await card.getByText(/Next in/).waitFor();
      await other.clock.runFor(9000);
      await card.waitFor({ state: 'detached' });
    }
    await expect.poll(theirs.duration).toBeGreaterThan(10);
    await theirs.goTo(13.8);
    await theirs.play();
    await card.getByText('Are you still watching?').waitFor();
    await other.evaluate('localStorage.clear()');
    await other.close();
  });

  test('shows what is said, follows it until one looks elsewhere, finds words in it, and gives it away', async () => {
    await open(21);
    await page.keyboard.press('r');
    await expect.poll(side).toBe('transcript');
    const lines = page.getByRole('region', { name: 'What is said' });
    await lines.locator('[aria-current="true"]', { hasText: 'Sentence number 5' }).waitFor();
    await media.goTo(31);
    await lines.locator('[aria-current="true"]', { hasText: 'Sentence number 7' }).waitFor();
    await lines.hover();
    await page.mouse.wheel(0, 200);
    const follow = page.getByRole('button', { name: 'Follow the video' });
    await follow.click();
    await follow.waitFor({ state: 'detached' });
    await page.getByRole('searchbox', { name: 'Search in the transcript' }).fill('cafe');
    await page.getByText('1 / 1', { exact: true }).waitFor();
    await expect.poll(() => lines.locator('mark').allTextContents()).toEqual(['Café']);
    await lines.getByRole('button', { name: /Am Café vorbei/ }).click();
    await expect.poll(media.position).toBeGreaterThanOrEqual(35);
    await media.pause();
    await lines.getByRole('button', { name: 'Copy this line and its link' }).nth(7).focus();
    await page.keyboard.press('Enter');
    await page.getByText('The line is copied, with its link.').waitFor();
    await expect
      .poll(() => page.evaluate('navigator.clipboard.readText()'))
      .toMatch(/^Am Café vorbei\n.*\/video\/watchFilm01\/\?t=35$/);
    await page.getByRole('button', { name: 'Save' }).click();
    const [saved] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name: /srt/ }).click()]);
    expect(saved.suggestedFilename()).toBe(`${film.id}.en.srt`);
    expect(await readFile((await saved.path())!, 'utf8')).toContain('00:00:35,000 --> 00:00:39,800\nAm Café vorbei');
    await page.getByLabel('Language of the transcript').selectOption('de');
    await lines.getByText('Guten Morgen').waitFor();
    expect(await lines.getByRole('list').getAttribute('lang')).toBe('de');
  });

  test('draws only what is seen of five thousand lines, and finds the others', async () => {
    const clock = (at: number) => new Date(at * 1000).toISOString().slice(11, 23);
    const cues = Array.from({ length: 5000 }, (_, at) => `${clock(at)} --> ${clock(at + 1)}\nLine ${at} of a long talk\n`);
    const long = (route: Route) => route.fulfill({ contentType: 'text/vtt', body: `WEBVTT\n\n${cues.join('\n')}` });
    await page.route('**/*.en.vtt', long);
    await page.goto(`${address}/video/${film.id}/?side=transcript`);
    const lines = page.getByRole('region', { name: 'What is said' });
    await lines.getByText('Line 0 of a long talk').waitFor();
    await expect.poll(() => lines.locator('li').count()).toBeLessThan(60);
    await page.getByRole('searchbox', { name: 'Search in the transcript' }).fill('line 4321');
    await lines.locator('mark', { hasText: 'Line 4321' }).waitFor();
    await page.unroute('**/*.en.vtt', long);
  });

  test('read from the right nothing is cut off and time goes on to the right; a stranger’s words go their own way', async () => {
    await page.route(`**/api/video/${film.id}/`, async (route) => {
      const answer = await route.fetch();
      const json = { ...((await answer.json()) as object), title: 'במורד הנהר', description: 'בואו איתנו' };
      await route.fulfill({ response: answer, json });
    });
    await open(45);
    const way = (of: string) => page.evaluate(`document.querySelector('${of}').matches(':dir(rtl)')`);
    await expect.poll(() => Promise.all([way('html'), way('h1 bdi'), way('main p[dir=auto]')])).toEqual([false, true, true]);
    await page.unrouteAll();
    await page.evaluate("document.documentElement.dir = 'rtl'");
    await everybodyCanUse(page);
    const box = (await page.locator('video').boundingBox())!;
    const thumb = (await page.getByRole('slider', { name: 'Seek' }).boundingBox())!;
    expect((thumb.x - box.x) / box.width).toBeCloseTo(0.75, 1);
    await page.keyboard.press('ArrowRight');
    await expect.poll(media.position).toBe(50);
  });

  test('saves where somebody was when they close the window', async () => {
    await watcher.visitor.call('POST', '/api/watched/', { id: film.id, is_watched: false });
    const saved = async () => ((await videoNow(film.id))['player'] as { position?: number }).position ?? 0;
    // Chromium gives a page that is closed half a second, which may not be enough when others are busy too.
    const isSaved = async () => {
      await closeWhilePlaying(await watcher.context.newPage(), address, film.id, 33);
      return vi.waitUntil(async () => (await saved()) >= 33, 10_000).catch(() => false);
    };
    expect((await isSaved()) || (await isSaved()) || (await isSaved())).toBe(true);
  });

  test.each([390, 1280])('can be used by everybody at %d', async (width) => {
    await page.setViewportSize({ width, height: 844 });
    for (const what of ['transcript', 'playlist', 'queue', 'similar']) {
      await page.goto(`${address}/video/${film.id}/?side=${what}`);
      await page.getByRole('tab', { selected: true }).waitFor();
      await nothingIsWrong(page);
    }
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  test('deletes and ignores, and leads to the channel', async () => {
    await page.goto(`${address}/video/${third.id}/`);
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Delete Video' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete this video?' });
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect((await watcher.visitor.call('GET', `/api/video/${third.id}/`)).status).toBe(200);
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Delete Video' }).click();
    await dialog.getByRole('button', { name: 'Delete and Ignore' }).click();
    await page.waitForURL(`${address}/channel/${channel.id}/`);
    expect((await watcher.visitor.call('GET', `/api/video/${third.id}/`)).status).toBe(404);
    const ignored = async () => {
      const { json } = await watcher.visitor.call('GET', '/api/download/?filter=ignore');
      return (json as { data: { youtube_id: string }[] }).data.map(({ youtube_id }) => youtube_id);
    };
    await expect.poll(() => ignored()).toContain(third.id);
    expect(watcher.errors).toEqual([]);
  });
});
