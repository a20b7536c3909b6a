import { message } from '#contract/messages.ts';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { contentOf, done, pairs } from '../../../../e2e/support/backups.ts';
import { line, one, parts, two, video } from '../../../../e2e/support/original-backup.ts';
import { insertExactly } from '../../../platform/db/copy/bulk-copy.ts';
import { storeMessages } from '../../../platform/messages/stored.ts';
import { verifyFiles } from '../../library/consistency/verify-files.ts';
import { createChannel, createUser, createVideo, engines, testApp, type TestApp } from '../../../test-support/app.ts';
import { tubeArchivistBackup } from '../../../test-support/tubearchivist.ts';
import { restoreBackup } from '../restore-backup.ts';

type Backup = Awaited<ReturnType<typeof tubeArchivistBackup>>;

describe.each(engines)('a TubeArchivist backup, on $engine', (engine) => {
  let t: TestApp;
  let ann: Awaited<ReturnType<typeof createUser>>;
  let annId: number;
  let write: Backup['write'];
  let restore: Backup['restore'];
  let filename: string;
  beforeEach(async () => {
    t = await testApp({ on: engine, onDisk: true });
    await t.runner.begin();
    ann = await createUser(t, { name: 'Ann', isStaff: true });
    annId = ann.id;
    await createUser(t, { name: 'Bob' });
    const { mediaFolder } = t.app.config;
    await mkdir(join(mediaFolder, one), { recursive: true });
    await writeFile(join(mediaFolder, one, 'aaaaaaaaaaa.mp4'), 'media of a');
    await writeFile(
      join(mediaFolder, one, 'aaaaaaaaaaa.en.vtt'),
      'WEBVTT\n\n00:01.000 --> 00:02.000\nfrom the\n\n00:03.000 --> 00:04.000\nfile itself\n',
    );
    ({ write, restore, filename } = await tubeArchivistBackup(t, annId));
  });
  afterEach(() => t.close());

  test('imports images of active and inactive channels from the cache folder', async () => {
    const folder = join(t.app.config.cacheFolder, 'channels');
    await mkdir(folder, { recursive: true });
    for (const name of [`${one}_thumb.jpg`, `${one}_banner.jpg`, `${two}_thumb.jpg`, `${two}_tvart.jpg`])
      await writeFile(join(folder, name), 'a picture');
    await write(parts());
    expect((await restore()).status).toBe('success');
    const art = async (id: string) => (await ann.call('GET', `/api/channel/${id}/`)).json().channel_art;
    expect([await art(one), await art(two)]).toEqual([
      ['thumb', 'banner'],
      ['thumb', 'tvart'],
    ]);
  });

  test('imports everything, in both generations, with irregular values', async () => {
    await write(parts());
    const task = await restore();
    expect(task.status, task.result ?? '').toBe('success');
    expect(task.result).toMatch(/2 channels, 5 videos, 1 with its media file, 4 queue items \(1 already existed\), 2 playlists/);
    const content = await contentOf(t.app.db);
    const rowOf = (table: string, id: string) => content[table]!.find((row) => row['id'] === id)!;
    expect(rowOf('channel', one)).toMatchObject({
      isSubscribed: 1,
      description: 'About it',
      tabs: '["videos","shorts"]',
      overwrites: '{"autodelete_days":3,"index_playlists":true}',
      subscriberCount: 1200,
    });
    expect(rowOf('channel', two)).toMatchObject({
      isSubscribed: 0,
      isActive: 0,
      description: null,
      tabs: '["videos","streams","shorts"]',
      tags: '[]',
    });
    expect(rowOf('video', 'aaaaaaaaaaa')).toMatchObject({
      sizeBytes: 10,
      sha256: '',
      damage: null,
      isProtected: 1,
      width: 1920,
      publishedAt: 1_690_000_000,
      downloadedAt: 1_695_000_000,
      commentCount: 2,
      averageRating: 4.5,
    });
    expect(JSON.parse(String(rowOf('video', 'aaaaaaaaaaa')['sponsorblock']))).toMatchObject({
      segments: [{ segment: [1, 2.5] }],
    });
    expect(rowOf('video', 'bbbbbbbbbbb')).toMatchObject({
      title: 'The later one',
      kind: 'shorts',
      sizeBytes: 1234,
      damage: storeMessages(message('files.missing')),
      isActive: 0,
      publishedAt: 1_689_984_000,
      mediaPath: `${two}/bbbbbbbbbbb.mp4`,
    });
    expect(rowOf('video', 'ccccccccccc')).toMatchObject({
      mediaPath: `${two}/ccccccccccc.mp4`,
      description: null,
      viewCount: 0,
      categories: '["Music"]',
    });
    expect(content['video']).toHaveLength(4);
    expect(content['watch']!.map(({ accountId, videoId, watchedAt }) => [accountId, videoId, watchedAt])).toEqual([
      [annId, 'aaaaaaaaaaa', 1_696_000_000],
      [annId, 'ddddddddddd', expect.any(Number)],
    ]);
    expect(
      content['download']!.map(({ id, status, autoStart, durationSeconds, failure }) => [
        id,
        status,
        autoStart,
        durationSeconds,
        failure,
      ]).sort(),
    ).toEqual([
      ['fffffffffff', 'pending', 1, 3723, null],
      ['ggggggggggg', 'ignore', 0, null, null],
      ['hhhhhhhhhhh', 'pending', 0, null, 'unknown'],
    ]);
    expect(rowOf('playlist', 'PLregular')).toMatchObject({ kind: 'regular', isSubscribed: 1, sortOrder: 'bottom' });
    expect(rowOf('playlist', 'TA_playlist_5f0c')).toMatchObject({ kind: 'custom', description: null });
    expect(content['playlistEntry']!.map(({ playlistId, videoId }) => `${playlistId} ${videoId}`)).toEqual([
      'PLregular aaaaaaaaaaa',
      'PLregular bbbbbbbbbbb',
      'TA_playlist_5f0c ccccccccccc',
    ]);
    // Lines come from the subtitle file if it exists, else from the indexed fragments.
    expect(
      content['transcriptLine']!.map(({ videoId, position, startSeconds, endSeconds, text }) => [
        videoId,
        position,
        startSeconds,
        endSeconds,
        text,
      ]),
    ).toEqual([
      ['aaaaaaaaaaa', 0, 1, 2, 'from the'],
      ['aaaaaaaaaaa', 1, 3, 4, 'file itself'],
      ...[1, 2, 3, 4].map((index) => ['bbbbbbbbbbb', (index - 1) * 5, 1.5, 3609.25, `words ${index}`]),
    ]);
    expect(content['comment']!.map(({ id, parent, likeCount }) => [id, parent, likeCount])).toEqual([
      ['c1', 'root', null],
      ['c1.r', 'c1', 4],
      ['d1', 'root', null],
      ['d1.r', 'd1', null],
    ]);
    const setting = Object.fromEntries(content['setting']!.map(({ name, value }) => [name, value]));
    expect(setting).toEqual({
      'subscriptions.channel_size': '30',
      'subscriptions.auto_start': 'true',
      'downloads.format': '"bv*+ba"',
      'downloads.sleep_interval': '7',
      'downloads.add_thumbnail': 'true',
      'downloads.pot_provider_url': '"http://pot:4416"',
      'downloads.comment_max': '"all,100"',
      'downloads.subtitle': '"en"',
      'application.enable_cast': 'true',
    });
    expect((await ann.call('GET', '/api/user/me/')).json()).toMatchObject({
      page_size: 25,
      stylesheet: 'light.css',
      grid_items: 3,
    });
    expect((await ann.call('GET', '/api/task/notification/')).json()).toMatchObject({
      update_subscribed: { urls: ['ntfy://****'] },
    });
    // Each problem is one line: an unknown user, an invalid grid size, a channel setting, a notification URL, a channel id, a video
    // without a channel, two invalid lines, and two rows of unknown videos.
    for (const what of [
      'user_7',
      'user_1.grid_items',
      `${one}.strange`,
      'update_subscribed',
      'bad id!',
      'eeeeeeeeeee',
      'zzz-en-1',
      'nobody00000',
    ])
      expect(task.messages).toContain(what);
    expect(task.result).toMatch(/10 problems/);
    // The file has no hash until its first verification.
    await done(t, t.app.tasks.start(verifyFiles, { percent: 100 }));
    const read = (await contentOf(t.app.db))['video']!.find(({ id }) => id === 'aaaaaaaaaaa');
    expect(read).toMatchObject({ sha256: expect.stringMatching(/^[0-9a-f]{64}$/), damage: null });
    expect((await ann.call('GET', `/api/video/aaaaaaaaaaa/`)).statusCode).toBe(200);
    expect((await ann.call('GET', `/api/video/aaaaaaaaaaa/comment/`)).json()).toHaveLength(1);
  });

  test('a second import changes nothing, and a dry run writes nothing', async () => {
    await write(parts());
    const before = await contentOf(t.app.db);
    const dry = await restore({ dry_run: true });
    expect(dry.result).toMatch(/Would import 4 settings, 2 channels, 5 videos.*10 problems. Nothing was changed/);
    expect(dry.resultIds).toEqual(['restore.dry-run', 'restore.counts', 'restore.unchanged']);
    expect(await contentOf(t.app.db)).toEqual(before);
    await restore();
    const first = await contentOf(t.app.db);
    const again = await restore();
    expect(again.status, again.result ?? '').toBe('success');
    expect(again.resultIds).toEqual(['restore.imported', 'restore.counts', 'restore.previous-saved']);
    expect(await contentOf(t.app.db)).toEqual(first);
  });

  test('keeps newer rows, rows with a file, and own data', async () => {
    const { db } = t.app;
    await createChannel(db, { id: one, name: 'Renamed here', refreshedAt: 1_800_000_000, overwrites: '{"autodelete_days":90}' });
    await createVideo(db, {
      id: 'aaaaaaaaaaa',
      channelId: one,
      title: 'Ours',
      sha256: 'f'.repeat(64),
      mediaPath: `${one}/aaaaaaaaaaa.mp4`,
    });
    await createVideo(db, { id: 'yyyyyyyyyyy', channelId: one, mediaPath: `${two}/bbbbbbbbbbb.mp4` });
    await insertExactly(db, 'watch', [
      { accountId: annId, videoId: 'aaaaaaaaaaa', watchedAt: null, positionSeconds: 30, updatedAt: 1_800_000_000 },
    ]);
    await insertExactly(db, 'setting', [{ name: 'downloads.format', value: '"mine"' }]);
    await insertExactly(db, 'download', [
      {
        number: 1,
        id: 'fffffffffff',
        site: 'youtube',
        siteId: 'fffffffffff',
        url: 'u',
        title: 'Ours',
        normalizedTitle: 'ours',
        channelId: one,
        channelName: 'A',
        kind: 'videos',
        status: 'ignore',
        autoStart: 0,
        queuedAt: 1,
      },
    ]);
    await db
      .insertInto('playlist')
      .values({ id: 'TA_playlist_5f0c', kind: 'custom', name: 'Mine now', sortName: 'mine now', refreshedAt: 5 })
      .execute();
    await insertExactly(db, 'playlistEntry', [
      { playlistId: 'TA_playlist_5f0c', position: 0, videoId: 'yyyyyyyyyyy', title: 'Y', uploader: null },
    ]);
    await write(parts());
    const task = await restore({ watched_for: 'all' });
    expect(task.status, task.result ?? '').toBe('success');
    const content = await contentOf(db);
    expect(content['channel']!.find(({ id }) => id === one)).toMatchObject({
      name: 'Renamed here',
      isSubscribed: 1,
      overwrites: '{"autodelete_days":90,"index_playlists":true}',
    });
    expect(content['video']!.find(({ id }) => id === 'aaaaaaaaaaa')).toMatchObject({ title: 'Ours', sha256: 'f'.repeat(64) });
    expect(content['video']!.map(({ id }) => id)).not.toContain('bbbbbbbbbbb');
    expect(task.messages).toMatch(/"restore\.file-of-other-video","params":\{[^}]*"yyyyyyyyyyy"/);
    const watched = (accountId: number) =>
      content['watch']!.filter((row) => row['accountId'] === accountId).map((row) => [row['videoId'], row['watchedAt'] !== null]);
    expect(watched(annId)).toEqual([
      ['aaaaaaaaaaa', false],
      ['ddddddddddd', true],
    ]);
    expect(new Set(content['watch']!.map((row) => row['accountId'])).size).toBe(2);
    expect(content['setting']!.find(({ name }) => name === 'downloads.format')).toMatchObject({ value: '"mine"' });
    expect(content['download']!.find(({ id }) => id === 'fffffffffff')).toMatchObject({ status: 'ignore', title: 'Ours' });
    expect(
      content['playlistEntry']!.filter(({ playlistId }) => playlistId === 'TA_playlist_5f0c').map(({ videoId }) => videoId),
    ).toEqual(['yyyyyyyyyyy', 'ccccccccccc']);
  });

  test('a killed import completes with the same result', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 900 }, (_, n) => [
        `v${String(n).padStart(10, '0')}`,
        video(`v${String(n).padStart(10, '0')}`, n % 2 ? one : two),
      ]),
    );
    const lines = Object.fromEntries(
      Array.from({ length: 900 }, (_, n) => [`v0000000001-en-${n + 1}`, line('v0000000001', n + 1)]),
    );
    await write({ 'es_video-20260105-0.json': pairs('video', many), 'es_subtitle-20260105-0.json': pairs('subtitle', lines) });
    const { app, runner } = t;
    await app.tasks.start(restoreBackup, {
      filename,
      dry_run: false,
      watched_for: 'me',
      accounts: 'stay',
      account_id: annId,
    });
    const counts: number[] = [];
    for (let times = 0; times < 10; times++) {
      await new Promise((resolve) => setTimeout(resolve, 60 + times * 120));
      await runner.end();
      const { count } = await app.db
        .selectFrom('transcriptLine')
        .select((e) => e.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow();
      const videos = await app.db
        .selectFrom('video')
        .select((e) => e.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow();
      counts.push(videos.count + count);
      await runner.begin();
      if (counts.at(-1) === 1800) break;
    }
    await runner.idle();
    expect(Math.min(...counts), 'the import was interrupted').toBeLessThan(1800);
    const content = await contentOf(app.db);
    expect([content['video']!.length, content['transcriptLine']!.length]).toEqual([900, 900]);
  });
});
