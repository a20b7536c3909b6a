import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { migrate } from '../db/migrate.ts';
import { aVideo, engines, testArchive, type TestArchive } from '../testing.ts';
import { wantOtherForms, writeWanted } from '../video/keep-written.ts';
import { findPlaylist, savePlaylist, writeEntries } from './store.ts';
import { entriesForm, wrongEntries } from './written-entries.ts';
import { inTransaction, type Db } from '../db/db.ts';
import { readWritten } from '../http/written.ts';

const entry = (videoId: string, title = 'Entry', uploader: string | null = null) => ({ videoId, title, uploader });
const said = (id: string) => ({
  id,
  name: 'List',
  description: null,
  channelId: null,
  channelName: null,
  url: 'https://site.example/l',
});

describe.each(engines)('what is kept of a playlist as it was written, on $engine', (on) => {
  let t: TestArchive;
  let db: Db;
  beforeEach(async () => {
    t = await testArchive({ on });
    ({ db } = t.archive);
    await savePlaylist(db, { ...said('PLone'), entries: [entry('aa', 'Zwei “Krähen”', 'Ann'), entry('bb')] }, 5);
    await savePlaylist(db, { ...said('PLtwo'), entries: [entry('bb')] }, 5);
    await writeWanted(db);
  });
  afterEach(() => t.close());

  const kept = async () =>
    (await db.selectFrom('writtenPlaylist').select('playlistId').orderBy('playlistId').execute()).map((row) => row.playlistId);
  const shown = async (id = 'PLone') => readWritten((await findPlaylist(db, id))!.entries);
  /** Of what is kept nothing is untrue, at once and when it has been written anew. */
  async function told(change: Promise<unknown>, gone = ['PLone']) {
    await change;
    expect(await kept()).toEqual(['PLone', 'PLtwo'].filter((id) => !gone.includes(id)));
    const now = await shown();
    expect(await writeWanted(db)).toBe(true);
    expect(await kept()).toEqual(['PLone', 'PLtwo']);
    db.recall.wrote('any');
    expect(await shown()).toEqual(now);
    expect(await Array.fromAsync(wrongEntries(db))).toEqual([]);
    return now;
  }

  test('is what is shown, without looking at its rows', async () => {
    expect(await kept()).toEqual(['PLone', 'PLtwo']);
    // Nobody does this; it shows where the answer comes from.
    const written = new TextEncoder().encode('[{"title":"as it is kept"}]');
    await db.updateTable('writtenPlaylist').set({ written }).where('playlistId', '=', 'PLone').execute();
    db.recall.wrote('any');
    expect(await shown()).toEqual([{ title: 'as it is kept' }]);
    expect(await Array.fromAsync(wrongEntries(db))).toEqual([
      'What is shown of the entries of playlist PLone is not what is known of them.',
    ]);
  });

  test('goes with what changes in it', async () => {
    const second = db.updateTable('playlistEntry').where('playlistId', '=', 'PLone').where('position', '=', 1);
    expect(await told(second.set({ title: 'Other' }).execute())).toMatchObject([{}, { title: 'Other' }]);
    expect(await told(second.set({ uploader: 'Bob' }).execute())).toMatchObject([{}, { uploader: 'Bob' }]);
    expect(await told(second.set({ videoId: 'cc' }).execute())).toMatchObject([{}, { youtube_id: 'cc' }]);
    const third = { playlistId: 'PLone', position: 7, ...entry('bb') };
    expect(await told(db.insertInto('playlistEntry').values(third).execute())).toHaveProperty('2.idx', 2);
    const both = ['PLone', 'PLtwo'];
    expect(await told(aVideo(db, { id: 'bb' }), both)).toHaveProperty('2.downloaded', true);
    expect(await shown('PLtwo')).toHaveProperty('0.downloaded', true);
    expect(await told(db.deleteFrom('video').where('id', '=', 'bb').execute(), both)).toHaveProperty('2.downloaded', false);
    expect(await told(db.deleteFrom('playlistEntry').where('videoId', '=', 'aa').execute())).toHaveLength(2);
    expect(await told(inTransaction(db, (tx) => writeEntries(tx, 'PLone', [])))).toEqual([]);
  });

  test('goes with it, and stays while the list is listed again and has not changed', async () => {
    await savePlaylist(db, { ...said('PLtwo'), name: 'Renamed', entries: [entry('bb')] }, 9);
    expect(await kept()).toEqual(['PLone', 'PLtwo']);
    await db.deleteFrom('playlist').where('id', '=', 'PLone').execute();
    expect(await kept()).toEqual(['PLtwo']);
    expect(await db.selectFrom('writingWanted').selectAll().execute()).toEqual([]);
  });

  test('is not kept of very many, which are shown and wanted no more', async () => {
    const many = Array.from({ length: 2_000 }, (_, n) => entry(`v${n}`));
    await savePlaylist(db, { ...said('PLone'), entries: many }, 6);
    expect(await writeWanted(db)).toBe(true);
    expect(await kept()).toEqual(['PLtwo']);
    expect(await shown()).toHaveLength(2_000);
    expect(await db.selectFrom('writingWanted').selectAll().execute()).toEqual([]);
  });

  test('is written anew where another version wrote another form of it', async () => {
    await db
      .updateTable('writtenPlaylist')
      .set({ form: entriesForm + 1, written: new TextEncoder().encode('[]') })
      .where('playlistId', '=', 'PLone')
      .execute();
    db.recall.wrote('any');
    expect(await shown()).toHaveLength(2);
    await wantOtherForms(t.archive);
    await writeWanted(db);
    const forms = await db.selectFrom('writtenPlaylist').select('form').execute();
    expect(forms.map(({ form }) => form)).toEqual([entriesForm, entriesForm]);
    db.recall.wrote('any');
    expect(await shown()).toHaveLength(2);
  });

  test('is of the form that is said: whoever changes what is written raises it', async () => {
    const { written } = await db
      .selectFrom('writtenPlaylist')
      .select('written')
      .where('playlistId', '=', 'PLone')
      .executeTakeFirstOrThrow();
    expect({ form: entriesForm, is: createHash('sha256').update(written).digest('hex').slice(0, 12) }).toEqual({
      form: 1,
      is: '5759b4e1d700',
    });
  });
});

test.each(engines)('what was there before is to be written, on $engine', async ({ open }) => {
  const { db, close } = await open();
  try {
    await migrate(db, '0034-byte-order');
    await db
      .insertInto('playlist')
      .values({ id: 'PLold', kind: 'regular', name: 'Old', sortName: 'old', refreshedAt: 0 })
      .execute();
    await db
      .insertInto('playlistEntry')
      .values({ playlistId: 'PLold', position: 0, ...entry('aa') })
      .execute();
    await migrate(db);
    await writeWanted(db);
    expect(await db.selectFrom('writtenPlaylist').select('playlistId').execute()).toEqual([{ playlistId: 'PLold' }]);
  } finally {
    await close();
  }
});
