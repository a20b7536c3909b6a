import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { restoreBackup } from '#server/features/backup/restore-backup.ts';
import { listBackups } from '#server/features/backup/files/backup-files.ts';
import { runBackup } from '#server/features/backup/run-backup.ts';
import { importFolder } from '#server/platform/config/data-folder.ts';
import { insertExactly, type PlainRow } from '#server/platform/db/copy/bulk-copy.ts';
import { recoverDownloads } from '#server/archive/publish/recover.ts';
import { importFolderContents } from '#server/features/library/import/import-folder.ts';
import { ImportInput } from '#server/features/library/import/context.ts';
import { exists, workFolder } from '#server/platform/files/files.ts';
import {
  createChannel as aChannelRow,
  createQueueItem,
  createUser,
  createVideo as aVideoRow,
  engines,
  testApp,
} from '#server/test-support/app.ts';
import { aCatalogue, aChannel, aVideo } from '../../test-site/builders.ts';
import { add, createArchive, inconsistencies, eventually, hasTools, queueOf, videoOf } from '../support/acquisition.ts';
import { done } from '../support/backups.ts';
import { channel, infoOf, createImportSources } from '../support/importing.ts';

// Finished downloads that cannot be published yet, while the database was restored to an older state that uses their numbers for
// other videos.

