import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Insertable } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { makeStoryboards } from '../video/make-storyboards.ts';
import { thumbnailCheck } from './consistency/thumbnail-check.ts';
import { deleteChannel } from '../channel/delete-channel.ts';
import { deletePlaylist } from '../playlist/delete-playlist.ts';
import { findCover } from '../podcast/cover.ts';
import { createFeed, openFeed } from '../podcast/store.ts';
import { findVideoSource } from '../smart-list/video-source.ts';
import { imagesToBackUp } from '../backup/files/backup-images.ts';
import type { TaskDefinition, TaskWork } from '../../platform/context/task.ts';
import type { PlaylistTable } from '../../platform/db/schema/tables.ts';
import { exists, fingerprint } from '../../platform/files/files.ts';
import { StorageError } from '../../platform/storage/file-store.ts';
import { inCache, inHistory, resolveStoredPath } from '../../platform/storage/stored-path.ts';
import { createChannel, createQueueItem, createUser, createVideo, testApp, type TestApp } from '../../test-support/app.ts';
import { openOtherServer } from '../../test-support/other-server.ts';
import { startS3, versitygwPath } from '../../test-support/s3.ts';
import { fetchChannelImages } from '../../archive/channel/pictures.ts';
import { makePlaylistArt, updateCustomArtwork } from '../../archive/playlist/artwork.ts';
import { fetchThumbnail, visibleThumbnail } from '../../archive/publish/thumbnail.ts';
import { replaceThumbnail } from '../../archive/video/metadata-history.ts';
import { thumbnailPath } from '../../archive/storage/thumbnail-path.ts';

const canRun = Boolean(versitygwPath && process.env.REELKEEP_FFMPEG);
const { signal } = new AbortController();

