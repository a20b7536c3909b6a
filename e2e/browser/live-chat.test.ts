import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Video } from '#contract/video.ts';
import { aCatalogue, aChannel, aVideo } from '../../test-site/builders.ts';
import type { ChatMessage } from '../../test-site/catalogue.ts';
import { eventually } from '../support/acquisition.ts';
import { expectAccessible, openSettingsBrowser, type OpenBrowser } from '../support/browser-settings.ts';
import { canBrowse } from '../support/in-browser.ts';

const channel = aChannel({ name: 'Night Trains', look: { scene: 'train', seed: 2 } });
const hostile = '<img src=x onerror=alert(1)> \u202Eesrever\u2066 <b>bold</b>';
const said = [
  'Good evening from the Gotthard',
  'How long is this tunnel? :train:',
  'Fifteen kilometres',
  'So dark',
  'Hello from Oslo',
];
const messages: ChatMessage[] = [
  { id: 'welcome', atSeconds: 0, author: '', kind: 'system', text: 'Welcome to live chat!' },
  { id: 'owner', atSeconds: 1, author: 'Night Trains', text: 'We start in a minute.', badges: ['owner', 'verified'] },
  { id: 'paid', atSeconds: 4, author: 'Ingrid', kind: 'paid', amount: '5,00 €', text: 'For the driver’s coffee' },
  { id: 'member', atSeconds: 6, author: 'Jonas', kind: 'member', text: 'Welcome to Sleeper class!', badges: ['member'] },
  { id: 'hostile', atSeconds: 8, author: 'Mallory \u202Eeve', text: hostile },
  { id: 'rude', atSeconds: 9, author: 'Troll', text: 'Something very rude', removedAtSeconds: 10 },
  { id: 'mod', atSeconds: 11, author: 'Signal box', text: 'Please stay friendly.', badges: ['moderator'] },
  ...Array.from({ length: 200 }, (_, n) => ({
    id: `line${n}`,
    atSeconds: 12 + n / 10,
    author: `Viewer ${n % 7}`,
    text: n === 150 ? 'The viaduct is coming' : `${said[n % said.length]} (${n})`,
  })),
];
const stream = { channelId: channel.id, kind: 'stream' as const, startsAt: new Date('2025-05-31T12:00:00Z') };
const videos = [
  aVideo({ ...stream, id: 'chattedVid1', title: 'Zurich to Milan, live', durationSeconds: 60, chat: { messages } }),
  aVideo({ ...stream, id: 'silentVide1', title: 'Without a chat', durationSeconds: 4 }),
  aVideo({ id: 'plainVideo1', channelId: channel.id, title: 'No stream', durationSeconds: 4 }),
];

