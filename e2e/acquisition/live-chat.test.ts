import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ChatLine } from '#contract/chat.ts';
import { startChatsIfDue } from '#server/features/video/fetch-chats-task.ts';
import { aCatalogue, aChannel, aVideo } from '../../test-site/builders.ts';
import type { ChatMessage } from '../../test-site/catalogue.ts';
import {
  add,
  createArchive,
  eventually,
  hasTools,
  inconsistencies,
  videoOf,
  type TestSiteArchive,
} from '../support/acquisition.ts';

const channel = aChannel({ name: 'Night Trains' });
const past = (id: string, chat?: { messages: ChatMessage[]; hasReplay?: boolean }, more: object = {}) =>
  aVideo({
    id,
    channelId: channel.id,
    kind: 'stream',
    durationSeconds: 4,
    published: new Date('2025-05-31T12:00:00Z'),
    startsAt: new Date('2025-05-31T12:00:00Z'),
    ...(chat && { chat }),
    ...more,
  });
// As the site says it.
const wholeSecond = new Date(1000 * Math.floor(Date.now() / 1000));
const messages: ChatMessage[] = [
  { id: 'a', atSeconds: 1, author: 'Ann', text: 'Hello :train:', badges: ['owner'] },
  { id: 'b', atSeconds: 2, author: 'Bo', text: 'Thanks', kind: 'paid', amount: '5,00 €' },
  { id: 'c', atSeconds: 3, author: 'Rude', text: 'Something rude', removedAtSeconds: 3.5 },
  ...Array.from({ length: 60 }, (_, n) => ({ id: `m${n}`, atSeconds: 4 + n * 10, author: 'Cy', text: `No. ${n}` })),
];