describe.runIf(canRun)('images in a bucket', () => {
  let s3: Awaited<ReturnType<typeof startS3>>;
  let folder: string;
  let picture: Buffer;
  let t: TestApp;
  let other: Awaited<ReturnType<typeof openOtherServer>>;
  let bucket = '';
  let counter = 0;

  beforeAll(async () => {
    s3 = await startS3();
    folder = await mkdtemp(join(tmpdir(), 'reelkeep-pictures-'));
    picture = await draw('red');
  });
  afterAll(async () => {
    await s3.stop();
    await rm(folder, { recursive: true });
  });
  beforeEach(async () => {
    bucket = `archive-${++counter}`;
    await s3.createBucket(bucket);
    const env = { ...s3.env, REELKEEP_S3_BUCKET: bucket };
    t = await testApp({ env, withTools: true });
    // The site of all images.
    Object.assign(t.app.tools, {
      proxy: { ...t.app.tools.proxy, fetch: async () => new Response(new Uint8Array(picture)) },
    });
    other = await openOtherServer(t, env);
  });
  afterEach(async () => {
    await other.close();
    await t.close();
  });

  async function draw(colour: string) {
    const path = join(folder, `${colour}.jpg`);
    execFileSync(process.env.REELKEEP_FFMPEG!, ['-v', 'error', '-y', '-f', 'lavfi', '-i', `color=${colour}:size=320x180`, '-frames:v', '1', path]); // prettier-ignore
    return readFile(path);
  }
  const objects = async () => {
    const root = join(s3.folder, '..', bucket);
    const entries = await readdir(root, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name).slice(root.length + 1))
      .filter((name) => !name.startsWith('.') && name !== 'reelkeep.txt')
      .sort();
  };
  /** The content that another server gets. */
  const elsewhere = async (path: string) => readFile(await other.app.files.localPath(path));
  const putImage = async (path: string, content: Buffer | string = 'an image') => {
    const local = resolveStoredPath(t.app, path);
    await mkdir(dirname(local), { recursive: true });
    await writeFile(local, content);
    await t.app.files.save(path);
  };
  const putMedia = async (path: string, args: string[]) => {
    const local = join(folder, 'film.mp4');
    execFileSync(process.env.REELKEEP_FFMPEG!, ['-v', 'error', '-y', ...args, local]);
    const content = await fingerprint(local);
    await t.app.files.put(path, local, content);
    return content;
  };
  const run = async (task: TaskDefinition<never>, input: object = {}) => {
    const skipped: string[] = [];
    const work = {
      id: 'x',
      input: input as never,
      againSince: null,
      signal,
      report() {},
      skip: (what: string) => void skipped.push(what),
      note() {},
    } satisfies TaskWork<never>;
    await task.run(work, t.app);
    return skipped;
  };
  const createPlaylist = (id: string, values: Partial<Insertable<PlaylistTable>> = {}) =>
    t.app.db
      .insertInto('playlist')
      .values({ id, kind: 'regular', name: id, sortName: id, refreshedAt: 0, ...values })
      .execute();

  test('thumbnails of the queue are visible on all servers, without a question per page view', async () => {
    const id = await createQueueItem(t.app.db);
    expect(await visibleThumbnail(other.app, id)).toBeNull();
    await fetchThumbnail(t.app, id, 'http://site/a.jpg', signal);
    expect(await objects()).toEqual([`cache/${thumbnailPath(id)}`]);
    let asked = 0;
    const { stat: ask } = other.app.files;
    other.app.files.stat = (path) => (asked++, ask(path));
    const { now } = other.app;
    Object.assign(other.app, { now: () => now() + 60 });
    const both = await Promise.all([1, 2].map(() => visibleThumbnail(other.app, id)));
    expect([...both, asked]).toEqual([`/cache/${thumbnailPath(id)}`, `/cache/${thumbnailPath(id)}`, 1]);
    other.app.files.stat = () => new Promise(() => {}); // never answers
    Object.assign(other.app, { now: () => now() + 120 });
    expect(await visibleThumbnail(other.app, id)).toBeNull();
    expect(await visibleThumbnail(t.app, id)).toBe(`/cache/${thumbnailPath(id)}`);
  });

  test('art of channels and playlists is seen by other servers, and deleted with them', async () => {
    const { db } = t.app;
    const user = await createUser(t);
    await createChannel(db, { id: 'UCart' });
    const info = { avatarUrl: 'http://site/a.jpg', bannerUrl: 'http://site/b.jpg' } as Parameters<typeof fetchChannelImages>[2];
    await fetchChannelImages(t.app, 'UCart', info, signal);
    const video = await createVideo(db, { id: 'videoWithPic', channelId: 'UCart' });
    await putImage(inCache(thumbnailPath(video)), picture);
    await createPlaylist('PLregular', { channelId: 'UCart' });
    await createPlaylist('custom_1', { kind: 'custom', ownerId: user.id });
    await db
      .insertInto('playlistEntry')
      .values({ playlistId: 'custom_1', position: 0, videoId: video, title: 'Entry' })
      .execute();
    await updateCustomArtwork(other.app, ['custom_1']); // made on the other server, from a thumbnail of this one
    await makePlaylistArt(t.app, 'PLregular', [{ thumbnailUrl: 'http://site/c.jpg', site: 'x', siteId: 'y' } as never], signal); // prettier-ignore
    expect(await elsewhere(inCache('playlists/custom_1.jpg'))).toEqual(picture);
    expect(await objects()).toEqual([
      'cache/channels/UCart_banner.jpg',
      'cache/channels/UCart_thumb.jpg',
      'cache/channels/UCart_tvart.jpg',
      'cache/playlists/PLregular.jpg',
      'cache/playlists/custom_1.jpg',
      `cache/${thumbnailPath(video)}`,
    ]);
    await deletePlaylist(t.app, 'custom_1', { withVideos: false, by: 'x' });
    await db.deleteFrom('video').execute();
    await deleteChannel(t.app, 'UCart', { by: 'x' });
    expect(await objects()).toEqual([`cache/${thumbnailPath(video)}`]);
  });

  test('a replaced thumbnail and the earlier one are on all servers, and in backups', async () => {
    const { db, config } = t.app;
    const video = await createVideo(db, { id: 'replacedPic', isActive: 0 });
    const replace = async (content: Buffer) => {
      const made = `${resolveStoredPath(t.app, inCache(thumbnailPath(video)))}.new`;
      await mkdir(dirname(made), { recursive: true });
      await writeFile(made, content);
      await replaceThumbnail(t.app, video, made);
    };
    await replace(picture);
    await rm(config.cacheFolder, { recursive: true }); // the earlier one is only in the bucket
    const blue = await draw('blue');
    await replace(blue);
    const { value } = await db.selectFrom('metadataHistory').select('value').executeTakeFirstOrThrow();
    expect(await elsewhere(inHistory(value))).toEqual(picture);
    expect(await elsewhere(inCache(thumbnailPath(video)))).toEqual(blue);
    const images = await Array.fromAsync(imagesToBackUp(other.app.files, db), async ({ from, name }) => [name, await readFile(from)]); // prettier-ignore
    expect(images).toEqual([
      [`history/${value}`, picture],
      [`pictures/${thumbnailPath(video)}`, blue],
    ]);
  });

  test('a cover of a podcast is rendered once, from images of the bucket', async () => {
    const { db } = t.app;
    const user = await createUser(t);
    await createChannel(db, { id: 'UCcast' });
    await putImage(inCache('channels/UCcast_thumb.jpg'), picture);
    const { secret } = await createFeed(t.app, user.id, { type: 'channel', id: 'UCcast', media: 'audio' });
    const feed = await openFeed(t.app, secret);
    const source = (await findVideoSource(db, feed.viewer, 'channel', 'UCcast'))!;
    const cover = await readFile((await findCover(other.app, feed, source))!);
    t.app.tools.ffmpeg = null;
    expect(await readFile((await findCover(t.app, feed, source))!)).toEqual(cover);
    expect(await objects()).toContain(`cache/podcasts/${feed.number}.jpg`);
  });

  test('the thumbnail check makes missing images and removes unknown ones', async () => {
    const { db } = t.app;
    await createChannel(db, { id: 'UCfound', isActive: 0 });
    const film = await putMedia('UCfound/a.mp4', ['-f', 'lavfi', '-i', 'color=green:size=320x180:duration=2', '-pix_fmt', 'yuv420p']); // prettier-ignore
    const about = { channelId: 'UCfound', durationSeconds: 2, ...film };
    await createVideo(db, { id: 'fromFrame01', site: 'vimeo', mediaPath: 'UCfound/a.mp4', ...about });
    await createVideo(db, { id: 'hasPicture1', ...about });
    const item = await createQueueItem(db);
    for (const name of [thumbnailPath('hasPicture1'), thumbnailPath(item), 'channels/UCfound_banner.jpg']) await putImage(inCache(name)); // prettier-ignore
    const unknown = ['videos/n/nobody_0001.jpg', 'channels/UCnone_thumb.jpg', 'playlists/PLnone.jpg', 'storyboards/n/nobody_0001_0.jpg', 'storyboards/n/nobody_0001.vtt']; // prettier-ignore
    for (const name of unknown) await putImage(inCache(name));
    await rm(t.app.config.cacheFolder, { recursive: true });
    expect(await run(thumbnailCheck as never)).toEqual([]);
    expect(await objects()).toEqual(
      ['cache/channels/UCfound_banner.jpg', `cache/${thumbnailPath('fromFrame01')}`, `cache/${thumbnailPath('hasPicture1')}`, `cache/${thumbnailPath(item)}`, 'media/UCfound/a.mp4'].sort(), // prettier-ignore
    );
    expect((await elsewhere(inCache(thumbnailPath('fromFrame01')))).subarray(0, 2)).toEqual(picture.subarray(0, 2));
    expect(await db.selectFrom('channel').select('hasBanner').executeTakeFirst()).toEqual({ hasBanner: 1 });
  });

  test('nothing is removed or made when the bucket is away or another one', async () => {
    const { db } = t.app;
    await createVideo(db, { id: 'notThere001' });
    await putImage(inCache('videos/n/nobody_0001.jpg'));
    const list = vi.spyOn(t.app.files, 'list').mockImplementation(() => {
      throw new StorageError('it is away');
    });
    await expect(run(thumbnailCheck as never)).rejects.toThrow('it is away');
    list.mockRestore();
    await db.updateTable('bucket').set({ marker: 'another' }).execute();
    await expect(run(thumbnailCheck as never)).rejects.toThrow('bucket');
    expect(await objects()).toEqual(['cache/videos/n/nobody_0001.jpg']);
  });

  test('storyboards are made once, on all servers complete, and not given up when the bucket is away', async () => {
    const { db, config } = t.app;
    const film = await putMedia('c/long.mp4', ['-f', 'lavfi', '-i', 'testsrc2=size=64x36:rate=1:duration=450', '-pix_fmt', 'yuv420p']); // prettier-ignore
    await createVideo(db, { id: 'longVideo01', mediaPath: 'c/long.mp4', durationSeconds: 450, ...film });
    const { save } = t.app.files;
    t.app.files.save = async (path, ...more) => {
      if (path.endsWith('.vtt')) throw new StorageError('it is away');
      return save(path, ...more);
    };
    await expect(run(makeStoryboards as never, { isThorough: true })).rejects.toThrow('it is away');
    expect(await db.selectFrom('storyboard').selectAll().execute()).toEqual([]);
    t.app.files.save = save;
    expect(await run(makeStoryboards as never, { isThorough: true })).toEqual([]);
    expect(await db.selectFrom('storyboard').select('sheets').execute()).toEqual([{ sheets: 2 }]);
    const base = 'storyboards/l/longVideo01';
    expect((await elsewhere(inCache(`${base}.vtt`))).toString()).toContain(`NOTE ${film.sha256}\n`);
    for (const sheet of [0, 1]) expect((await elsewhere(inCache(`${base}_${sheet}.jpg`))).length).toBeGreaterThan(1000);
    // Complete ones are recognized without a local copy, and missing ones made again.
    const sheet = join(s3.folder, '..', bucket, `cache/${base}_1.jpg`);
    const { mtimeMs } = await stat(sheet);
    await rm(config.cacheFolder, { recursive: true });
    await run(makeStoryboards as never, { isThorough: true });
    expect((await stat(sheet)).mtimeMs).toBe(mtimeMs);
    await t.app.files.remove(inCache(`${base}_1.jpg`));
    await run(makeStoryboards as never, { isThorough: true });
    expect(await exists(sheet)).toBe(true);
  });

  test('a playlist is deleted although its art cannot be', async () => {
    const { db } = t.app;
    await createPlaylist('PLgone');
    const remove = vi.spyOn(t.app.files, 'remove').mockRejectedValue(new StorageError('it is away'));
    await deletePlaylist(t.app, 'PLgone', { withVideos: false, by: 'x' });
    expect(await db.selectFrom('playlist').select('id').execute()).toEqual([]);
    expect(remove).toHaveBeenCalledWith('cache:playlists/PLgone.jpg');
  });
});
