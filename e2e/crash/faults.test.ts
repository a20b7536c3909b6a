import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startQueueIfDue } from '#server/features/download/start-if-due.ts';
import { readSettings } from '#server/archive/settings/store.ts';
import { fetchVideo } from '#server/platform/ytdlp/fetch-video.ts';
import type { YtdlpFailed } from '#server/platform/ytdlp/failure.ts';
import { ytdlpSession } from '#server/archive/sites/ytdlp-session.ts';
import { aCatalogue, aChannel, aVideo } from '../../test-site/builders.ts';
import type { VideoFault, Video } from '../../test-site/catalogue.ts';
import type { Failure } from '../../test-site/youtube/failures.ts';
import {
  add,
  createArchive,
  inconsistencies,
  eventually,
  hasTools,
  queueOf,
  videoOf,
  type TestSiteArchive,
} from '../support/acquisition.ts';

const channel = aChannel({ name: 'Faults', look: { scene: 'blend', seed: 9 } });
let count = 0;
const faultyVideo = (fault: VideoFault, overrides: Partial<Video> = {}) =>
  aVideo({
    id: `faulty-${String(++count).padStart(4, '0')}`,
    channelId: channel.id,
    title: `With ${fault.kind}`,
    durationSeconds: 12,
    fault,
    ...overrides,
  });

