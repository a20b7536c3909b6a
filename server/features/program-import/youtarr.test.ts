import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createVideo, type TestApp } from '../../test-support/app.ts';
import {
  archiveForImports,
  channelOf,
  contentsOf,
  countsOf,
  importFromProgram,
  problemsOf,
  undo,
  videoIdOf,
  writeImports,
  type Staff,
} from '../../test-support/program-import.ts';
import { readSqlDump } from './source/sql-dump.ts';

const mariadbd = process.env.REELKEEP_TEST_MARIADB || ['/usr/sbin/mariadbd'].find((path) => existsSync(path));

const schema = `
CREATE TABLE \`channels\` (id int NOT NULL AUTO_INCREMENT PRIMARY KEY, channel_id varchar(255), title varchar(255), description text, uploader varchar(255), url varchar(255), enabled tinyint(1) DEFAULT 1,
  sub_folder varchar(255), video_quality varchar(10), min_duration int, max_duration int, title_filter_regex text, audio_format varchar(20), auto_download_enabled_tabs varchar(255), terminated_at datetime);
CREATE TABLE \`Videos\` (id int NOT NULL AUTO_INCREMENT PRIMARY KEY, youtubeId varchar(255) NOT NULL, youTubeChannelName varchar(255), youTubeVideoName varchar(255), duration int, originalDate varchar(255), description text,
  channel_id varchar(255), filePath varchar(1024), audioFilePath varchar(1024), removed tinyint(1) DEFAULT 0, youtube_removed tinyint(1) DEFAULT 0, protected tinyint(1) DEFAULT 0, normalized_rating varchar(10), last_downloaded_at datetime, poster blob);
CREATE TABLE \`channelvideos\` (id int NOT NULL AUTO_INCREMENT PRIMARY KEY, youtube_id varchar(255), channel_id varchar(255), title varchar(255), ignored tinyint(1) DEFAULT 0);
CREATE TABLE \`video_watch_status\` (id int NOT NULL AUTO_INCREMENT PRIMARY KEY, video_id int NOT NULL, watched tinyint(1) DEFAULT 0, position_seconds int, updated_at datetime);
CREATE TABLE \`sessions\` (id int, token text);`;
const rows = `
INSERT INTO channels (channel_id, title, url, enabled, video_quality, min_duration, title_filter_regex, audio_format, auto_download_enabled_tabs) VALUES
  ('${channelOf(1)}', 'It''s; "Trains" \\\\ 🚂 (a, b)', 'https://www.youtube.com/@trains', 1, '720', 60, '^ep\\\\d', NULL, 'video'),
  ('${channelOf(2)}', 'Music', NULL, 1, '1080', NULL, NULL, 'mp3_only', ''), ('${channelOf(3)}', 'Off', NULL, 0, NULL, NULL, NULL, NULL, NULL);
INSERT INTO Videos (id, youtubeId, youTubeChannelName, youTubeVideoName, duration, originalDate, description, channel_id, filePath, removed, protected, last_downloaded_at, poster) VALUES
  (1, '${videoIdOf(1)}', 'Trains', 'One\\nline; -- no comment', 600, '20240102', 'long ${'x'.repeat(300)}', '${channelOf(1)}', '/usr/src/app/data/Trains/One [${videoIdOf(1)}].mp4', 0, 1, '2024-02-03 04:05:06', x'00275c22ff'),
  (2, '${videoIdOf(2)}', 'Trains', 'Removed', 600, '20240102', NULL, '${channelOf(1)}', '/x.mp4', 1, 0, NULL, NULL),
  (3, '${videoIdOf(3)}', 'Trains', 'Waiting', 600, '20240102', NULL, '${channelOf(1)}', NULL, 0, 0, NULL, NULL), (4, 'bad id', 'Trains', 'Bad', 1, NULL, NULL, NULL, NULL, 0, 0, NULL, NULL);
INSERT INTO channelvideos (youtube_id, channel_id, title, ignored) VALUES ('${videoIdOf(4)}', '${channelOf(1)}', 'Ignored', 1), ('${videoIdOf(5)}', '${channelOf(1)}', 'Listed', 0);
INSERT INTO video_watch_status (video_id, watched, position_seconds, updated_at) VALUES (1, 1, 600, '2024-03-01 00:00:00'), (2, 0, 30, '2024-03-02 00:00:00'), (77, 1, 0, NULL);
INSERT INTO sessions VALUES (1, 'secret');`;

