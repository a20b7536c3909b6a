import { execFileSync } from 'node:child_process';
import { readdir, readFile, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { AudioTrack, Rendition } from '#contract/rendition.ts';
import { jobsOfBucket } from '../../app/create-app.ts';
import { fingerprint } from '../../platform/files/files.ts';
import { StorageError } from '../../platform/storage/file-store.ts';
import { inCache, resolveStoredPath } from '../../platform/storage/stored-path.ts';
import { startPeriodicJobs } from '../../platform/tasks/intervals.ts';
import { createUser, createVideo, testApp, testTimeouts, type TestApp } from '../../test-support/app.ts';
import { openOtherServer } from '../../test-support/other-server.ts';
import { startS3, versitygwPath } from '../../test-support/s3.ts';
import { cleanRenditionCache, freeSpaceFor } from './rendition-cache.ts';
import { requestRendition } from './request-rendition.ts';
import { waitForM4a } from './wait-for-m4a.ts';

const { signal } = new AbortController();

describe.runIf(versitygwPath && process.env.REELKEEP_FFMPEG)('renditions in a bucket', () => {
  let s3: Awaited<ReturnType<typeof startS3>>;
  /** Renders. */
  let t: TestApp;
  /** Serves, and runs no tasks. */
  let web: Awaited<ReturnType<typeof openOtherServer>>;
  let user: Awaited<ReturnType<typeof createUser>>;

  beforeAll(async () => {
    s3 = await startS3();
    t = await testApp({ env: s3.env, withTools: true });
    web = await openOtherServer(t, s3.env);
    user = await createUser({ app: web.app, server: web.server });
    await t.runner.begin();
  });
  afterAll(async () => {
    await web?.close();
    await t?.close();
    await s3?.stop();
  });

  const sine = (seconds: number) => ['-f', 'lavfi', '-i', `sine=frequency=440:duration=${seconds}`];
  const film = ['-f', 'lavfi', '-i', 'testsrc2=size=64x64:rate=10:duration=3', ...sine(3), '-pix_fmt', 'yuv420p'];
  const createFilm = async (id: string, args = film, extension = '.mp4') => {
    const local = join(t.folder, `${id}${extension}`);
    execFileSync(t.app.tools.ffmpeg!.ffmpeg, ['-v', 'error', '-y', ...args, local]);
    const content = await fingerprint(local);
    const mediaPath = `c/${id}${extension}`;
    await t.app.files.put(mediaPath, local, content);
    await createVideo(t.app.db, { id, mediaPath, durationSeconds: 3, ...content });
    return content;
  };
  const ask = async (id: string, options: object = {}) =>
    (await user.call('POST', `/api/video/${id}/rendition/`, options)).json<Rendition>();
  const waitFor = async (id: string, options: object = {}) => {
    let rendition = await ask(id, options);
    await expect.poll(async () => (rendition = await ask(id, options)).state, testTimeouts).not.toBe('making');
    return rendition;
  };
  const objects = async (id: string) => readdir(join(s3.folder, 'cache/renditions', id)).catch(() => []);
  const isLocal = ({ app }: { app: typeof web.app }, path: string) =>
    stat(resolveStoredPath(app, path)).then(
      () => true,
      () => false,
    );

  test('one that a worker made is ready on a web server, which does not need the video', async () => {
    const { sha256 } = await createFilm('sharedFilm1');
    const { state, media_url } = await waitFor('sharedFilm1');
    const name = `${sha256.slice(0, 16)}-s1.m4a`;
    expect([state, media_url]).toEqual(['ready', `/cache/renditions/sharedFilm1/${name}`]);
    expect(await objects('sharedFilm1')).toEqual([name]);
    const path = await waitForM4a(web.app, { id: 'sharedFilm1' }, signal);
    expect(await buffer(await web.app.files.read(path))).toEqual(
      await readFile(join(s3.folder, 'cache/renditions/sharedFilm1', name)),
    );
    // It stays ready when the worker has no copy any more.
    await rm(resolveStoredPath(t.app, inCache('renditions')), { recursive: true });
    expect((await requestRendition(t.app, 'sharedFilm1', { picture: false })).state).toBe('ready');
  });

  test.each([
    ['.mov', []], // its index is at the end
    ['.mkv', ['-metadata:s:a:0', 'language=ger', '-metadata:s:a:0', 'title=Dubbed']],
  ])('tracks of a large %s file are listed without fetching it', async (extension, more) => {
    const id = `large${extension.slice(1)}0001`;
    const sound = ['-f', 'lavfi', '-i', 'sine=sample_rate=192000:duration=12', '-ac', '8', '-c:a', 'pcm_s16le'];
    const { sizeBytes } = await createFilm(id, [...film.slice(0, 4), ...sound, '-pix_fmt', 'yuv420p', ...more], extension);
    expect(sizeBytes).toBeGreaterThan(30e6);
    const [track] = (await user.call('GET', `/api/video/${id}/audio/`)).json<AudioTrack[]>();
    expect(track).toMatchObject({ index: 1, codec: 'pcm_s16le', channels: 8, is_default: true });
    if (extension === '.mkv') expect(track).toMatchObject({ language: 'de', title: 'Dubbed' });
    expect(await isLocal(web, `c/${id}${extension}`)).toBe(false);
    expect(await readdir(resolveStoredPath(web.app, inCache('renditions/.making')))).toEqual([]);
  });

  test('a podcast feed has the exact size, also while the bucket is away an estimate', async () => {
    await createFilm('podcastFilm');
    await t.app.db
      .insertInto('stream')
      .values({ videoId: 'podcastFilm', position: 1, type: 'audio', codec: 'aac', bitrate: 128_000, width: null, height: null })
      .execute();
    const { channelId } = await t.app.db
      .selectFrom('video')
      .select('channelId')
      .where('id', '=', 'podcastFilm')
      .executeTakeFirstOrThrow();
    await waitFor('podcastFilm');
    const { size } = await stat(join(s3.folder, 'cache/renditions/podcastFilm', (await objects('podcastFilm'))[0]!));
    const feed = (await user.call('POST', '/api/podcast/', { type: 'channel', id: channelId, media: 'audio' })).json<{
      url: string;
    }>();
    const enclosure = async () => {
      const response = await web.server.inject(new URL(feed.url).pathname);
      return /<enclosure url="(?<url>[^"]*)" [^>]*length="(?<length>\d+)"/.exec(response.body)!.groups!;
    };
    const lengthOf = async () => Number((await enclosure()).length);
    expect(await lengthOf()).toBe(size);
    const file = await web.server.inject({
      url: new URL((await enclosure()).url!).pathname,
      headers: { range: 'bytes=4-7' },
    });
    expect([file.statusCode, file.body, file.headers['content-range']]).toEqual([206, 'ftyp', `bytes 4-7/${size}`]);
    expect(await isLocal(web, inCache('renditions/podcastFilm'))).toBe(false);
    const list = vi.spyOn(web.app.files, 'list').mockImplementation(() => {
      throw new StorageError('it is away');
    });
    onTestFinished(() => list.mockRestore());
    expect(await lengthOf()).toBeGreaterThan(0);
    expect(await lengthOf()).not.toBe(size);
  });

  test('stale ones and those of deleted videos are removed from the bucket', async () => {
    await createFilm('staleFilm01');
    await waitFor('staleFilm01');
    await t.app.db
      .updateTable('video')
      .set({ sha256: 'f'.repeat(64) })
      .where('id', '=', 'staleFilm01')
      .execute();
    await cleanRenditionCache(t.app);
    expect(await objects('staleFilm01')).toEqual([]);
    expect(await objects('sharedFilm1')).toHaveLength(1);
    await t.app.db.deleteFrom('video').where('id', '=', 'sharedFilm1').execute();
    await cleanRenditionCache(t.app);
    expect(await objects('sharedFilm1')).toEqual([]);
  });

  test('the oldest ones are removed above the size limit, whatever the free space of the disk', async () => {
    const sizes: number[] = [];
    for (const id of ['oldestFilm1', 'newestFilm1']) {
      await createFilm(id);
      await waitFor(id);
      const file = join(s3.folder, 'cache/renditions', id, (await objects(id))[0]!);
      if (id === 'oldestFilm1') await utimes(file, 1_700_000_000, 1_700_000_000);
      sizes.push((await stat(file)).size);
    }
    await t.app.db.deleteFrom('video').where('id', 'not in', ['oldestFilm1', 'newestFilm1']).execute();
    await cleanRenditionCache(t.app);
    await freeSpaceFor(t.app, 5e9 - sizes[0]! - sizes[1]!);
    const counts = async () => [(await objects('oldestFilm1')).length, (await objects('newestFilm1')).length];
    expect(await counts()).toEqual([1, 1]);
    await freeSpaceFor(t.app, 5e9 - sizes[1]!);
    expect(await counts()).toEqual([0, 1]);
  });

  test('nothing is removed when the bucket is away, and a request says so', async () => {
    await createFilm('awayFilm001');
    const stays = await objects('newestFilm1');
    const list = vi.spyOn(t.app.files, 'list').mockImplementation(() => {
      throw new StorageError('it is away');
    });
    const look = vi.spyOn(web.app.files, 'stat').mockRejectedValue(new StorageError('it is away'));
    onTestFinished(() => void [list.mockRestore(), look.mockRestore()]);
    await expect(cleanRenditionCache(t.app)).rejects.toThrow('it is away');
    expect(await objects('newestFilm1')).toEqual(stays);
    expect((await user.call('POST', '/api/video/awayFilm001/rendition/', {})).statusCode).toBe(503);
  });

  test('every server trims its local copies, also one that does not lead', async () => {
    const copy = async (name: string, hoursAgo: number) => {
      const path = join(web.app.config.cacheFolder, name);
      await writeFile(path, '');
      await truncate(path, 3e9); // takes no space
      const at = Date.now() / 1000 - hoursAgo * 3600;
      await utimes(path, at, at);
      return path;
    };
    const [old, newer, used] = [await copy('old', 5), await copy('newer', 2), await copy('used', 0)];
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const nodes = { ...web.app.nodes, isLeader: () => false };
    const stop = startPeriodicJobs({ ...web.app, nodes }, jobsOfBucket);
    await vi.advanceTimersByTimeAsync(600_000);
    await stop();
    const left = [];
    for (const path of [old, newer, used]) left.push(await stat(path).then(() => true, () => false)); // prettier-ignore
    expect(left).toEqual([false, false, true]);
  });
});
