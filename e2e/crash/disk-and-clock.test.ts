import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startQueueIfDue } from '#server/features/download/start-if-due.ts';
import { aCatalogue, aChannel, aVideo } from '../../test-site/builders.ts';
import { startTestSite, type TestSite } from '../../test-site/site.ts';
import {
  add,
  createArchive,
  inconsistencies,
  eventually,
  hasTools,
  queueOf,
  testSiteEnv,
  videoOf,
} from '../support/acquisition.ts';
import { fill, clearRetryDelays, canMount, pathInNamespace, withSmallDisk } from '../support/disk.ts';
import { pidOf } from '../support/killing.ts';
import { addressOf, createTempFolder, logInToProgram, startProgram, type Program, type ApiClient } from '../support/program.ts';

if (!canMount) console.log('Mounting is not permitted here, so tests of a full disk are skipped.');

const channel = aChannel({ name: 'Full Disk', look: { scene: 'blend', seed: 31 } });
const small = () => aVideo({ id: 'smallVideo1', channelId: channel.id, title: 'Small', durationSeconds: 4 });
const large = (id = 'largeVideo1') =>
  aVideo({
    id,
    channelId: channel.id,
    title: 'Large',
    durationSeconds: 20,
    width: 640,
    height: 360,
    look: { scene: 'pattern', seed: 1 },
  });
const year = 365 * 86_400;
const slow = (bytesPerSecond = 150_000) => ({ kind: 'slow' as const, bytesPerSecond });

/** Waits until the first part of a media file is on disk. */
const waitForPartFile = (media: string) =>
  eventually(async () => {
    const incoming = join(media, '.incoming');
    return readdirSync(incoming).some((name) =>
      readdirSync(join(incoming, name)).some((file) => file.endsWith('.part') && statSync(join(incoming, name, file)).size > 0),
    );
  });

