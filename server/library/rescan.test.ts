import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { aVideo, engines, testArchive } from '../testing.ts';
import { brokenPromises } from './invariants.ts';
import { rescanFilesystem } from './rescan.ts';

describe.each(engines)('what somebody did to the media folder by hand, on $engine', (on) => {
  let t: Awaited<ReturnType<typeof testArchive>>;
  beforeEach(async () => {
    t = await testArchive({ on, onDisk: true });
    await t.runner.begin();
  });
  afterEach(() => t.close());

  const media = (...path: string[]) => join(t.archive.config.mediaFolder, ...path);
  /** A video with its file in this folder. */
  async function there(id: string, folder = 'Channel', said: Parameters<typeof aVideo>[1] = {}) {
    await mkdir(media(folder), { recursive: true });
    await writeFile(media(folder, `${id}.mp4`), id);
    return aVideo(t.archive.db, { id, title: id, mediaPath: `${folder}/${id}.mp4`, sizeBytes: id.length, ...said });
  }
  async function rescan(input: { dry_run?: boolean } = {}) {
    const { id } = await t.archive.tasks.start(rescanFilesystem, {
      ignore_error: false,
      prefer_local: false,
      dry_run: false,
      ...input,
    });
    await t.runner.idle();
    const { status, result, messages } = await t.archive.db
      .selectFrom('task')
      .select(['status', 'result', 'messages'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    return { status, result, lines: (JSON.parse(messages) as string[]).slice(1) };
  }
  const rowOf = (id: string) =>
    t.archive.db.selectFrom('video').select(['mediaPath', 'damage']).where('id', '=', id).executeTakeFirstOrThrow();

  test('a folder that cannot be read is told, and the rest is looked at', async () => {
    await there('movingVid01');
    await mkdir(Buffer.concat([Buffer.from(`${media()}/`), Buffer.from('Caf\xe9', 'latin1')])); // no name that can be opened
    await mkdir(media('Zoo'));
    await rename(media('Channel', 'movingVid01.mp4'), media('Zoo', 'movingVid01.mp4'));
    const { status, result, lines } = await rescan();
    expect([status, result]).toEqual(['success', '1 files: 1 moved, 0 new, 0 missing, 0 changed.']);
    expect(lines).toContain('Caf\ufffd: The folder cannot be read (ENOENT).');
    expect(await rowOf('movingVid01')).toEqual({ mediaPath: 'Zoo/movingVid01.mp4', damage: null });
    const complaints = [];
    for await (const complaint of brokenPromises(t.archive)) complaints.push(complaint);
    expect(complaints).toEqual(['The folder Caf\ufffd cannot be read (ENOENT).']);
  });

  test('a file that nobody can get at is not called missing', async () => {
    await there('loopedVid01', 'Loop');
    await rm(media('Loop'), { recursive: true });
    await symlink('Loop', media('Loop'));
    const { result, lines } = await rescan();
    expect(result).toBe('0 files: 0 moved, 0 new, 0 missing, 0 changed.');
    expect(lines).toEqual(['loopedVid01: The file cannot be read (ELOOP).']);
    expect(await rowOf('loopedVid01')).toMatchObject({ damage: null });
  });

  test('what was found in a file is remembered when it moves, and that it changed on the way is seen', async () => {
    const bytes = 'The file is not what it was when it came: its bytes have changed.';
    await there('damagedVid1', 'Channel', { damage: bytes });
    await there('changedVid1');
    await there('missingVid1', 'Channel', { damage: 'The file is missing.' });
    await rename(media('Channel'), media('Elsewhere'));
    await writeFile(media('Elsewhere', 'changedVid1.mp4'), 'longer than it was');
    const dry = await rescan({ dry_run: true });
    expect((await rescan()).result).toBe('3 files: 3 moved, 0 new, 0 missing, 1 changed.');
    expect(dry.result).toBe('3 files: 3 moved, 0 new, 0 missing, 1 changed. Nothing was changed.');
    expect(await rowOf('damagedVid1')).toEqual({ mediaPath: 'Elsewhere/damagedVid1.mp4', damage: bytes });
    expect((await rowOf('changedVid1')).damage).toBe('The file has 18 bytes, not 11 as when it came.');
    expect((await rowOf('missingVid1')).damage).toBeNull();
  });

  test('of two copies of one that moved the first is followed, and a dry run counts as a real one', async () => {
    await there('doubledVid1');
    await mkdir(media('A'));
    await rename(media('Channel'), media('B'));
    await writeFile(media('A', 'doubledVid1.mp4'), 'doubledVid1');
    const dry = await rescan({ dry_run: true });
    const real = await rescan();
    expect(real.result).toBe('2 files: 1 moved, 0 new, 0 missing, 0 changed.');
    expect(dry.result).toBe(`${real.result} Nothing was changed.`);
    expect(dry.lines).toEqual(real.lines);
  });

  test('one that was given a name with its id in brackets is followed', async () => {
    await there('renamedVid1');
    await rename(media('Channel', 'renamedVid1.mp4'), media('Channel', 'A title [renamedVid1].mp4'));
    expect((await rescan()).result).toBe('1 files: 1 moved, 0 new, 0 missing, 0 changed.');
    expect(await rowOf('renamedVid1')).toEqual({ mediaPath: 'Channel/A title [renamedVid1].mp4', damage: null });
  });

  test('a file that nobody has read yet, as after a restore from elsewhere, is taken as it is', async () => {
    await there('restoredVi1', 'Channel', { sha256: '', sizeBytes: 4711, damage: 'The file is missing.' });
    expect((await rescan()).result).toBe('1 files: 0 moved, 0 new, 0 missing, 0 changed.');
    expect(await rowOf('restoredVi1')).toMatchObject({ damage: null });
    const complaints = [];
    for await (const complaint of brokenPromises(t.archive)) complaints.push(complaint);
    expect(complaints).toEqual([]);
  });

  test.each(['#recycle', '@Recycle', '@Recently-Snapshot', '#snapshot'])(
    'what network storage keeps in %s of deleted and earlier files is not followed',
    async (folder) => {
      await there('deletedVid1');
      await mkdir(media(folder));
      await rename(media('Channel', 'deletedVid1.mp4'), media(folder, 'deletedVid1.mp4'));
      expect((await rescan()).result).toBe('0 files: 0 moved, 0 new, 1 missing, 0 changed.');
    },
  );
});
