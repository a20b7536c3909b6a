import { copyFile, mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { importFolder } from '#server/platform/config/data-folder.ts';
import { createUser } from '#server/test-support/app.ts';
import { contentsOf, countsOf, importFromProgram, problemsOf, undo, type Staff } from '#server/test-support/program-import.ts';
import { writePinchflat, type PinchflatData } from '#server/test-support/pinchflat.ts';
import { aCatalogue } from '../../test-site/builders.ts';
import { createArchive, hasTools, inconsistencies, type TestSiteArchive } from '../support/acquisition.ts';
import { channel, createImportSources, infoOf, listFiles, makeReadOnly, seconds } from '../support/importing.ts';

describe.runIf(hasTools)('video files of other programs', () => {
  let t: TestSiteArchive;
  let staff: Staff;
  let sources: Awaited<ReturnType<typeof createImportSources>>;
  let root: string;
  beforeAll(async () => {
    sources = await createImportSources();
  });
  afterAll(() => sources.remove());
  beforeEach(async () => {
    t = await createArchive(aCatalogue({ channels: [channel] }));
    staff = await createUser(t, { isStaff: true });
    root = importFolder(t.app.config);
  });
  afterEach(async () => {
    expect(await inconsistencies(t)).toEqual([]);
    await t.close();
  });
  const add = async (name: string, from = 'whole.mp4') => {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await copyFile(sources.at(from), join(root, name));
  };
  const rowOf = (id: string) => t.app.db.selectFrom('video').selectAll().where('id', '=', id).executeTakeFirst();
  const write = async (name: string, content: string | Uint8Array) => {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), content);
  };

  test('Pinchflat: linked with their stored metadata, originals untouched, and undone', async () => {
    const long = `${'ü'.repeat(120)} .mp4`;
    const items: PinchflatData['items'] = [
      { id: 1, media_id: '-dashFirst1', title: '🚂 Zug/Bahn', media_filepath: '/downloads/Trains/s2020e022901 - Zug ⧸ Bahn.mp4' },
      {
        id: 2,
        media_id: '_underscor1',
        title: 'Long',
        media_filepath: `/downloads/Trains/${long}`,
        media_downloaded_at: '2022-02-02T00:00:00',
        duration_seconds: seconds,
      },
      { id: 3, media_id: 'silentVid01', title: 'Silent', media_filepath: '/downloads/mute.mp4', duration_seconds: seconds },
      { id: 4, media_id: 'lostVideo01', title: 'Lost', media_filepath: '/downloads/Trains/lost.mp4' },
      { id: 5, media_id: 'outsideVid1', title: 'Outside', media_filepath: '/downloads/../../../etc/hostname.mp4' },
      { id: 6, media_id: 'linkedVide1', title: 'Linked', media_filepath: '/downloads/link/one.mp4' },
      { id: 7, media_id: 'otherDiskV1', title: 'Other disk', media_filepath: '/mnt/other.mp4' },
      { id: 8, media_id: 'brokenVide1', title: 'Broken', media_filepath: '/downloads/broken.mp4' },
      { id: 9, media_id: '-dashFirst1', title: 'Again', source_id: 2, media_filepath: '/downloads/again.mp4' },
    ];
    writePinchflat(join(root, 'config/db/pinchflat.db'), {
      sources: [
        { collection_id: channel.id, custom_name: channel.name },
        { collection_id: 'PLabcdefghijklmnopqrstuvwxyz012345', collection_type: 'playlist' },
      ],
      items,
    });
    const meta = (id: number) => `config/metadata/media_items/${id}/metadata.json.gz`;
    await write(meta(1), gzipSync(infoOf('-dashFirst1', { title: '🚂 Zug/Bahn', epoch: 1_600_000_000 })));
    await write(meta(2), 'no gzip');
    await write(meta(3), gzipSync(Buffer.alloc(200 * 1024 * 1024, 0x20)));
    await add('media/Trains/s2020e022901 - Zug ⧸ Bahn.mp4');
    await write('media/Trains/s2020e022901 - Zug ⧸ Bahn.zh-Hans.srt', '1\n00:00:00,500 --> 00:00:01,500\n列车\n');
    await write('media/Trains/s2020e022901 - Zug ⧸ Bahn.zh-TW.srt', '1\n00:00:00,500 --> 00:00:01,500\n列車\n');
    await add(`media/Trains/${long}`);
    await add('media/mute.mp4', 'mute.mp4');
    await add('media/again.mp4');
    await add('elsewhere/one.mp4');
    await write('media/broken.mp4', 'no video');
    await write('media/Trains/channel.info.json', JSON.stringify({ _type: 'playlist', id: channel.id, title: 'All' }));
    await symlink(join(root, 'elsewhere'), join(root, 'media/link'));
    const files = await listFiles(root);
    const before = await contentsOf(t);
    const body = { from: 'pinchflat', path: 'config', path_map: { '/downloads': join(root, 'media') } };

    const dry = await importFromProgram(t, staff, { ...body, dry_run: true });
    expect(countsOf(dry)['videos']).toEqual([8, 4, 0, 4]);
    expect(await contentsOf(t)).toEqual(before);
    const report = await importFromProgram(t, staff, { ...body, take: ['videos', 'queue'] });
    expect(countsOf(report)).toEqual({ videos: [8, 3, 0, 5], queue: [5, 5, 0, 0] });
    const problems = problemsOf(report).join('\n');
    expect(problems).toMatch(/Lost \(lostVideo01\): .*no file or folder/);
    expect(problems).toMatch(/Outside \(outsideVid1\): No path mapping/);
    expect(problems).toMatch(/Linked \(linkedVide1\): .*symbolic link/);
    expect(problems).toMatch(/Other disk \(otherDiskV1\): No path mapping for \/mnt\/other.mp4/);
    expect(problems).toMatch(/Broken \(brokenVide1\): /);
    const notes = report.lines.map(({ what, why }) => `${what}: ${why}`).join('\n');
    expect(notes).toMatch(/Long: The stored metadata cannot be read/);
    expect(notes).toMatch(/Silent: The stored metadata cannot be read/);
    expect(notes).toMatch(/no audio track/);
    expect(await listFiles(root)).toEqual(files);

    const train = await rowOf('-dashFirst1');
    expect(train).toMatchObject({ title: '🚂 Zug/Bahn', channelId: channel.id, downloadedAt: 1_600_000_000, isProtected: 1 });
    expect(await rowOf('_underscor1')).toMatchObject({
      title: 'Long',
      channelId: channel.id,
      downloadedAt: Date.parse('2022-02-02T00:00:00Z') / 1000,
    });
    const langs = await t.app.db
      .selectFrom('subtitle')
      .select('lang')
      .where('videoId', '=', '-dashFirst1')
      .orderBy('lang')
      .execute();
    expect(langs).toEqual([{ lang: 'zh-Hans' }, { lang: 'zh-TW' }]);
    expect(countsOf(await importFromProgram(t, staff, { ...body, take: ['videos'] }))['videos']).toEqual([8, 0, 3, 5]);

    await undo(t, staff, report.id);
    expect(await contentsOf(t)).toEqual(before);
    expect(await listFiles(root)).toEqual(files);
    expect((await staff.call('GET', '/api/trash/')).json().data).toHaveLength(3);
  });

  test('TubeSync and Youtarr: from a read-only mount, also as MKV, with IDs that begin and end oddly', async () => {
    const database = join(root, 'tubesync/db.sqlite3');
    await mkdir(dirname(database), { recursive: true });
    const made = new DatabaseSync(database);
    const name = 'video/trains/2026-01-31_trains_some-title_a_b-c_d_e__720p-vp9-opus';
    made.exec(`create table sync_source (uuid text, source_type text, key text, name text);
      create table sync_media (uuid text, key text, source_id text, title text, media_file text, downloaded bool, skip bool, download_date text);
      insert into sync_source values ('s', 'i', '${channel.id}', '${channel.name}');
      insert into sync_media values ('m', 'a_b-c_d_e__', 's', 'Some 🚂 title', '${name}.mkv', 1, 0, '2023-03-04 05:06:07');`);
    made.close();
    await add(`media/${name}.mkv`, 'vp9.mkv');
    await write(
      `media/${name}.nfo`,
      '<episodedetails><uniqueid type="youtube" default="True">a_b-c_d_e__</uniqueid></episodedetails>',
    );
    const columns = 'INSERT INTO Videos (id, youtubeId, youTubeVideoName, channel_id, filePath, removed) VALUES';
    const path = `Trains/Trains - Zug [-youtarrVi1]/Trains - Zug [-youtarrVi1].mp4`;
    await write('youtarr/dump.sql', `${columns} (1, '-youtarrVi1', 'Zug', '${channel.id}', '/usr/src/app/data/${path}', 0);\n`);
    await write('youtarr/jobs/info/-youtarrVi1.info.json', infoOf('-youtarrVi1', { title: 'Zug, in full' }));
    await add(`media/${path}`);
    const files = await listFiles(root);
    const before = await contentsOf(t);
    const release = await makeReadOnly(join(root, 'media'));
    try {
      const media = join(root, 'media');
      const one = await importFromProgram(t, staff, {
        from: 'tubesync',
        path: 'tubesync',
        path_map: { '/downloads': media },
        take: ['videos'],
      });
      expect([countsOf(one), one.problems]).toEqual([{ videos: [1, 1, 0, 0] }, 0]);
      const map = { '/usr/src/app/data/': `${media}/` };
      const two = await importFromProgram(t, staff, { from: 'youtarr', path: 'youtarr', path_map: map, take: ['videos'] });
      expect([countsOf(two), two.problems]).toEqual([{ videos: [1, 1, 0, 0] }, 0]);
      expect(await rowOf('a_b-c_d_e__')).toMatchObject({
        title: 'Some 🚂 title',
        channelId: channel.id,
        downloadedAt: Date.parse('2023-03-04T05:06:07Z') / 1000,
      });
      expect(await rowOf('-youtarrVi1')).toMatchObject({ title: 'Zug, in full', channelId: channel.id });
      await undo(t, staff, two.id);
      await undo(t, staff, one.id);
      expect(await contentsOf(t)).toEqual(before);
    } finally {
      await release?.();
    }
    expect(await listFiles(root)).toEqual(files);
  });
});
