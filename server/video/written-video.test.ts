import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { inTransaction, type Db } from '../db/db.ts';
import { names } from '../db/names.ts';
import { savePlaylist } from '../playlist/store.ts';
import { aChannel, aVideo, engines, testArchive, type TestArchive } from '../testing.ts';
import { wantOtherForms, writeWanted } from './keep-written.ts';
import { showVideo } from './show.ts';
import { findVideos } from './store.ts';
import { wrongWritten } from './written-right.ts';
import { durationOf, form, headBytes, together, writeParts } from './written-video.ts';

const sponsorblock = (is_enabled: boolean) => JSON.stringify({ is_enabled, last_refresh: 1, segments: [] });

/** A video with all that belongs to one, and a channel with all that one has. */
async function aWholeVideo(db: Db) {
  const channelId = await aChannel(db, {
    id: 'UCwhole',
    name: 'Vögel',
    description: 'of birds',
    tags: '["bird"]',
    tabs: '["videos","streams"]',
    overwrites: '{"autodelete_days":3}',
  });
  const id = await aVideo(db, {
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
    .values({ videoId: id, sheets: 2, madeOf: '0'.repeat(64) })
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

/** What the rows say now, whatever is kept. */
async function asRowsSay(db: Db, id: string): Promise<unknown> {
  const bytes = together((await findVideos(db, [id])).map(writeParts)).get(id)!;
  return { ...JSON.parse(`${new TextDecoder().decode(bytes.subarray(headBytes))}}`), duration: durationOf(bytes) };
}

async function asShown(db: Db, id: string): Promise<unknown> {
  const { player, _score, ...shared } = (await showVideo(db, 0, id))!;
  return { ...shared, duration: player.duration };
}

// What a column of this name may become.
const another: Record<string, unknown> = {
  kind: 'shorts',
  source: 'user',
  tabs: '["shorts"]',
  categories: '["Music"]',
  tags: '["other"]',
  chapters: '[]',
  sponsorblock: sponsorblock(false),
  overwrites: '{"autodelete_days":4}',
  rules: '{}',
  position: 9,
};
const changed = (column: string, value: unknown, isNumber: boolean) => {
  if (column in another) return another[column];
  if (column === 'type') return value === 'audio' ? 'video' : 'audio';
  if (typeof value === 'number') return value === 1 ? 0 : value + 1;
  return value === null ? (isNumber ? 7 : 'other') : `other ${String(value)}`;
};

const shown = `
channel.description channel.hasBanner channel.hasThumb channel.hasTvart channel.isActive channel.isSubscribed channel.name
channel.overwrites channel.refreshedAt channel.subscriberCount channel.tabs channel.tags storyboard.madeOf stream.bitrate
stream.codec stream.height stream.position stream.type stream.width subtitle.lang subtitle.name subtitle.path subtitle.source
video.averageRating video.categories video.chapters video.commentCount video.damage video.description video.dislikeCount
video.downloadedAt video.durationSeconds video.isActive video.isKept video.kind video.likeCount video.mediaPath
video.publishedAt video.refreshedAt video.sha256 video.sizeBytes video.sponsorblock video.tags video.title video.url
video.viewCount
`;

// What tells rows apart; rows that come and go are tried by themselves.
const keys = ['id', 'site', 'siteId', 'videoId', 'channelId', 'playlistId'];

describe.each(engines)('what is kept of a video as it was written, on $engine', (on) => {
  let t: TestArchive;
  let db: Db;
  let id: string;
  let channelId: string;
  beforeEach(async () => {
    t = await testArchive({ on });
    ({ db } = t.archive);
    ({ id, channelId } = await aWholeVideo(db));
    await writeWanted(db);
  });
  afterEach(() => t.close());

  const kept = async () =>
    (await db.selectFrom('writtenVideo').innerJoin('writtenChannel', 'writtenChannel.channelId', 'writtenVideo.channelId').select('videoId').execute()).map((row) => row.videoId); // prettier-ignore
  /** Of what is kept nothing is untrue, at once and when it has been written anew. */
  async function isTrue() {
    const rows = await asRowsSay(db, id);
    expect(await asShown(db, id)).toEqual(rows);
    expect(await writeWanted(db)).toBe(true);
    expect(await kept()).toContain(id);
    db.recall.wrote('any');
    expect(await asShown(db, id)).toEqual(rows);
    expect(await Array.fromAsync(wrongWritten(db))).toEqual([]);
    return rows;
  }

  test('is what is shown, without looking at its rows', async () => {
    expect(await kept()).toEqual([id]);
    await isTrue();
    // Nobody does this; it shows where the answer comes from.
    const row = await db.selectFrom('writtenVideo').selectAll().executeTakeFirstOrThrow();
    const text = Buffer.from(row.written).toString('latin1').replace('Zwei', 'Drei');
    await db
      .updateTable('writtenVideo')
      .set({ written: Buffer.from(text, 'latin1') })
      .execute();
    db.recall.wrote('any');
    expect(await asShown(db, id)).toMatchObject({ title: 'Drei “Krähen”' });
    expect(await Array.fromAsync(wrongWritten(db))).toEqual([`What is shown of video ${id} is not what is known of it.`]);
  });

  test('goes with each column of which it was written, and with no other', async () => {
    const tables = (await db.introspection.getTables()).map(({ name, columns }) => ({ name: names.here(name), columns }));
    const shows: string[] = [];
    for (const table of ['video', 'channel', 'stream', 'subtitle', 'storyboard', 'playlistEntry'] as const) {
      const { columns } = tables.find(({ name }) => name === table)!;
      for (const { name: inDatabase, dataType } of columns) {
        const column = names.here(inDatabase);
        if (keys.includes(column)) continue;
        const isNumber = /int|real|double/i.test(dataType);
        const before = JSON.stringify(await asRowsSay(db, id));
        const [name, of] = [sql.ref(column), sql.table(table)];
        const [row] = (await sql<{ was: unknown }>`select ${name} as was from ${of}`.execute(db)).rows;
        const isIt = row!.was === null ? sql`${name} is null` : sql`${name} = ${row!.was}`;
        await sql`update ${of} set ${name} = ${changed(column, row!.was, isNumber)} where ${isIt}`.execute(db);
        if (JSON.stringify(await asRowsSay(db, id)) !== before) shows.push(`${table}.${column}`);
        else
          expect(await kept(), `${table}.${column}`).toEqual(
            table === 'storyboard' || table === 'video' ? expect.anything() : [id],
          );
        await isTrue();
      }
    }
    expect(shows.toSorted()).toEqual(shown.trim().split(/\s+/));
  });

  test('goes with rows that come and go', async () => {
    const entry = { playlistId: 'PLtwo', position: 4, videoId: id, title: 'Entry', uploader: null };
    const told = async (change: Promise<unknown>) => {
      await change;
      expect(await kept()).toEqual([]);
      return isTrue();
    };
    expect(await told(db.insertInto('playlistEntry').values(entry).execute())).toMatchObject({ playlist: ['PLone', 'PLtwo'] });
    expect(await told(db.deleteFrom('playlistEntry').where('playlistId', '=', 'PLone').execute())).toMatchObject({
      playlist: ['PLtwo'],
    });
    expect(await told(db.deleteFrom('subtitle').execute())).toMatchObject({ subtitles: [] });
    expect(await told(db.deleteFrom('stream').where('position', '=', 1).execute())).toHaveProperty('streams.length', 1);
    expect(await told(db.deleteFrom('storyboard').execute())).toMatchObject({ storyboard_url: null });
    const other = await aChannel(db, { name: 'Other' });
    await writeWanted(db);
    expect(await told(db.updateTable('video').set({ channelId: other }).where('id', '=', id).execute())).toMatchObject({
      channel: { channel_name: 'Other' },
    });
    await db.deleteFrom('video').execute();
    expect(await kept()).toEqual([]);
    expect(await db.selectFrom('writingWanted').select('kind').where('kind', '!=', 'playlist').execute()).toEqual([]);
    await db.deleteFrom('channel').execute();
    expect(await db.selectFrom('writtenChannel').selectAll().execute()).toEqual([]);
  });

  test('stays while playlists are listed again and have not changed', async () => {
    const said = {
      id: 'PLone',
      name: 'List',
      description: null,
      channelId: null,
      channelName: null,
      url: 'https://site.example/l',
    };
    const entry = (videoId: string) => ({ videoId, title: 'Entry', uploader: null });
    await savePlaylist(db, { ...said, entries: [entry(id), entry('elsewhere')] }, 5);
    expect(await kept()).toEqual([id]);
    await savePlaylist(db, { ...said, entries: [entry('first'), entry(id)] }, 6);
    expect(await kept()).toEqual([]);
    await isTrue();
    const entries = await db.selectFrom('playlistEntry').select(['position', 'videoId']).orderBy('position').execute();
    expect(entries).toEqual([
      { position: 0, videoId: 'first' },
      { position: 1, videoId: id },
    ]);
    expect(await savePlaylist(db, { ...said, entries: [] }, 7).then(isTrue)).toMatchObject({ playlist: [] });
  });

  test('is written anew where another version wrote another form of it', async () => {
    const nonsense = { form: form + 1, written: new TextEncoder().encode('        {"title":"of tomorrow"') };
    await db.updateTable('writtenVideo').set(nonsense).execute();
    await db
      .updateTable('writtenChannel')
      .set({ form: form - 1 })
      .where('channelId', '=', channelId)
      .execute();
    db.recall.wrote('any');
    expect(await asShown(db, id)).toEqual(await asRowsSay(db, id));
    await wantOtherForms(t.archive);
    await isTrue();
    expect(await db.selectFrom('writtenVideo').select('form').execute()).toEqual([{ form }]);
    await wantOtherForms(t.archive);
    expect(await db.selectFrom('writingWanted').selectAll().execute()).toEqual([]);
  });

  test('is never of what somebody is about to change', async () => {
    if (on.engine === 'sqlite') return; // where one writes at a time
    await db.updateTable('video').set({ title: 'first' }).execute();
    await inTransaction(db, async () => {});
    const other = db.startTransaction();
    const tx = await other.execute();
    await tx.updateTable('video').set({ title: 'second' }).execute();
    expect(await writeWanted(db)).toBe(false); // left, not waited for
    expect(await kept()).toEqual([]);
    await tx.commit().execute();
    expect(await isTrue()).toMatchObject({ title: 'second' });
  });

  test('leaves out what cannot be written, and goes on', async () => {
    const broken = await aVideo(db, { channelId, tags: 'no JSON' });
    const fine = await aVideo(db, { channelId });
    expect(await writeWanted(db)).toBe(true);
    expect((await kept()).toSorted()).toEqual([id, fine].toSorted());
    await expect(showVideo(db, 0, broken)).rejects.toThrow();
    await db.updateTable('video').set({ tags: '[]' }).where('id', '=', broken).execute();
    await writeWanted(db);
    expect(await kept()).toContain(broken);
  });
});

test('whoever changes what is written of a video raises `form`, and then this', async () => {
  const t = await testArchive();
  try {
    const { db } = t.archive;
    const { id } = await aWholeVideo(db);
    const [parts] = (await findVideos(db, [id])).map(writeParts);
    const sum = createHash('sha256').update(parts!.video).update(parts!.channel).digest('hex');
    expect({ form, sum: sum.slice(0, 16) }).toEqual({ form: 1, sum: '140ea524f90fc2c3' });
  } finally {
    await t.close();
  }
});
