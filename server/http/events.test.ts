import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { aUser, aVideo, testArchive, type TestArchive } from '../testing.ts';

let t: TestArchive;
let address: string;
beforeEach(async () => {
  t = await testArchive();
  await t.app.listen({ port: 0, host: '127.0.0.1' });
  address = `http://127.0.0.1:${(t.app.server.address() as AddressInfo).port}`;
});
afterEach(() => t.close());

/** An open page of somebody: what it hears, in order. */
async function aPage(who: { headers: Record<string, string> }) {
  const end = new AbortController();
  const answer = await fetch(`${address}/api/events/`, { headers: who.headers, signal: end.signal });
  let text = '';
  let isOver = false;
  const listening = (async () => {
    for await (const part of answer.body!) text += new TextDecoder().decode(part);
  })()
    .catch(() => undefined)
    .finally(() => (isOver = true));
  return {
    status: answer.status,
    isOver: () => isOver,
    heard: () =>
      [...text.matchAll(/event: (\w+)\ndata: (.*)\n\n/g)].map(
        ([, event, data]) => [event, JSON.parse(data!) as unknown] as const,
      ),
    async close() {
      end.abort();
      await listening;
    },
  };
}
const aMoment = () => new Promise((resolve) => setTimeout(resolve, 400));

test('where somebody is in a video is told to their own pages, and to nobody else', async () => {
  const [anna, ben] = [await aUser(t), await aUser(t)];
  const id = await aVideo(t.archive.db, { durationSeconds: 1000 });
  const pages = [await aPage(anna), await aPage(anna), await aPage(ben)];
  const positions = Array.from({ length: 20 }, (_, n) => 10 * (n + 1));
  for (const position of positions) await anna.call('POST', `/api/video/${id}/progress/`, { position });
  await aMoment();
  const player = { watched: false, duration: 1000, duration_str: '16m 40s', position: 200, progress: 20 };
  expect(pages[0]!.heard().at(-1)).toEqual(['player', { youtube_id: id, player }]);
  expect(pages[0]!.heard().length).toBeLessThan(positions.length); // of several in a moment the last
  expect(pages[1]!.heard()).toEqual(pages[0]!.heard());
  expect(pages[2]!.heard()).toEqual([]);

  const before = pages[1]!.heard().length;
  await anna.call('POST', '/api/watched/', { id, is_watched: true });
  await anna.call('POST', '/api/user/me/', { grid_items: 4 });
  await aMoment();
  const rooms = pages[1]!.heard().slice(before).flatMap(([event, data]) => (event === 'changed' ? (data as { rooms: string[] }).rooms : [])); // prettier-ignore
  expect(new Set(rooms)).toEqual(new Set(['video', 'user']));
  expect(pages[2]!.heard()).toEqual([]);
  for (const page of pages) await page.close();
});

test('what concerns everybody is told to everybody, gathered', async () => {
  const [anna, ben] = [await aUser(t), await aUser(t)];
  const pages = [await aPage(anna), await aPage(ben)];
  t.archive.announce('video');
  t.archive.announce('channel', 'video');
  t.archive.events.arrived({ youtube_id: 'a', title: 'A', channel_id: 'c', channel_name: 'C' });
  await aMoment();
  for (const page of pages) {
    expect(page.heard()).toEqual([
      ['arrived', { youtube_id: 'a', title: 'A', channel_id: 'c', channel_name: 'C' }],
      ['changed', { rooms: ['video', 'channel'] }],
    ]);
    await page.close();
  }
});

test('what happens after a rest is told at once, and what follows a little later', async () => {
  const page = await aPage(await aUser(t));
  t.archive.announce('video');
  await new Promise((resolve) => setTimeout(resolve, 100));
  t.archive.announce('channel');
  await aMoment();
  expect(page.heard()).toEqual([
    ['changed', { rooms: ['video'] }],
    ['changed', { rooms: ['channel'] }],
  ]);
  await page.close();
});

test('nobody who is not logged in listens, and nobody on more than eight pages', async () => {
  expect((await fetch(`${address}/api/events/`)).status).toBe(403);
  const anna = await aUser(t);
  const pages = await Promise.all(Array.from({ length: 8 }, () => aPage(anna)));
  expect(pages.map((page) => page.status)).toEqual(Array(8).fill(200));
  const ninth = await aPage(anna);
  expect(ninth.status).toBe(429);
  await pages[0]!.close();
  await aMoment();
  const again = await aPage(anna);
  expect(again.status).toBe(200);
  for (const page of [...pages, ninth, again]) await page.close();
});

test('who is logged out, has another password or no token any more hears nothing more; others listen on', async () => {
  const [anna, ben] = [await aUser(t), await aUser(t)];
  const bens = await aPage(ben);
  const token = async () => {
    const { token: value } = (await anna.call('GET', '/api/appsettings/token/')).json() as { token: string };
    return { headers: { authorization: `Token ${value}` } };
  };
  const named = (await anna.call('POST', '/api/user/tokens/', { name: 'Kodi', scope: 'watch' })).json();
  const ends: [() => Promise<unknown>, Parameters<typeof aPage>[0]][] = [
    [() => anna.call('DELETE', '/api/appsettings/token/'), await token()],
    [() => anna.call('DELETE', `/api/user/tokens/${named.id}/`), { headers: { authorization: `Token ${named.token}` } }],
    // As the console does, beside the program.
    [
      async () => {
        await t.archive.db.deleteFrom('session').where('accountId', '=', anna.id).execute();
        await t.archive.events.dismissEnded();
      },
      anna,
    ],
  ];
  for (const [end, who] of ends) {
    const page = await aPage(who);
    expect([page.status, page.isOver()]).toEqual([200, false]);
    await end();
    await expect.poll(page.isOver).toBe(true);
  }
  const cleo = await aUser(t);
  const cleos = await aPage(cleo);
  await cleo.call('POST', '/api/user/logout/');
  await expect.poll(cleos.isOver).toBe(true);
  await t.archive.events.dismissEnded();
  expect(bens.isOver()).toBe(false);
  await bens.close();
});

test('each header is there once, so that what stands between neither keeps nor gathers it', async () => {
  const anna = await aUser(t);
  const end = new AbortController();
  const { headers } = await fetch(`${address}/api/events/`, { headers: anna.headers, signal: end.signal });
  end.abort();
  expect(['content-type', 'cache-control', 'x-accel-buffering'].map((name) => headers.get(name))).toEqual([
    'text/event-stream; charset=utf-8',
    'no-store, no-transform',
    'no',
  ]);
});
