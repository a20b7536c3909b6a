import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { restoreBackup } from '#server/backup/restore-backup.ts';
import { listBackups } from '#server/backup/folder.ts';
import { runBackup } from '#server/backup/run-backup.ts';
import { importFolder } from '#server/data-folder.ts';
import { addExactly, type PlainRow } from '#server/db/copy.ts';
import { recoverIncoming } from '#server/download/recover.ts';
import { importAll } from '#server/library/import-folder.ts';
import { ImportInput } from '#server/library/importing.ts';
import { exists, incomingFolder } from '#server/media/shelf.ts';
import { aChannel as aChannelRow, aQueueItem, aUser, aVideo as aVideoRow, engines, testArchive } from '#server/testing.ts';
import { aCatalogue, aChannel, aVideo } from '#standin/builders.ts';
import { add, anArchiveWith, complaints, eventually, hasTools, queueOf, videoOf } from './acquiring.ts';
import { done } from './backups.ts';
import { channel, infoOf, importTools } from './importing.ts';

// Finished downloads that wait for the shelf, and a database that was gone back to since: its numbers are others’.

describe.runIf(hasTools).each(engines)('what waits for the shelf when a database was gone back to, on $engine', (on) => {
  let t: Awaited<ReturnType<typeof testArchive>>;
  let staff: Awaited<ReturnType<typeof aUser>>;
  let shop: Awaited<ReturnType<typeof importTools>>;
  const id = 'offlineVid1';
  const shelved = () => join(t.archive.config.mediaFolder, channel.id, `${id}.mp4`);
  const waiting = () => readdir(incomingFolder(t.archive.config.mediaFolder));
  const queued = () => t.archive.db.selectFrom('download').select(['number', 'id', 'failure']).orderBy('number').execute();
  const archived = async () =>
    ((await staff.call('GET', '/api/video/')).json() as { data: { youtube_id: string }[] }).data.map((one) => one.youtube_id);

  beforeAll(async () => {
    shop = await importTools();
  });
  afterAll(() => shop.remove());
  /** Something else stands at the name of what comes in, so that it waits for the shelf. */
  beforeEach(async () => {
    t = await testArchive({ on, onDisk: true, withTools: true });
    t.archive.tools.ytdlp = null; // nothing here needs a site
    staff = await aUser(t, { isStaff: true });
    const folder = importFolder(t.archive.config);
    await copyFile(shop.at('whole.mp4'), join(folder, `A title [${id}].mp4`));
    await writeFile(join(folder, `A title [${id}].info.json`), infoOf(id));
    await mkdir(dirname(shelved()), { recursive: true });
    await writeFile(shelved(), 'of somebody else');
    await bringIn();
    expect(await waiting()).toEqual(['1']);
    expect(await queued()).toMatchObject([{ number: 1, id }]);
  });
  afterEach(() => t.close());
  const bringIn = () => {
    const { signal } = new AbortController();
    const nothing = () => {};
    const input = ImportInput.parse({ prefer_local: true });
    return importAll(t.archive, { id: 'work', input, againSince: null, signal, report: nothing, note: nothing, skip: nothing });
  };

  async function backUp() {
    expect((await done(t, t.archive.tasks.start(runBackup, { reason: 'manual' }))).status).toBe('success');
    return (await listBackups(t.archive))[0]!.filename;
  }
  async function restore(filename: string) {
    const { status, result } = await done(
      t,
      t.archive.tasks.start(restoreBackup, { filename, dry_run: false, watched_for: 'me' }),
    );
    expect(status, result ?? '').toBe('success');
    return result;
  }

  test('is not taken for the video that has its number now, and comes to the shelf when it can', async () => {
    const [row] = await t.archive.db.selectFrom('download').selectAll().execute();
    await t.archive.db.deleteFrom('download').execute();
    const other = { ...row!, id: 'otherVideo1', siteId: 'otherVideo1', title: 'Another one', failure: null, message: null };
    const next = { ...other, number: 2, id: 'secondVid01', siteId: 'secondVid01' };
    await addExactly(t.archive.db, 'download', [other, next] as unknown as PlainRow[]);
    await recoverIncoming(t.archive);
    expect(await queued()).toMatchObject([
      { number: 1, id: 'otherVideo1', failure: null },
      { number: 2, id: 'secondVid01', failure: null },
    ]);
    expect(await waiting()).toEqual(['3']);
    await aQueueItem(t.archive.db, { id: 'laterVideo1' });
    expect((await queued())[2]).toMatchObject({ id: 'laterVideo1', number: expect.toSatisfy((number: number) => number > 3) });
    await rm(shelved());
    await recoverIncoming(t.archive);
    expect(await archived()).toEqual([id]);
    expect(await queued()).toMatchObject([{ id: 'otherVideo1' }, { id: 'secondVid01' }, { id: 'laterVideo1' }]);
    expect(await waiting()).toEqual([]);
  });

  test('keeps its number from what comes later, also where the queue that came back was empty', async () => {
    await t.archive.db.deleteFrom('download').execute();
    await t.runner.begin();
    await restore(await backUp());
    await aQueueItem(t.archive.db, { id: 'laterVideo1' });
    expect((await queued())[0]!.number).toBeGreaterThan(1);
  });

  test('goes where its video is there already, which stays as it is', async () => {
    await recoverIncoming(t.archive);
    expect(await waiting()).toEqual(['1']); // nobody knows what stands there
    const { length: sizeBytes } = await readFile(shelved());
    await aChannelRow(t.archive.db, { id: channel.id });
    await aVideoRow(t.archive.db, { id, channelId: channel.id, mediaPath: `${channel.id}/${id}.mp4`, sizeBytes });
    await recoverIncoming(t.archive);
    expect(await waiting()).toEqual([]);
    expect(await readFile(shelved(), 'utf8')).toBe('of somebody else');
    expect(await archived()).toEqual([id]);
  });

  test('what was deleted since has its file again at once, and what came since is told to be on the shelf', async () => {
    await t.runner.begin();
    const before = await backUp();
    await rm(shelved());
    await recoverIncoming(t.archive);
    const after = await backUp();
    expect((await staff.call('DELETE', `/api/video/${id}/`)).statusCode).toBe(204);
    await eventually(async () => !(await exists(shelved())));
    expect(await restore(after)).not.toMatch(/without a file|not in it/);
    expect(await readFile(shelved())).toEqual(await readFile(shop.at('whole.mp4')));
    expect(await complaints(t)).toEqual([]);
    expect(await restore(before)).toContain('not in it: 1; their files stay on the shelf');
    expect(await archived()).toEqual([]);
    expect(await exists(shelved())).toBe(true);
  });
});

test.runIf(hasTools)(
  'what stands on the shelf, and the archive that was gone back to does not know, is not fetched in vain',
  async () => {
    const wanted = aVideo({ id: 'standsThere', channelId: channel.id, durationSeconds: 3 });
    const t = await anArchiveWith(aCatalogue({ channels: [aChannel({ id: channel.id })], videos: [wanted] }));
    try {
      await add(t, wanted.id);
      expect(await videoOf(t, wanted.id)).toMatchObject({ youtube_id: wanted.id });
      await t.archive.db.deleteFrom('video').execute();
      t.standin.requests.length = 0;
      await add(t, wanted.id);
      expect(await queueOf(t)).toMatchObject([
        { youtube_id: wanted.id, message: expect.stringMatching(/Another file stands at .*standsThere\.mp4 already.*rescan/) },
      ]);
      expect(t.standin.requests.filter(({ path }) => path.startsWith('/videoplayback'))).toEqual([]);
      await t.staff.call('POST', '/api/appsettings/rescan-filesystem/', {});
      await t.runner.idle();
      expect(await videoOf(t, wanted.id)).toMatchObject({ youtube_id: wanted.id });
      expect(await queueOf(t)).toEqual([]);
    } finally {
      await t.close();
    }
  },
);
