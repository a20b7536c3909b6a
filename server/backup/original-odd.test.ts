import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { pairs } from '../../e2e/backups.ts';
import { one, video } from '../../e2e/original-backup.ts';
import { engines } from '../testing.ts';
import { archiveForOriginals, type ForOriginals } from '../testing-original.ts';

describe.each(engines)('odd documents in a backup of the original program, on $engine', (engine) => {
  let t: ForOriginals['t'];
  let ann: ForOriginals['ann'];
  let original: ForOriginals['original'];
  beforeEach(async () => void ({ t, ann, original } = await archiveForOriginals(engine)));
  afterEach(() => t.close());

  const read = (path: string) => ann.call('GET', path);
  const countsOf = (result: string | null) => /\d+ \w.*?(?=\. (?:Nothing was|What was)|$)/.exec(result ?? '')?.[0];

  test('numbers that make no sense are nothing: every list and figure stays readable', async () => {
    await original.write({
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
    const tried = await original.restore({ dry_run: true });
    const said = await original.restore();
    expect(countsOf(said.result)).toBe(countsOf(tried.result));
    expect(said.result).toContain('2 queue items');
    expect(said.result).not.toContain('problem');
    for (const path of ['/api/video/', '/api/stats/video/', '/api/stats/watch/', '/api/stats/biggestchannels/', '/api/download/'])
      expect((await read(path)).statusCode, path).toBe(200);
    expect((await read('/api/video/aaaaaaaaaaa/')).json()).toMatchObject({ media_size: 0, stats: { view_count: 0 } });
  });

  test('a mark at the beginning of a part, and line ends of Windows, as an editor leaves them, cost no document', async () => {
    const text = pairs('video', { aaaaaaaaaaa: video('aaaaaaaaaaa', one), bbbbbbbbbbb: video('bbbbbbbbbbb', one) });
    await original.write({ 'es_video-20260105-0.json': `\ufeff${text.replaceAll('\n', '\r\n')}` });
    const said = await original.restore();
    expect(said.result).toContain(': 2 videos,');
    expect(said.result).not.toContain('problem');
  });

  test('of two documents the later counts, however far apart: a run that died may have left the first, which was not here', async () => {
    const ids = Array.from({ length: 300 }, (_, n) => `w${String(n).padStart(10, '0')}`);
    const many = (doc: (id: string) => object) => Object.fromEntries(ids.map((id) => [id, doc(id)]));
    const channels = Object.fromEntries(ids.map((id) => [`UC${id}`, {}]));
    const lists = Object.fromEntries(ids.map((id) => [`PL${id}`, {}]));
    await original.write({
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
    const tried = await original.restore({ dry_run: true });
    const said = await original.restore();
    expect(countsOf(said.result)).toBe(countsOf(tried.result));
    expect(said.result).toMatch(/600 channels, 600 videos, .* 302 queue items \(300 were here\), 600 playlists\./);
    const row = t.archive.db.selectFrom('download').select(['status', 'title']).where('id', '=', 'aaaaaaaaaaa');
    expect(await row.execute()).toEqual([{ status: 'ignore', title: 'Not wanted' }]);
    // What is in the queue here stays as it is.
    await original.write({ 'es_download-20260105-0.json': pairs('download', { aaaaaaaaaaa: { status: 'pending' } }) });
    await original.restore();
    expect(await row.execute()).toMatchObject([{ status: 'ignore' }]);
  });

  test('what one document spoils is told once, and counted once', async () => {
    const folder = join(t.archive.config.mediaFolder, one);
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'aaaaaaaaaaa.mp4'), 'media of a');
    await sql`create unique index one_title on video (title)`.execute(t.archive.db); // so that one of them cannot be written
    await original.write({
      'es_video-20260105-0.json': pairs('video', {
        'bad id': video('bad id', one),
        aaaaaaaaaaa: video('aaaaaaaaaaa', one, { title: 'The same' }),
        bbbbbbbbbbb: video('bbbbbbbbbbb', one, { title: 'The same' }),
      }),
    });
    const said = await original.restore();
    expect(said.result).toMatch(/: 1 video, 1 with its file in its place\. 2 problems\./);
    expect((said.messages ?? '').split('It is no id of a video.')).toHaveLength(2);
  });
});
