import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import type { Trash, TrashResult } from '#contract/trash.ts';
import { insertExactly, pagesOf, type PlainRow } from '../platform/db/copy/bulk-copy.ts';
import { renderMessages } from '../platform/messages/render.ts';
import { dataTables } from '../platform/db/schema/table-policies.ts';
import { findInconsistencies } from '../features/library/consistency/check.ts';
import { createChannel, createUser, createVideo, testApp, type TestEngine, type TestOptions } from './app.ts';
import { thumbnailPath } from '../archive/storage/thumbnail-path.ts';
import { historyFolder, inCache, inHistory, resolveStoredPath } from '../platform/storage/stored-path.ts';

// An archive with a fixed clock and one video with all optional data, for tests of the trash.

/** Id of the deleted video. */
export const id = 'slipVideo01';

/** Creates an archive with the staff user Ann, the user Ben and a channel. Returns helpers for its trash. */
export async function createAppWithTrash(on: TestEngine, options: Pick<TestOptions, 'env'> = {}) {
  const t = await testApp({ ...options, on });
  await t.runner.begin();
  const clock = { now: t.app.now() };
  t.app.now = () => clock.now;
  const staff = await createUser(t, { isStaff: true, name: 'Ann' });
  const other = await createUser(t, { name: 'Ben' });
  const channelId = await createChannel(t.app.db, { name: 'Bread', overwrites: '{"autodelete_days":9}' });

  const resolvePath = (path: string) => resolveStoredPath(t.app, path);
  const put = async (path: string, text: string) => {
    await mkdir(dirname(resolvePath(path)), { recursive: true });
    await writeFile(resolvePath(path), text);
    await t.app.files.save(path);
  };
  const media = (name: string) => `${channelId}/${name}`;
  const readTrash = async () => (await staff.call('GET', '/api/trash/')).json<Trash>();
  const count = async () => (await t.app.db.selectFrom('trash').select('number').execute()).length;
  const act = async (action: 'restore' | 'delete', ...ids: (string | number)[]) =>
    (await staff.call('POST', '/api/trash/', { action, ids })).json<TrashResult>();
  const remove = async (query = '', video = id) =>
    expect((await staff.call('DELETE', `/api/video/${video}/${query}`)).statusCode).toBe(204);
  const trashedFiles = async (root = t.app.config.mediaFolder) =>
    (await readdir(join(root, '.trash'), { recursive: true, withFileTypes: true }).catch(() => []))
      .filter((entry) => entry.isFile())
      .map(({ name }) => name)
      .sort();
  /** Returns all rows of the tables that backups contain. */
  const content = async () => {
    const all: Record<string, PlainRow[]> = {};
    for (const table of dataTables) {
      all[table] = [];
      for await (const page of pagesOf(t.app.db, table, 50)) all[table].push(...page);
    }
    return all;
  };
  const inconsistencies = () => Array.fromAsync(findInconsistencies(t.app), (problem) => renderMessages(problem));

  /** Creates a video with all optional data and files. */
  async function createFullVideo(video = id) {
    const { db } = t.app;
    await createVideo(db, {
      id: video,
      channelId,
      title: 'A slip',
      isProtected: 1,
      commentCount: 3,
      sizeBytes: 9,
      tags: '["a"]',
    });
    await insertExactly(db, 'stream', [
      { videoId: video, position: 0, type: 'video', codec: 'h264', bitrate: 1, width: 2, height: 3 },
    ]);
    const path = media(`${video}.en.vtt`);
    await insertExactly(db, 'subtitle', [{ videoId: video, lang: 'en', source: 'user', name: 'English', path }]);
    const lines = Array.from({ length: 1201 }, (_, position) => ({
      videoId: video,
      lang: 'en',
      position,
      startSeconds: position * 1.5,
      endSeconds: position * 1.5 + 1.25,
      text: `flour “${position}”\n`,
    }));
    await insertExactly(db, 'transcriptLine', lines);
    const comment = { parent: 'root', author: 'Who', authorId: 'x', authorThumbnail: '', writtenAt: 5, likeCount: null };
    const flags = { isFavorited: 0, isByUploader: 1 };
    const comments = ['a', 'b', 'c'].map((one, position) => ({
      videoId: video,
      id: one,
      position,
      text: one,
      ...comment,
      ...flags,
    }));
    await insertExactly(db, 'comment', comments);
    await insertExactly(db, 'metadataHistory', [{ videoId: video, field: 'thumbnail', replacedAt: 5, value: `${video}-5.jpg` }]);
    for (const [one, watchedAt] of [
      [staff, null],
      [other, 7],
    ] as const)
      await insertExactly(db, 'watch', [{ accountId: one.id, videoId: video, watchedAt, positionSeconds: 12.5, updatedAt: 8 }]);
    await mkdir(historyFolder(t.app), { recursive: true });
    await put(inHistory(`${video}-5.jpg`), 'before');
    await put(media(`${video}.mp4`), 'the film!');
    await put(media(`${video}.info.json`), '{}');
    await put(path, 'WEBVTT');
    await put(inCache(thumbnailPath(video)), 'picture');
  }

  return {
    t,
    db: t.app.db,
    clock,
    staff,
    other,
    channelId,
    resolvePath,
    put,
    media,
    readTrash,
    count,
    act,
    remove,
    trashedFiles,
    content,
    inconsistencies,
    createFullVideo,
  };
}
