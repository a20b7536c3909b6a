import { globSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { databaseFile } from '../platform/config/data-folder.ts';
import type { Db } from '../platform/db/db.ts';
import type { WorkerQuery } from '../platform/db/worker-query.ts';
import { openSqlite } from '../platform/db/sqlite/sqlite.ts';
import { playlistNeighbours } from '../archive/playlist/navigation.ts';
import { readPlaylists } from '../archive/playlist/store.ts';
import { workerQueries } from './query-worker.ts';
import { parseQuery } from '../features/search/query/parse.ts';
import { found } from '../features/search/query/search.ts';
import { indexPending } from '../features/search/index/index-pending.ts';
import { createUser, createVideo, testApp, type TestApp } from '../test-support/app.ts';
import { VideoFilter, type Video } from '#contract/video.ts';
import { refreshPending } from '../archive/video-json/refresh-response-cache.ts';
import { readVideoPage } from '../features/video/list/list-videos.ts';
import { loadVideos, readVideos } from '../archive/video-json/load-videos.ts';
import { readSimilar } from '../features/video/similar-videos.ts';
import { serializedComments } from '../archive/video-json/comments-json.ts';

let t: TestApp;
let mainThreadDb: Db;
let ids: string[];
beforeEach(async () => {
  t = await testApp({ onDisk: true });
  const { db, config } = t.app;
  mainThreadDb = await openSqlite(databaseFile(config));
  ids = [];
  for (const title of ['Zwei Krähen am Meer', 'Krähen und Möwen', '渡り鳥 “quoted” \u2028'])
    ids.push(await createVideo(db, { title }));
});
afterEach(async () => {
  await mainThreadDb.destroy();
  await t.close();
});

test('knows every worker query', () => {
  const files = globSync('server/**/*.ts').filter((path) => !path.endsWith('.test.ts'));
  const definedLabels = files.flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(/= workerQuery\(\s*'([^']+)'/g)].map(([, label]) => label),
  );
  expect(definedLabels.length).toBeGreaterThan(5);
  expect(workerQueries.map(({ label }) => label).toSorted()).toEqual(definedLabels.toSorted());
  expect(new Set(definedLabels).size).toBe(definedLabels.length);
});

test('returns the same results in the database thread as in this thread', async () => {
  const { db } = t.app;
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
  const comment = { authorId: 'a', authorThumbnail: '', writtenAt: 7, likeCount: null, isFavorited: 0, isByUploader: 1 } as const;
  await db
    .insertInto('comment')
    .values({ ...comment, videoId: id, id: 'c1', position: 0, parent: 'root', author: 'Möwe', text: 'kräh' })
    .execute();
  await indexPending(db);

  const expectSameResult = async <Input, Result>(query: WorkerQuery<Input, Result>, input: Input) => {
    expect(db.runInWorker).toBeDefined();
    const result = await query(db, input);
    expect(structuredClone(result)).toEqual(structuredClone(await query.read(mainThreadDb, input)));
    return result;
  };
  const narrowing = { accountId: 0 };
  const viewer = { id: 0, isStaff: true };
  expect(idsIn(await expectSameResult(readSimilar, { id, accountId: 0, model: 'use-m3' }))).toEqual([other]);
  expect((await expectSameResult(playlistNeighbours, { videoId: other, viewer }))[0]).toMatchObject({
    playlist_previous: { youtube_id: id },
  });
  const listPlaylists = () => expectSameResult(readPlaylists, { viewer, filter: {}, page: { size: 12, from: 0 } });
  const { rows, entries } = await listPlaylists();
  expect(rows.map(({ id: list }) => list)).toEqual(['PLreader']);
  await refreshPending(db);
  expect((await listPlaylists()).entries).toEqual(entries);
  expect((await expectSameResult(readPlaylists, { viewer, ids: ['nowhere'] })).rows).toEqual([]);
  expect(new TextDecoder().decode((await expectSameResult(serializedComments, id))!)).toContain('kräh');
  expect(await expectSameResult(serializedComments, 'nowhere')).toBe(null);
  const pageOf = async (filter: VideoFilter) => {
    const { total, videos } = await expectSameResult(readVideoPage, { accountId: 0, filter, page: { size: 2, from: 0 } });
    expect(total).toBe(3);
    return idsIn(videos);
  };
  expect(await pageOf(VideoFilter.parse({}))).toEqual(ids.toReversed().slice(0, 2));
  expect(await pageOf(VideoFilter.parse({ order: 'asc' }))).toEqual(ids.slice(0, 2));
  const search = { query: parseQuery('krahen'), narrowing, page: 1, within: {} };
  expect((await expectSameResult(found, search)).things).toHaveLength(2);
  await expectSameResult(found, { ...search, query: parseQuery('full: nobody') });

  const { id: accountId } = await createUser(t);
  await db.insertInto('watch').values({ accountId, videoId: id, watchedAt: 5, positionSeconds: null, updatedAt: 5 }).execute();
  const videos = await expectSameResult(readVideos, { accountId, ids: [...ids, 'nowhere'] });
  expect(idsIn(videos)).toEqual(ids);
  // A message copies the whole buffer of each view, so the buffer contains nothing else.
  const sizeOf = (views: Uint8Array[]) => views.reduce((sum, { byteLength }) => sum + byteLength, 0);
  for (const views of [videos, entries, [(await serializedComments(db, id))!]])
    expect(views[0]!.buffer.byteLength).toBe(sizeOf(views));
});

const idsIn = (videos: Uint8Array[]) => videos.map((bytes) => (JSON.parse(String(Buffer.from(bytes))) as Video).youtube_id);

test('adds the watch state of the user only', async () => {
  const { db } = t.app;
  const [id = ''] = ids;
  const { id: accountId } = await createUser(t);
  await db.insertInto('watch').values({ accountId, videoId: id, watchedAt: 5, positionSeconds: null, updatedAt: 5 }).execute();
  const [mine, theirs] = [await watchedBy(accountId, id), await watchedBy(accountId + 1, id)];
  expect([mine, theirs]).toEqual([{ watched: true, watched_date: 5 }, { watched: false }]);
});
const watchedBy = async (accountId: number, id: string) => {
  const [video] = await loadVideos(t.app.db, { accountId, ids: [id] });
  const { watched, watched_date } = video!.parse().player;
  return { watched, ...(watched_date !== undefined && { watched_date }) };
};

test('reports errors of the database thread, which continues', async () => {
  const { db } = t.app;
  await expect(readVideos(db, null as never)).rejects.toThrow();
  await expect(db.runInWorker!('no such reading', null)).rejects.toThrow(/does not list the reading "no such reading"/);
  expect(await readVideos(db, { accountId: 0, ids })).toHaveLength(3);
});
