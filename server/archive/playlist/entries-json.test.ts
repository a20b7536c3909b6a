import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createVideo, engines, testApp, type TestApp } from '../../test-support/app.ts';
import { queueOutdatedFormats, refreshPending } from '../video-json/refresh-response-cache.ts';
import { findPlaylist, savePlaylist, writeEntries } from './store.ts';
import { entriesFormat, findStaleEntries } from './entries-json.ts';
import { inTransaction, type Db } from '../../platform/db/db.ts';

const entry = (videoId: string, title = 'Entry', uploader: string | null = null) => ({ videoId, title, uploader });
const listedPlaylist = (id: string) => ({
  id,
  name: 'List',
  description: null,
  channelId: null,
  channelName: null,
  url: 'https://site.example/l',
});

describe.each(engines)('serialized playlist entries, on $engine', (on) => {
  let t: TestApp;
  let db: Db;
  beforeEach(async () => {
    t = await testApp({ on });
    ({ db } = t.app);
    await savePlaylist(db, { ...listedPlaylist('PLone'), entries: [entry('aa', 'Zwei “Krähen”', 'Ann'), entry('bb')] }, 5);
    await savePlaylist(db, { ...listedPlaylist('PLtwo'), entries: [entry('bb')] }, 5);
    await refreshPending(db);
  });
  afterEach(() => t.close());

  const cachedIds = async () =>
    (await db.selectFrom('serializedPlaylist').select('playlistId').orderBy('playlistId').execute()).map((row) => row.playlistId);
  const entriesOf = async (id = 'PLone') => (await findPlaylist(db, { id: 0, isStaff: true }, id))!.entries.parse();
  /** Checks which cached rows a change invalidates, and that cached and uncached entries are equal. */
  async function expectInvalidated(change: Promise<unknown>, invalidated = ['PLone']) {
    await change;
    expect(await cachedIds()).toEqual(['PLone', 'PLtwo'].filter((id) => !invalidated.includes(id)));
    const now = await entriesOf();
    expect(await refreshPending(db)).toBe(true);
    expect(await cachedIds()).toEqual(['PLone', 'PLtwo']);
    expect(await entriesOf()).toEqual(now);
    expect(await Array.fromAsync(findStaleEntries(db))).toEqual([]);
    return now;
  }

  test('returns the cached entries without reading the rows', async () => {
    expect(await cachedIds()).toEqual(['PLone', 'PLtwo']);
    // Writes invalid entries to prove that the result comes from the cache.
    const json = new TextEncoder().encode('[{"title":"as it is kept"}]');
    await db.updateTable('serializedPlaylist').set({ json }).where('playlistId', '=', 'PLone').execute();
    expect(await entriesOf()).toEqual([{ title: 'as it is kept' }]);
    expect(await Array.fromAsync(findStaleEntries(db))).toEqual([
      'What is shown of the entries of playlist PLone is not what is known of them.',
    ]);
  });

  test('invalidates cached entries when an entry or a video changes', async () => {
    const second = db.updateTable('playlistEntry').where('playlistId', '=', 'PLone').where('position', '=', 1);
    expect(await expectInvalidated(second.set({ title: 'Other' }).execute())).toMatchObject([{}, { title: 'Other' }]);
    expect(await expectInvalidated(second.set({ uploader: 'Bob' }).execute())).toMatchObject([{}, { uploader: 'Bob' }]);
    expect(await expectInvalidated(second.set({ videoId: 'cc' }).execute())).toMatchObject([{}, { youtube_id: 'cc' }]);
    const third = { playlistId: 'PLone', position: 7, ...entry('bb') };
    expect(await expectInvalidated(db.insertInto('playlistEntry').values(third).execute())).toHaveProperty('2.idx', 2);
    const both = ['PLone', 'PLtwo'];
    expect(await expectInvalidated(createVideo(db, { id: 'bb' }), both)).toHaveProperty('2.downloaded', true);
    expect(await entriesOf('PLtwo')).toHaveProperty('0.downloaded', true);
    expect(await expectInvalidated(db.deleteFrom('video').where('id', '=', 'bb').execute(), both)).toHaveProperty(
      '2.downloaded',
      false,
    );
    expect(await expectInvalidated(db.deleteFrom('playlistEntry').where('videoId', '=', 'aa').execute())).toHaveLength(2);
    expect(await expectInvalidated(inTransaction(db, (tx) => writeEntries(tx, 'PLone', [], 0)))).toEqual([]);
  });

  test('deletes cached entries with the playlist and keeps them when a new listing is unchanged', async () => {
    await savePlaylist(db, { ...listedPlaylist('PLtwo'), name: 'Renamed', entries: [entry('bb')] }, 9);
    expect(await cachedIds()).toEqual(['PLone', 'PLtwo']);
    await db.deleteFrom('playlist').where('id', '=', 'PLone').execute();
    expect(await cachedIds()).toEqual(['PLtwo']);
    expect(await db.selectFrom('serializationPending').selectAll().execute()).toEqual([]);
  });

  test('does not cache very long playlists and does not queue them again', async () => {
    const many = Array.from({ length: 15_000 }, (_, n) => entry(`v${n}`));
    await savePlaylist(db, { ...listedPlaylist('PLone'), entries: many }, 6);
    expect(await refreshPending(db)).toBe(true);
    expect(await cachedIds()).toEqual(['PLtwo']);
    expect(await entriesOf()).toHaveLength(15_000);
    expect(await db.selectFrom('serializationPending').selectAll().execute()).toEqual([]);
  });

  test('serializes entries of another format again', async () => {
    await db
      .updateTable('serializedPlaylist')
      .set({ format: entriesFormat + 1, json: new TextEncoder().encode('[]') })
      .where('playlistId', '=', 'PLone')
      .execute();
    expect(await entriesOf()).toHaveLength(2);
    await queueOutdatedFormats(t.app);
    await refreshPending(db);
    const formats = await db.selectFrom('serializedPlaylist').select('format').execute();
    expect(formats.map(({ format }) => format)).toEqual([entriesFormat, entriesFormat]);
    expect(await entriesOf()).toHaveLength(2);
  });

  test('increases the format number when the serialized form changes', async () => {
    const { json } = await db
      .selectFrom('serializedPlaylist')
      .select('json')
      .where('playlistId', '=', 'PLone')
      .executeTakeFirstOrThrow();
    expect({ format: entriesFormat, is: createHash('sha256').update(json).digest('hex').slice(0, 12) }).toEqual({
      format: 1,
      is: '5759b4e1d700',
    });
  });
});