describe.runIf(hasTools)('the chat of streams', () => {
  let t: TestSiteArchive;
  beforeAll(async () => {
    const videos = [
      past('chatStream1', { messages }),
      past('chatPremier', { messages: messages.slice(0, 2) }, { kind: 'video' }),
      past('quietStrea1'),
      past('laterStrea1', { messages: messages.slice(0, 2), hasReplay: false }, { published: new Date(), startsAt: new Date() }),
      past('refusedStr1', { messages: [...messages] }),
      past('movedStrea1', { messages: messages.slice(0, 2) }),
      past(
        'runningStr1',
        {
          messages: [
            { id: 'first', atSeconds: 1, author: 'Ann', text: 'Hello' },
            { id: 'removed', atSeconds: 2, author: 'Rude', text: 'Something rude' },
          ],
        },
        { durationSeconds: 30, live: 'now', stream: { fragments: 4 }, startsAt: wholeSecond, published: wholeSecond },
      ),
      aVideo({ id: 'noStream001', channelId: channel.id, durationSeconds: 4 }),
    ];
    t = await createArchive(aCatalogue({ channels: [channel], videos }));
  });
  afterAll(() => t.close());
  const inCatalogue = (id: string) => t.testSite.catalogue.videos.find((video) => video.id === id)!;
  const chatRow = (id: string) => t.app.db.selectFrom('chat').selectAll().where('videoId', '=', id).executeTakeFirst();
  const fetchDue = async () => {
    await startChatsIfDue(t.app);
    await t.runner.idle();
  };
  const turnOn = (isOn = true) => t.staff.call('POST', '/api/appsettings/config/', { downloads: { live_chat: isOn } });
  const linesOf = async (id: string) => {
    const { path } = (await chatRow(id))!;
    const text = gunzipSync(await readFile(await t.app.files.localPath(path!))).toString();
    return text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as ChatLine);
  };
  const due = (id: string) => t.app.db.updateTable('chat').set({ nextAt: 0 }).where('videoId', '=', id).execute();
  const chatRequests = () => t.testSite.requests.filter(({ path }) => path.includes('live_chat')).length;

  test('is not fetched unless the settings or the channel say so, or a person asks for it', async () => {
    await add(t, 'https://www.youtube.com/watch?v=chatStream1');
    await fetchDue();
    expect(chatRequests()).toBe(0);
    expect((await videoOf(t, 'chatStream1')).chat).toBeUndefined();
    const { statusCode } = await t.staff.call('POST', '/api/video/chatStream1/chat/');
    expect(statusCode).toBe(200);
    await t.runner.idle();
    expect((await videoOf(t, 'chatStream1')).chat).toEqual({ source: 'replay', messages: 63, is_complete: true });
    const lines = await linesOf('chatStream1');
    expect(lines.slice(0, 3)).toEqual([
      { t: 1000, k: 'text', id: 'a', a: 'UCAnn', n: 'Ann', b: ['owner'], x: 'Hello :train:' },
      { t: 2000, k: 'paid', id: 'b', a: 'UCBo', n: 'Bo', x: 'Thanks', amount: '5,00 €' },
      { t: 3000, k: 'text', id: 'c', a: 'UCRude', n: 'Rude', x: '', removed: true },
    ]);
    expect(await inconsistencies(t)).toEqual([]);
  });

  test('is sent in parts of five minutes, searched and exported', async () => {
    const get = (path: string, headers: Record<string, string> = {}) =>
      t.server.inject({ url: `/api/video/chatStream1/chat/${path}`, headers: { ...t.staff.headers, ...headers } });
    const chat = (await get('')).json();
    expect(chat).toMatchObject({ source: 'replay', messages: 63, is_complete: true });
    expect(chat.chunks.map(({ n, messages: count }: { n: number; messages: number }) => [n, count])).toEqual([
      [0, 33],
      [1, 30],
    ]);
    const part = await get('1/', { 'accept-encoding': 'gzip' });
    expect(part.headers['content-encoding']).toBe('gzip');
    const plain = (await get('1/')).body;
    expect(gunzipSync(part.rawPayload).toString()).toBe(plain);
    expect(plain.trim().split('\n')).toHaveLength(30);
    for (const path of ['7/', 'x/']) expect((await get(path)).statusCode).toBeGreaterThanOrEqual(400);
    expect((await get('search/?query=ANN')).json()).toEqual({
      matches: [{ t: 1000, name: 'Ann', text: 'Hello :train:' }],
      has_more: false,
    });
    expect((await get('search/?query=rude%20"')).json().matches).toEqual([]);
    const captions = (await get('export/?format=vtt')).body;
    expect(captions).toMatch(/^WEBVTT\n\n00:00:01.000 --> 00:00:06.000\n<v Ann>Hello :train:\n/);
    expect(captions).not.toContain('rude');
    const lines = await get('export/');
    expect(lines.headers['content-disposition']).toMatch(/^attachment; .*\.chat\.jsonl/);
    expect(lines.body.trim().split('\n')).toHaveLength(63);
    expect((await t.staff.call('GET', '/api/video/noStream001/chat/')).statusCode).toBe(404);
  });

  test('of streams and premieres is fetched after the download, of other videos nothing is asked', async () => {
    await turnOn();
    const before = chatRequests();
    await add(t, 'https://www.youtube.com/watch?v=noStream001 https://www.youtube.com/watch?v=quietStrea1');
    await fetchDue();
    expect(chatRequests()).toBe(before);
    expect(await chatRow('noStream001')).toBeUndefined();
    await add(t, 'https://www.youtube.com/watch?v=chatPremier');
    expect(chatRequests()).toBe(before);
    await fetchDue();
    expect((await linesOf('chatPremier')).map(({ id }) => id)).toEqual(['a', 'b']);
  });

  test('that the site does not have yet is asked for again, and fetched once it is there', async () => {
    await turnOn();
    await add(t, 'https://www.youtube.com/watch?v=laterStrea1');
    expect(await chatRow('laterStrea1')).toMatchObject({ path: null, nextAt: expect.any(Number) });
    await due('laterStrea1');
    await fetchDue();
    expect(await chatRow('laterStrea1')).toMatchObject({ path: null, attempts: 1, nextAt: expect.any(Number) });
    expect((await videoOf(t, 'laterStrea1')).chat).toBeUndefined();
    inCatalogue('laterStrea1').chat!.hasReplay = true;
    await due('laterStrea1');
    await fetchDue();
    expect(await chatRow('laterStrea1')).toMatchObject({ messages: 2, nextAt: null });
    // One that has ended long ago gets none any more.
    await t.staff.call('POST', '/api/video/quietStrea1/chat/');
    await t.runner.idle();
    expect(await chatRow('quietStrea1')).toMatchObject({ path: null, nextAt: null });
    expect((await t.staff.call('POST', '/api/video/unknown0001/chat/')).statusCode).toBe(404);
  });

  test('that the site breaks off is kept as far as it came, and completed later', async () => {
    await turnOn();
    await add(t, 'https://www.youtube.com/watch?v=refusedStr1');
    inCatalogue('refusedStr1').chat!.failsFrom = 25;
    await fetchDue();
    const first = await chatRow('refusedStr1');
    expect(first).toMatchObject({ isComplete: 0, attempts: 1, nextAt: expect.any(Number) });
    expect(first!.messages).toBeGreaterThan(20);
    expect((await videoOf(t, 'refusedStr1')).chat).toMatchObject({ is_complete: false });
    delete inCatalogue('refusedStr1').chat!.failsFrom;
    await due('refusedStr1');
    await fetchDue();
    const second = await chatRow('refusedStr1');
    expect(second).toMatchObject({ messages: 63, isComplete: 1, nextAt: null });
    expect(await inconsistencies(t)).toEqual([]);
  });

  test('of a recorded stream is collected while it runs, and merged with the replay', async () => {
    await t.staff.call('POST', '/api/appsettings/config/', { downloads: { live: 'record', live_chat: true } });
    const stream = inCatalogue('runningStr1');
    await t.staff.call('POST', '/api/download/?autostart=true', {
      data: [{ youtube_id: 'https://www.youtube.com/watch?v=runningStr1', status: 'pending' }],
    });
    const polls = () => t.testSite.requests.filter(({ path }) => path.includes('/get_live_chat?')).length;
    await eventually(async () => polls() > 1);
    stream.chat!.messages.push({ id: 'later', atSeconds: 3, author: 'Bo', text: 'Only live' });
    const before = polls();
    await eventually(async () => polls() > before + 1);
    Object.assign(stream, { live: undefined, stream: undefined });
    stream.chat = { messages: [], hasReplay: false };
    await t.runner.idle();
    expect((await videoOf(t, 'runningStr1')).chat).toMatchObject({ source: 'live', messages: 3 });
    // As times of the stream, although yt-dlp counts from its own start.
    expect((await linesOf('runningStr1')).map(({ t: ms, id }) => [ms, id])).toEqual([
      [1000, 'first'],
      [2000, 'removed'],
      [3000, 'later'],
    ]);
    stream.chat = {
      messages: [
        { id: 'first', atSeconds: 1, author: 'Ann', text: 'Hello' },
        { id: 'removed', atSeconds: 2, author: 'Rude', text: 'Something rude', removedAtSeconds: 4 },
        { id: 'new', atSeconds: 5, author: 'Cy', text: 'Only in the replay' },
      ],
    };
    await due('runningStr1');
    await fetchDue();
    expect((await videoOf(t, 'runningStr1')).chat).toEqual({ source: 'merged', messages: 4, is_complete: true });
    expect((await linesOf('runningStr1')).map(({ id, x }) => [id, x])).toEqual([
      ['first', 'Hello'],
      ['removed', ''],
      ['later', 'Only live'],
      ['new', 'Only in the replay'],
    ]);
    expect(await inconsistencies(t)).toEqual([]);
  });

  test('goes to the trash with its video and comes back, and damage is found', async () => {
    await turnOn();
    await add(t, 'https://www.youtube.com/watch?v=movedStrea1');
    await fetchDue();
    const path = join(t.app.config.mediaFolder, (await chatRow('movedStrea1'))!.path!);
    await t.staff.call('DELETE', '/api/video/movedStrea1/');
    await expect(stat(path)).rejects.toThrow('ENOENT');
    expect(await inconsistencies(t)).toEqual([]);
    const { data } = (await t.staff.call('GET', '/api/trash/')).json();
    await t.staff.call('POST', '/api/trash/', { action: 'restore', ids: data.map(({ id }: { id: number }) => id) });
    await t.runner.idle();
    expect((await linesOf('movedStrea1')).map(({ id }) => id)).toEqual(['a', 'b']);
    expect((await videoOf(t, 'movedStrea1')).chat).toMatchObject({ messages: 2 });
    await writeFile(path, 'x');
    expect((await inconsistencies(t)).join()).toMatch(/The chat of video movedStrea1 is missing or has another size/);
    // Fetching it again cures that.
    await t.staff.call('POST', '/api/video/movedStrea1/chat/');
    await t.runner.idle();
    expect(await inconsistencies(t)).toEqual([]);
    expect((await linesOf('movedStrea1')).map(({ id }) => id)).toEqual(['a', 'b']);
  });
});