describe.runIf(hasTools)('a full or locked disk', () => {
  let testSite: TestSite;
  let folder: Awaited<ReturnType<typeof createTempFolder>>;
  let program: Program | undefined;
  beforeEach(async () => {
    testSite = await startTestSite({ catalogue: aCatalogue({ channels: [channel], videos: [small(), large()] }) });
    folder = await createTempFolder();
  });
  afterEach(async () => {
    program?.child.kill('SIGKILL');
    await program?.ended;
    await testSite.close();
    await folder.remove();
  });
  const startServer = async (under: string[] = [], env: Record<string, string> = {}) => {
    program = await startProgram({ data: join(folder.path, 'data'), env: { ...testSiteEnv(testSite), ...env }, under });
    const visitor = await logInToProgram(await addressOf(program));
    const settings = { downloads: { sleep_interval: null }, queue: { reserve: 0 } };
    expect((await visitor.call('POST', '/api/appsettings/config/', settings)).status).toBe(200);
    return { visitor, pid: await pidOf(program), address: await addressOf(program) };
  };
  const enqueue = (visitor: ApiClient, id: string) =>
    visitor.call('POST', '/api/download/?autostart=true', { data: [{ youtube_id: id }] });
  const isArchived = async (visitor: ApiClient, id: string) => (await visitor.call('GET', `/api/video/${id}/`)).status === 200;
  const itemOf = async (visitor: ApiClient, id: string) =>
    (await visitor.call('GET', `/api/download/${id}/`)).json as { failure?: string; message?: string; running?: boolean };
  const waitForFailure = (visitor: ApiClient, id: string) =>
    eventually(async () => {
      const item = await itemOf(visitor, id);
      return item.failure !== undefined && item;
    });
  const receivedBytes = async (visitor: ApiClient, id: string) => {
    const { media_url: url } = (await visitor.call('GET', `/api/video/${id}/`)).json as { media_url: string };
    return visitor.bytesOf(url);
  };

  test.runIf(canMount)('reports a full media disk, serves existing files, and continues when there is space', async () => {
    const media = join(folder.path, 'media');
    mkdirSync(media);
    const { visitor, pid } = await startServer(withSmallDisk(media, 8), { REELKEEP_MEDIA: media });
    await enqueue(visitor, small().id);
    await eventually(() => isArchived(visitor, small().id));
    const mediaInside = pathInNamespace(pid, media);
    const freeSpace = fill(mediaInside, 300_000);
    await enqueue(visitor, large().id);
    expect(await waitForFailure(visitor, large().id)).toMatchObject({
      failure: 'disk-full',
      message: expect.stringMatching(/^The disk is full\./),
    });
    expect(await receivedBytes(visitor, small().id)).toBe(statSync(join(mediaInside, channel.id, `${small().id}.mp4`)).size);
    freeSpace();
    clearRetryDelays(pid, join(folder.path, 'data/reelkeep.db'));
    await eventually(() => isArchived(visitor, large().id));
    await eventually(async () => readdirSync(join(mediaInside, '.incoming')).length === 0);
  });

  test.runIf(canMount)('survives a full database disk: serves files, reports failed writes, and completes later', async () => {
    const data = join(folder.path, 'data');
    const media = join(folder.path, 'media');
    mkdirSync(data);
    Object.assign(testSite.catalogue.videos[1]!, { fault: slow() });
    const { visitor, pid } = await startServer(withSmallDisk(data, 16), { REELKEEP_MEDIA: media });
    await enqueue(visitor, small().id);
    await eventually(() => isArchived(visitor, small().id));
    await enqueue(visitor, large().id);
    await waitForPartFile(media);
    const freeSpace = fill(pathInNamespace(pid, data));
    const progress = () => visitor.call('POST', `/api/video/${small().id}/progress/`, { position: 2 });
    const rejected = await eventually(async () => {
      const response = await progress();
      return response.status === 507 && response;
    });
    expect(rejected.json).toMatchObject({ error: expect.stringMatching(/^The disk of the data folder is full/) });
    delete testSite.catalogue.videos[1]!.fault;
    await eventually(async () => readdirSync(join(media, channel.id)).includes(`${large().id}.mp4`));
    await wait(500);
    expect(await isArchived(visitor, large().id)).toBe(false); // published on disk, but not in the database
    expect(await receivedBytes(visitor, small().id)).toBe(statSync(join(media, channel.id, `${small().id}.mp4`)).size);
    freeSpace();
    expect(await waitForFailure(visitor, large().id)).toMatchObject({ failure: 'disk-full' });
    clearRetryDelays(pid, join(data, 'reelkeep.db'));
    await eventually(() => isArchived(visitor, large().id));
    expect((await progress()).status).toBe(200);
    await eventually(async () => readdirSync(join(media, '.incoming')).length === 0);
  });

  test('waits while another process locks the database for ten seconds; reads continue', async () => {
    Object.assign(testSite.catalogue.videos[1]!, { fault: slow() });
    const { visitor } = await startServer();
    await enqueue(visitor, small().id);
    await eventually(() => isArchived(visitor, small().id));
    await enqueue(visitor, large().id);
    await eventually(async () => (await itemOf(visitor, large().id)).running === true);
    const lockScript = `
import sqlite3, sys, time
db = sqlite3.connect(sys.argv[1], isolation_level=None, timeout=10)
db.execute('begin exclusive')
print('held', flush=True)
time.sleep(10)
db.execute('rollback')`;
    const lockProcess = spawn('python3', ['-c', lockScript, join(folder.path, 'data/reelkeep.db')], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await new Promise((resolve) => lockProcess.stdout.once('data', resolve));
    const began = performance.now();
    const writing = visitor.call('POST', '/api/watched/', { id: small().id, is_watched: true });
    let slowest = 0;
    while (performance.now() - began < 8000) {
      const startedAt = performance.now();
      expect((await visitor.call('GET', '/api/video/')).status).toBe(200);
      slowest = Math.max(slowest, performance.now() - startedAt);
      await wait(250);
    }
    expect(slowest).toBeLessThan(5000);
    expect((await writing).status).toBe(200);
    expect(performance.now() - began).toBeGreaterThan(8500);
    expect((await visitor.call('GET', `/api/video/${small().id}/`)).json).toMatchObject({ player: { watched: true } });
    await eventually(() => isArchived(visitor, large().id));
  });
});

describe.runIf(hasTools)('network failures', () => {
  test('an outage during a download fails the item, which is retried when the network is back', async () => {
    const video = { ...large('networkVid1'), fault: slow() };
    const t = await createArchive(aCatalogue({ channels: [channel], videos: [video] }));
    let secondSite: TestSite | undefined;
    try {
      const adding = add(t, video.id);
      await waitForPartFile(join(t.folder, 'media'));
      await t.testSite.close();
      await adding;
      expect(await queueOf(t)).toMatchObject([
        { failure: 'network', message: expect.stringMatching(/could not be reached, or the connection was lost/) },
      ]);
      const { fault: _, ...healthy } = video;
      secondSite = await startTestSite({ catalogue: { ...t.testSite.catalogue, videos: [healthy] }, port: t.testSite.port });
      const now = t.app.now();
      t.app.now = () => now + 200;
      await startQueueIfDue(t.app);
      await t.runner.idle();
      expect(await videoOf(t, video.id)).not.toBeNull();
      expect(await inconsistencies(t)).toEqual([]);
    } finally {
      await t.close();
      await secondSite?.close();
    }
  });

  test('resumes a stalled transfer at its position', async () => {
    const video = { ...large('networkVid2'), fault: { kind: 'stall' as const } };
    const t = await createArchive(aCatalogue({ channels: [channel], videos: [video] }));
    try {
      const adding = add(t, video.id);
      await waitForPartFile(join(t.folder, 'media'));
      delete (t.testSite.catalogue.videos[0] as { fault?: unknown }).fault;
      await adding;
      expect(await queueOf(t)).toEqual([]);
      expect(await videoOf(t, video.id)).not.toBeNull();
      expect(await inconsistencies(t)).toEqual([]);
    } finally {
      await t.close();
    }
  });

  test('a clock one year ahead during a download downloads nothing twice', async () => {
    const video = { ...large('networkVid3'), fault: slow(400_000) };
    const t = await createArchive(aCatalogue({ channels: [channel], videos: [video] }));
    try {
      await t.staff.call('POST', '/api/appsettings/config/', { queue: { at_once: 2, per_site: 2 } });
      const adding = add(t, video.id);
      await waitForPartFile(join(t.folder, 'media'));
      const realNow = t.app.now;
      t.app.now = () => realNow() + year;
      await wait(1500); // the queue is polled twice a second
      const [item] = await t.app.db.selectFrom('download').select('attempts').execute();
      expect(item).toEqual({ attempts: 1 });
      await adding;
      t.app.now = realNow; // sessions have expired because of the jump
      expect(await videoOf(t, video.id)).not.toBeNull();
    } finally {
      await t.close();
    }
  });
});
