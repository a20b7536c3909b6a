import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { journeys, loaf, startBrowsing, type Browsing } from './browsing.ts';
import { canBrowse, everybodyCanUse } from './in-browser.ts';

describe.runIf(canBrowse)('what hands and keys find, in a browser', () => {
  let b: Browsing;
  let page: Page;
  beforeAll(async () => {
    b = await startBrowsing();
    page = b.page;
    page.setDefaultTimeout(30_000);
  });
  afterAll(() => b.close());

  const focused = () =>
    page.evaluate<string>('(document.activeElement?.ariaLabel ?? document.activeElement?.textContent ?? "").trim()');
  const titleOf = (title: string) => b.card(title).getByRole('link', { name: title, exact: true });
  const undo = () => page.getByRole('button', { name: 'Undo' });
  const isGone = () => expect.poll(() => undo().count()).toBe(0);

  test('a notice waits while the pointer is on it or the focus in it, is reached by a key, and left by it', async () => {
    await page.clock.install();
    await page.goto(b.address);
    const mark = async () => {
      await titleOf('Journey 02').focus();
      await page.keyboard.press('w');
      await undo().waitFor();
    };
    await mark();
    await page.clock.fastForward(11_000);
    await isGone();

    await mark();
    await page.getByText('Marked as not watched.').hover();
    await page.clock.fastForward(60_000);
    expect(await undo().count()).toBe(1);
    await page.mouse.move(5, 5);
    await page.clock.fastForward(11_000);
    await isGone();

    await mark();
    await page.keyboard.press('F6');
    await expect.poll(focused).toBe('Undo');
    await page.clock.fastForward(60_000);
    expect(await undo().count()).toBe(1);
    await everybodyCanUse(page);
    await page.keyboard.press('F6');
    await expect.poll(focused).toBe('Journey 02');
    await page.keyboard.press('F6');
    await page.keyboard.press('Escape');
    await isGone();
    await expect.poll(focused).toBe('Journey 02');
    await page.clock.resume();
  });

  test('what is said while a dialog is open is in it: the pointer, F6 and a screen reader get there', async () => {
    await page.goto(b.address);
    const isWatched = async () =>
      ((await b.visitor.call('GET', `/api/video/${journeys[1]!.id}/`)).json as { player: { watched: boolean } }).player.watched;
    const before = await isWatched();
    let goOn = () => {};
    const isOpen = new Promise<void>((resolve) => (goOn = resolve));
    await page.route('**/api/watched/', (route) => isOpen.then(() => route.fallback()), { times: 1 });
    await titleOf('Journey 02').focus();
    await page.keyboard.press('w');
    await page.keyboard.press('?');
    const dialog = page.getByRole('dialog', { name: 'Keys' });
    await dialog.waitFor();
    goOn();
    // By its role: what lies under a dialog has none.
    const said = dialog.getByRole('status', { name: 'Notices' }).getByText(/^Marked as/);
    await said.waitFor();
    const had = await focused();
    await page.keyboard.press('F6');
    await expect.poll(focused).toBe('Undo');
    await everybodyCanUse(page);
    await page.keyboard.press('F6');
    await expect.poll(focused).toBe(had);
    await undo().click();
    await isGone();
    await expect.poll(isWatched).toBe(before);
    await dialog.waitFor();

    // What is still said when it is closed, or another is opened, is said on.
    await page.keyboard.press('Escape');
    await titleOf('Journey 02').focus();
    await page.keyboard.press('w');
    await undo().waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog', { name: 'Commands' }).waitFor();
    await undo().click();
    await isGone();
    await expect.poll(isWatched).toBe(before);
    await page.getByRole('dialog', { name: 'Commands' }).waitFor();
    await page.keyboard.press('Escape');
  });

  test('what is chosen stays chosen when what was to be done with it fails, and that is said', async () => {
    await page.goto(b.address);
    const bar = page.getByRole('toolbar', { name: 'Selected videos' });
    const dialog = page.getByRole('dialog');
    await titleOf('Journey 03').focus();
    await page.keyboard.press('x');
    await page.keyboard.press('Shift+ArrowRight');
    await bar.getByText(/^2 selected/).waitFor();
    let fails = true;
    await page.route(
      (url) => url.pathname.startsWith('/api/'),
      (route) =>
        fails && route.request().method() !== 'GET'
          ? route.fulfill({ status: 503, json: { error: 'The disk is asleep.' } })
          : route.fallback(),
    );
    const said = page.getByRole('status', { name: 'Notices' }).getByText('The disk is asleep.');
    for (const name of ['Watched', 'Not watched', 'Redownload', 'Keep']) {
      await bar.getByRole('button', { name, exact: true }).click();
      await said.last().waitFor();
      await bar.getByText(/^2 selected/).waitFor();
      await said.last().hover();
      await page.keyboard.press('F6');
      await page.keyboard.press('Escape');
    }
    for (const [name, go] of [
      ['Delete', 'Delete 2 videos'],
      ['Add to playlist', 'Create playlist'],
    ] as const) {
      await bar.getByRole('button', { name, exact: true }).click();
      if (name === 'Add to playlist') await dialog.getByLabel('New playlist').fill('For tonight');
      await dialog.getByRole('button', { name: go }).click();
      await dialog.getByText('The disk is asleep.').waitFor();
      await page.keyboard.press('Escape');
      await bar.getByText(/^2 selected/).waitFor();
    }
    fails = false;
    await bar.getByRole('button', { name: 'Keep', exact: true }).click();
    await page.getByText('No rule deletes 2 videos any more.').waitFor();
    await expect.poll(() => bar.count()).toBe(0);
    await page.unrouteAll();
  });

  test('the key of the transcript goes into it, and back to where somebody was and to what stood there', async () => {
    await page.goto(`${b.address}/video/${loaf.id}/?side=similar`);
    const watched = page.getByRole('main').getByRole('button', { name: 'Mark watched' }).first();
    const isShown = (tab: string) =>
      expect.poll(() => page.getByRole('tab', { name: tab }).getAttribute('aria-selected')).toBe('true');
    await expect.poll(() => page.evaluate('document.querySelector("video")?.readyState >= 2')).toBe(true);
    await watched.focus();
    const before = await focused();
    for (const back of ['r', 'Escape']) {
      await page.keyboard.press('r');
      await expect.poll(focused).toBe('What is said');
      await isShown('Transcript');
      await page.keyboard.press('Tab');
      await page.keyboard.press(back);
      await expect.poll(focused).toBe(before);
      await isShown('Similar');
    }
  });

  test('a picture on or back is one of the file, whatever its rate, also when nothing has been played', async () => {
    await page.goto(`${b.address}/video/${loaf.id}/`);
    const at = (picture: number) =>
      // The site's films have twelve pictures a second; one shows the middle of it.
      expect
        .poll(() => page.evaluate<number>('document.querySelector("video").currentTime * 12'), { timeout: 5000 })
        .toBeCloseTo(picture + 0.5, 1);
    await expect.poll(() => page.evaluate('document.querySelector("video")?.readyState >= 2')).toBe(true);
    expect(await page.evaluate('document.querySelector("video").played.length')).toBe(0);
    await page.keyboard.press('.');
    await at(1);
    await page.keyboard.press('.');
    await at(2);
    await page.keyboard.press('.');
    await at(3);
    await page.keyboard.press(',');
    await at(2);
  });

  test('what is moved by keys keeps the focus, in a playlist and in the queue, and can be moved on', async () => {
    const made = (await b.visitor.call('POST', '/api/playlist/custom/', { playlist_name: 'By hand' })).json as {
      playlist_id: string;
    };
    const three = journeys.slice(0, 3);
    for (const { id } of three)
      await b.visitor.call('POST', `/api/playlist/custom/${made.playlist_id}/`, { action: 'create', video_id: id });
    await page.goto(`${b.address}/playlist/${made.playlist_id}/`);
    await page.getByRole('button', { name: 'Arrange' }).click();
    await page.locator('[data-grip]').first().focus();
    for (const place of [2, 3]) {
      await page.keyboard.press('Alt+ArrowDown');
      await expect.poll(focused).toBe(`Move “Journey 01”, now at ${place}`);
      // The server has it too before it is moved on.
      await expect
        .poll(async () => {
          const { json } = await b.visitor.call('GET', `/api/playlist/${made.playlist_id}/`);
          return (json as { playlist_entries: { title: string }[] }).playlist_entries[place - 1]!.title;
        })
        .toBe('Journey 01');
      await page.waitForTimeout(300);
    }
    await page.keyboard.press('ArrowUp');
    await expect.poll(focused).toMatch(/now at 2$/);
    await page.getByRole('button', { name: 'Move or remove “Journey 01”' }).press('Enter');
    await expect.poll(focused).toBe('To the top');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Move “Journey 01”, now at 1' }).waitFor();
    await expect.poll(focused).toBe('Move or remove “Journey 01”');

    await page.goto(b.address);
    for (const title of ['Journey 01', 'Journey 02', 'Journey 03']) {
      await titleOf(title).focus();
      await page.keyboard.press('q');
      await page.getByText('Added to the queue.').first().waitFor();
    }
    await page.goto(`${b.address}/video/${journeys[0]!.id}/?side=queue`);
    const down = page.getByRole('button', { name: 'Move “Journey 01” down' });
    await expect
      .poll(() => page.getByRole('tabpanel').getByRole('listitem').allTextContents())
      .toEqual([
        expect.stringContaining('Journey 01'),
        expect.stringContaining('Journey 02'),
        expect.stringContaining('Journey 03'),
      ]);
    await down.press('Enter');
    await page.getByText('“Journey 01” is at 2 of 3 now.').waitFor({ state: 'attached' });
    await expect.poll(focused).toBe('Move “Journey 01” down');
    await page.keyboard.press('Enter');
    await expect.poll(focused).toBe('Move “Journey 01” up');
    await page.keyboard.press('Enter');
    await page.getByText('“Journey 01” is at 2 of 3 now.').waitFor({ state: 'attached' });
    await page.getByRole('button', { name: 'Clear' }).press('Enter');
    await page.getByText('Nothing is queued').waitFor();
  });

  test('Tab leaves a menu of a card, which closes, and goes on from its button', async () => {
    await page.goto(b.address);
    const more = page.getByRole('button', { name: 'More for “Journey 02”' });
    for (const [key, next] of [
      ['Tab', /^(?!More for “Journey 02”|Skip)./],
      ['Shift+Tab', /^More for “Journey 02”$/],
    ] as const) {
      await more.press('Enter');
      await page.getByRole('menuitem', { name: 'Play next' }).waitFor();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press(key);
      await expect.poll(() => page.getByRole('menu').count()).toBe(0);
      await expect.poll(focused).toMatch(next);
      const isBehind = `document.activeElement.compareDocumentPosition(document.querySelector('[aria-label="More for “Journey 02”"]'))`;
      expect([0, 2]).toContain(await page.evaluate<number>(isBehind));
    }
  });

  test('what gives its place to something else gives it the focus: a channel’s own settings, the player’s', async () => {
    await page.goto(`${b.address}/channel/${journeys[0]!.channelId}/about/`);
    await page.getByRole('button', { name: 'Configure: SponsorBlock' }).press('Enter');
    const own = page.getByRole('switch', { name: 'SponsorBlock' });
    await own.waitFor();
    await page.getByText('Saved.').first().waitFor();
    await expect.poll(() => own.and(page.locator(':focus')).count()).toBe(1);
    await page.keyboard.press('Tab');
    await expect.poll(focused).toBe('Reset: SponsorBlock');
    await page.keyboard.press('Enter');
    await expect.poll(focused).toBe('Configure: SponsorBlock');
    const videos = page.getByRole('spinbutton', { name: 'Videos to look at' });
    await videos.fill('7');
    await videos.press('Enter');
    await page.getByRole('button', { name: 'Reset: Videos to look at' }).waitFor();
    await expect.poll(() => videos.and(page.locator(':focus')).count()).toBe(1);

    await page.goto(`${b.address}/video/${loaf.id}/`);
    const settings = page.getByRole('button', { name: 'Player settings' });
    await settings.press('Enter');
    await page.getByRole('combobox', { name: 'Speed' }).press('Tab');
    await page.keyboard.press('Escape');
    await expect.poll(focused).toBe('Player settings');
  });

  test('where a video has no picture of its own one is drawn, and nothing fails', async () => {
    const { id } = journeys[12]!;
    await rm(join(b.data, 'cache/videos', id[0]!.toLowerCase(), `${id}.jpg`), { force: true });
    const failed: string[] = [];
    page.on('response', (answer) => answer.status() >= 400 && failed.push(answer.url()));
    for (const place of ['/?page=2', `/video/${id}/`]) {
      await page.goto(b.address + place);
      const drawn = page.locator(`:is(img[src*="${id}.jpg"], video[poster*="${id}.jpg"])`).first();
      await drawn.waitFor();
      await page.waitForLoadState('networkidle').catch(() => {});
    }
    await page.goto(`${b.address}/?page=2`);
    await expect
      .poll(() => page.evaluate(`document.querySelector('img[src*="${id}.jpg"]')?.naturalWidth`), { timeout: 10_000 })
      .toBe(640);
    expect(failed).toEqual([]);
    expect(b.errors).toEqual([]);
  });
});
