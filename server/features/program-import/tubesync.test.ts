import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { importFolder } from '../../platform/config/data-folder.ts';
import { type TestApp } from '../../test-support/app.ts';
import {
  archiveForImports,
  channelOf,
  contentsOf,
  countsOf,
  importFromProgram,
  problemsOf,
  undo,
  videoIdOf,
  type Staff,
} from '../../test-support/program-import.ts';

const list = 'PLabcdefghijklmnopqrstuvwxyz012345';
const sourceRows = [
  {
    uuid: 'aaaaaaaa11111111aaaaaaaa11111111',
    source_type: 'i',
    key: channelOf(1),
    name: 'Trains',
    download_cap: 2_592_000,
    days_to_keep: 14,
    delete_old_media: 1,
    filter_text: 'ep\\d',
    filter_text_invert: 0,
    filter_seconds: 60,
    filter_seconds_min: 1,
    source_resolution: '720p',
    enable_sponsorblock: 1,
    download_media: 1,
    index_streams: 0,
  },
  {
    uuid: 'bbbbbbbb11111111aaaaaaaa11111111',
    source_type: 'p',
    key: list,
    name: 'List',
    download_cap: 0,
    days_to_keep: 14,
    delete_old_media: 0,
    filter_text: 'trailer',
    filter_text_invert: 1,
    filter_seconds: 900,
    filter_seconds_min: 0,
    source_resolution: 'audio',
    enable_sponsorblock: 0,
    download_media: 0,
    index_streams: 1,
  },
];
const mediaRows = [
  {
    key: videoIdOf(1),
    source: 0,
    title: 'Seen',
    skip: 0,
    manual_skip: 0,
    downloaded: 1,
    media_file: 'video/trains/2026-01-31_trains_seen_v0000000001_720p-vp9-opus.mkv',
  },
  { key: '_a_b-c_d_e1', source: 0, title: 'Never', skip: 1, manual_skip: 1, downloaded: 0, media_file: '' },
  { key: videoIdOf(3), source: 0, title: 'Filtered', skip: 1, manual_skip: 0, downloaded: 0, media_file: '' },
  { key: videoIdOf(4), source: 1, title: 'Waiting', skip: 0, manual_skip: 0, downloaded: 0, media_file: '' },
  { key: 'bad', source: 1, title: 'Bad', skip: 0, manual_skip: 0, downloaded: 0, media_file: '' },
];

describe('TubeSync', () => {
  let t: TestApp;
  let staff: Staff;
  let root: string;
  beforeEach(async () => {
    ({ t, staff } = await archiveForImports());
    root = importFolder(t.app.config);
    await mkdir(join(root, 'config'), { recursive: true });
  });
  afterEach(() => t.close());

  async function check(path: string) {
    const { db } = t.app;
    const before = await contentsOf(t);
    const take = ['subscriptions', 'rules', 'queue', 'ignored'];
    const report = await importFromProgram(t, staff, { from: 'tubesync', path, take });
    expect(countsOf(report)).toEqual({
      subscriptions: [2, 2, 0, 0],
      rules: [2, 2, 0, 0],
      queue: [2, 2, 0, 0],
      ignored: [1, 1, 0, 0],
    });
    expect(problemsOf(report)).toEqual(['Bad: The entry has no valid ID.']);
    const { own } = (await staff.call('GET', `/api/channel/${channelOf(1)}/rules/`)).json();
    expect(own).toMatchObject({ min_seconds: 60, keep_days: 14, title_include: '/ep\\d/c' });
    expect(own.published_after).toMatch(/^20\d\d-\d\d-\d\d$/);
    expect((await staff.call('GET', `/api/channel/${channelOf(1)}/`)).json().channel_overwrites).toMatchObject({
      integrate_sponsorblock: true,
      subscriptions_auto_start: true,
      subscriptions_live_channel_size: 0,
    });
    expect((await staff.call('GET', `/api/playlist/${list}/rules/`)).json().own).toEqual({
      max_seconds: 900,
      title_exclude: '/trailer/c',
    });
    expect(await db.selectFrom('download').select(['id', 'status']).orderBy('id').execute()).toEqual([
      { id: '_a_b-c_d_e1', status: 'ignore' },
      { id: videoIdOf(1), status: 'pending' },
      { id: videoIdOf(4), status: 'pending' },
    ]);
    await undo(t, staff, report.id);
    expect(await contentsOf(t)).toEqual(before);
  }

  test('reads the SQLite database', async () => {
    const database = new DatabaseSync(join(root, 'config/db.sqlite3'));
    database.exec(`create table sync_source (uuid char(32) primary key, source_type varchar(1), key varchar(100), name varchar(100), directory varchar(100), media_format varchar(200), index_schedule integer,
        download_media bool, download_cap integer, delete_old_media bool, days_to_keep integer, source_resolution varchar(8), filter_text varchar(200), filter_text_invert bool, filter_seconds integer,
        filter_seconds_min bool, enable_sponsorblock bool, index_streams bool);
      create table sync_media (uuid char(32) primary key, key varchar(100), source_id char(32), title varchar(200), published datetime, download_date datetime, duration integer, media_file varchar(255),
        skip bool, manual_skip bool, downloaded bool, metadata text);`);
    const insert = (table: string, row: Record<string, string | number>) =>
      database
        .prepare(`insert into ${table} (${Object.keys(row)}) values (${Object.keys(row).map(() => '?')})`)
        .run(...Object.values(row));
    for (const row of sourceRows) insert('sync_source', row);
    for (const [n, { source, ...row }] of [...mediaRows, { ...mediaRows[0]!, source: 1, media_file: '' }].entries())
      insert('sync_media', { uuid: String(n).padStart(32, '0'), source_id: sourceRows[source]!.uuid, ...row });
    database.close();
    await check('config');
  });

  test('reads a dump of Django, with media before their sources', async () => {
    const dashed = (uuid: string) => uuid.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
    const media = mediaRows.map(({ source, ...fields }, pk) => ({
      model: 'sync.media',
      pk,
      fields: { ...fields, source: dashed(sourceRows[source]!.uuid) },
    }));
    const sources = sourceRows.map(({ uuid, ...fields }) => ({ model: 'sync.source', pk: dashed(uuid), fields }));
    const others = [{ model: 'auth.user', pk: 1, fields: { password: 'x' } }];
    await writeFile(join(root, 'dump.json'), JSON.stringify([...media, ...others, ...sources], null, 2));
    await check('dump.json');
  });
});
