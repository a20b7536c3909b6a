import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
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
import { zipOf } from '../../test-support/zip.ts';

const url = (id: string) => `https://www.youtube.com/watch?v=${id}`;
const lines = (...docs: object[]) => docs.map((doc) => `${JSON.stringify(doc)}\n`).join('');

describe('exports of apps that play YouTube', () => {
  let t: TestApp;
  let staff: Staff;
  beforeEach(async () => {
    ({ t, staff } = await archiveForImports());
    for (const n of [1, 2, 3]) await createVideo(t.app.db, { id: videoIdOf(n), durationSeconds: 600 });
  });
  afterEach(() => t.close());
  const watches = () =>
    t.app.db.selectFrom('watch').select(['videoId', 'watchedAt', 'positionSeconds']).orderBy('videoId').execute();
  const listOf = async (name: string) => {
    const rows = await t.app.db
      .selectFrom('playlistEntry')
      .innerJoin('playlist', 'playlist.id', 'playlistEntry.playlistId')
      .select('videoId')
      .where('playlist.name', '=', name)
      .orderBy('position')
      .execute();
    return rows.map(({ videoId }) => videoId);
  };

  test('NewPipe: subscriptions as JSON, and its whole database in a ZIP', async () => {
    const database = new DatabaseSync(join(t.folder, 'newpipe.db'));
    database.exec(`
      create table subscriptions (uid integer primary key autoincrement not null, service_id integer not null, url text, name text, avatar_url text);
      create table streams (uid integer primary key autoincrement not null, service_id integer not null, url text not null, title text not null,
        stream_type text not null, duration integer not null, uploader text not null, uploader_url text, upload_date integer);
      create table stream_history (stream_id integer not null, access_date integer not null, repeat_count integer not null, primary key (stream_id, access_date));
      create table stream_state (stream_id integer not null, progress_time integer not null, primary key (stream_id));
      create table playlists (uid integer primary key autoincrement not null, name text, thumbnail_stream_id integer not null);
      create table playlist_stream_join (playlist_id integer not null, stream_id integer not null, join_index integer not null, primary key (playlist_id, join_index));
      create table remote_playlists (uid integer primary key autoincrement not null, service_id integer not null, name text, url text);
      insert into subscriptions (service_id, url, name) values (0, 'https://www.youtube.com/channel/${channelOf(1)}', 'One'), (1, 'https://soundcloud.com/x', 'Cloud');
      insert into streams (service_id, url, title, stream_type, duration, uploader) values
        (0, '${url(videoIdOf(1))}', 'Uno', 'VIDEO_STREAM', 600, 'A'), (0, '${url(videoIdOf(2))}', 'Due', 'VIDEO_STREAM', 600, 'A'), (0, '${url(videoIdOf(9))}', 'Nove', 'VIDEO_STREAM', 60, 'A');
      insert into stream_history values (1, 1700000000000, 1), (1, 1710000000000, 1), (2, 1700000000000, 1);
      insert into stream_state values (1, 599000), (2, 120500);
      insert into playlists values (1, 'Sera 🌙', 1); insert into playlist_stream_join values (1, 3, 0), (1, 1, 1);
      insert into remote_playlists (service_id, name, url) values (0, 'Remote', 'https://www.youtube.com/playlist?list=PLabcdefghijklmnopqrstuvwxyz012345');`);
    database.close();
    await writeImports(t, {
      'NewPipeData.zip': zipOf({
        'newpipe.db': await readFile(join(t.folder, 'newpipe.db')),
        'preferences.json': Buffer.from('{}'),
      }),
      'subs.json': JSON.stringify({
        app_version: '0.27',
        subscriptions: [{ service_id: 0, url: `https://www.youtube.com/channel/${channelOf(2)}`, name: 'Two' }, 7],
      }),
    });
    await rm(join(t.folder, 'newpipe.db'));
    const before = await contentsOf(t);
    const report = await importFromProgram(t, staff, { from: 'newpipe', path: 'NewPipeData.zip' });
    expect(countsOf(report)).toEqual({ subscriptions: [2, 2, 0, 0], watched: [2, 2, 0, 0], playlists: [1, 1, 0, 0] });
    expect(problemsOf(report)).toEqual(['Cloud: Only YouTube entries are imported.']);
    expect(await watches()).toEqual([
      { videoId: videoIdOf(1), watchedAt: 1_710_000_000, positionSeconds: null },
      { videoId: videoIdOf(2), watchedAt: null, positionSeconds: 120.5 },
    ]);
    expect(await listOf('Sera 🌙')).toEqual([videoIdOf(9), videoIdOf(1)]);
    await undo(t, staff, report.id);
    expect(await contentsOf(t)).toEqual(before);
    expect(countsOf(await importFromProgram(t, staff, { from: 'newpipe', path: 'subs.json' }))).toMatchObject({
      subscriptions: [1, 1, 0, 0],
    });
  });

  test('LibreTube: subscriptions, history with positions, playlists', async () => {
    await writeImports(t, {
      'libretube.json': JSON.stringify({
        watchHistory: [
          { videoId: videoIdOf(1), title: 'A', duration: 600, uploaderUrl: `/channel/${channelOf(1)}` },
          { videoId: videoIdOf(2), title: 'B', duration: 600 },
          { videoId: 'short' },
        ],
        watchPositions: [{ videoId: videoIdOf(2), position: 30_000 }],
        subscriptions: [
          { channelId: channelOf(1) },
          { url: `https://www.youtube.com/channel/${channelOf(2)}`, name: 'Two', service_id: 0 },
        ],
        localPlaylists: [{ playlist: { id: 1, name: 'Mine' }, videos: [{ videoId: videoIdOf(3), title: 'C' }] }],
      }),
    });
    const report = await importFromProgram(t, staff, { from: 'libretube', path: 'libretube.json' });
    expect(countsOf(report)).toEqual({ subscriptions: [2, 2, 0, 0], watched: [2, 2, 0, 0], playlists: [1, 1, 0, 0] });
    expect(await watches()).toMatchObject([{ positionSeconds: null }, { videoId: videoIdOf(2), positionSeconds: 30 }]);
    expect(await listOf('Mine')).toEqual([videoIdOf(3)]);
  });

  test('FreeTube: the last line of an id counts', async () => {
    await writeImports(t, {
      'freetube/profiles.db': lines(
        { _id: 'allChannels', name: 'All', subscriptions: [{ id: channelOf(1), name: 'Old' }] },
        { _id: 'allChannels', name: 'All', subscriptions: [{ id: channelOf(2), name: 'New' }] },
      ),
      'freetube/history.db': `${lines(
        { _id: 'a', videoId: videoIdOf(1), watchProgress: 10, lengthSeconds: 600, timeWatched: 1_700_000_000_000 },
        { _id: 'b', videoId: videoIdOf(2), watchProgress: 10, lengthSeconds: 600, timeWatched: 1_700_000_000_000 },
        { _id: 'a', videoId: videoIdOf(1), watchProgress: 599, lengthSeconds: 600, timeWatched: 1_710_000_000_000 },
        { _id: 'b', $$deleted: true },
      )}{"cut`,
      'freetube/playlists.db': lines(
        { _id: 'p', playlistName: 'Later', videos: [{ videoId: videoIdOf(2), title: 'B' }] },
        { _id: 'q', playlistName: 'Empty', videos: [] },
      ),
    });
    const report = await importFromProgram(t, staff, { from: 'freetube', path: 'freetube' });
    expect(countsOf(report)).toEqual({ subscriptions: [1, 1, 0, 0], watched: [1, 1, 0, 0], playlists: [1, 1, 0, 0] });
    expect(problemsOf(report)).toEqual(['history.db: The entry cannot be read.']);
    expect(await watches()).toEqual([{ videoId: videoIdOf(1), watchedAt: 1_710_000_000, positionSeconds: null }]);
  });

  test('Invidious: subscriptions, history and playlists; a playlist of the same name is continued', async () => {
    const { db } = t.app;
    await staff.call('POST', '/api/playlist/custom/', { playlist_name: 'Mix' });
    const { id } = (await db.selectFrom('playlist').select('id').executeTakeFirst())!;
    await staff.call('POST', `/api/playlist/custom/${id}/`, { action: 'create', video_id: videoIdOf(1) });
    await writeImports(t, {
      'invidious.json': JSON.stringify({
        subscriptions: [channelOf(1), 'UCshort'],
        watch_history: [videoIdOf(1), videoIdOf(8)],
        playlists: [{ title: 'Mix', description: 'd', privacy: 'Private', videos: [videoIdOf(1), videoIdOf(2)] }],
        preferences: { locale: 'en-US' },
      }),
    });
    const before = await contentsOf(t);
    const report = await importFromProgram(t, staff, { from: 'invidious', path: 'invidious.json' });
    expect(countsOf(report)).toEqual({ subscriptions: [1, 1, 0, 0], watched: [2, 1, 0, 1], playlists: [1, 0, 1, 0] });
    expect(await listOf('Mix')).toEqual([videoIdOf(1), videoIdOf(2)]);
    await undo(t, staff, report.id);
    expect(await contentsOf(t)).toEqual(before);
    for (const from of ['invidious', 'libretube', 'newpipe']) {
      await writeImports(t, { 'bad.json': '[1,2' });
      expect((await importFromProgram(t, staff, { from, path: 'bad.json' })).error).toMatch(/not the expected JSON/);
    }
  });
});