/** A tar archive of regular files. */
function tarOf(files: Record<string, Buffer>): Buffer {
  const parts = Object.entries(files).flatMap(([name, content]) => {
    const header = Buffer.alloc(512);
    header.write(name, 0);
    header.write(`${content.length.toString(8).padStart(11, '0')}\0`, 124);
    header.write('0', 156);
    header.write('ustar\u000000', 257);
    return [header, content, Buffer.alloc((512 - (content.length % 512)) % 512)];
  });
  return Buffer.concat([...parts, Buffer.alloc(1024)]);
}

/** Runs the statements in a temporary MariaDB server, and returns the output of `mariadb-dump`. */
async function dumpOfMariadb(program: string): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'reelkeep-mariadb-'));
  const socket = join(folder, 's');
  const asRoot = process.getuid?.() === 0 ? ['--user=root'] : [];
  const data = join(folder, 'data');
  await mkdir(data);
  const options = ['--no-defaults', ...asRoot, `--datadir=${data}`];
  execFileSync('mariadb-install-db', [...options, '--auth-root-authentication-method=normal', '--skip-test-db'], {
    stdio: 'ignore',
  });
  const server = spawn(
    program,
    [
      ...options,
      `--socket=${socket}`,
      '--skip-networking',
      '--innodb-flush-log-at-trx-commit=0',
      `--pid-file=${join(folder, 'pid')}`,
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  try {
    let output = '';
    for await (const piece of server.stderr) {
      output += String(piece);
      if (output.includes('ready for connections')) break;
    }
    const client = ['--no-defaults', '-uroot', `--socket=${socket}`, '--default-character-set=utf8mb4'];
    execFileSync('mariadb', client, { input: `create database youtarr character set utf8mb4; use youtarr; ${schema} ${rows}` });
    return execFileSync('mariadb-dump', [...client, 'youtarr']);
  } finally {
    const isOver = once(server, 'exit');
    server.kill();
    await isOver;
    await rm(folder, { recursive: true });
  }
}

describe('Youtarr', () => {
  let t: TestApp;
  let staff: Staff;
  beforeEach(async () => {
    ({ t, staff } = await archiveForImports());
  });
  afterEach(() => t.close());

  async function check(path: string) {
    const { db } = t.app;
    await createVideo(db, { id: videoIdOf(1) });
    const before = await contentsOf(t);
    const report = await importFromProgram(t, staff, {
      from: 'youtarr',
      path,
      take: ['subscriptions', 'rules', 'queue', 'ignored', 'watched'],
    });
    expect(report.error).toBeNull();
    expect(countsOf(report)).toEqual({
      subscriptions: [2, 2, 0, 0],
      rules: [2, 2, 0, 0],
      queue: [3, 1, 2, 0],
      ignored: [2, 2, 0, 0],
      watched: [2, 1, 0, 1],
    });
    expect(problemsOf(report)).toEqual(['Bad: The entry has no valid ID.']);
    expect(await db.selectFrom('channel').select('name').where('id', '=', channelOf(1)).executeTakeFirst()).toEqual({
      name: 'It\'s; "Trains" \\ 🚂 (a, b)',
    });
    expect((await staff.call('GET', `/api/channel/${channelOf(1)}/rules/`)).json().own).toEqual({
      min_seconds: 60,
      title_include: '/^ep\\d/c',
    });
    const { channel_overwrites: music } = (await staff.call('GET', `/api/channel/${channelOf(2)}/`)).json();
    expect(music).toMatchObject({ download_format: 'bestaudio[ext=m4a]/bestaudio', subscriptions_auto_start: false });
    expect(await db.selectFrom('watch').select(['videoId', 'watchedAt']).execute()).toEqual([
      { videoId: videoIdOf(1), watchedAt: Date.parse('2024-03-01T00:00:00Z') / 1000 },
    ]);
    await undo(t, staff, report.id);
    expect(await contentsOf(t)).toEqual(before);
  }

  test.runIf(mariadbd)('reads the dump of a real MariaDB in a backup archive', { timeout: 120_000 }, async () => {
    const dump = await dumpOfMariadb(mariadbd!);
    expect(String(dump)).toMatch(/INSERT INTO `Videos`/);
    const archive = gzipSync(tarOf({ 'manifest.json': Buffer.from('{"version":1}'), 'backup/youtarr.sql': dump }));
    await writeImports(t, { 'backups/youtarr-backup-20260101-000000.tar.gz': archive });
    await check('backups');
  });

  test('reads a dump with column names, alone and gzipped', async () => {
    await writeImports(t, { 'dump.sql.gz': gzipSync(schema + rows.replaceAll("x'00275c22ff'", '0x00275c22ff')) });
    await check('dump.sql.gz');
  });

  test('reads a dump in pieces of any size, and only rows of the wanted tables', async () => {
    const all = async (size: number) => {
      const bytes = Buffer.from(schema + rows);
      const pieces = Readable.from(
        (function* () {
          for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
        })(),
      );
      return Array.fromAsync(readSqlDump('x.sql', pieces, (table) => table !== 'sessions'));
    };
    const whole = await all(1_000_000);
    expect(whole).toHaveLength(3 + 4 + 2 + 3);
    expect(whole[3]!.row['youTubeVideoName']).toBe('One\nline; -- no comment');
    for (const size of [1, 7, 4096]) expect(await all(size)).toEqual(whole);
  });

  test('damaged archives and dumps end with a clear message', async () => {
    const whole = gzipSync(tarOf({ 'a.sql': Buffer.from(schema + rows) }));
    await writeImports(t, {
      'cut/youtarr-backup-1.tar.gz': whole.subarray(0, whole.length - 200),
      'bomb/youtarr-backup-1.tar.gz': gzipSync(tarOf({ 'a.sql': Buffer.alloc(100 * 1024 * 1024, 0x20) })),
      'none/youtarr-backup-1.tar.gz': gzipSync(tarOf({ 'manifest.json': Buffer.from('{}') })),
      'text.sql': 'hello world;',
      'other.sql': 'CREATE TABLE `a` (\n  `b` int\n);\nINSERT INTO `a` VALUES (1);',
      'cut.sql': (schema + rows).slice(0, -900),
      'old.sql': 'INSERT INTO Videos (`id`, `videoId`) VALUES (1, 2);',
      'empty/readme.md': '',
    });
    const before = await contentsOf(t);
    const errorOf = async (path: string) => (await importFromProgram(t, staff, { from: 'youtarr', path, take: ['queue'] })).error;
    expect(await errorOf('cut')).toMatch(/damaged/);
    expect(await errorOf('bomb')).toMatch(/200:1/);
    expect(await errorOf('none')).toMatch(/no SQL file/);
    expect(await errorOf('text.sql')).toMatch(/no SQL dump/);
    expect(await errorOf('other.sql')).toMatch(/table Videos is missing/);
    expect(await errorOf('cut.sql')).toMatch(/ends too early/);
    expect(await errorOf('old.sql')).toMatch(/column youtubeId of Videos is missing/);
    expect(await errorOf('empty')).toMatch(/Found no data of Youtarr/);
    expect({ ...(await contentsOf(t)), download: [] }).toEqual(before);
  });
});
