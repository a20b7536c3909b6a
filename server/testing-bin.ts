import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import type { Bin, BinAnswer } from '#contract/bin.ts';
import { addExactly, pagesOf, type PlainRow } from './db/copy.ts';
import { dataTables } from './db/kept.ts';
import { brokenPromises } from './library/invariants.ts';
import { inCache, inEarlier, whereIs } from './library/removal.ts';
import { aChannel, aUser, aVideo, testArchive, type TestEngine } from './testing.ts';
import { earlierFolder } from './video/earlier.ts';

// An archive with a clock that stands, and one video with everything that one can have, for the tests of the bin.

/** The video that is deleted by a slip. */
export const id = 'slipVideo01';

/** An archive with Ann, who is staff, and Ben, a channel, and what can be done to its bin. */
export async function anArchiveWithBin(on: TestEngine) {
  const t = await testArchive({ on });
  await t.runner.begin();
  const clock = { now: t.archive.now() };
  t.archive.now = () => clock.now;
  const staff = await aUser(t, { isStaff: true, name: 'Ann' });
  const other = await aUser(t, { name: 'Ben' });
  const channelId = await aChannel(t.archive.db, { name: 'Bread', overwrites: '{"autodelete_days":9}' });

  const stands = (path: string) => whereIs(t.archive, path);
  const put = async (path: string, text: string) => {
    await mkdir(dirname(stands(path)), { recursive: true });
    await writeFile(stands(path), text);
  };
  const media = (name: string) => `${channelId}/${name}`;
  const bin = async () => (await staff.call('GET', '/api/bin/')).json<Bin>();
  const count = async () => (await t.archive.db.selectFrom('bin').select('number').execute()).length;
  const change = async (action: 'restore' | 'delete', ...ids: (string | number)[]) =>
    (await staff.call('POST', '/api/bin/', { action, ids })).json<BinAnswer>();
  const remove = async (query = '', video = id) =>
    expect((await staff.call('DELETE', `/api/video/${video}/${query}`)).statusCode).toBe(204);
  const resting = async (root = t.archive.config.mediaFolder) =>
    (await readdir(join(root, '.bin'), { recursive: true, withFileTypes: true }).catch(() => []))
      .filter((entry) => entry.isFile())
      .map(({ name }) => name)
      .sort();
  /** What the archive holds, but for what lasts no longer than the bin. */
  const content = async () => {
    const all: Record<string, PlainRow[]> = {};
    for (const table of dataTables) {
      all[table] = [];
      for await (const page of pagesOf(t.archive.db, table, 50)) all[table].push(...page);
    }
    return all;
  };
  const complaints = () => Array.fromAsync(brokenPromises(t.archive));

  /** A video with everything that one can have. */
  async function aFullVideo(video = id) {
    const { db } = t.archive;
    await aVideo(db, { id: video, channelId, title: 'A slip', isKept: 1, commentCount: 3, sizeBytes: 9, tags: '["a"]' });
    await addExactly(db, 'stream', [
      { videoId: video, position: 0, type: 'video', codec: 'h264', bitrate: 1, width: 2, height: 3 },
    ]);
    const path = media(`${video}.en.vtt`);
    await addExactly(db, 'subtitle', [{ videoId: video, lang: 'en', source: 'user', name: 'English', path }]);
    const lines = Array.from({ length: 1201 }, (_, position) => ({
      videoId: video,
      lang: 'en',
      position,
      startSeconds: position * 1.5,
      endSeconds: position * 1.5 + 1.25,
      text: `flour “${position}”\n`,
    }));
    await addExactly(db, 'line', lines);
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
    await addExactly(db, 'comment', comments);
    await addExactly(db, 'earlier', [{ videoId: video, what: 'thumbnail', until: 5, value: `${video}-5.jpg` }]);
    for (const [one, watchedAt] of [
      [staff, null],
      [other, 7],
    ] as const)
      await addExactly(db, 'watch', [{ accountId: one.id, videoId: video, watchedAt, positionSeconds: 12.5, updatedAt: 8 }]);
    await mkdir(earlierFolder(t.archive), { recursive: true });
    await put(inEarlier(`${video}-5.jpg`), 'before');
    await put(media(`${video}.mp4`), 'the film!');
    await put(media(`${video}.info.json`), '{}');
    await put(path, 'WEBVTT');
    await put(inCache(`videos/s/${video}.jpg`), 'picture');
  }

  return {
    t,
    db: t.archive.db,
    clock,
    staff,
    other,
    channelId,
    stands,
    put,
    media,
    bin,
    count,
    change,
    remove,
    resting,
    content,
    complaints,
    aFullVideo,
  };
}
