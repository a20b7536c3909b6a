import { sql } from 'kysely';
import type { Video } from '#contract/video.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { inTransaction, type Db } from '../../platform/db/db.ts';
import { snakeCaseNames } from '../../platform/db/schema/snake-case.ts';
import { savePlaylist } from '../playlist/store.ts';
import { createChannel, createVideo, engines, testApp, type TestApp } from '../../test-support/app.ts';
import { queueOutdatedFormats, refreshPending } from './refresh-response-cache.ts';
import { loadVideo } from './load-videos.ts';
import { exampleVideo } from '../video/shape.ts';
import { findVideos } from '../video/store.ts';
import { findStaleVideos } from './verify-response-cache.ts';
import { serializedFormat, serializeParts, videoChunks } from './serialize-video.ts';

const sponsorblock = (is_enabled: boolean) => JSON.stringify({ is_enabled, last_refresh: 1, segments: [] });

/** Creates a video and a channel with all optional data. */
async function createFullVideo(db: Db) {
  const channelId = await createChannel(db, {
    id: 'UCwhole',
    name: 'Vögel',
    description: 'of birds',
    tags: '["bird"]',
    tabs: '["videos","streams"]',
    overwrites: '{"autodelete_days":3}',
  });
  const id = await createVideo(db, {
    id: 'whole',
    channelId,
    title: 'Zwei “Krähen”',
    description: 'am Meer\n',
    url: 'https://site.example/1',
    publishedAt: 1_700_000_000,
    downloadedAt: 1_700_000_001,
    refreshedAt: 1_700_000_002,
    categories: '["Pets"]',
    tags: '["crow"]',
    chapters: '[{"title":"One","start":0,"end":9}]',
    sponsorblock: sponsorblock(true),
    commentCount: 3,
    damage: 'broken at 7 s',
  });
  const stream = { videoId: id, codec: 'h264', bitrate: 9, width: 640, height: 360 };
  await db
    .insertInto('stream')
    .values([
      { ...stream, position: 0, type: 'video' },
      { ...stream, position: 1, type: 'audio', codec: 'aac', width: null, height: null },
    ])
    .execute();
  await db.insertInto('subtitle').values({ videoId: id, lang: 'de', source: 'auto', name: 'Deutsch', path: 'a/ä.vtt' }).execute();
  await db
    .insertInto('storyboard')
    .values({ videoId: id, sheets: 2, sourceSha256: '0'.repeat(64) })
    .execute();
  for (const playlist of ['PLone', 'PLtwo'])
    await db
      .insertInto('playlist')
      .values({ id: playlist, kind: 'regular', name: 'List', sortName: 'list', refreshedAt: 0 })
      .execute();
  await db
    .insertInto('playlistEntry')
    .values({ playlistId: 'PLone', position: 0, videoId: id, title: 'Entry', uploader: null })
    .execute();
  return { id, channelId };
}

/** Serializes the rows without the cache. */
async function serializedRows(db: Db, id: string): Promise<unknown> {
  const [parts] = (await findVideos(db, [id])).map(serializeParts);
  return withoutUserData(
    JSON.parse(String(Buffer.concat(videoChunks({ ...parts!, watchedAt: null, positionSeconds: null }, 0)))),
  );
}

const loadedVideo = async (db: Db, id: string): Promise<unknown> => withoutUserData((await loadVideo(db, 0, id))!.parse());

const withoutUserData = ({ player, _score, ...shared }: Video) => ({ ...shared, duration: player.duration });

// Another valid value for columns that are restricted.
const otherValues: Record<string, unknown> = {
  kind: 'shorts',
  source: 'user',
  tabs: '["shorts"]',
  categories: '["Music"]',
  tags: '["other"]',
  chapters: '[]',
  sponsorblock: sponsorblock(false),
  branding: '{"title":"By viewers","thumbSeconds":null}',
  live: '{"startedAt":null,"reason":"stopped","gaps":[]}',
  overwrites: '{"autodelete_days":4}',
  rules: '{}',
  position: 9,
  music: '{"album":"Other"}',
  musicEdit: '{"album":"Edited"}',
  lufs: -9,
  truePeak: -1,
};
const otherValue = (column: string, value: unknown, isNumber: boolean) => {
  if (column in otherValues) return otherValues[column];
  if (column === 'type') return value === 'audio' ? 'video' : 'audio';
  if (typeof value === 'number') return value === 1 ? 0 : value + 1;
  return value === null ? (isNumber ? 7 : 'other') : `other ${String(value)}`;
};