describe.runIf(hasTools).each(engines)('unfinished downloads after a database was rolled back, on $engine', (on) => {
  let t: Awaited<ReturnType<typeof testApp>>;
  let staff: Awaited<ReturnType<typeof createUser>>;
  let sources: Awaited<ReturnType<typeof createImportSources>>;
  const id = 'offlineVid1';
  const publishedPath = () => join(t.app.config.mediaFolder, channel.id, `${id}.mp4`);
  const unpublished = () => readdir(workFolder(t.app.config));
  const queued = () => t.app.db.selectFrom('download').select(['number', 'id', 'failure']).orderBy('number').execute();
  const archived = async () =>
    ((await staff.call('GET', '/api/video/')).json() as { data: { youtube_id: string }[] }).data.map((one) => one.youtube_id);

  beforeAll(async () => {
    sources = await createImportSources();
  });
  afterAll(() => sources.remove());
  /** A foreign file has the name of the imported video, so the video cannot be published. */
  beforeEach(async () => {
    t = await testApp({ on, onDisk: true, withTools: true });
    t.app.tools.ytdlp = null; // not needed here
    staff = await createUser(t, { isStaff: true });
    const folder = importFolder(t.app.config);
    await copyFile(sources.at('whole.mp4'), join(folder, `A title [${id}].mp4`));
    await writeFile(join(folder, `A title [${id}].info.json`), infoOf(id));
    await mkdir(dirname(publishedPath()), { recursive: true });
    await writeFile(publishedPath(), 'of somebody else');
    await runImport();
    expect(await unpublished()).toEqual(['1']);
    expect(await queued()).toMatchObject([{ number: 1, id }]);
  });
  afterEach(() => t.close());
  const runImport = () => {
    const { signal } = new AbortController();
    const noop = () => {};
    const input = ImportInput.parse({ prefer_local: true });
    return importFolderContents(t.app, {
      id: 'work',
      input,
      againSince: null,
      signal,
      report: noop,
      note: noop,
      skip: noop,
    });
  };

  async function createBackup() {
    expect((await done(t, t.app.tasks.start(runBackup, { reason: 'manual' }))).status).toBe('success');
    return (await listBackups(t.app))[0]!.filename;
  }
  async function restore(filename: string) {
    const { status, result } = await done(
      t,
      t.app.tasks.start(restoreBackup, { filename, dry_run: false, watched_for: 'me', accounts: 'stay' }),
    );
    expect(status, result ?? '').toBe('success');
    return result;
  }

  test('is not mistaken for the video that has its number now, and is published when possible', async () => {
    const [row] = await t.app.db.selectFrom('download').selectAll().execute();
    await t.app.db.deleteFrom('download').execute();
    const other = { ...row!, id: 'otherVideo1', siteId: 'otherVideo1', title: 'Another one', failure: null, message: null };
    const next = { ...other, number: 2, id: 'secondVid01', siteId: 'secondVid01' };
    await insertExactly(t.app.db, 'download', [other, next] as unknown as PlainRow[]);
    await recoverDownloads(t.app);
    expect(await queued()).toMatchObject([
      { number: 1, id: 'otherVideo1', failure: null },
      { number: 2, id: 'secondVid01', failure: null },
    ]);
    expect(await unpublished()).toEqual(['3']);
    await createQueueItem(t.app.db, { id: 'laterVideo1' });
    expect((await queued())[2]).toMatchObject({ id: 'laterVideo1', number: expect.toSatisfy((number: number) => number > 3) });
    await rm(publishedPath());
    await recoverDownloads(t.app);
    expect(await archived()).toEqual([id]);
    expect(await queued()).toMatchObject([{ id: 'otherVideo1' }, { id: 'secondVid01' }, { id: 'laterVideo1' }]);
    expect(await unpublished()).toEqual([]);
  });

  test('keeps its number, also if the restored queue was empty', async () => {
    await t.app.db.deleteFrom('download').execute();
    await t.runner.begin();
    await restore(await createBackup());
    await createQueueItem(t.app.db, { id: 'laterVideo1' });
    expect((await queued())[0]!.number).toBeGreaterThan(1);
  });

  test('is not published over an existing video', async () => {
    await recoverDownloads(t.app);
    expect(await unpublished()).toEqual(['1']); // the existing file is unknown
    const { length: sizeBytes } = await readFile(publishedPath());
    await aChannelRow(t.app.db, { id: channel.id });
    await aVideoRow(t.app.db, { id, channelId: channel.id, mediaPath: `${channel.id}/${id}.mp4`, sizeBytes });
    await recoverDownloads(t.app);
    expect(await unpublished()).toEqual([]);
    expect(await readFile(publishedPath(), 'utf8')).toBe('of somebody else');
    expect(await archived()).toEqual([id]);
  });

  test('restores files of videos deleted since, and reports newer videos as already on disk', async () => {
    await t.runner.begin();
    const before = await createBackup();
    await rm(publishedPath());
    await recoverDownloads(t.app);
    const after = await createBackup();
    expect((await staff.call('DELETE', `/api/video/${id}/`)).statusCode).toBe(204);
    await eventually(async () => !(await exists(publishedPath())));
    expect(await restore(after)).not.toMatch(/without a file|not in it/);
    expect(await readFile(publishedPath())).toEqual(await readFile(sources.at('whole.mp4')));
    expect(await inconsistencies(t)).toEqual([]);
    expect(await restore(before)).toContain('1 current video is not in the backup. Its file stays in the media folder');
    expect(await archived()).toEqual([]);
    expect(await exists(publishedPath())).toBe(true);
  });
});

test.runIf(hasTools)('does not download a video whose files exist on disk but not in the restored database', async () => {
  const wanted = aVideo({ id: 'standsThere', channelId: channel.id, durationSeconds: 3 });
  const t = await createArchive(aCatalogue({ channels: [aChannel({ id: channel.id })], videos: [wanted] }));
  try {
    await add(t, wanted.id);
    expect(await videoOf(t, wanted.id)).toMatchObject({ youtube_id: wanted.id });
    await t.app.db.deleteFrom('video').execute();
    t.testSite.requests.length = 0;
    await add(t, wanted.id);
    expect(await queueOf(t)).toMatchObject([
      { youtube_id: wanted.id, message: expect.stringMatching(/Another file already exists at .*standsThere\.mp4\..*Rescan/) },
    ]);
    expect(t.testSite.requests.filter(({ path }) => path.startsWith('/videoplayback'))).toEqual([]);
    await t.staff.call('POST', '/api/appsettings/rescan-filesystem/', {});
    await t.runner.idle();
    expect(await videoOf(t, wanted.id)).toMatchObject({ youtube_id: wanted.id });
    expect(await queueOf(t)).toEqual([]);
  } finally {
    await t.close();
  }
});
