import { createServer } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { wakeQueue } from '#server/download/wake.ts';
import { aCatalogue, aChannel, aVideo } from '#standin/builders.ts';
import type { Trouble, Video } from '#standin/catalogue.ts';
import type { Failure } from '#standin/youtube/failures.ts';
import { add, anArchiveWith, complaints, eventually, hasTools, queueOf, videoOf, type Acquiring } from './acquiring.ts';

const channel = aChannel({ name: 'Trouble', look: { scene: 'blend', seed: 9 } });
let count = 0;
const troubled = (trouble: Trouble, more: Partial<Video> = {}) =>
  aVideo({
    id: `trouble${String(++count).padStart(4, '0')}`,
    channelId: channel.id,
    title: `With ${trouble.kind}`,
    durationSeconds: 12,
    trouble,
    ...more,
  });

describe.runIf(hasTools)('when things go wrong', () => {
  let t: Acquiring;
  beforeAll(async () => {
    t = await anArchiveWith(aCatalogue({ channels: [channel] }));
  });
  afterAll(() => t.close());
  afterEach(async () => {
    await t.staff.call('DELETE', '/api/download/?filter=pending');
    await askAgain();
    expect(await complaints(t)).toEqual([]);
  });
  const linesOf = async (id: string) => {
    const notices = (await t.staff.call('GET', '/api/notification/')).json() as { id: string; messages: string[] }[];
    return notices.find((notice) => notice.id === id)?.messages.join('\n');
  };
  /** Lets the site be asked again, as a person would who knows better. */
  const askAgain = async () => {
    await t.staff.call('DELETE', '/api/download/pauses/youtube/');
    await t.runner.idle();
  };
  const itemOf = async (id: string) => (await t.staff.call('GET', `/api/download/${id}/`)).json();
  const offer = (...videos: Video[]) => t.standin.catalogue.videos.push(...videos);

  test('a connection that is cut is taken up again where it broke', async () => {
    const video = troubled({ kind: 'cut', afterBytes: 20_000 });
    offer(video);
    await add(t, video.id);
    expect(await videoOf(t, video.id)).not.toBeNull();
    expect(
      t.standin.requests.filter(({ path }) => path.startsWith('/videoplayback') && path.includes(video.id)).length,
    ).toBeGreaterThan(2);
  });

  test.each<[Trouble['kind'], string, RegExp]>([
    ['short', 'incomplete', /^Only 6 s of 12 s arrived\./],
    ['half', 'incomplete', /Only 6 s of 12 s arrived|breaks off/],
    ['corrupt', 'incomplete', /could not be put together|cannot be read/],
    ['page', 'incomplete', /could not be put together|cannot be read/],
    ['forbidden', 'network', /refused to send the file \(403\)/],
    ['tooMany', 'rate-limited', /asked too often/],
  ])('%s media are not archived, and the item says why', async (kind, failure, sentence) => {
    const video = troubled({ kind } as Trouble);
    offer(video);
    await add(t, video.id);
    expect(await videoOf(t, video.id)).toBeNull();
    expect(await queueOf(t)).toMatchObject([{ youtube_id: video.id, failure, message: expect.stringMatching(sentence) }]);
  });

  test('a video that has no sound at its site is archived without', async () => {
    const video = troubled({ kind: 'mute' });
    offer(video);
    await add(t, video.id);
    expect((await videoOf(t, video.id)).streams.map((stream: { type: string }) => stream.type)).toEqual(['video']);
  });

  const failures: [Failure, string, repeats: boolean][] = [
    ['deleted', 'gone', false],
    ['private', 'private', false],
    ['members', 'members-only', false],
    ['ageGated', 'age', false],
    ['geoBlocked', 'geo', false],
    ['paid', 'paid', false],
    ['drm', 'paid', false],
    ['copyright', 'gone', false],
    ['noFormats', 'format', false],
    ['error', 'network', true],
    ['notJson', 'ytdlp', true],
  ];
  test('each way in which a site says no has its class, is tried again or not, and keeps no other from coming', async () => {
    const videos = failures.map(([fails]) =>
      aVideo({ id: fails.padEnd(11, '_').slice(0, 11), channelId: channel.id, title: fails, fails }),
    );
    const good = aVideo({ id: 'goodOne0001', channelId: channel.id, title: 'Good', durationSeconds: 5 });
    offer(...videos, good);
    await add(t, [...videos, good].map(({ id }) => id).join('\n'));
    const found = await Promise.all(videos.map(({ id }) => itemOf(id)));
    expect(found.map(({ failure, retry_at }, place) => [failures[place]![0], failure, retry_at !== undefined])).toEqual(failures);
    expect(await videoOf(t, good.id)).not.toBeNull();
  });

  test.each<[Failure, string]>([
    ['botCheck', 'blocked'],
    ['rateLimited', 'rate-limited'],
  ])(
    '%s: the site is left alone, nothing more is asked of it, and all of it comes when it may be asked again',
    async (fails, kind) => {
      const refused = aVideo({ id: fails.padEnd(11, '_').slice(0, 11), channelId: channel.id, title: fails, fails });
      const behind = aVideo({
        id: `behind${kind}`.padEnd(11, '_').slice(0, 11),
        channelId: channel.id,
        title: 'Behind',
        durationSeconds: 4,
      });
      offer(refused, behind);
      await add(t, `${refused.id} ${behind.id}`);
      expect(await itemOf(refused.id)).toMatchObject({ failure: kind, retry_at: expect.any(Number) });
      expect(t.standin.requests.filter(({ path }) => path.includes(behind.id))).toEqual([]);
      expect(await itemOf(behind.id)).not.toHaveProperty('failure');
      expect((await t.staff.call('GET', '/api/download/pauses/')).json()).toMatchObject([
        { site: 'youtube', failure: kind, times: 1 },
      ]);
      delete refused.fails;
      await askAgain();
      expect(await videoOf(t, refused.id)).not.toBeNull();
      expect(await videoOf(t, behind.id)).not.toBeNull();
      expect(await t.archive.db.selectFrom('sitePause').selectAll().execute()).toEqual([]);
    },
  );

  test('what failed for the network comes by itself when its time has come', async () => {
    const video = troubled({ kind: 'forbidden' });
    offer(video);
    await add(t, video.id);
    delete video.trouble;
    await wakeQueue(t.archive);
    await t.runner.idle();
    expect(await videoOf(t, video.id)).toBeNull();
    await t.archive.db.updateTable('download').set({ retryAt: t.archive.now() }).execute();
    await wakeQueue(t.archive);
    await t.runner.idle();
    expect(await videoOf(t, video.id)).not.toBeNull();
  });

  test('what is live or to come waits on the queue, is not recorded, and is fetched when it is over', async () => {
    const live = aVideo({
      id: 'liveVideo01',
      channelId: channel.id,
      title: 'On air',
      kind: 'stream',
      live: 'now',
      durationSeconds: 5,
    });
    const soon = aVideo({
      id: 'soonVideo01',
      channelId: channel.id,
      title: 'Soon on air',
      kind: 'stream',
      live: 'upcoming',
      startsAt: new Date(Date.now() + 5 * 3600_000),
    });
    offer(live, soon);
    await add(t, `${live.id} ${soon.id}`);
    for (const { id } of [live, soon]) {
      expect(await itemOf(id)).toMatchObject({ failure: 'not-yet', retry_at: expect.any(Number) });
      expect(await videoOf(t, id)).toBeNull();
    }
    expect((await itemOf(soon.id)).retry_at).toBeGreaterThan(t.archive.now() + 4 * 3600);
    expect(t.standin.requests.filter(({ path }) => path.startsWith('/videoplayback') && path.includes(live.id))).toEqual([]);
    // Asked for at once it is not recorded either.
    await t.staff.call('POST', `/api/download/${live.id}/`, { status: 'priority' });
    await t.runner.idle();
    expect(await itemOf(live.id)).toMatchObject({ failure: 'not-yet' });
    delete live.live;
    await t.archive.db.updateTable('download').set({ retryAt: t.archive.now() }).where('id', '=', live.id).execute();
    await wakeQueue(t.archive);
    await t.runner.idle();
    expect(await videoOf(t, live.id)).toMatchObject({ vid_type: 'streams' });
  });

  test('another video than the one asked for is not archived under its name', async () => {
    const other = aVideo({ id: 'otherVideo1', channelId: channel.id, title: 'Other', durationSeconds: 5 });
    const moved = aVideo({ id: 'movedVideo1', channelId: channel.id, title: 'Moved', movedTo: other.id });
    offer(other, moved);
    const { task_id: id } = await add(t, moved.id);
    expect(await videoOf(t, moved.id)).toBeNull();
    expect(await videoOf(t, other.id)).toBeNull();
    expect(await linesOf(id)).toContain('answered with another video');
  });

  test('a failed item is fetched when it is asked for again and the trouble is over', async () => {
    const video = troubled({ kind: 'forbidden' });
    offer(video);
    await add(t, video.id);
    expect(await queueOf(t)).toHaveLength(1);
    delete video.trouble;
    expect((await t.staff.call('POST', `/api/download/${video.id}/`, { status: 'priority' })).statusCode).toBe(200);
    await t.runner.idle();
    expect(await videoOf(t, video.id)).not.toBeNull();
  });

  test.each([
    ['forgotten', 'DELETE', undefined, []],
    ['ignored', 'POST', { status: 'ignore' }, ['ignore']],
    ['ignored with all others', 'PATCH', { status: 'ignore' }, ['ignore']],
  ] as const)(
    'an item that is %s while it is fetched does not come, and what was fetched is gone',
    async (_, how, body, stays) => {
      const video = troubled({ kind: 'slow', bytesPerSecond: 10_000 });
      offer(video);
      await t.staff.call('POST', '/api/download/?autostart=true', { data: [{ youtube_id: video.id }] });
      await expect.poll(async () => (await itemOf(video.id)).running).toBe(true);
      await expect
        .poll(() => t.standin.requests.some(({ path }) => path.startsWith('/videoplayback') && path.includes(video.id)))
        .toBe(true);
      const path = how === 'PATCH' ? '?filter=pending' : `${video.id}/`;
      expect((await t.staff.call(how, `/api/download/${path}`, body)).statusCode).toBeLessThan(300);
      await t.runner.idle();
      expect(await videoOf(t, video.id)).toBeNull();
      const items = (await t.staff.call('GET', '/api/download/')).json().data as { status: string; running: boolean }[];
      expect(items.map(({ status, running }) => [status, running])).toEqual(stays.map((status) => [status, false]));
      await t.staff.call('DELETE', '/api/download/?filter=ignore');
    },
  );

  test('nonsense, empty lines, shell characters and a hundred links at once: each is told, and the rest comes', async () => {
    const many = Array.from({ length: 100 }, (_, n) =>
      aVideo({ id: `hundred${String(n).padStart(4, '0')}`, channelId: channel.id, title: `Hundred ${n}` }),
    );
    const list = {
      id: 'PLhundred00000000000000000000000000',
      channelId: channel.id,
      title: 'Hundred',
      description: '',
      videoIds: many.map(({ id }) => id),
    };
    offer(...many);
    t.standin.catalogue.playlists.push(list);
    const text = `\n\n  $(touch /tmp/owned); nonsense \n\n -rf\n${list.id}\n;rm\n`;
    const { task_id: id } = await add(t, text, '?flat=true');
    const queue = (await t.staff.call('GET', '/api/download/?filter=pending')).json();
    expect(queue.paginate.total_hits).toBe(100);
    const result = (await t.staff.call('GET', `/api/task/by-id/${id}/`)).json();
    expect(result).toMatchObject({ status: 'SUCCESS', result: 'added 100 Videos to Queue' });
  });

  test('what is found is fetched while the rest is still being looked up, and all of it in the end', async () => {
    const several = Array.from({ length: 8 }, (_, n) =>
      aVideo({ id: `several000${n}`, channelId: channel.id, title: `Several ${n}`, durationSeconds: 4 }),
    );
    offer(...several);
    const [first = '', ...rest] = several.map(({ id }) => id);
    await t.staff.call('POST', '/api/download/?autostart=true', { data: [{ youtube_id: [first, ...rest].join(' ') }] });
    await eventually(() => videoOf(t, first));
    expect(await t.archive.tasks.underWay('extract_download')).toHaveLength(1);
    await t.runner.idle();
    for (const id of rest) expect(await videoOf(t, id), id).not.toBeNull();
    expect(await queueOf(t)).toEqual([]);
  });

  test.each([
    ['file:///etc/passwd', /Not understood/],
    ['ftp://example.com/a.mp4', /Not understood/],
    ['http://127.0.0.1:8000/a.mp4', /public internet|local network/],
    ['http://localhost/a.mp4', /public internet|local network/],
    ['http://192.168.1.1/cam', /public internet|local network/],
    ['http://[::1]/a', /public internet|local network/],
    ['http://0x7f.1/a', /public internet|local network/],
    ['http://169.254.169.254/latest/meta-data', /public internet|local network/],
    ['https://www.youtube.com/watch?v=abc$(id)', /Not understood/],
  ])('%s is refused with a sentence', async (link, sentence) => {
    t.standin.requests.length = 0;
    const { task_id: id } = await add(t, link);
    expect(await linesOf(id)).toMatch(sentence);
    expect(t.standin.requests).toEqual([]);
    expect(await queueOf(t)).toEqual([]);
  });
});

describe.runIf(hasTools)('a page that leads into the local network', () => {
  test('is not followed there, though the link itself looked harmless', async () => {
    let asked = 0;
    const canary = createServer((_request, response) => {
      asked++;
      response.end('secret');
    });
    await new Promise<void>((resolve) => canary.listen(0, '127.0.0.1', resolve));
    const { port } = canary.address() as { port: number };
    // Without another proxy behind it, the gate itself meets every name.
    const t = await anArchiveWith(aCatalogue({ channels: [channel] }));
    try {
      await add(t, `https://evil.example/to?u=${encodeURIComponent(`http://127.0.0.1:${port}/secret.mp4`)}`);
      expect(asked).toBe(0);
      expect(t.archive.tools.gate.refused.map(({ host }) => host)).toContain('127.0.0.1');
    } finally {
      await t.close();
      canary.close();
    }
  });
});