/** In the list of the sound tracks or the choice of playback; written only with the other columns. */
const listedElsewhere = new Set(
  ['language', 'kind', 'isMeasured', 'profile', 'bitDepth', 'dynamicRange'].map((column) => `stream.${column}`),
);
const serializedColumns = `
channel.description channel.hasBanner channel.hasThumb channel.hasTvart channel.isActive channel.isSubscribed channel.name
channel.overwrites channel.refreshedAt channel.subscriberCount channel.tabs channel.tags storyboard.sourceSha256 stream.bitrate
stream.codec stream.height stream.lufs stream.position stream.truePeak stream.type stream.width subtitle.lang subtitle.name subtitle.path subtitle.source
video.averageRating video.branding video.categories video.chapters video.commentCount video.damage video.description video.dislikeCount
video.downloadedAt video.durationSeconds video.isActive video.isProtected video.kind video.likeCount video.live video.mediaPath video.music video.musicEdit
video.publishedAt video.refreshedAt video.sha256 video.sizeBytes video.sourceSeconds video.sponsorblock video.tags video.title
video.url video.viewCount
`;

// Key columns; inserted and deleted rows have their own test.
const keys = ['id', 'site', 'siteId', 'videoId', 'channelId', 'playlistId'];

describe.each(engines)('serialized video cache, on $engine', (on) => {
  let t: TestApp;
  let db: Db;
  let id: string;
  let channelId: string;
  beforeEach(async () => {
    t = await testApp({ on });
    ({ db } = t.app);
    ({ id, channelId } = await createFullVideo(db));
    await refreshPending(db);
  });
  afterEach(() => t.close());

  const cachedIds = async () =>
    (await db.selectFrom('serializedVideo').innerJoin('serializedChannel', 'serializedChannel.channelId', 'serializedVideo.channelId').select('videoId').execute()).map((row) => row.videoId); // prettier-ignore
  /** Checks that responses match the rows before and after the cache is refreshed. */
  async function expectFresh() {
    const rows = await serializedRows(db, id);
    expect(await loadedVideo(db, id)).toEqual(rows);
    expect(await refreshPending(db)).toBe(true);
    expect(await cachedIds()).toContain(id);
    expect(await loadedVideo(db, id)).toEqual(rows);
    expect(await Array.fromAsync(findStaleVideos(db))).toEqual([]);
    return rows;
  }

  test('returns the cached JSON without reading the rows', async () => {
    expect(await cachedIds()).toEqual([id]);
    await expectFresh();
    // Writes an invalid title to prove that the result comes from the cache.
    const row = await db.selectFrom('serializedVideo').selectAll().executeTakeFirstOrThrow();
    const text = Buffer.from(row.json).toString('latin1').replace('Zwei', 'Drei');
    await db
      .updateTable('serializedVideo')
      .set({ json: Buffer.from(text, 'latin1') })
      .execute();
    expect(await loadedVideo(db, id)).toMatchObject({ title: 'Drei “Krähen”' });
    expect(await Array.fromAsync(findStaleVideos(db))).toEqual([`What is shown of video ${id} is not what is known of it.`]);
  });

  test('invalidates the cache for exactly the columns that are serialized', async () => {
    const tables = (await db.introspection.getTables()).map(({ name, columns }) => ({
      name: snakeCaseNames.toCamelCase(name),
      columns,
    }));
    const changedColumns: string[] = [];
    for (const table of ['video', 'channel', 'stream', 'subtitle', 'storyboard', 'playlistEntry'] as const) {
      const { columns } = tables.find(({ name }) => name === table)!;
      for (const { name: inDatabase, dataType } of columns) {
        const column = snakeCaseNames.toCamelCase(inDatabase);
        if (keys.includes(column)) continue;
        const isNumber = /int|real|double/i.test(dataType);
        const before = JSON.stringify(await serializedRows(db, id));
        const [name, tableRef] = [sql.ref(column), sql.table(table)];
        const [row] = (await sql<{ was: unknown }>`select ${name} as was from ${tableRef}`.execute(db)).rows;
        const matchesValue = row!.was === null ? sql`${name} is null` : sql`${name} = ${row!.was}`;
        await sql`update ${tableRef} set ${name} = ${otherValue(column, row!.was, isNumber)} where ${matchesValue}`.execute(db);
        if (JSON.stringify(await serializedRows(db, id)) !== before) changedColumns.push(`${table}.${column}`);
        else
          expect(await cachedIds(), `${table}.${column}`).toEqual(
            table === 'storyboard' || table === 'video' || listedElsewhere.has(`${table}.${column}`) ? expect.anything() : [id],
          );
        await expectFresh();
      }
    }
    expect(changedColumns.toSorted()).toEqual(serializedColumns.trim().split(/\s+/));
  });

  test('invalidates the cache when rows are inserted or deleted', async () => {
    const entry = { playlistId: 'PLtwo', position: 4, videoId: id, title: 'Entry', uploader: null };
    const expectInvalidated = async (change: Promise<unknown>) => {
      await change;
      expect(await cachedIds()).toEqual([]);
      return expectFresh();
    };
    expect(await expectInvalidated(db.insertInto('playlistEntry').values(entry).execute())).toMatchObject({
      playlist: ['PLone', 'PLtwo'],
    });
    expect(await expectInvalidated(db.deleteFrom('playlistEntry').where('playlistId', '=', 'PLone').execute())).toMatchObject({
      playlist: ['PLtwo'],
    });
    expect(await expectInvalidated(db.deleteFrom('subtitle').execute())).toMatchObject({ subtitles: [] });
    expect(await expectInvalidated(db.deleteFrom('stream').where('position', '=', 1).execute())).toHaveProperty(
      'streams.length',
      1,
    );
    expect(await expectInvalidated(db.deleteFrom('storyboard').execute())).toMatchObject({ storyboard_url: null });
    const other = await createChannel(db, { name: 'Other' });
    await refreshPending(db);
    expect(
      await expectInvalidated(db.updateTable('video').set({ channelId: other }).where('id', '=', id).execute()),
    ).toMatchObject({
      channel: { channel_name: 'Other' },
    });
    await db.deleteFrom('video').execute();
    expect(await cachedIds()).toEqual([]);
    expect(await db.selectFrom('serializationPending').select('kind').where('kind', '!=', 'playlist').execute()).toEqual([]);
    await db.deleteFrom('channel').execute();
    expect(await db.selectFrom('serializedChannel').selectAll().execute()).toEqual([]);
  });

  test('keeps the cache when an unchanged playlist is listed again', async () => {
    const listedPlaylist = {
      id: 'PLone',
      name: 'List',
      description: null,
      channelId: null,
      channelName: null,
      url: 'https://site.example/l',
    };
    const entry = (videoId: string) => ({ videoId, title: 'Entry', uploader: null });
    await savePlaylist(db, { ...listedPlaylist, entries: [entry(id), entry('elsewhere')] }, 5);
    expect(await cachedIds()).toEqual([id]);
    await savePlaylist(db, { ...listedPlaylist, entries: [entry('first'), entry(id)] }, 6);
    expect(await cachedIds()).toEqual([]);
    await expectFresh();
    const entries = await db.selectFrom('playlistEntry').select(['position', 'videoId']).orderBy('position').execute();
    expect(entries).toEqual([
      { position: 0, videoId: 'first' },
      { position: 1, videoId: id },
    ]);
    expect(await savePlaylist(db, { ...listedPlaylist, entries: [] }, 7).then(expectFresh)).toMatchObject({ playlist: [] });
  });

  test('serializes videos of another format again', async () => {
    const newerFormat = { format: serializedFormat + 1, json: new TextEncoder().encode('        {"title":"of tomorrow"') };
    await db.updateTable('serializedVideo').set(newerFormat).execute();
    await db
      .updateTable('serializedChannel')
      .set({ format: serializedFormat - 1 })
      .where('channelId', '=', channelId)
      .execute();
    expect(await loadedVideo(db, id)).toEqual(await serializedRows(db, id));
    await queueOutdatedFormats(t.app);
    await expectFresh();
    expect(await db.selectFrom('serializedVideo').select('format').execute()).toEqual([{ format: serializedFormat }]);
    await queueOutdatedFormats(t.app);
    expect(await db.selectFrom('serializationPending').selectAll().execute()).toEqual([]);
  });

  // SQLite has a single writer.
  test.runIf(on.engine === 'postgres')('does not cache rows with an uncommitted change', async () => {
    await db.updateTable('video').set({ title: 'first' }).execute();
    await inTransaction(db, async () => {});
    const other = db.startTransaction();
    const tx = await other.execute();
    await tx.updateTable('video').set({ title: 'second' }).execute();
    expect(await refreshPending(db)).toBe(false); // skipped, without waiting for the lock
    expect(await cachedIds()).toEqual([]);
    await tx.commit().execute();
    expect(await expectFresh()).toMatchObject({ title: 'second' });
  });

  test('skips rows that cannot be serialized and continues', async () => {
    const invalid = await createVideo(db, { channelId, tags: 'no JSON' });
    const valid = await createVideo(db, { channelId });
    expect(await refreshPending(db)).toBe(true);
    expect((await cachedIds()).toSorted()).toEqual([id, valid].toSorted());
    await expect(loadVideo(db, 0, invalid)).rejects.toThrow();
    await db.updateTable('video').set({ tags: '[]' }).where('id', '=', invalid).execute();
    await refreshPending(db);
    expect(await cachedIds()).toContain(invalid);
  });
});

test('the example that determines the format has every field of the JSON', () => {
  const json = Buffer.from(serializeParts(exampleVideo).video).subarray(8).toString();
  const empty: string[] = [];
  JSON.parse(`${json}}`, (key, value: unknown) => {
    const isEmpty = value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0);
    if (isEmpty) empty.push(key);
    return value;
  });
  expect([...new Set(empty)]).toEqual(['url']); // of subtitles, always null
  expect(json).toContain('"damage":');
});
