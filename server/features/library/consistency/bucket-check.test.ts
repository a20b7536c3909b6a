import { createHash } from 'node:crypto';
import { mkdir, rm, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { cleanBucket, removeAbandonedUploads } from '../../../archive/storage/abandoned-uploads.ts';
import { renderMessages } from '../../../platform/messages/render.ts';
import { StorageError, type FileStore } from '../../../platform/storage/file-store.ts';
import { createChannel, createQueueItem, createVideo, testApp, type TestApp } from '../../../test-support/app.ts';
import { startS3, versitygwPath } from '../../../test-support/s3.ts';
import { markMissingFiles } from '../../backup/restore/restore-fixups.ts';
import { findInconsistencies } from './check.ts';
import { rescanFilesystem } from './rescan.ts';
import { verifyFiles } from './verify-files.ts';

const day = 86_400;
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

describe.runIf(versitygwPath)('verification of a bucket', () => {
  let s3: Awaited<ReturnType<typeof startS3>>;
  let t: TestApp;
  let channelId = '';
  beforeAll(async () => {
    s3 = await startS3();
    t = await testApp({ env: s3.env });
    await t.runner.begin();
    channelId = await createChannel(t.app.db);
    t.app.tools.ffmpeg = { version: 'test' } as never; // a scan of folders needs it
  });
  afterAll(async () => {
    await t.close();
    await s3.stop();
  });

  const fileOf = (key: string) => join(s3.folder, key);
  /** Writes an object that is some hours old. */
  const putObject = async (key: string, text: string, { hours = 2 } = {}) => {
    await mkdir(dirname(fileOf(key)), { recursive: true });
    await writeFile(fileOf(key), text);
    const at = new Date(Date.now() - hours * 3_600_000);
    await utimes(fileOf(key), at, at);
  };
  const putVideo = async (id: string, text = `film ${id}`) => {
    const mediaPath = `${channelId}/${id}.0123456789abcdef.mp4`;
    await putObject(`media/${mediaPath}`, text);
    await putObject(`media/${mediaPath.replace('.mp4', '.info.json')}`, '{}');
    await createVideo(t.app.db, { id, channelId, mediaPath, sizeBytes: text.length, sha256: sha256(text) });
    return mediaPath;
  };
  const problems = () => Array.fromAsync(findInconsistencies(t.app), (one) => renderMessages(one));
  const damageOf = async () =>
    Object.fromEntries(
      (await t.app.db.selectFrom('video').select(['id', 'damage']).where('damage', 'is not', null).execute()).map((row) => [
        row.id,
        row.damage,
      ]),
    );
  const run = async (task: typeof verifyFiles | typeof rescanFilesystem) => {
    const { id } = await t.app.tasks.start(task as typeof verifyFiles, { percent: 100 });
    await t.runner.idle();
    const row = await t.app.db.selectFrom('task').select(['status', 'messages']).where('id', '=', id).executeTakeFirstOrThrow();
    const log = await t.app.db.selectFrom('runLog').selectAll().where('taskId', '=', id).execute();
    return { status: row.status, text: `${row.messages} ${JSON.stringify(log)}` };
  };
  const whileReplaced = async (changes: Partial<FileStore>, work: () => Promise<void>) => {
    const before = { ...t.app.files };
    Object.assign(t.app.files, changes);
    await work().finally(() => Object.assign(t.app.files, before));
  };
  beforeEach(async () => {
    for (const table of ['video', 'upload', 'pendingDeletion', 'download'] as const) await t.app.db.deleteFrom(table).execute();
    for (const folder of ['media', 'cache']) await rm(fileOf(folder), { recursive: true, force: true });
  });

  test('finds missing, changed and unknown objects, and knows those of uploads', async () => {
    const [, short, missing] = [await putVideo('goodVideo01'), await putVideo('shortVideo1'), await putVideo('missingVid1')];
    expect(await problems()).toEqual([]);
    await putObject(`media/${short}`, 'cut');
    await rm(fileOf(`media/${missing}`));
    await putObject(`media/${channelId}/stranger.mp4`, 'who knows');
    await putObject(`media/${channelId}/just-now.mp4`, 'part of a new upload', { hours: 0.5 });
    await putObject(`media/${channelId}/uploaded.mp4`, 'part of an upload');
    await putObject(`cache/.trash/abc/image.jpg`, 'image');
    const paths = JSON.stringify([`${channelId}/uploaded.mp4`]);
    await t.app.db
      .insertInto('upload')
      .values({ id: 'x', number: 1, runId: t.app.runId, startedAt: 0, paths, manifest: null })
      .execute();
    expect((await problems()).sort()).toEqual([
      '.trash/abc/image.jpg belongs to no video in the trash.',
      expect.stringContaining(`The object ${channelId}/stranger.mp4 in the bucket belongs to no video`),
      `Video missingVid1 has no file: ${missing} is missing.`,
      expect.stringContaining(`Video shortVideo1: ${short} has 3 bytes`),
    ]);
  });

  test('reads objects completely and finds damaged content', async () => {
    const [, damaged, missing] = [await putVideo('goodVideo01'), await putVideo('damagedVid1'), await putVideo('missingVid1')];
    await putObject(`media/${damaged}`, 'FILM damagedVid1');
    await rm(fileOf(`media/${missing}`));
    expect((await run(verifyFiles)).status).toBe('success');
    expect(await damageOf()).toEqual({
      damagedVid1: expect.stringContaining('files.changed'),
      missingVid1: expect.stringContaining('files.missing'),
    });
    // No copy was made.
    expect(await t.app.files.stat(damaged)).not.toBeNull();
    const verified = await t.app.db.selectFrom('video').select('verifiedAt').execute();
    expect(verified.every(({ verifiedAt }) => verifiedAt !== null)).toBe(true);
  });

  test('concludes nothing from a bucket that does not answer', async () => {
    await putVideo('goodVideo01');
    await s3.whileAway(async () => {
      expect(await problems()).toEqual([expect.stringContaining('The bucket could not be checked')]);
      expect((await run(verifyFiles)).status).toBe('failure');
      expect((await run(rescanFilesystem)).status).toBe('failure');
      expect(await markMissingFiles(t.app, t.app.db)).toBe(0);
    });
    expect(await damageOf()).toEqual({});
    expect(await problems()).toEqual([]);
  });

  test('concludes nothing from a list that ends with an error', async () => {
    await putVideo('goodVideo01');
    await putVideo('goodVideo02');
    const { list } = t.app.files;
    async function* cutOff(start: string) {
      for await (const one of list(start)) {
        yield one;
        throw new StorageError('the answer was cut off');
      }
    }
    await whileReplaced({ list: cutOff }, async () => {
      expect(await problems()).toEqual([expect.stringMatching(/could not be checked.*cut off/)]);
      expect((await run(rescanFilesystem)).status).toBe('failure');
      expect(await markMissingFiles(t.app, t.app.db)).toBe(0);
    });
    expect(await damageOf()).toEqual({});
  });

  test('stops reading when the bucket goes away, and marks nothing', async () => {
    await putVideo('goodVideo01');
    const away = () => Promise.reject(new StorageError('connect ECONNREFUSED'));
    await whileReplaced({ read: away }, async () => {
      // One object: the others may be readable.
      expect(await run(verifyFiles)).toMatchObject({ status: 'success', text: expect.stringContaining('ECONNREFUSED') });
    });
    let isAway = false;
    const { readMarker } = t.app.files;
    const goAway = () => {
      isAway = true;
      return away();
    };
    await whileReplaced({ read: goAway, readMarker: () => (isAway ? away() : readMarker()) }, async () => {
      expect(await run(verifyFiles)).toMatchObject({ status: 'failure', text: expect.stringContaining('verify-stopped') });
    });
    expect(await damageOf()).toEqual({});
    expect((await t.app.db.selectFrom('video').select('verifiedAt').execute())[0]!.verifiedAt).toBeNull();
  });

  test('a scan finds missing and returned objects, and reports unknown ones without adding them', async () => {
    const path = await putVideo('goneVideo01');
    await putObject(`media/${channelId}/abcdefghijk.mp4`, 'unknown');
    await rm(fileOf(`media/${path}`));
    const first = await run(rescanFilesystem);
    expect(first.text).toContain('files.unknown-object');
    expect(await damageOf()).toEqual({ goneVideo01: expect.stringContaining('files.missing') });
    expect(await t.app.db.selectFrom('video').select('id').execute()).toHaveLength(1);
    await putObject(`media/${path}`, 'film goneVideo01');
    await run(rescanFilesystem);
    expect(await damageOf()).toEqual({});
    await rm(fileOf(`media/${path}`));
    expect(await markMissingFiles(t.app, t.app.db)).toBe(1);
    await putObject(`media/${path}`, 'film goneVideo01');
    expect(await markMissingFiles(t.app, t.app.db)).toBe(0);
    expect(await damageOf()).toEqual({});
  });

  test('deletes the files of abandoned uploads only', async () => {
    const { db, files, now, runId } = t.app;
    const queued = await createQueueItem(db, { id: 'queuedVide1' });
    const { number } = await db.selectFrom('download').select('number').where('id', '=', queued).executeTakeFirstOrThrow();
    const upload = async (id: string, values: { runId?: string; age?: number; number?: number; manifest?: string }) => {
      const { age = 2 * day, ...others } = values;
      const paths = [`${channelId}/${id}.mp4`];
      await putObject(`media/${paths[0]}`, id);
      await db
        .insertInto('upload')
        .values({ id, number: 0, runId: 'dead', startedAt: now() - age, paths: JSON.stringify(paths), manifest: null, ...others })
        .execute();
    };
    await upload('abandoned', {});
    await upload('living', { runId });
    await upload('forgotten', { runId, age: 8 * day });
    await upload('young', { age: 3600 });
    await upload('finishable', { number, manifest: '{}' });
    await upload('unfinishable', { number: number + 99, manifest: '{}' });
    const left = async () => (await db.selectFrom('upload').select('id').orderBy('id').execute()).map(({ id }) => id);
    const objects = async () =>
      (await Array.fromAsync(files.list(`${channelId}/`))).map(({ path }) => path.replace(/^.*\/|\.mp4$/g, '')).sort();
    await s3.whileAway(() => removeAbandonedUploads(t.app));
    expect(await left()).toEqual(['finishable', 'living', 'young']);
    expect(await db.selectFrom('pendingDeletion').selectAll().execute()).toHaveLength(3);
    await removeAbandonedUploads(t.app);
    expect(await objects()).toHaveLength(6); // deleted by the hourly job
    await cleanBucket(t.app);
    expect(await objects()).toEqual(['finishable', 'living', 'young']);
    await removeAbandonedUploads(t.app, { olderThanSeconds: 0 });
    expect(await objects()).toEqual(['finishable', 'living']);
    expect(await db.selectFrom('pendingDeletion').selectAll().execute()).toEqual([]);
  });
});
