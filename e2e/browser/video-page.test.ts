import { readFile } from 'node:fs/promises';
import type { Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { channel, film, playlist, second, third } from '../support/watch-catalogue.ts';
import { canBrowse, expectAccessibleAtAllWidths, expectNoA11yProblems } from '../support/in-browser.ts';
import { startWatching, closeWhilePlaying, mediaOf, openStopped } from '../support/watching.ts';

describe.runIf(canBrowse)('the video page', () => {
  let watcher: Awaited<ReturnType<typeof startWatching>>;
  let page: Page;
  let address: string;
  let media: ReturnType<typeof mediaOf>;
  beforeAll(async () => {
    watcher = await startWatching();
    ({ page, address } = watcher);
    media = mediaOf(page);
  });
  afterAll(() => watcher.close());

  const open = (at = 5) => openStopped(page, address, film.id, at);
  const side = () => new URL(page.url()).searchParams.get('side');
  const tab = (name: string | RegExp) => page.getByRole('tab', { name });
  const fetchVideo = async (id: string) =>
    (await watcher.visitor.call('GET', `/api/video/${id}/`)).json as Record<string, unknown>;

  test('shows existing metadata and no empty fields', async () => {
    await open();
    await page.getByText('4,321 views').waitFor();
    await page.getByText('210 likes').waitFor();
    await expect.poll(() => page.getByText(/dislike/).count()).toBe(0);
    await page.getByText(/Last refreshed/).waitFor();
    await page.getByRole('link', { name: 'Active' }).waitFor();
    await page.getByText(/h264 · 320 × 180/).waitFor();
    await page.getByText('Video has no comments').waitFor();
    await page.getByRole('button', { name: '0:30', exact: true }).first().click();
    await expect.poll(media.position).toBeGreaterThanOrEqual(30);
  });

  test('lists more videos of the channel', async () => {
    await open();
    const more = page.getByRole('region', { name: 'More from this channel' });
    await more.getByRole('link', { name: second.title, exact: true }).waitFor();
    expect(await more.getByRole('link', { name: film.title, exact: true }).count()).toBe(0);
    await more.getByRole('link', { name: 'All videos of this channel' }).click();
    await page.waitForURL(`${address}/channel/${channel.id}/`);
  });

  test('subscribes to the channel, protects and refreshes the video, and copies its link', async () => {
    await open();
    await page.getByRole('button', { name: 'Subscribe', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Subscribe' }).click();
    await page.getByText(`Subscribed to ${channel.name}.`).waitFor();
    await page.getByRole('button', { name: 'Subscribed', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('button', { name: 'Subscribe', exact: true }).waitFor();
    const chooseAction = async (name: string) => {
      await page.getByRole('button', { name: 'More', exact: true }).click();
      await page.getByRole('menuitem', { name }).click();
    };
    await chooseAction('Protect from cleanup');
    await expect.poll(async () => (await fetchVideo(film.id))['is_protected']).toBe(true);
    await chooseAction('Reindex');
    await page.getByText('Reindex scheduled').waitFor();
    await chooseAction('Copy link');
    await page.getByText('Link copied.').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(`${address}/video/${film.id}/`);
    await page.evaluate("navigator.clipboard.writeText = () => Promise.reject(new Error('not allowed'))");
    await chooseAction('Copy link');
    await page.getByText(`The browser blocked copying: ${address}/video/${film.id}/`).waitFor();
  });

  test('shows what the source has changed, with differences, and that it no longer has the video', async () => {
    const at = Date.UTC(2026, 2, 5, 12) / 1000;
    const { vid_thumb_url: thumbnail } = (await fetchVideo(second.id)) as { vid_thumb_url: string };
    const history = [
      { what: 'thumbnail', until: at + 3, value: thumbnail },
      { what: 'title', until: at, value: 'Down the <b>stream</b>' },
      { what: 'description', until: at, value: `${'Some words. '.repeat(40)}The weir comes at 0:20.` },
      { what: 'title', until: at - 86_400, value: 'Untitled' },
    ];
    await page.route(`**/api/video/${film.id}/history/`, (route) => route.fulfill({ json: history }));
    await page.route(`**/api/video/${film.id}/`, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...((await response.json()) as object), active: false } });
    });
    await open();
    await page.getByText('No longer available at the source. Your archive still has it.').waitFor();
    await page.getByText('Change history').click();
    const entry = page.getByRole('listitem').filter({ hasText: 'Changed at the source: Title, Thumbnail, and Description' });
    await entry.getByText('March 5, 2026', { exact: true }).waitFor();
    const marked = (mark: string) => entry.locator(mark).allTextContents();
    expect([(await marked('del'))[0], (await marked('ins'))[0]]).toEqual(['[removed: <b>stream</b>]', '[added: river]']);
    await entry.getByRole('img', { name: 'Thumbnail before March 5, 2026' }).waitFor();
    await entry.getByRole('img', { name: 'Thumbnail after March 5, 2026' }).waitFor();
    await page
      .getByRole('listitem')
      .filter({ hasText: 'March 4, 2026' })
      .getByText('Changed at the source: Title', { exact: true })
      .waitFor();
    await page.evaluate('scrollTo(0, 0)'); // nothing is below the sticky header
    await expectAccessibleAtAllWidths(page);
    await page.unrouteAll();
  });

  test('adds the video to custom playlists and removes it', async () => {
    await watcher.visitor.call('POST', '/api/playlist/custom/', { playlist_name: 'For the evening' });
    await open();
    await page.getByRole('button', { name: 'Add to playlist' }).click();
    const choices = page.getByRole('dialog', { name: 'Add to playlist' });
    const item = choices.getByRole('checkbox', { name: 'For the evening' });
    await item.click();
    await page.getByText('Added to For the evening.').waitFor();
    await expect.poll(async () => ((await fetchVideo(film.id))['playlist'] as string[]).length).toBe(2);
    // A click does the opposite of what is shown.
    await expect.poll(() => item.isChecked()).toBe(true);
    await item.click();
    await page.getByText('Removed from For the evening.').waitFor();
    await choices.getByLabel('New playlist').fill('  By the river ');
    await page.keyboard.press('Enter');
    await page.getByText('Added to “By the river”.').waitFor();
    await expect.poll(() => choices.getByRole('checkbox', { name: 'By the river' }).isChecked()).toBe(true);
    await expectNoA11yProblems(page);
    await page.keyboard.press('Escape');
    await choices.waitFor({ state: 'detached' });
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Add to playlist');
    const button = page.getByRole('button', { name: 'Add to playlist' });
    await button.click();
    await choices.waitFor();
    await button.click();
    await choices.waitFor({ state: 'detached' });
    await button.click();
    await choices.getByRole('link', { name: 'All playlists' }).click();
    await page.waitForURL(`${address}/playlist/`);
  });

  test('plays the next playlist video after eight seconds, which can be cancelled', async () => {
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
    // The delay can be changed or autoplay disabled; the choice is saved.
    await card.getByLabel('Autoplay next').selectOption('after 60 s');
    await card.getByText(/Next in (60|5\d) s/).waitFor();
    await card.getByLabel('Autoplay next').selectOption('Off');
    await card.getByText('Next', { exact: true }).waitFor();
    await page.goto(`${address}/video/${film.id}/?side=playlist&t=57`);
    await expect.poll(media.position).toBe(57);
    await media.play();
    await card.getByText('Next', { exact: true }).waitFor();
    const wait = page.getByRole('tabpanel').getByLabel('Autoplay next');
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

  test('keeps speed and volume for the next video and the next visit', async () => {
    await open(5);
    await page.keyboard.press('>');
    await page.keyboard.press('>');
    await expect.poll(media.rate).toBe(1.5);
    await page.locator('h1').click();
    for (let step = 0; step < 4; step++) await page.keyboard.press('ArrowDown');
    await expect.poll(media.volume).toBeCloseTo(0.8);
    expect(await page.evaluate('scrollY')).toBe(0);
    await page.keyboard.press('Shift+N');
    await page.waitForURL(`**/video/${second.id}/**`);
    await expect.poll(media.duration).toBeLessThan(20);
    await expect.poll(media.rate).toBe(1.5);
    await page.reload();
    await expect.poll(media.duration).toBeGreaterThan(10);
    expect([await media.rate(), await media.volume()]).toEqual([1.5, 0.8]);
    await page.evaluate('localStorage.clear()');
  });

  test('keeps the order of the queue, also after a reload', async () => {
    await open();
    await page.goto(`${address}/video/${third.id}/?side=queue`);
    await page.getByText('Up next is empty').waitFor();
    for (const id of [third.id, second.id]) {
      await page.goto(`${address}/video/${id}/?side=queue`);
      await page.getByRole('button', { name: 'More', exact: true }).click();
      await page.getByRole('menuitem', { name: 'Add to Up next' }).click();
    }
    await open();
    await page.reload();
    await tab('Up next (2)').click();
    expect(side()).toBe('queue');
    const titles = () => page.locator('[role=tabpanel] li bdi[title]').allTextContents();
    await expect.poll(() => titles()).toEqual([third.title, second.title]);
    await page.getByRole('button', { name: `Move “${second.title}” up` }).click();
    await expect.poll(() => titles()).toEqual([second.title, third.title]);
    await page.getByRole('button', { name: `Remove “${third.title}” from Up next` }).click();
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

  test('asks whether the user is still watching after four automatic videos', async () => {
    const other = await watcher.context.newPage();
    await other.clock.install();
    const item = { id: second.id, title: second.title, thumbnail: '/t.jpg' };
    const items = [item, { ...item, id: third.id, title: third.title }];
    await other.addInitScript(`localStorage.setItem('reelkeep.queue', '${JSON.stringify({ items, repeat: 'all' })}')`);
    await other.goto(`${address}/video/${second.id}/`);
    const otherMedia = mediaOf(other);
    const card = other.getByRole('region', { name: 'Next video' });
    for (let turn = 0; turn < 4; turn++) {
      await other.waitForURL(`**/video/${turn % 2 === 0 ? second.id : third.id}/**`);
      await expect.poll(otherMedia.duration).toBeGreaterThan(10);
      await otherMedia.goTo(13.8);
      await otherMedia.play();
      await card.getByText(/Next in/).waitFor();
      await other.clock.runFor(9000);
      await card.waitFor({ state: 'detached' });
    }
    await expect.poll(otherMedia.duration).toBeGreaterThan(10);
    await otherMedia.goTo(13.8);
    await otherMedia.play();
    await card.getByText('Are you still watching?').waitFor();
    await other.evaluate('localStorage.clear()');
    await other.close();
  });

  test('shows, follows, searches and copies the transcript', async () => {
    await open(21);
    await page.keyboard.press('r');
    await expect.poll(side).toBe('transcript');
    const lines = page.getByRole('region', { name: 'Transcript lines' });
    await lines.locator('[aria-current="true"]', { hasText: 'Sentence number 5' }).waitFor();
    await media.goTo(31);
    await lines.locator('[aria-current="true"]', { hasText: 'Sentence number 7' }).waitFor();
    await lines.hover();
    await page.mouse.wheel(0, 200);
    const follow = page.getByRole('button', { name: 'Follow video' });
    await follow.click();
    await follow.waitFor({ state: 'detached' });
    await page.getByRole('searchbox', { name: 'Search transcript' }).fill('cafe');
    await page.getByText('1 / 1', { exact: true }).waitFor();
    await expect.poll(() => lines.locator('mark').allTextContents()).toEqual(['Café']);
    await lines.getByRole('button', { name: /Am Café vorbei/ }).click();
    await expect.poll(media.position).toBeGreaterThanOrEqual(35);
    await media.pause();
    await lines.getByRole('button', { name: 'Copy line with link' }).nth(7).focus();
    await page.keyboard.press('Enter');
    await page.getByText('Line and link copied.').waitFor();
    await expect
      .poll(() => page.evaluate('navigator.clipboard.readText()'))
      .toMatch(/^Am Café vorbei\n.*\/video\/watchFilm01\/\?t=35$/);
    await page.getByRole('button', { name: 'Save' }).click();
    const [saved] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name: /srt/ }).click()]);
    expect(saved.suggestedFilename()).toBe(`${film.id}.en.srt`);
    expect(await readFile((await saved.path())!, 'utf8')).toContain('00:00:35,000 --> 00:00:39,800\nAm Café vorbei');
    await page.getByLabel('Transcript language').selectOption('de');
    await lines.getByText('Guten Morgen').waitFor();
    expect(await lines.getByRole('list').getAttribute('lang')).toBe('de');
  });

  test('draws only visible lines of a long transcript, and finds the others', async () => {
    const clock = (at: number) => new Date(at * 1000).toISOString().slice(11, 23);
    const cues = Array.from({ length: 5000 }, (_, at) => `${clock(at)} --> ${clock(at + 1)}\nLine ${at} of a long talk\n`);
    const long = (route: Route) => route.fulfill({ contentType: 'text/vtt', body: `WEBVTT\n\n${cues.join('\n')}` });
    await page.route('**/*.en.vtt', long);
    await page.goto(`${address}/video/${film.id}/?side=transcript`);
    const lines = page.getByRole('region', { name: 'Transcript lines' });
    await lines.getByText('Line 0 of a long talk').waitFor();
    await expect.poll(() => lines.locator('li').count()).toBeLessThan(60);
    await page.getByRole('searchbox', { name: 'Search transcript' }).fill('line 4321');
    await lines.locator('mark', { hasText: 'Line 4321' }).waitFor();
    await page.unroute('**/*.en.vtt', long);
  });

  test('supports right-to-left layout, and isolates the direction of site text', async () => {
    await page.route(`**/api/video/${film.id}/`, async (route) => {
      const response = await route.fetch();
      const json = { ...((await response.json()) as object), title: 'במורד הנהר', description: 'בואו איתנו' };
      await route.fulfill({ response, json });
    });
    await open(45);
    const isRtl = (selector: string) => page.evaluate(`document.querySelector('${selector}').matches(':dir(rtl)')`);
    await expect
      .poll(() => Promise.all([isRtl('html'), isRtl('h1 bdi'), isRtl('main p[dir=auto]')]))
      .toEqual([false, true, true]);
    await page.unrouteAll();
    await page.evaluate("document.documentElement.dir = 'rtl'");
    await expectAccessibleAtAllWidths(page);
    const box = (await page.locator('video').boundingBox())!;
    const thumb = (await page.getByRole('slider', { name: 'Seek' }).boundingBox())!;
    expect((thumb.x - box.x) / box.width).toBeCloseTo(0.75, 1);
    await page.keyboard.press('ArrowRight');
    await expect.poll(media.position).toBe(50);
  });

  test('saves the position when the window is closed', async () => {
    await watcher.visitor.call('POST', '/api/watched/', { id: film.id, is_watched: false });
    const saved = async () => ((await fetchVideo(film.id))['player'] as { position?: number }).position ?? 0;
    // Chromium gives a closed page half a second, which may not suffice on a busy machine.
    const isSaved = async () => {
      await closeWhilePlaying(await watcher.context.newPage(), address, film.id, 33);
      return vi.waitUntil(async () => (await saved()) >= 33, 10_000).catch(() => false);
    };
    expect((await isSaved()) || (await isSaved()) || (await isSaved())).toBe(true);
  });

  test.each([390, 1280])('is accessible at %d', async (width) => {
    await page.setViewportSize({ width, height: 844 });
    for (const tabName of ['transcript', 'playlist', 'queue']) {
      await page.goto(`${address}/video/${film.id}/?side=${tabName}`);
      await page.getByRole('tab', { selected: true }).waitFor();
      await expectNoA11yProblems(page);
    }
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  test('deletes and ignores the video, and opens its channel', async () => {
    await page.goto(`${address}/video/${third.id}/`);
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Delete video' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete this video?' });
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect((await watcher.visitor.call('GET', `/api/video/${third.id}/`)).status).toBe(200);
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Delete video' }).click();
    await dialog.getByRole('button', { name: 'Delete and ignore' }).click();
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