describe.runIf(hasTools)('download failures', () => {
  let t: TestSiteArchive;
  beforeAll(async () => {
    t = await createArchive(aCatalogue({ channels: [channel] }));
  });
  afterAll(() => t.close());
  afterEach(async () => {
    await t.staff.call('DELETE', '/api/download/?filter=pending');
    await endCooldown();
    expect(await inconsistencies(t)).toEqual([]);
  });
  const linesOf = async (id: string) => {
    const notices = (await t.staff.call('GET', '/api/notification/')).json() as { id: string; messages: string[] }[];
    return notices.find((notice) => notice.id === id)?.messages.join('\n');
  };
  /** Ends the cooldown of the site, as a user can. */
  const endCooldown = async () => {
    await t.staff.call('DELETE', '/api/download/cooldowns/youtube/');
    await t.runner.idle();
  };
  const itemOf = async (id: string) => (await t.staff.call('GET', `/api/download/${id}/`)).json();
  const addToSite = (...videos: Video[]) => t.testSite.catalogue.videos.push(...videos);

  test('resumes a cut connection at its position', async () => {
    const video = faultyVideo({ kind: 'cut', afterBytes: 20_000 });
    addToSite(video);
    await add(t, video.id);
    expect(await videoOf(t, video.id)).not.toBeNull();
    expect(
      t.testSite.requests.filter(({ path }) => path.startsWith('/videoplayback') && path.includes(video.id)).length,
    ).toBeGreaterThan(2);
  });

  test.each<[VideoFault['kind'], string, RegExp]>([
    ['short', 'incomplete', /^Incomplete download \(6 s of 12 s\)\./],
    ['half', 'incomplete', /Incomplete download/],
    ['corrupt', 'incomplete', /Merging video and audio failed|cannot be read|could not be read/],
    ['page', 'incomplete', /Merging video and audio failed|cannot be read|could not be read/],
    ['forbidden', 'network', /refused to send the file \(403\)/],
    ['tooMany', 'rate-limited', /Too many requests/],
  ])('does not archive %s media, and reports why', async (kind, failure, sentence) => {
    const video = faultyVideo({ kind } as VideoFault);
    addToSite(video);
    await add(t, video.id);
    expect(await videoOf(t, video.id)).toBeNull();
    expect(await queueOf(t)).toMatchObject([{ youtube_id: video.id, failure, message: expect.stringMatching(sentence) }]);
  });

  test('kills a stalled transfer, keeps its parts, and continues the queue', async () => {
    const video = faultyVideo({ kind: 'stall' });
    addToSite(video);
    const folder = await mkdtemp(join(tmpdir(), 'reelkeep-stall-'));
    const fetching = fetchVideo(await ytdlpSession(t.app), {
      url: `https://www.youtube.com/watch?v=${video.id}`,
      folder,
      settings: (await readSettings(t.app.db)).downloads,
      choice: { format: null, audioOnly: false },
      signal: new AbortController().signal,
      onProgress: () => {},
      onStage: () => {},
      stallMs: 10_000,
    });
    const error = (await fetching.catch((error: unknown) => error)) as YtdlpFailed;
    expect(error.failure).toMatchObject({ kind: 'network', message: { id: 'failure.stalled' } });
    expect((await readdir(folder)).some((name) => name.endsWith('.part'))).toBe(true);
    await rm(folder, { recursive: true });
  });

  test('a watch page answered with 429 is rate limiting, not a changed site', async () => {
    const video = aVideo({ id: 'tooMany0001', channelId: channel.id, title: 'Too many', durationSeconds: 4 });
    addToSite(video);
    const faults = t.testSite.catalogue.faults;
    faults.push(
      { host: 'youtube.com', path: '/watch', does: 'tooMany' },
      { host: 'youtube.com', path: '/youtubei', does: 'tooMany' },
    );
    await add(t, video.id);
    expect(await itemOf(video.id)).toMatchObject({ failure: 'rate-limited' });
    faults.length = 0;
  });

  test('archives a video without audio if the site has none', async () => {
    const video = faultyVideo({ kind: 'mute' });
    addToSite(video);
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
    ['noFormats', 'ytdlp', true],
    ['error', 'network', true],
    ['notJson', 'ytdlp', true],
  ];
  test('each failure has its class and retry policy, and blocks no other item', async () => {
    const videos = failures.map(([fails]) =>
      aVideo({ id: fails.padEnd(11, '_').slice(0, 11), channelId: channel.id, title: fails, fails }),
    );
    const good = aVideo({ id: 'goodOne0001', channelId: channel.id, title: 'Good', durationSeconds: 5 });
    addToSite(...videos, good);
    await add(t, [...videos, good].map(({ id }) => id).join('\n'));
    const items = await Promise.all(videos.map(({ id }) => itemOf(id)));
    expect(items.map(({ failure, retry_at }, index) => [failures[index]![0], failure, retry_at !== undefined])).toEqual(failures);
    expect(await videoOf(t, good.id)).not.toBeNull();
  });

  test.each<[Failure, string]>([
    ['botCheck', 'blocked'],
    ['rateLimited', 'rate-limited'],
  ])('%s: starts a cooldown without further requests, and downloads everything afterwards', async (fails, kind) => {
    const blocked = aVideo({ id: fails.padEnd(11, '_').slice(0, 11), channelId: channel.id, title: fails, fails });
    const next = aVideo({
      id: `behind${kind}`.padEnd(11, '_').slice(0, 11),
      channelId: channel.id,
      title: 'Behind',
      durationSeconds: 4,
    });
    addToSite(blocked, next);
    await add(t, `${blocked.id} ${next.id}`);
    expect(await itemOf(blocked.id)).toMatchObject({ failure: kind, retry_at: expect.any(Number) });
    expect(t.testSite.requests.filter(({ path }) => path.includes(next.id))).toEqual([]);
    expect(await itemOf(next.id)).not.toHaveProperty('failure');
    expect((await t.staff.call('GET', '/api/download/cooldowns/')).json()).toMatchObject([
      { site: 'youtube', failure: kind, times: 1 },
    ]);
    delete blocked.fails;
    await endCooldown();
    expect(await videoOf(t, blocked.id)).not.toBeNull();
    expect(await videoOf(t, next.id)).not.toBeNull();
    expect(await t.app.db.selectFrom('siteCooldown').selectAll().execute()).toEqual([]);
  });

  test('retries network failures when they are due', async () => {
    const video = faultyVideo({ kind: 'forbidden' });
    addToSite(video);
    await add(t, video.id);
    delete video.fault;
    await startQueueIfDue(t.app);
    await t.runner.idle();
    expect(await videoOf(t, video.id)).toBeNull();
    await t.app.db.updateTable('download').set({ retryAt: t.app.now() }).execute();
    await startQueueIfDue(t.app);
    await t.runner.idle();
    expect(await videoOf(t, video.id)).not.toBeNull();
  });

  test('keeps live and upcoming videos queued, and downloads them when they are over', async () => {
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
    addToSite(live, soon);
    await add(t, `${live.id} ${soon.id}`);
    for (const { id } of [live, soon]) {
      expect(await itemOf(id)).toMatchObject({ failure: 'not-yet', retry_at: expect.any(Number) });
      expect(await videoOf(t, id)).toBeNull();
    }
    expect((await itemOf(soon.id)).retry_at).toBeGreaterThan(t.app.now() + 4 * 3600);
    expect(t.testSite.requests.filter(({ path }) => path.startsWith('/videoplayback') && path.includes(live.id))).toEqual([]);
    // An explicit request does not record the live stream either.
    await t.staff.call('POST', `/api/download/${live.id}/`, { status: 'priority' });
    await t.runner.idle();
    expect(await itemOf(live.id)).toMatchObject({ failure: 'not-yet' });
    delete live.live;
    await t.app.db.updateTable('download').set({ retryAt: t.app.now() }).where('id', '=', live.id).execute();
    await startQueueIfDue(t.app);
    await t.runner.idle();
    expect(await videoOf(t, live.id)).toMatchObject({ vid_type: 'streams' });
  });

  test('does not archive another video under the requested id', async () => {
    const other = aVideo({ id: 'otherVideo1', channelId: channel.id, title: 'Other', durationSeconds: 5 });
    const moved = aVideo({ id: 'movedVideo1', channelId: channel.id, title: 'Moved', movedTo: other.id });
    addToSite(other, moved);
    const { task_id: id } = await add(t, moved.id);
    expect(await videoOf(t, moved.id)).toBeNull();
    expect(await videoOf(t, other.id)).toBeNull();
    expect(await linesOf(id)).toContain('returned another video');
  });

  test('downloads a failed item on request once the failure is over', async () => {
    const video = faultyVideo({ kind: 'forbidden' });
    addToSite(video);
    await add(t, video.id);
    expect(await queueOf(t)).toHaveLength(1);
    delete video.fault;
    expect((await t.staff.call('POST', `/api/download/${video.id}/`, { status: 'priority' })).statusCode).toBe(200);
    await t.runner.idle();
    expect(await videoOf(t, video.id)).not.toBeNull();
  });

  test.each([
    ['forgotten', 'DELETE', undefined, []],
    ['ignored', 'POST', { status: 'ignore' }, ['ignore']],
    ['ignored with all others', 'PATCH', { status: 'ignore' }, ['ignore']],
  ] as const)(
    'an item that is %s during its download is not archived, and its parts are deleted',
    async (_, method, body, remaining) => {
      const video = faultyVideo({ kind: 'slow', bytesPerSecond: 10_000 });
      addToSite(video);
      await t.staff.call('POST', '/api/download/?autostart=true', { data: [{ youtube_id: video.id }] });
      await expect.poll(async () => (await itemOf(video.id)).running).toBe(true);
      await expect
        .poll(() => t.testSite.requests.some(({ path }) => path.startsWith('/videoplayback') && path.includes(video.id)))
        .toBe(true);
      const path = method === 'PATCH' ? '?filter=pending' : `${video.id}/`;
      expect((await t.staff.call(method, `/api/download/${path}`, body)).statusCode).toBeLessThan(300);
      await t.runner.idle();
      expect(await videoOf(t, video.id)).toBeNull();
      const items = (await t.staff.call('GET', '/api/download/')).json().data as { status: string; running: boolean }[];
      expect(items.map(({ status, running }) => [status, running])).toEqual(remaining.map((status) => [status, false]));
      await t.staff.call('DELETE', '/api/download/?filter=ignore');
    },
  );

  test('reports invalid lines, shell characters and a hundred links at once, and downloads the rest', async () => {
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
    addToSite(...many);
    t.testSite.catalogue.playlists.push(list);
    const text = `\n\n  $(touch /tmp/owned); nonsense \n\n -rf\n${list.id}\n;rm\n`;
    const { task_id: id } = await add(t, text, '?flat=true');
    const queue = (await t.staff.call('GET', '/api/download/?filter=pending')).json();
    expect(queue.paginate.total_hits).toBe(100);
    const result = (await t.staff.call('GET', `/api/task/by-id/${id}/`)).json();
    expect(result).toMatchObject({ status: 'SUCCESS', result: 'Added 100 videos to the queue.' });
  });

  test('downloads found videos while the listing continues', async () => {
    const several = Array.from({ length: 8 }, (_, n) =>
      aVideo({ id: `several000${n}`, channelId: channel.id, title: `Several ${n}`, durationSeconds: 4 }),
    );
    addToSite(...several);
    const [first = '', ...rest] = several.map(({ id }) => id);
    await t.staff.call('POST', '/api/download/?autostart=true', { data: [{ youtube_id: [first, ...rest].join(' ') }] });
    await eventually(() => videoOf(t, first));
    expect(await t.app.tasks.activeInputs('extract_download')).toHaveLength(1);
    await t.runner.idle();
    for (const id of rest) expect(await videoOf(t, id), id).not.toBeNull();
    expect(await queueOf(t)).toEqual([]);
  });

  test.each([
    ['file:///etc/passwd', /Not a valid ID/],
    ['ftp://example.com/a.mp4', /Not a valid ID/],
    ['http://127.0.0.1:8000/a.mp4', /Blocked: .*(local network|not a public address)/],
    ['http://localhost/a.mp4', /Blocked: .*(local network|not a public address)/],
    ['http://192.168.1.1/cam', /Blocked: .*(local network|not a public address)/],
    ['http://[::1]/a', /Blocked: .*(local network|not a public address)/],
    ['http://0x7f.1/a', /Blocked: .*(local network|not a public address)/],
    ['http://169.254.169.254/latest/meta-data', /Blocked: .*(local network|not a public address)/],
    ['https://www.youtube.com/watch?v=abc$(id)', /Not a valid ID/],
  ])('rejects %s with a message', async (link, sentence) => {
    t.testSite.requests.length = 0;
    const { task_id: id } = await add(t, link);
    expect(await linesOf(id)).toMatch(sentence);
    expect(t.testSite.requests).toEqual([]);
    expect(await queueOf(t)).toEqual([]);
  });
});

describe.runIf(hasTools)('a page that redirects to the local network', () => {
  test('is not followed', async () => {
    let requestCount = 0;
    const canary = createServer((_request, response) => {
      requestCount++;
      response.end('secret');
    });
    await new Promise<void>((resolve) => canary.listen(0, '127.0.0.1', resolve));
    const { port } = canary.address() as { port: number };
    // No upstream proxy, so the internal proxy checks every host itself.
    const t = await createArchive(aCatalogue({ channels: [channel] }));
    try {
      await add(t, `https://evil.example/to?u=${encodeURIComponent(`http://127.0.0.1:${port}/secret.mp4`)}`);
      expect(requestCount).toBe(0);
      expect(t.app.tools.proxy.refused.map(({ host }) => host)).toContain('127.0.0.1');
    } finally {
      await t.close();
      canary.close();
    }
  });
});
