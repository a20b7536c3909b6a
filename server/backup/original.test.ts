import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { contentOf, done, pairs } from '../../e2e/backups.ts';
import { line, one, parts, two, video } from '../../e2e/original-backup.ts';
import { addExactly } from '../db/copy.ts';
import { saidBy } from '../http/said.ts';
import { verifyFiles } from '../library/verify-files.ts';
import { aChannel, aUser, aVideo, engines, testArchive, type TestArchive } from '../testing.ts';
import { originalsFor } from '../testing-original.ts';
import { restoreBackup } from './restore-backup.ts';

type Originals = Awaited<ReturnType<typeof originalsFor>>;

describe.each(engines)('a backup of the original program, on $engine', (engine) => {
  let t: TestArchive;
  let ann: Awaited<ReturnType<typeof aUser>>;
  let annId: number;
  let write: Originals['write'];
  let restore: Originals['restore'];
  let filename: string;
  beforeEach(async () => {
    t = await testArchive({ on: engine, onDisk: true });
    await t.runner.begin();
    ann = await aUser(t, { name: 'Ann', isStaff: true });
    annId = ann.id;
    await aUser(t, { name: 'Bob' });
    const { mediaFolder } = t.archive.config;
    await mkdir(join(mediaFolder, one), { recursive: true });
    await writeFile(join(mediaFolder, one, 'aaaaaaaaaaa.mp4'), 'media of a');
    await writeFile(
      join(mediaFolder, one, 'aaaaaaaaaaa.en.vtt'),
      'WEBVTT\n\n00:01.000 --> 00:02.000\nfrom the\n\n00:03.000 --> 00:04.000\nfile itself\n',
    );
    ({ write, restore, filename } = await originalsFor(t, annId));
  });
  afterEach(() => t.close());

  test('comes with everything, in both generations and with every oddity', async () => {
    await write(parts());
    const said = await restore();
    expect(said.status, said.result ?? '').toBe('success');
    expect(said.result).toMatch(/2 channels, 5 videos, 1 with its file in its place, 4 queue items \(1 was here\), 2 playlists/);
    const content = await contentOf(t.archive.db);
    const of = (table: string, id: string) => content[table]!.find((row) => row['id'] === id)!;
    expect(of('channel', one)).toMatchObject({
      isSubscribed: 1,
      description: 'About it',
      tabs: '["videos","shorts"]',
      overwrites: '{"autodelete_days":3,"index_playlists":true}',
      subscriberCount: 1200,
    });
    expect(of('channel', two)).toMatchObject({
      isSubscribed: 0,
      isActive: 0,
      description: null,
      tabs: '["videos","streams","shorts"]',
      tags: '[]',
    });
    expect(of('video', 'aaaaaaaaaaa')).toMatchObject({
      sizeBytes: 10,
      sha256: '',
      damage: null,
      isKept: 1,
      width: 1920,
      publishedAt: 1_690_000_000,
      downloadedAt: 1_695_000_000,
      commentCount: 2,
      averageRating: 4.5,
    });
    expect(JSON.parse(String(of('video', 'aaaaaaaaaaa')['sponsorblock']))).toMatchObject({ segments: [{ segment: [1, 2.5] }] });
    expect(of('video', 'bbbbbbbbbbb')).toMatchObject({
      title: 'The later one',
      kind: 'shorts',
      sizeBytes: 1234,
      damage: 'The file is missing.',
      isActive: 0,
      publishedAt: 1_689_984_000,
      mediaPath: `${two}/bbbbbbbbbbb.mp4`,
    });
    expect(of('video', 'ccccccccccc')).toMatchObject({
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
    expect(of('playlist', 'PLregular')).toMatchObject({ kind: 'regular', isSubscribed: 1, sortOrder: 'bottom' });
    expect(of('playlist', 'TA_playlist_5f0c')).toMatchObject({ kind: 'custom', description: null });
    expect(content['playlistEntry']!.map(({ playlistId, videoId }) => `${playlistId} ${videoId}`)).toEqual([
      'PLregular aaaaaaaaaaa',
      'PLregular bbbbbbbbbbb',
      'TA_playlist_5f0c ccccccccccc',
    ]);
    // From the file where there is one, else from the pieces.
    expect(
      content['line']!.map(({ videoId, position, startSeconds, endSeconds, text }) => [
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
      update_subscribed: { urls: ['ntfy://topic'] },
    });
    // Each bad piece is one line: user_7, a number of columns, a setting of a channel, the address, the channel's id, the video of nobody, two broken lines, two of nobody.
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
      expect(said.messages).toContain(what);
    expect(said.result).toMatch(/10 problems/);
    // Nobody has read its file yet; the first time that it is, its sum is noted.
    await done(t, t.archive.tasks.start(verifyFiles, { percent: 100 }));
    const read = (await contentOf(t.archive.db))['video']!.find(({ id }) => id === 'aaaaaaaaaaa');
    expect(read).toMatchObject({ sha256: expect.stringMatching(/^[0-9a-f]{64}$/), damage: null });
    expect((await ann.call('GET', `/api/video/aaaaaaaaaaa/`)).statusCode).toBe(200);
    expect((await ann.call('GET', `/api/video/aaaaaaaaaaa/comment/`)).json()).toHaveLength(1);
  });

  test('a second time changes nothing, and a dry run counts without writing', async () => {
    await write(parts());
    const before = await contentOf(t.archive.db);
    const dry = await restore({ dry_run: true });
    expect(dry.result).toMatch(/It would bring 4 settings, 2 channels, 5 videos.*10 problems. Nothing was changed/);
    expect(saidBy(dry.result)?.map(({ code }) => code)).toEqual(['restore.would-bring', 'restore.counts', 'restore.unchanged']);
    expect(await contentOf(t.archive.db)).toEqual(before);
    await restore();
    const first = await contentOf(t.archive.db);
    const again = await restore();
    expect(again.status, again.result ?? '').toBe('success');
    expect(saidBy(again.result)?.map(({ code }) => code)).toEqual(['restore.brought', 'restore.counts', 'restore.kept']);
    expect(await contentOf(t.archive.db)).toEqual(first);
  });

  test('what is here and newer, or has its file, stays; nothing of ours is lost', async () => {
    const { db } = t.archive;
    await aChannel(db, { id: one, name: 'Renamed here', refreshedAt: 1_800_000_000, overwrites: '{"autodelete_days":90}' });
    await aVideo(db, {
      id: 'aaaaaaaaaaa',
      channelId: one,
      title: 'Ours',
      sha256: 'f'.repeat(64),
      mediaPath: `${one}/aaaaaaaaaaa.mp4`,
    });
    await aVideo(db, { id: 'yyyyyyyyyyy', channelId: one, mediaPath: `${two}/bbbbbbbbbbb.mp4` });
    await addExactly(db, 'watch', [
      { accountId: annId, videoId: 'aaaaaaaaaaa', watchedAt: null, positionSeconds: 30, updatedAt: 1_800_000_000 },
    ]);
    await addExactly(db, 'setting', [{ name: 'downloads.format', value: '"mine"' }]);
    await addExactly(db, 'download', [
      {
        number: 1,
        id: 'fffffffffff',
        site: 'youtube',
        siteId: 'fffffffffff',
        url: 'u',
        title: 'Ours',
        foldedTitle: 'ours',
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
    await addExactly(db, 'playlistEntry', [
      { playlistId: 'TA_playlist_5f0c', position: 0, videoId: 'yyyyyyyyyyy', title: 'Y', uploader: null },
    ]);
    await write(parts());
    const said = await restore({ watched_for: 'all' });
    expect(said.status, said.result ?? '').toBe('success');
    const content = await contentOf(db);
    expect(content['channel']!.find(({ id }) => id === one)).toMatchObject({
      name: 'Renamed here',
      isSubscribed: 1,
      overwrites: '{"autodelete_days":90,"index_playlists":true}',
    });
    expect(content['video']!.find(({ id }) => id === 'aaaaaaaaaaa')).toMatchObject({ title: 'Ours', sha256: 'f'.repeat(64) });
    expect(content['video']!.map(({ id }) => id)).not.toContain('bbbbbbbbbbb');
    expect(said.messages).toContain(`belongs to yyyyyyyyyyy here`);
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

  test('cut off after any batch and begun again, it ends the same', async () => {
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
    const { archive, runner } = t;
    await archive.tasks.start(restoreBackup, {
      filename,
      dry_run: false,
      watched_for: 'me',
      account_id: annId,
    });
    const counts: number[] = [];
    for (let times = 0; times < 10; times++) {
      await new Promise((resolve) => setTimeout(resolve, 60 + times * 120));
      await runner.end();
      const { count } = await archive.db
        .selectFrom('line')
        .select((e) => e.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow();
      const videos = await archive.db
        .selectFrom('video')
        .select((e) => e.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow();
      counts.push(videos.count + count);
      await runner.begin();
      if (counts.at(-1) === 1800) break;
    }
    await runner.idle();
    expect(Math.min(...counts), 'it was cut off before its end').toBeLessThan(1800);
    const content = await contentOf(archive.db);
    expect([content['video']!.length, content['line']!.length]).toEqual([900, 900]);
  });
});
