import type { Message } from '#contract/messages.ts';
import { messagesOf } from '#server/platform/messages/message-error.ts';
import { renderMessages } from '#server/platform/messages/render.ts';
import type { Report } from '#server/platform/context/task.ts';
import { copyFile, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { importFolder } from '#server/platform/config/data-folder.ts';
import { recoverDownloads } from '#server/archive/publish/recover.ts';
import { importFolderContents } from '#server/features/library/import/import-folder.ts';
import { ImportInput } from '#server/features/library/import/context.ts';
import { missingFileDamage } from '#server/archive/video/store.ts';
import { workFolder } from '#server/platform/files/files.ts';
import { createQueueItem, createUser, testApp } from '#server/test-support/app.ts';
import { inconsistencies, hasTools } from '../support/acquisition.ts';
import { channel, infoOf, makeReadOnly, namesIn, createImportSources } from '../support/importing.ts';

describe.runIf(hasTools)('an interrupted import', () => {
  let t: Awaited<ReturnType<typeof testApp>>;
  let staff: Awaited<ReturnType<typeof createUser>>;
  let sources: Awaited<ReturnType<typeof createImportSources>>;
  let folder: string;
  const id = 'offlineVid1';
  const input = ImportInput.parse({ prefer_local: true });
  const createTask = (signal = new AbortController().signal) => {
    const skipped: string[] = [];
    const skip = (what: string, reason: Message | Message[] | Error) =>
      void skipped.push(`${what}: ${renderMessages(reason instanceof Error ? messagesOf(reason) : reason)}`);
    return { id: 'work', input, againSince: null, signal, report: () => {}, note: () => {}, skip, skipped };
  };
  const publishedPath = () => join(t.app.config.mediaFolder, channel.id, `${id}.mp4`);
  const originals = [`A title [${id}].info.json`, `A title [${id}].mp4`];
  const incoming = () => readdir(workFolder(t.app.config));
  async function expectCompleteImport() {
    expect(await namesIn(folder)).toEqual([]);
    expect(await readFile(publishedPath())).toEqual(await readFile(sources.at('whole.mp4')));
    expect((await staff.call('GET', '/api/video/')).json().data).toMatchObject([{ youtube_id: id }]);
    expect(await incoming()).toEqual([]);
    expect(await inconsistencies(t)).toEqual([]);
  }

  beforeAll(async () => {
    sources = await createImportSources();
  });
  afterAll(() => sources.remove());
  beforeEach(async () => {
    t = await testApp({ withTools: true });
    t.app.tools.ytdlp = null; // not needed here
    staff = await createUser(t, { isStaff: true });
    folder = importFolder(t.app.config);
    await copyFile(sources.at('whole.mp4'), join(folder, `A title [${id}].mp4`));
    await writeFile(join(folder, `A title [${id}].info.json`), infoOf(id));
  });
  afterEach(() => t.close());

  test('deletes the remaining originals in the next run, and nothing else', async () => {
    const stop = new AbortController();
    const announce: typeof t.app.announce = (...topics) => {
      if (topics.includes('video')) stop.abort(new Error('killed')); // the last step of publishing
    };
    await expect(importFolderContents({ ...t.app, announce }, createTask(stop.signal))).rejects.toThrow('killed');
    expect(await namesIn(folder)).toEqual(originals);
    expect((await stat(publishedPath())).ino).toBe((await stat(join(folder, originals[1]!))).ino); // linked, not copied
    expect(await inconsistencies(t)).toEqual([]);
    expect(renderMessages(await importFolderContents(t.app, createTask()))).toBe('The import folder is empty.');
    await expectCompleteImport();
  });

  test('leaves queue, library and folder unchanged before the manifest', async () => {
    const stop = new AbortController();
    const task = { ...createTask(stop.signal), report: ({ messages }: Report) => messages.some(({ id }) => id === 'import.running') && stop.abort(new Error('killed')) }; // prettier-ignore
    await expect(importFolderContents(t.app, { ...task, report: (now) => void task.report(now) })).rejects.toThrow('killed');
    expect(await namesIn(folder)).toEqual(originals);
    expect(await incoming()).toEqual([]);
    expect(await t.app.db.selectFrom('download').selectAll().execute()).toEqual([]);
    await importFolderContents(t.app, createTask());
    await expectCompleteImport();
  });

  test('starts again in the same folder after a kill during the copy', async () => {
    await createQueueItem(t.app.db, { id, failure: 'unknown', message: 'Its file is being brought in.' });
    const { number } = await t.app.db.selectFrom('download').select('number').executeTakeFirstOrThrow();
    const itemFolder = join(workFolder(t.app.config), String(number));
    await mkdir(itemFolder);
    await writeFile(join(itemFolder, 'media.mp4'), 'half of a copy');
    await recoverDownloads(t.app);
    await importFolderContents(t.app, createTask());
    await expectCompleteImport();
  });

  test.each(['the next import', 'the next start'])('is completed after the manifest by %s', async (completedBy) => {
    await mkdir(dirname(publishedPath()), { recursive: true });
    await writeFile(publishedPath(), 'of somebody else');
    const task = createTask();
    expect(renderMessages(await importFolderContents(t.app, task))).toBe('Imported 0 videos. 1 file was left in place.');
    expect(task.skipped).toEqual([expect.stringMatching(/Another file already exists at .*offlineVid1\.mp4\./)]);
    expect(await namesIn(folder)).toEqual(originals);
    expect(await readFile(publishedPath(), 'utf8')).toBe('of somebody else');
    await rm(publishedPath());
    if (completedBy === 'the next start') await recoverDownloads(t.app);
    await importFolderContents(t.app, createTask());
    await expectCompleteImport();
  });

  test('does not delete a file that replaced an original', async () => {
    const stop = new AbortController();
    const announce: typeof t.app.announce = (...topics) => topics.includes('video') && stop.abort(new Error('killed'));
    await expect(importFolderContents({ ...t.app, announce }, createTask(stop.signal))).rejects.toThrow('killed');
    await rm(join(folder, originals[1]!));
    await writeFile(join(folder, originals[1]!), 'another film');
    await importFolderContents(t.app, createTask());
    expect(await namesIn(folder)).toEqual([originals[1]]);
    expect(await inconsistencies(t)).toEqual([]);
  });

  test('uses metadata embedded in an MKV', async () => {
    await copyFile(sources.at('inside.mkv'), join(folder, 'No name at all.mkv'));
    expect(renderMessages(await importFolderContents(t.app, createTask()))).toBe('Imported 2 videos.');
    expect((await staff.call('GET', '/api/video/insideVide1/')).json()).toMatchObject({
      title: 'Told by itself',
      media_url: `/youtube/${channel.id}/insideVide1.mp4`,
    });
    const infoFile = join(dirname(publishedPath()), 'insideVide1.info.json');
    expect(await readFile(infoFile)).toEqual(await readFile(sources.at('info.json')));
    expect(await namesIn(folder)).toEqual([]);
    expect(await inconsistencies(t)).toEqual([]);
  });

  test('does not import a video that is being downloaded', async () => {
    await createQueueItem(t.app.db, { id });
    await t.app.db
      .updateTable('download')
      .set({ leasedBy: 'somebody', leaseUntil: t.app.now() + 60 })
      .execute();
    const task = createTask();
    await importFolderContents(t.app, task);
    expect(task.skipped).toEqual([`A title [${id}].mp4: It is being downloaded right now.`]);
    await t.app.db.updateTable('download').set({ leaseUntil: 0 }).execute();
    await importFolderContents(t.app, createTask());
    await expectCompleteImport();
  });

  test('adds the file of a video without one, and keeps its other data', async () => {
    await importFolderContents(t.app, createTask());
    await t.app.db
      .insertInto('subtitle')
      .values({ videoId: id, lang: 'en', source: 'user', name: 'English', path: `${channel.id}/${id}.en.vtt` })
      .execute();
    await writeFile(join(dirname(publishedPath()), `${id}.en.vtt`), 'WEBVTT\n');
    await t.app.db.updateTable('video').set({ downloadedAt: 1_234_567_890, damage: missingFileDamage }).execute();
    await rm(publishedPath());
    await copyFile(sources.at('whole.mp4'), join(folder, `A title [${id}].mp4`));
    await writeFile(join(folder, `A title [${id}].info.json`), infoOf(id));
    const dryRun = { ...createTask(), input: { ...input, dry_run: true } };
    expect(renderMessages(await importFolderContents(t.app, dryRun))).toMatch(/^Would import 1 video/);
    expect(renderMessages(await importFolderContents(t.app, createTask()))).toBe('Imported 1 video.');
    await expectCompleteImport();
    const video = (await staff.call('GET', `/api/video/${id}/`)).json();
    expect(video).toMatchObject({ date_downloaded: 1_234_567_890, subtitles: [{ lang: 'en' }] });
    expect(video).not.toHaveProperty('damage');
  });

  test('reports where the file of a video without metadata belongs', async () => {
    await importFolderContents(t.app, createTask());
    await rm(publishedPath());
    await copyFile(sources.at('whole.mp4'), join(folder, `A title [${id}].mp4`));
    const task = createTask();
    await importFolderContents(t.app, task);
    expect(task.skipped).toEqual([
      expect.stringMatching(
        new RegExp(
          `its file is missing\\. Move the file to ${channel.id}/${id}\\.mp4 in the media folder, then run “Rescan filesystem” in Settings → Actions\\.$`,
        ),
      ),
    ]);
    await rename(join(folder, `A title [${id}].mp4`), publishedPath());
    await expectCompleteImport();
  });

  test('imports from a read-only folder, and reports that nothing can be deleted', async (context) => {
    const makeWritable = await makeReadOnly(folder);
    if (!makeWritable) return context.skip('this system does not let a folder be made read-only');
    try {
      const task = createTask();
      expect(renderMessages(await importFolderContents(t.app, task))).toBe('Imported 1 video.');
      expect(task.skipped).toEqual([
        expect.stringMatching(/The video was imported, but the file cannot be deleted .*\((EROFS|EACCES)\)\.$/),
      ]);
      expect(renderMessages(await importFolderContents(t.app, createTask()))).toBe(
        'Imported 0 videos. 1 video is already in the archive.',
      );
      expect(await inconsistencies(t)).toEqual([]);
    } finally {
      await makeWritable();
    }
    await importFolderContents(t.app, createTask());
    await expectCompleteImport();
  });
});
