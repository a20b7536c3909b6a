import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { pairs } from '../../../../e2e/support/backups.ts';
import { one, video } from '../../../../e2e/support/original-backup.ts';
import { engines } from '../../../test-support/app.ts';
import { createAppForImport, type AppForImport } from '../../../test-support/tubearchivist.ts';

describe.each(engines)('irregular documents in a TubeArchivist backup, on $engine', (engine) => {
  let t: AppForImport['t'];
  let ann: AppForImport['ann'];
  let backup: AppForImport['backup'];
  beforeEach(async () => void ({ t, ann, backup } = await createAppForImport(engine)));
  afterEach(() => t.close());

  const read = (path: string) => ann.call('GET', path);
  const countsOf = (result: string | null) => /\d+ \w.*?(?=\. (?:Nothing was|The previous)|$)/.exec(result ?? '')?.[0];

  test('ignores invalid numbers, and keeps lists and statistics readable', async () => {
    await backup.write({
      'es_video-20260105-0.json': pairs('video', {
        aaaaaaaaaaa: video('aaaaaaaaaaa', one, {
          media_size: 1e300,
          player: { duration: 9e18, watched: true, watched_date: 1_700_000_000 },
          stats: { view_count: 1e25, like_count: -4, average_rating: '4.5' },
        }),
        bbbbbbbbbbb: video('bbbbbbbbbbb', one),
      }),
      'es_download-20260105-0.json': pairs('download', {
        ccccccccccc: { status: 'ignore', duration: 1e300, title: 'Far too long' },
        ddddddddddd: { status: 'pending', duration: -5 },
      }),
    });
    const dryRun = await backup.restore({ dry_run: true });
    const task = await backup.restore();
    expect(countsOf(task.result)).toBe(countsOf(dryRun.result));
    expect(task.result).toContain('2 queue items');
    expect(task.result).not.toContain('problem');
    for (const path of ['/api/video/', '/api/stats/video/', '/api/stats/watch/', '/api/stats/biggestchannels/', '/api/download/'])
      expect((await read(path)).statusCode, path).toBe(200);
    expect((await read('/api/video/aaaaaaaaaaa/')).json()).toMatchObject({ media_size: 0, stats: { view_count: 0 } });
  });

  test('keeps the playlist order of a video, also in its navigation', async () => {
    const entries = ['aaaaaaaaaaa', 'bbbbbbbbbbb'].map((youtube_id, idx) => ({
      youtube_id,
      title: youtube_id,
      idx,
      downloaded: true,
    }));
    const playlist = (id: string, fields: object = {}) => ({
      playlist_id: id,
      playlist_name: id,
      playlist_entries: entries,
      ...fields,
    });
    await backup.write({
      'es_video-20260105-0.json': pairs('video', {
        aaaaaaaaaaa: video('aaaaaaaaaaa', one, { playlist: ['PLsecond', 'TA_playlist_9', 'PLfirst'] }),
        bbbbbbbbbbb: video('bbbbbbbbbbb', one, { playlist: ['TA_playlist_9', 'PLfirst', 'PLsecond'] }),
      }),
      'es_playlist-20260105-0.json': pairs('playlist', {
        PLfirst: playlist('PLfirst'),
        PLsecond: playlist('PLsecond'),
        TA_playlist_9: playlist('TA_playlist_9', { playlist_type: 'custom' }),
      }),
    });
    expect((await backup.restore()).result).not.toContain('problem');
    const playlistsOf = async (id: string) => (await read(`/api/video/${id}/`)).json().playlist;
    const navOf = async (id: string) =>
      (await read(`/api/video/${id}/nav/`))
        .json()
        .map((one: { playlist_meta: { playlist_id: string } }) => one.playlist_meta.playlist_id);
    for (const readOrder of [playlistsOf, navOf]) {
      expect(await readOrder('aaaaaaaaaaa')).toEqual(['PLsecond', 'TA_playlist_9', 'PLfirst']);
      expect(await readOrder('bbbbbbbbbbb')).toEqual(['TA_playlist_9', 'PLfirst', 'PLsecond']);
    }
    // A new playlist comes last, and moving an entry does not change the order.
    const { playlist_id: mine } = (await ann.call('POST', '/api/playlist/custom/', { playlist_name: 'Mine' })).json();
    await ann.call('POST', `/api/playlist/custom/${mine}/`, { action: 'create', video_id: 'aaaaaaaaaaa' });
    await ann.call('POST', '/api/playlist/custom/TA_playlist_9/', { action: 'bottom', video_id: 'aaaaaaaaaaa' });
    expect(await playlistsOf('aaaaaaaaaaa')).toEqual(['PLsecond', 'TA_playlist_9', 'PLfirst', mine]);
  });

  test('accepts byte order marks and CRLF line ends', async () => {
    const text = pairs('video', { aaaaaaaaaaa: video('aaaaaaaaaaa', one), bbbbbbbbbbb: video('bbbbbbbbbbb', one) });
    await backup.write({ 'es_video-20260105-0.json': `\ufeff${text.replaceAll('\n', '\r\n')}` });
    const task = await backup.restore();
    expect(task.result).toContain(': 2 videos,');
    expect(task.result).not.toContain('problem');
  });

  test('uses the later of two documents with one id, also after an interrupted run', async () => {
    const ids = Array.from({ length: 300 }, (_, n) => `w${String(n).padStart(10, '0')}`);
    const many = (doc: (id: string) => object) => Object.fromEntries(ids.map((id) => [id, doc(id)]));
    const channels = Object.fromEntries(ids.map((id) => [`UC${id}`, {}]));
    const lists = Object.fromEntries(ids.map((id) => [`PL${id}`, {}]));
    await backup.write({
      'es_channel-20260105-0.json': pairs('channel', channels),
      'es_channel-20260105-1.json': pairs('channel', channels),
      'es_video-20260105-0.json': pairs(
        'video',
        many((id) => video(id, one)),
      ),
      'es_video-20260105-1.json': pairs(
        'video',
        many((id) => video(id, one)),
      ),
      'es_download-20260105-0.json': pairs('download', {
        aaaaaaaaaaa: { status: 'pending' },
        ...many(() => ({ status: 'pending' })),
      }),
      'es_download-20260105-1.json': pairs('download', { aaaaaaaaaaa: { status: 'ignore', title: 'Not wanted' } }),
      'es_playlist-20260105-0.json': pairs('playlist', lists),
      'es_playlist-20260105-1.json': pairs('playlist', lists),
    });
    const dryRun = await backup.restore({ dry_run: true });
    const task = await backup.restore();
    expect(countsOf(task.result)).toBe(countsOf(dryRun.result));
    expect(task.result).toMatch(/600 channels, 600 videos, .* 302 queue items \(300 already existed\), 600 playlists\./);
    const row = t.app.db.selectFrom('download').select(['status', 'title']).where('id', '=', 'aaaaaaaaaaa');
    expect(await row.execute()).toEqual([{ status: 'ignore', title: 'Not wanted' }]);
    // Existing queue items are not changed.
    await backup.write({ 'es_download-20260105-0.json': pairs('download', { aaaaaaaaaaa: { status: 'pending' } }) });
    await backup.restore();
    expect(await row.execute()).toMatchObject([{ status: 'ignore' }]);
  });

  test('reports and counts an invalid document once', async () => {
    const folder = join(t.app.config.mediaFolder, one);
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'aaaaaaaaaaa.mp4'), 'media of a');
    await sql`create unique index one_title on video (title)`.execute(t.app.db); // makes writing the second one fail
    await backup.write({
      'es_video-20260105-0.json': pairs('video', {
        'bad id': video('bad id', one),
        aaaaaaaaaaa: video('aaaaaaaaaaa', one, { title: 'The same' }),
        bbbbbbbbbbb: video('bbbbbbbbbbb', one, { title: 'The same' }),
      }),
    });
    const task = await backup.restore();
    expect(task.result).toMatch(/: 1 video, 1 with its media file\. 2 problems\./);
    expect((task.messages ?? '').split('"restore.invalid-video-id"')).toHaveLength(2);
  });
});
