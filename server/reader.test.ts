import { globSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { databaseFile } from './data-folder.ts';
import type { Db } from './db/db.ts';
import type { Reading } from './db/reading.ts';
import { openSqlite } from './db/sqlite.ts';
import { neighboursOf } from './playlist/navigation.ts';
import { readPlaylists } from './playlist/store.ts';
import { writtenEntries } from './playlist/written-entries.ts';
import { readings } from './reader.ts';
import { parseQuery } from './search/parse.ts';
import { found } from './search/search.ts';
import { catchUp } from './search/catch-up.ts';
import { aUser, aVideo, testArchive, type TestArchive } from './testing.ts';
import { VideoFilter } from '#contract/video.ts';
import { writeWanted } from './video/keep-written.ts';
import { readPage } from './video/list-page.ts';
import { readShown, showVideos } from './video/show.ts';
import { readSimilar } from './video/similar-videos.ts';
import { writtenComments } from './video/written-comments.ts';

// What is read in the thread of the database must be what is read here.

let t: TestArchive;
let here: Db;
let ids: string[];
beforeEach(async () => {
  t = await testArchive({ onDisk: true });
  const { db, config } = t.archive;
  here = await openSqlite(databaseFile(config));
  ids = [];
  for (const title of ['Zwei Krähen am Meer', 'Krähen und Möwen', '渡り鳥 “quoted” \u2028'])
    ids.push(await aVideo(db, { title }));
});
afterEach(async () => {
  await here.destroy();
  await t.close();
});

test('every reading is known in that thread', () => {
  const files = globSync('server/**/*.ts').filter((path) => !path.endsWith('.test.ts'));
  const made = files.flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(/= reading\(\s*'([^']+)'/g)].map(([, label]) => label),
  );
  expect(made.length).toBeGreaterThan(5);
  expect(readings.map(({ label }) => label).toSorted()).toEqual(made.toSorted());
  expect(new Set(made).size).toBe(made.length);
});

test('what is read in that thread is what is read here', async () => {
  const { db } = t.archive;
  const [id = '', other = ''] = ids;
  await db
    .insertInto('playlist')
    .values({ id: 'PLreader', kind: 'regular', name: 'Vögel', sortName: 'vogel', refreshedAt: 0 })
    .execute();
  const entry = { playlistId: 'PLreader', uploader: null };
  await db
    .insertInto('playlistEntry')
    .values(ids.map((videoId, position) => ({ ...entry, videoId, position, title: `entry ${position}` })))
    .execute();
  const said = { authorId: 'a', authorThumbnail: '', writtenAt: 7, likeCount: null, isFavorited: 0, isByUploader: 1 } as const;
  await db
    .insertInto('comment')
    .values({ ...said, videoId: id, id: 'c1', position: 0, parent: 'root', author: 'Möwe', text: 'kräh' })
    .execute();
  await catchUp(db);

  const same = async <Asked, Answer>(reading: Reading<Asked, Answer>, asked: Asked) => {
    expect(db.there).toBeDefined();
    const answer = await reading(db, asked);
    expect(structuredClone(answer)).toEqual(structuredClone(await reading.read(here, asked)));
    return answer;
  };
  const narrowing = { accountId: 0 };
  const part = { size: 2, from: 0 };
  expect((await same(readSimilar, { id, accountId: 0 })).ids).toEqual([other]);
  expect((await same(neighboursOf, other))[0]).toMatchObject({ playlist_previous: { youtube_id: id } });
  expect((await same(writtenEntries, ['PLreader', 'nowhere'])).size).toBe(2);
  const lists = async () => {
    const { rows, kept } = await same(readPlaylists, { filter: {}, page: { size: 12, from: 0 } });
    return rows.map(({ id: list }) => [list, kept.has(list)]);
  };
  expect(await lists()).toEqual([['PLreader', false]]);
  await writeWanted(db);
  expect(await lists()).toEqual([['PLreader', true]]);
  expect((await same(readPlaylists, { ids: ['nowhere'] })).rows).toEqual([]);
  expect(new TextDecoder().decode((await same(writtenComments, id))!)).toContain('kräh');
  expect(await same(writtenComments, 'nowhere')).toBe(null);
  const pageOf = async (filter: VideoFilter, hits: { total: number; ofAll: number } | null) =>
    (await same(readPage, { accountId: 0, filter, part, hits })).ids;
  expect(await pageOf(VideoFilter.parse({}), null)).toEqual(ids.toReversed().slice(0, 2));
  const hits = { total: 3, ofAll: 3 };
  expect(await pageOf(VideoFilter.parse({ order: 'asc' }), hits)).toEqual(ids.slice(0, 2));
  const sought = { query: parseQuery('krahen'), narrowing, page: 1, within: {} };
  expect((await same(found, sought)).things).toHaveLength(2);
  await same(found, { ...sought, query: parseQuery('full: nobody') });

  const { id: accountId } = await aUser(t);
  await db.insertInto('watch').values({ accountId, videoId: id, watchedAt: 5, positionSeconds: null, updatedAt: 5 }).execute();
  const { videos: shown, watches } = await same(readShown, { ids: [...ids, 'nowhere'], seen: { accountId, ids } });
  expect([...watches]).toEqual([[id, { videoId: id, watchedAt: 5, positionSeconds: null }]]);
  expect([...shown.keys()].toSorted()).toEqual(ids.toSorted());
  // Bytes are of a block of their own: of a piece of a larger one all of that would cross.
  const [block] = [...shown.values()].map(({ buffer }) => new Uint8Array(buffer));
  expect([...shown.values()].reduce((sum, { byteLength }) => sum + byteLength, 0)).toBe(block!.byteLength);
  const bytes = [block!, (await writtenComments(db, id))!, (await writtenEntries(db, ['PLreader'])).get('PLreader')!];
  for (const one of bytes) expect(one.buffer.byteLength).toBe(one.byteLength);
});

test('a video that is shown has in it what its person has watched, and nobody else', async () => {
  const { db } = t.archive;
  const [id = ''] = ids;
  const { id: accountId } = await aUser(t);
  await db.insertInto('watch').values({ accountId, videoId: id, watchedAt: 5, positionSeconds: null, updatedAt: 5 }).execute();
  const [mine, theirs] = [await watchedBy(accountId, id), await watchedBy(accountId + 1, id)];
  expect([mine, theirs]).toEqual([{ watched: true, watched_date: 5 }, { watched: false }]);
});
const watchedBy = async (person: number, id: string) => {
  const [video] = await showVideos(t.archive.db, person, [id]);
  const { watched, watched_date } = video!.player;
  return { watched, ...(watched_date !== undefined && { watched_date }) };
};

test('what goes wrong in that thread is told, and it goes on', async () => {
  const { db } = t.archive;
  await expect(readShown(db, null as never)).rejects.toThrow();
  await expect(db.there!('no such reading', null)).rejects.toThrow(/does not list the reading "no such reading"/);
  expect((await readShown(db, { ids, seen: { accountId: 0, ids } })).videos.size).toBe(3);
});

test('what was read is read anew when it was written', async () => {
  const { db } = t.archive;
  const [id = ''] = ids;
  const titleOf = async () => (await showVideos(db, 0, [id]))[0]?.title;
  expect(await titleOf()).toBe('Zwei Krähen am Meer');
  await db.updateTable('video').set({ title: 'Drei' }).where('id', '=', id).execute();
  expect(await titleOf()).toBe('Drei');
});