describe.runIf(canBrowse)('the chat next to the player', () => {
  let b: OpenBrowser;
  let page: Page;
  const open = async (id: string, query = '') => {
    await page.goto(`${b.address}/video/${id}/${query}`);
    await page.getByRole('tab', { name: 'Up next' }).waitFor();
  };
  const log = () => page.getByRole('log', { name: 'Messages' });
  const seek = async (seconds: number) => {
    await page.locator('video').waitFor({ state: 'attached' });
    await page.evaluate(
      `(() => { const video = document.querySelector('video'); video.pause(); video.currentTime = ${seconds}; })()`,
    );
  };
  const at = () => page.evaluate<number>(`document.querySelector('video').currentTime`);

  beforeAll(async () => {
    b = await openSettingsBrowser(aCatalogue({ channels: [channel], videos }));
    ({ page } = b);
    await b.visitor.call('POST', '/api/appsettings/config/', { downloads: { live_chat: true } });
    const data = videos.map(({ id: youtube_id }) => ({ youtube_id }));
    await b.visitor.call('POST', '/api/download/?autostart=true', { data });
    const read = async (id: string) => (await b.visitor.call('GET', `/api/video/${id}/`)).json as unknown as Video;
    await eventually(async () => (await read('plainVideo1')).title === 'No stream');
    await b.visitor.call('POST', '/api/video/chattedVid1/chat/');
    await eventually(async () => (await read('chattedVid1')).chat?.messages === 207);
  });
  afterAll(() => b.close());

  test('follows the position, with badges, amounts and removed messages; its code is not loaded for other videos', async () => {
    const loaded: string[] = [];
    page.on('request', (request) => loaded.push(new URL(request.url()).pathname));
    await open('plainVideo1');
    expect(await page.getByRole('tab', { name: 'Chat' }).count()).toBe(0);
    expect(loaded.filter((path) => /\/chat\/|Chat/.test(path))).toEqual([]);
    await open('chattedVid1');
    expect(await page.getByRole('tab', { name: 'Chat' }).getAttribute('aria-selected')).toBe('true');
    await seek(0.5);
    await log().getByText('Welcome to live chat!').waitFor();
    expect(await log().getByText('We start in a minute.').count()).toBe(0);
    await seek(11.5);
    await log().getByText('Please stay friendly.').waitFor();
    const text = await log().innerText();
    expect(text).toMatch(/Night Trains\s+Channel\s+Verified\s+We start[^]*5,00 €[^]*Jonas\s+Member[^]*Troll\s+Message removed/);
    expect(text).not.toContain('very rude');
    expect(loaded.filter((path) => path.includes('/chat/'))).toEqual([
      '/api/video/chattedVid1/chat/',
      '/api/video/chattedVid1/chat/0/',
    ]);
    await expectAccessible(page);
  });

  test('shows hostile text as text that changes nothing around it', async () => {
    await seek(8.5);
    const line = log().locator('bdi', { hasText: 'onerror' });
    await line.waitFor();
    expect(await line.textContent()).toBe(hostile);
    expect(await log().locator('img, b').count()).toBe(0);
    expect(b.errors).toEqual([]);
  });

  test('shows the last hundred messages, stays where a reader scrolls up, and follows again', async () => {
    await seek(31.95);
    await log().getByText('(199)').waitFor();
    await log().press('Home');
    const follow = page.getByRole('button', { name: 'Follow video' });
    await follow.waitFor();
    await seek(2);
    await log().hover();
    await page.mouse.wheel(0, -20_000);
    await log().getByText('(100)').waitFor();
    expect(await log().getByText('(99)').count()).toBe(0);
    await follow.press('Enter');
    await log().getByText('We start in a minute.').waitFor();
    expect(await log().getByText('(100)').count()).toBe(0);
  });

  test('is searched, and a match leads to its second', async () => {
    await page.getByLabel('Search this chat').fill('VIADUCT');
    await page.getByText('1 match', { exact: true }).waitFor();
    await page.getByText('The viaduct is coming').waitFor();
    await page.getByRole('button', { name: '0:27' }).press('Enter');
    await expect.poll(at).toBeCloseTo(27, 0);
    await page.getByLabel('Search this chat').fill('submarine');
    await page.getByText('No match in this chat').waitFor();
    await expectAccessible(page);
    await page.getByLabel('Search this chat').fill('');
  });

  test('is moved against the video, and goes without names on request', async () => {
    await seek(0.2);
    await expect.poll(() => log().getByText('We start in a minute.').count()).toBe(0);
    const earlier = page.getByRole('button', { name: 'Show messages earlier' });
    for (let step = 0; step < 2; step++) await earlier.press('Enter');
    await page.getByText('Offset 1 s').or(page.getByText('Offset 1.0 s')).waitFor();
    await log().getByText('We start in a minute.').waitFor();
    await page.getByTitle('Reset offset').press('Enter');
    await expect.poll(() => log().getByText('We start in a minute.').count()).toBe(0);
    await seek(5);
    await log().getByText('Ingrid').waitFor();
    await page.getByRole('button', { name: 'Options of the chat' }).press('Enter');
    await page.getByRole('menuitemcheckbox', { name: 'Hide names' }).press('Enter');
    await expect.poll(() => log().getByText('Ingrid').count()).toBe(0);
    await page.reload();
    await seek(5);
    await log().getByText('For the driver’s coffee').waitFor();
    expect(await log().getByText('Ingrid').count()).toBe(0);
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Options of the chat' }).press('Enter');
    await page.getByRole('menuitem', { name: 'Save as captions (.vtt)' }).press('Enter');
    expect((await saved).suggestedFilename()).toBe('Zurich to Milan, live.chat.vtt');
  });

  test('says when there is none, and staff have it fetched', async () => {
    await open('silentVide1', '?side=chat');
    await page.getByText('This stream’s chat was not recorded.').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Fetch the chat' }).press('Enter');
    await page.getByText('The chat is being fetched.').waitFor();
  });

  test('is German, on a phone too', async () => {
    await page.evaluate(`localStorage.setItem('language', 'de')`);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${b.address}/video/chattedVid1/`);
    await page.getByRole('log', { name: 'Nachrichten' }).waitFor();
    await seek(11.5);
    await page.getByText('Nachricht entfernt').waitFor();
    await page.getByLabel('Diesen Chat durchsuchen').waitFor();
    expect(b.errors).toEqual([]);
  });
});
