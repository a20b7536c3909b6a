import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { wakeQueue } from '#server/download/wake.ts';
import { aCatalogue, aChannel, aVideo } from '#standin/builders.ts';
import { startStandin, type Standin } from '#standin/site.ts';
import { add, anArchiveWith, complaints, eventually, hasTools, queueOf, throughStandin, videoOf } from './acquiring.ts';
import { fill, letTryAgain, mayMount, seenBy, withSmallDisk } from './disk.ts';
import { pidOf } from './killing.ts';
import { addressOf, aFolder, aVisitor, startProgram, type Program, type Visitor } from './program.ts';

if (!mayMount) console.log('Nothing may be mounted here: a full disk is not tried.');

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

/** Waits until the media of a download have begun to come. */
const isUnderWay = (media: string) =>
  eventually(async () => {
    const incoming = join(media, '.incoming');
    return readdirSync(incoming).some((name) =>
      readdirSync(join(incoming, name)).some((file) => file.endsWith('.part') && statSync(join(incoming, name, file)).size > 0),
    );
  });

describe.runIf(hasTools)('a program of its own', () => {
  let standin: Standin;
  let folder: Awaited<ReturnType<typeof aFolder>>;
  let program: Program | undefined;
  beforeEach(async () => {
    standin = await startStandin({ catalogue: aCatalogue({ channels: [channel], videos: [small(), large()] }) });
    folder = await aFolder();
  });
  afterEach(async () => {
    program?.child.kill('SIGKILL');
    await program?.ended;
    await standin.close();
    await folder.remove();
  });
  const begin = async (under: string[] = [], env: Record<string, string> = {}) => {
    program = await startProgram({ data: join(folder.path, 'data'), env: { ...throughStandin(standin), ...env }, under });
    const visitor = await aVisitor(await addressOf(program));
    const settings = { downloads: { sleep_interval: null }, queue: { reserve: 0 } };
    expect((await visitor.call('POST', '/api/appsettings/config/', settings)).status).toBe(200);
    return { visitor, pid: await pidOf(program), address: await addressOf(program) };
  };
  const want = (visitor: Visitor, id: string) =>
    visitor.call('POST', '/api/download/?autostart=true', { data: [{ youtube_id: id }] });
  const isThere = async (visitor: Visitor, id: string) => (await visitor.call('GET', `/api/video/${id}/`)).status === 200;
  const itemOf = async (visitor: Visitor, id: string) =>
    (await visitor.call('GET', `/api/download/${id}/`)).json as { failure?: string; message?: string; running?: boolean };
  const isFailed = (visitor: Visitor, id: string) =>
    eventually(async () => {
      const item = await itemOf(visitor, id);
      return item.failure !== undefined && item;
    });
  const plays = async (visitor: Visitor, id: string) => {
    const { media_url: url } = (await visitor.call('GET', `/api/video/${id}/`)).json as { media_url: string };
    return visitor.bytesOf(url);
  };

  test.runIf(mayMount)(
    'says that the disk for media is full, plays what is there, and goes on by itself when there is room',
    async () => {
      const media = join(folder.path, 'media');
      mkdirSync(media);
      const { visitor, pid } = await begin(withSmallDisk(media, 8), { REELKEEP_MEDIA: media });
      await want(visitor, small().id);
      await eventually(() => isThere(visitor, small().id));
      const inside = seenBy(pid, media);
      const makeRoom = fill(inside, 300_000);
      await want(visitor, large().id);
      expect(await isFailed(visitor, large().id)).toMatchObject({
        failure: 'disk-full',
        message: expect.stringMatching(/^The disk is full\./),
      });
      expect(await plays(visitor, small().id)).toBe(statSync(join(inside, channel.id, `${small().id}.mp4`)).size);
      makeRoom();
      letTryAgain(pid, join(folder.path, 'data/reelkeep.db'));
      await eventually(() => isThere(visitor, large().id));
      await eventually(async () => readdirSync(join(inside, '.incoming')).length === 0);
    },
  );

  test.runIf(mayMount)(
    'lives on when the disk of its database is full: what is there plays, what cannot be kept is said, and all comes in the end',
    async () => {
      const data = join(folder.path, 'data');
      const media = join(folder.path, 'media');
      mkdirSync(data);
      Object.assign(standin.catalogue.videos[1]!, { trouble: slow() });
      const { visitor, pid } = await begin(withSmallDisk(data, 16), { REELKEEP_MEDIA: media });
      await want(visitor, small().id);
      await eventually(() => isThere(visitor, small().id));
      await want(visitor, large().id);
      await isUnderWay(media);
      const makeRoom = fill(seenBy(pid, data));
      const progress = () => visitor.call('POST', `/api/video/${small().id}/progress/`, { position: 2 });
      const refusal = await eventually(async () => {
        const answer = await progress();
        return answer.status === 507 && answer;
      });
      expect(refusal.json).toMatchObject({ error: expect.stringMatching(/^The disk of the data folder is full/) });
      delete standin.catalogue.videos[1]!.trouble;
      await eventually(async () => readdirSync(join(media, channel.id)).includes(`${large().id}.mp4`));
      await wait(500);
      expect(await isThere(visitor, large().id)).toBe(false); // on the shelf, and no row can say so
      expect(await plays(visitor, small().id)).toBe(statSync(join(media, channel.id, `${small().id}.mp4`)).size);
      makeRoom();
      expect(await isFailed(visitor, large().id)).toMatchObject({ failure: 'disk-full' });
      letTryAgain(pid, join(data, 'reelkeep.db'));
      await eventually(() => isThere(visitor, large().id));
      expect((await progress()).status).toBe(200);
      await eventually(async () => readdirSync(join(media, '.incoming')).length === 0);
    },
  );

  test('waits while another program holds the database for ten seconds: reads go on, writes come through', async () => {
    Object.assign(standin.catalogue.videos[1]!, { trouble: slow() });
    const { visitor } = await begin();
    await want(visitor, small().id);
    await eventually(() => isThere(visitor, small().id));
    await want(visitor, large().id);
    await eventually(async () => (await itemOf(visitor, large().id)).running === true);
    const hold = `
import sqlite3, sys, time
db = sqlite3.connect(sys.argv[1], isolation_level=None, timeout=10)
db.execute('begin exclusive')
print('held', flush=True)
time.sleep(10)
db.execute('rollback')`;
    const holder = spawn('python3', ['-c', hold, join(folder.path, 'data/reelkeep.db')], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await new Promise((resolve) => holder.stdout.once('data', resolve));
    const began = performance.now();
    const writing = visitor.call('POST', '/api/watched/', { id: small().id, is_watched: true });
    let slowest = 0;
    while (performance.now() - began < 8000) {
      const asked = performance.now();
      expect((await visitor.call('GET', '/api/video/')).status).toBe(200);
      slowest = Math.max(slowest, performance.now() - asked);
      await wait(250);
    }
    expect(slowest).toBeLessThan(1000);
    expect((await writing).status).toBe(200);
    expect(performance.now() - began).toBeGreaterThan(8500);
    expect((await visitor.call('GET', `/api/video/${small().id}/`)).json).toMatchObject({ player: { watched: true } });
    await eventually(() => isThere(visitor, large().id));
  });
});

describe.runIf(hasTools)('the network', () => {
  test('gone altogether in the middle: the item says so, and comes by itself when the network is back', async () => {
    const video = { ...large('networkVid1'), trouble: slow() };
    const t = await anArchiveWith(aCatalogue({ channels: [channel], videos: [video] }));
    let again: Standin | undefined;
    try {
      const adding = add(t, video.id);
      await isUnderWay(join(t.folder, 'media'));
      await t.standin.close();
      await adding;
      expect(await queueOf(t)).toMatchObject([
        { failure: 'network', message: expect.stringMatching(/could not be reached, or the connection broke/) },
      ]);
      const { trouble: _, ...healthy } = video;
      again = await startStandin({ catalogue: { ...t.standin.catalogue, videos: [healthy] }, port: t.standin.port });
      const now = t.archive.now();
      t.archive.now = () => now + 200;
      await wakeQueue(t.archive);
      await t.runner.idle();
      expect(await videoOf(t, video.id)).not.toBeNull();
      expect(await complaints(t)).toEqual([]);
    } finally {
      await t.close();
      await again?.close();
    }
  });

  test('silent in the middle: it is asked again after a while, and goes on where it was', async () => {
    const video = { ...large('networkVid2'), trouble: { kind: 'stall' as const } };
    const t = await anArchiveWith(aCatalogue({ channels: [channel], videos: [video] }));
    try {
      const adding = add(t, video.id);
      await isUnderWay(join(t.folder, 'media'));
      delete (t.standin.catalogue.videos[0] as { trouble?: unknown }).trouble;
      await adding;
      expect(await queueOf(t)).toEqual([]);
      expect(await videoOf(t, video.id)).not.toBeNull();
      expect(await complaints(t)).toEqual([]);
    } finally {
      await t.close();
    }
  });

  test('and the clock a year ahead in the middle: nothing is fetched twice', async () => {
    const video = { ...large('networkVid3'), trouble: slow(400_000) };
    const t = await anArchiveWith(aCatalogue({ channels: [channel], videos: [video] }));
    try {
      await t.staff.call('POST', '/api/appsettings/config/', { queue: { at_once: 2, per_site: 2 } });
      const adding = add(t, video.id);
      await isUnderWay(join(t.folder, 'media'));
      const real = t.archive.now;
      t.archive.now = () => real() + year;
      await wait(1500); // the queue is looked at twice a second
      const [item] = await t.archive.db.selectFrom('download').select('attempts').execute();
      expect(item).toEqual({ attempts: 1 });
      await adding;
      t.archive.now = real; // sessions have ended meanwhile
      expect(await videoOf(t, video.id)).not.toBeNull();
    } finally {
      await t.close();
    }
  });
});
