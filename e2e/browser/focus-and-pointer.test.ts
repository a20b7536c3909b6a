import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { journeys, loaf, startBrowsing, type Browsing } from '../support/browsing.ts';
import { canBrowse, expectAccessibleAtAllWidths } from '../support/in-browser.ts';

describe.runIf(canBrowse)('focus and pointer', () => {
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
  const expectNoUndo = () => expect.poll(() => undo().count()).toBe(0);

  test('keeps a toast while it is hovered or focused, and reaches it by keyboard', async () => {
    await page.clock.install();
    await page.goto(b.address);
    const mark = async () => {
      await titleOf('Journey 02').focus();
      await page.keyboard.press('w');
      await undo().waitFor();
    };
    await mark();
    await page.clock.fastForward(11_000);
    await expectNoUndo();

    await mark();
    await page.getByText('Marked as unwatched.').hover();
    await page.clock.fastForward(60_000);
    expect(await undo().count()).toBe(1);
    await page.mouse.move(5, 5);
    await page.clock.fastForward(11_000);
    await expectNoUndo();

    await mark();
    await page.keyboard.press('F6');
    await expect.poll(focused).toBe('Undo');
    await page.clock.fastForward(60_000);
    expect(await undo().count()).toBe(1);
    await expectAccessibleAtAllWidths(page);
    await page.keyboard.press('F6');
    await expect.poll(focused).toBe('Journey 02');
    await page.keyboard.press('F6');
    await page.keyboard.press('Escape');
    await expectNoUndo();
    await expect.poll(focused).toBe('Journey 02');
    await page.clock.resume();
  });

  test('shows toasts inside an open dialog, reachable by pointer, F6 and screen readers', async () => {
    await page.goto(b.address);
    const isWatched = async () =>
      ((await b.visitor.call('GET', `/api/video/${journeys[1]!.id}/`)).json as { player: { watched: boolean } }).player.watched;
    const before = await isWatched();
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/api/watched/', (route) => released.then(() => route.fallback()), { times: 1 });
    await titleOf('Journey 02').focus();
    await page.keyboard.press('w');
    await page.keyboard.press('?');
    const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await dialog.waitFor();
    expect(await dialog.locator('dt').allTextContents()).toEqual(expect.arrayContaining(['/', 'Ctrl K (⌘ K)', 'Shift T']));
    release();
    // Located by role: content behind a dialog has none.
    const toast = dialog.getByRole('status', { name: 'Notifications' }).getByText(/^Marked as/);
    await toast.waitFor();
    const focusedBefore = await focused();
    await page.keyboard.press('F6');
    await expect.poll(focused).toBe('Undo');
    await expectAccessibleAtAllWidths(page);
    await page.keyboard.press('F6');
    await expect.poll(focused).toBe(focusedBefore);
    await undo().click();
    await expectNoUndo();
    await expect.poll(isWatched).toBe(before);
    await dialog.waitFor();

    // A toast stays when its dialog closes or another one opens.
    await page.keyboard.press('Escape');
    await titleOf('Journey 02').focus();
    await page.keyboard.press('w');
    await undo().waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog', { name: 'Commands' }).waitFor();
    await undo().click();
    await expectNoUndo();
    await expect.poll(isWatched).toBe(before);
    await page.getByRole('dialog', { name: 'Commands' }).waitFor();
    await page.keyboard.press('Escape');
  });

  test('keeps the selection when a bulk action fails, and reports that', async () => {
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
    const toast = page.getByRole('status', { name: 'Notifications' }).getByText('The disk is asleep.');
    for (const name of ['Watched', 'Unwatched', 'Redownload', 'Protect']) {
      await bar.getByRole('button', { name, exact: true }).click();
      await toast.last().waitFor();
      await bar.getByText(/^2 selected/).waitFor();
      await toast.last().hover();
      await page.keyboard.press('F6');
      await page.keyboard.press('Escape');
    }
    for (const [name, confirmName] of [
      ['Delete', 'Delete 2 videos'],
      ['Add to playlist', 'Create playlist'],
    ] as const) {
      await bar.getByRole('button', { name, exact: true }).click();
      if (name === 'Add to playlist') await dialog.getByLabel('New playlist').fill('For tonight');
      await dialog.getByRole('button', { name: confirmName }).click();
      await dialog.getByText('The disk is asleep.').waitFor();
      await page.keyboard.press('Escape');
      await bar.getByText(/^2 selected/).waitFor();
    }
    fails = false;
    await bar.getByRole('button', { name: 'Protect', exact: true }).click();
    await page.getByText('2 videos protected from cleanup.').waitFor();
    await expect.poll(() => bar.count()).toBe(0);
    await page.unrouteAll();
  });

  test('the transcript shortcut focuses the transcript and returns to the previous place', async () => {
    await page.goto(`${b.address}/video/${loaf.id}/?side=queue`);
    const watched = page.getByRole('main').getByRole('button', { name: 'Mark watched' }).first();
    const isShown = (tab: string) =>
      expect.poll(() => page.getByRole('tab', { name: tab }).getAttribute('aria-selected')).toBe('true');
    await expect.poll(() => page.evaluate('document.querySelector("video")?.readyState >= 2')).toBe(true);
    await watched.focus();
    const before = await focused();
    for (const key of ['r', 'Escape']) {
      await page.keyboard.press('r');
      await expect.poll(focused).toBe('Transcript lines');
      await isShown('Transcript');
      await page.keyboard.press('Tab');
      await page.keyboard.press(key);
      await expect.poll(focused).toBe(before);
      await isShown('Up next');
    }
  });

  test('steps exactly one frame at any frame rate, also before playback', async () => {
    await page.goto(`${b.address}/video/${loaf.id}/`);
    const expectFrame = (frame: number) =>
      // The films of the test site have twelve frames per second; the player seeks to the middle of a frame.
      expect
        .poll(() => page.evaluate<number>('document.querySelector("video").currentTime * 12'), { timeout: 5000 })
        .toBeCloseTo(frame + 0.5, 1);
    await expect.poll(() => page.evaluate('document.querySelector("video")?.readyState >= 2')).toBe(true);
    expect(await page.evaluate('document.querySelector("video").played.length')).toBe(0);
    await page.keyboard.press('.');
    await expectFrame(1);
    await page.keyboard.press('.');
    await expectFrame(2);
    await page.keyboard.press('.');
    await expectFrame(3);
    await page.keyboard.press(',');
    await expectFrame(2);
  });

  test('keeps the focus on an item that is moved by keyboard, in playlists and the queue', async () => {
    const created = (await b.visitor.call('POST', '/api/playlist/custom/', { playlist_name: 'By hand' })).json as {
      playlist_id: string;
    };
    const three = journeys.slice(0, 3);
    for (const { id } of three)
      await b.visitor.call('POST', `/api/playlist/custom/${created.playlist_id}/`, { action: 'create', video_id: id });
    await page.goto(`${b.address}/playlist/${created.playlist_id}/`);
    await page.getByRole('button', { name: 'Reorder' }).click();
    await page.locator('[data-grip]').first().focus();
    for (const position of [2, 3]) {
      await page.keyboard.press('Alt+ArrowDown');
      await expect.poll(focused).toBe(`Move “Journey 01”, position ${position}`);
      // Waits until the server has saved the move before the next one.
      await expect
        .poll(async () => {
          const { json } = await b.visitor.call('GET', `/api/playlist/${created.playlist_id}/`);
          return (json as { playlist_entries: { title: string }[] }).playlist_entries[position - 1]!.title;
        })
        .toBe('Journey 01');
      await page.waitForTimeout(300);
    }
    await page.keyboard.press('ArrowUp');
    await expect.poll(focused).toMatch(/position 2$/);
    await page.getByRole('button', { name: 'Move or remove “Journey 01”' }).press('Enter');
    await expect.poll(focused).toBe('Move to top');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Move “Journey 01”, position 1' }).waitFor();
    await expect.poll(focused).toBe('Move or remove “Journey 01”');

    await page.goto(b.address);
    for (const title of ['Journey 01', 'Journey 02', 'Journey 03']) {
      await titleOf(title).focus();
      await page.keyboard.press('q');
      await page.getByText('Added to Up next.').first().waitFor();
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
    await page.getByText('Moved “Journey 01” to position 2 of 3.').waitFor({ state: 'attached' });
    await expect.poll(focused).toBe('Move “Journey 01” down');
    await page.keyboard.press('Enter');
    await expect.poll(focused).toBe('Move “Journey 01” up');
    await page.keyboard.press('Enter');
    await page.getByText('Moved “Journey 01” to position 2 of 3.').waitFor({ state: 'attached' });
    await page.getByRole('button', { name: 'Clear' }).press('Enter');
    await page.getByText('Up next is empty').waitFor();
  });

  test('Tab closes the menu of a card and continues after its button', async () => {
    await page.goto(b.address);
    const more = page.getByRole('button', { name: 'More actions for “Journey 02”' });
    for (const [key, next] of [
      ['Tab', /^(?!More actions for “Journey 02”|Skip)./],
      ['Shift+Tab', /^More actions for “Journey 02”$/],
    ] as const) {
      await more.press('Enter');
      await page.locator('[role=menu]:focus').waitFor();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press(key);
      await expect.poll(() => page.getByRole('menu').count()).toBe(0);
      await expect.poll(focused).toMatch(next);
      const isBehind = `document.activeElement.compareDocumentPosition(document.querySelector('[aria-label="More actions for “Journey 02”"]'))`;
      expect([0, 2]).toContain(await page.evaluate<number>(isBehind));
    }
  });

  test('moves the focus to the element that replaces the focused one', async () => {
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
    const videos = page.getByRole('spinbutton', { name: 'Newest videos to check' });
    await videos.fill('7');
    await videos.press('Enter');
    await page.getByRole('button', { name: 'Reset: Newest videos to check' }).waitFor();
    await expect.poll(() => videos.and(page.locator(':focus')).count()).toBe(1);

    await page.goto(`${b.address}/video/${loaf.id}/`);
    const settings = page.getByRole('button', { name: 'Player settings' });
    await settings.press('Enter');
    await page.getByRole('combobox', { name: 'Speed' }).press('Tab');
    await page.keyboard.press('Escape');
    await expect.poll(focused).toBe('Player settings');
  });

  test('draws a placeholder for a video without a thumbnail', async () => {
    const { id } = journeys[12]!;
    await rm(join(b.data, 'cache/videos', id[0]!.toLowerCase(), `${id}.jpg`), { force: true });
    const failed: string[] = [];
    page.on('response', (response) => response.status() >= 400 && failed.push(response.url()));
    for (const path of ['/?page=2', `/video/${id}/`]) {
      await page.goto(b.address + path);
      const thumbnail = page.locator(`:is(img[src*="${id}.jpg"], video[poster*="${id}.jpg"])`).first();
      await thumbnail.waitFor();
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
