import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createUser, createVideo, testApp, type TestApp } from '../../../test-support/app.ts';

let t: TestApp;
let address: string;
beforeEach(async () => {
  t = await testApp();
  await t.server.listen({ port: 0, host: '127.0.0.1' });
  address = `http://127.0.0.1:${(t.server.server.address() as AddressInfo).port}`;
});
afterEach(() => t.close());

/** Opens an event stream and collects its events in order. */
async function openStream(user: { headers: Record<string, string> }) {
  const end = new AbortController();
  const response = await fetch(`${address}/api/events/`, { headers: user.headers, signal: end.signal });
  let text = '';
  let hasEnded = false;
  const reading = (async () => {
    for await (const part of response.body!) text += new TextDecoder().decode(part);
  })()
    .catch(() => undefined)
    .finally(() => (hasEnded = true));
  return {
    status: response.status,
    hasEnded: () => hasEnded,
    received: () =>
      [...text.matchAll(/event: (\w+)\ndata: (.*)\n\n/g)].map(
        ([, event, data]) => [event, JSON.parse(data!) as unknown] as const,
      ),
    async close() {
      end.abort();
      await reading;
    },
  };
}
const waitBriefly = () => new Promise((resolve) => setTimeout(resolve, 400));

test('sends playback positions only to pages of the same user', async () => {
  const [anna, ben] = [await createUser(t), await createUser(t)];
  const id = await createVideo(t.app.db, { durationSeconds: 1000 });
  const streams = [await openStream(anna), await openStream(anna), await openStream(ben)];
  const positions = Array.from({ length: 20 }, (_, n) => 10 * (n + 1));
  for (const position of positions) await anna.call('POST', `/api/video/${id}/progress/`, { position });
  await waitBriefly();
  const player = { watched: false, duration: 1000, duration_str: '16m 40s', position: 200, progress: 20 };
  expect(streams[0]!.received().at(-1)).toEqual(['player', { youtube_id: id, player }]);
  expect(streams[0]!.received().length).toBeLessThan(positions.length); // combined: only the last of several
  expect(streams[1]!.received()).toEqual(streams[0]!.received());
  expect(streams[2]!.received()).toEqual([]);

  const before = streams[1]!.received().length;
  await anna.call('POST', '/api/watched/', { id, is_watched: true });
  await anna.call('POST', '/api/user/me/', { grid_items: 4 });
  await waitBriefly();
  const topics = streams[1]!.received().slice(before).flatMap(([event, data]) => (event === 'changed' ? (data as { topics: string[] }).topics : [])); // prettier-ignore
  expect(new Set(topics)).toEqual(new Set(['video', 'user']));
  expect(streams[2]!.received()).toEqual([]);
  for (const stream of streams) await stream.close();
});

test('sends common events to all users, combined', async () => {
  const [anna, ben] = [await createUser(t), await createUser(t)];
  const streams = [await openStream(anna), await openStream(ben)];
  t.app.announce('video');
  t.app.announce('channel', 'video');
  t.app.events.arrived({ youtube_id: 'a', title: 'A', channel_id: 'c', channel_name: 'C' });
  await waitBriefly();
  for (const stream of streams) {
    expect(stream.received()).toEqual([
      ['arrived', { youtube_id: 'a', title: 'A', channel_id: 'c', channel_name: 'C' }],
      ['changed', { topics: ['video', 'channel'] }],
    ]);
    await stream.close();
  }
});

test('sends the first event after a pause immediately and later ones with a delay', async () => {
  const stream = await openStream(await createUser(t));
  t.app.announce('video');
  await new Promise((resolve) => setTimeout(resolve, 100));
  t.app.announce('channel');
  await waitBriefly();
  expect(stream.received()).toEqual([
    ['changed', { topics: ['video'] }],
    ['changed', { topics: ['channel'] }],
  ]);
  await stream.close();
});

test('requires a login and limits the streams per user to eight', async () => {
  expect((await fetch(`${address}/api/events/`)).status).toBe(403);
  const anna = await createUser(t);
  const streams = await Promise.all(Array.from({ length: 8 }, () => openStream(anna)));
  expect(streams.map((stream) => stream.status)).toEqual(Array(8).fill(200));
  const ninthStream = await openStream(anna);
  expect(ninthStream.status).toBe(429);
  await streams[0]!.close();
  await waitBriefly();
  const reopened = await openStream(anna);
  expect(reopened.status).toBe(200);
  for (const stream of [...streams, ninthStream, reopened]) await stream.close();
});

test('ends the streams of a user after logout, password change or token deletion, and of no other user', async () => {
  const [anna, ben] = [await createUser(t), await createUser(t)];
  const streamOfBen = await openStream(ben);
  const token = async () => {
    const { token: value } = (await anna.call('GET', '/api/appsettings/token/')).json() as { token: string };
    return { headers: { authorization: `Token ${value}` } };
  };
  const named = (await anna.call('POST', '/api/user/tokens/', { name: 'Kodi', scope: 'watch' })).json();
  const revocations: [() => Promise<unknown>, Parameters<typeof openStream>[0]][] = [
    [() => anna.call('DELETE', '/api/appsettings/token/'), await token()],
    [() => anna.call('DELETE', `/api/user/tokens/${named.id}/`), { headers: { authorization: `Token ${named.token}` } }],
    // As done by the CLI in another process.
    [
      async () => {
        await t.app.db.deleteFrom('session').where('accountId', '=', anna.id).execute();
        await t.app.events.dismissEnded();
      },
      anna,
    ],
  ];
  for (const [revoke, user] of revocations) {
    const stream = await openStream(user);
    expect([stream.status, stream.hasEnded()]).toEqual([200, false]);
    await revoke();
    await expect.poll(stream.hasEnded).toBe(true);
  }
  const cleo = await createUser(t);
  const streamOfCleo = await openStream(cleo);
  await cleo.call('POST', '/api/user/logout/');
  await expect.poll(streamOfCleo.hasEnded).toBe(true);
  await t.app.events.dismissEnded();
  expect(streamOfBen.hasEnded()).toBe(false);
  await streamOfBen.close();
});

test('sends each header once, so that proxies neither cache nor buffer', async () => {
  const anna = await createUser(t);
  const controller = new AbortController();
  const { headers } = await fetch(`${address}/api/events/`, { headers: anna.headers, signal: controller.signal });
  controller.abort();
  expect(['content-type', 'cache-control', 'x-accel-buffering'].map((name) => headers.get(name))).toEqual([
    'text/event-stream; charset=utf-8',
    'no-store, no-transform',
    'no',
  ]);
});
