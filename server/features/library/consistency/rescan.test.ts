import { message } from '#contract/messages.ts';
import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { missingFileDamage } from '../../../archive/video/store.ts';
import type { Report } from '../../../platform/context/task.ts';
import { renderMessages } from '../../../platform/messages/render.ts';
import { parseMessages, storeMessages } from '../../../platform/messages/stored.ts';
import { createVideo, engines, testApp } from '../../../test-support/app.ts';
import { findInconsistencies } from './check.ts';
import { rescanFilesystem } from './rescan.ts';

describe.each(engines)('manual changes in the media folder, on $engine', (on) => {
  let t: Awaited<ReturnType<typeof testApp>>;
  beforeEach(async () => {
    t = await testApp({ on, onDisk: true });
    await t.runner.begin();
  });
  afterEach(() => t.close());

  const media = (...path: string[]) => join(t.app.config.mediaFolder, ...path);
  /** Creates a video with a media file in this folder. */
  async function createVideoWithFile(id: string, folder = 'Channel', values: Parameters<typeof createVideo>[1] = {}) {
    await mkdir(media(folder), { recursive: true });
    await writeFile(media(folder, `${id}.mp4`), id);
    return createVideo(t.app.db, { id, title: id, mediaPath: `${folder}/${id}.mp4`, sizeBytes: id.length, ...values });
  }
  async function rescan(input: { dry_run?: boolean } = {}) {
    const { id } = await t.app.tasks.start(rescanFilesystem, {
      ignore_error: false,
      prefer_local: false,
      dry_run: false,
      ...input,
    });
    await t.runner.idle();
    const { status, result, messages } = await t.app.db
      .selectFrom('task')
      .select(['status', 'result', 'messages'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    return {
      status,
      result: result && renderMessages(parseMessages(result)),
      lines: (JSON.parse(messages) as Report).messages.slice(1).map(renderMessages),
    };
  }
  const rowOf = (id: string) =>
    t.app.db.selectFrom('video').select(['mediaPath', 'damage']).where('id', '=', id).executeTakeFirstOrThrow();

  test('finds left downloads of all servers, and accepts their folders', async () => {
    for (const folder of ['12', 'node-attic/34', 'node-empty']) await mkdir(media('.incoming', folder), { recursive: true });
    const problems = [];
    for await (const problem of findInconsistencies(t.app)) problems.push(renderMessages(problem));
    expect(problems.sort()).toEqual(['.incoming/12 belongs to no download.', '.incoming/node-attic/34 belongs to no download.']);
  });

  test('reports an unreadable folder, and scans the others', async () => {
    await createVideoWithFile('movingVid01');
    await mkdir(Buffer.concat([Buffer.from(`${media()}/`), Buffer.from('Caf\xe9', 'latin1')])); // not UTF-8, so it cannot be opened
    await mkdir(media('Zoo'));
    await rename(media('Channel', 'movingVid01.mp4'), media('Zoo', 'movingVid01.mp4'));
    const { status, result, lines } = await rescan();
    expect([status, result]).toEqual(['success', '1 file: 1 moved, 0 new, 0 missing, 0 changed.']);
    expect(lines).toContain('Caf\ufffd: The folder cannot be read (ENOENT).');
    expect(await rowOf('movingVid01')).toEqual({ mediaPath: 'Zoo/movingVid01.mp4', damage: null });
    const problems = [];
    for await (const problem of findInconsistencies(t.app)) problems.push(renderMessages(problem));
    expect(problems).toEqual([renderMessages(message('disk.unreadable', { folder: 'Caf\ufffd', why: 'ENOENT' }))]);
  });

  test('does not mark an inaccessible file as missing', async () => {
    await createVideoWithFile('loopedVid01', 'Loop');
    await rm(media('Loop'), { recursive: true });
    await symlink('Loop', media('Loop'));
    const { result, lines } = await rescan();
    expect(result).toBe('0 files: 0 moved, 0 new, 0 missing, 0 changed.');
    expect(lines).toEqual(['loopedVid01: The file cannot be read (ELOOP).']);
    expect(await rowOf('loopedVid01')).toMatchObject({ damage: null });
  });

  test('keeps verification results of a moved file, and detects that it changed', async () => {
    const bytes = storeMessages(message('files.changed'));
    await createVideoWithFile('damagedVid1', 'Channel', { damage: bytes });
    await createVideoWithFile('changedVid1');
    await createVideoWithFile('missingVid1', 'Channel', { damage: missingFileDamage });
    await rename(media('Channel'), media('Elsewhere'));
    await writeFile(media('Elsewhere', 'changedVid1.mp4'), 'longer than it was');
    const dry = await rescan({ dry_run: true });
    expect((await rescan()).result).toBe('3 files: 3 moved, 0 new, 0 missing, 1 changed.');
    expect(dry.result).toBe('3 files: 3 moved, 0 new, 0 missing, 1 changed. Nothing was changed (dry run).');
    expect(await rowOf('damagedVid1')).toEqual({ mediaPath: 'Elsewhere/damagedVid1.mp4', damage: bytes });
    expect((await rowOf('changedVid1')).damage).toBe(storeMessages(message('files.size', { bytes: 18, before: 11 })));
    expect((await rowOf('missingVid1')).damage).toBeNull();
  });

  test('follows the first of two moved copies, also in a dry run', async () => {
    await createVideoWithFile('doubledVid1');
    await mkdir(media('A'));
    await rename(media('Channel'), media('B'));
    await writeFile(media('A', 'doubledVid1.mp4'), 'doubledVid1');
    const dry = await rescan({ dry_run: true });
    const actual = await rescan();
    expect(actual.result).toBe('2 files: 1 moved, 0 new, 0 missing, 0 changed.');
    expect(dry.result).toBe(`${actual.result} Nothing was changed (dry run).`);
    expect(dry.lines).toEqual(actual.lines);
  });

  test('follows a file that got a name with its id in brackets', async () => {
    await createVideoWithFile('renamedVid1');
    await rename(media('Channel', 'renamedVid1.mp4'), media('Channel', 'A title [renamedVid1].mp4'));
    expect((await rescan()).result).toBe('1 file: 1 moved, 0 new, 0 missing, 0 changed.');
    expect(await rowOf('renamedVid1')).toEqual({ mediaPath: 'Channel/A title [renamedVid1].mp4', damage: null });
  });

  test('accepts a file that was not verified yet, as after a restore', async () => {
    await createVideoWithFile('restoredVi1', 'Channel', { sha256: '', sizeBytes: 4711, damage: missingFileDamage });
    expect((await rescan()).result).toBe('1 file: 0 moved, 0 new, 0 missing, 0 changed.');
    expect(await rowOf('restoredVi1')).toMatchObject({ damage: null });
    const problems = [];
    for await (const problem of findInconsistencies(t.app)) problems.push(renderMessages(problem));
    expect(problems).toEqual([]);
  });

  test.each(['#recycle', '@Recycle', '@Recently-Snapshot', '#snapshot'])(
    'does not follow copies that network storage keeps in %s',
    async (folder) => {
      await createVideoWithFile('deletedVid1');
      await mkdir(media(folder));
      await rename(media('Channel', 'deletedVid1.mp4'), media(folder, 'deletedVid1.mp4'));
      expect((await rescan()).result).toBe('0 files: 0 moved, 0 new, 1 missing, 0 changed.');
    },
  );
});
