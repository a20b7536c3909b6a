import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { recoverDownloads } from '#server/archive/publish/recover.ts';
import { fingerprint, workFolder } from '#server/platform/files/files.ts';
import { importFolder } from '#server/platform/config/data-folder.ts';
import { startS3, versitygwPath } from '#server/test-support/s3.ts';
import { aCatalogue, aChannel, aVideo, cuesFrom } from '../../test-site/builders.ts';
import { add, createArchive, hasTools, queueOf, videoOf, type TestSiteArchive } from '../support/acquisition.ts';

const channel = aChannel({ name: 'In the bucket' });
const subtitle = (text: string) => ({ language: 'en', name: 'English', automatic: false, cues: cuesFrom([text], 4) });
const video = (id: string, title: string) =>
  aVideo({ id, channelId: channel.id, title, durationSeconds: 4, subtitles: [subtitle('Mind the gap')] });
const videos = [
  video('bucketVid01', 'First'),
  video('bucketVid02', 'Cut off'),
  video('bucketVid03', 'Left behind'),
  video('bucketVid04', 'Given up'),
  video('bucketVid05', 'Twice'),
];

describe.runIf(hasTools && versitygwPath)('an archive with its media in a bucket', () => {
  let s3: Awaited<ReturnType<typeof startS3>>;
  let t: TestSiteArchive;
  beforeAll(async () => {
    s3 = await startS3();
    t = await createArchive(aCatalogue({ channels: [channel], videos }), { env: s3.env });
    await t.staff.call('POST', '/api/appsettings/config/', { downloads: { subtitle: 'all', subtitle_index: true } });
    await t.runner.idle();
  });
  afterAll(async () => {
    await t.close();
    await s3.stop();
  });
  const objects = async (id: string) =>
    (await readdir(join(s3.folder, 'media', channel.id)).catch(() => [])).filter((name) => name.startsWith(id)).sort();
  const rowOf = (id: string) =>
    t.app.db.selectFrom('video').select(['mediaPath', 'sha256', 'sizeBytes']).where('id', '=', id).executeTakeFirstOrThrow();
  const subtitlesOf = (id: string) => t.app.db.selectFrom('subtitle').select('path').where('videoId', '=', id).execute();
  /** Each video has just its files in the bucket, with the content of its row; no upload is left. */
  async function expectComplete(id: string) {
    const row = await rowOf(id);
    const subtitles = (await subtitlesOf(id)).map(({ path }) => path);
    const expected = [row.mediaPath, row.mediaPath.replace('.mp4', '.info.json'), ...subtitles];
    expect(await objects(id)).toEqual(expected.map((path) => path.slice(channel.id.length + 1)).sort());
    const content = await readFile(join(s3.folder, 'media', row.mediaPath));
    expect(createHash('sha256').update(content).digest('hex')).toBe(row.sha256);
    expect(await t.app.db.selectFrom('upload').selectAll().execute()).toEqual([]);
    expect(await t.app.db.selectFrom('pendingDeletion').selectAll().execute()).toEqual([]);
    expect(await readdir(workFolder(t.app.config))).toEqual([]);
  }
  const [first, cutOff, left, givenUp, twice] = videos.map(({ id }) => id) as [string, string, string, string, string];
  beforeEach(() => t.runner.idle());

  test('archives a download with its subtitles and thumbnail in the bucket', async () => {
    await add(t, first);
    expect(await queueOf(t)).toEqual([]);
    await expectComplete(first);
    expect((await rowOf(first)).mediaPath).toMatch(new RegExp(`^${channel.id}/${first}\\.[0-9a-f]{16}\\.mp4$`));
    expect(await readdir(join(s3.folder, 'cache/videos/b'))).toEqual([`${first}.jpg`]);
    expect(await videoOf(t, first)).toMatchObject({ title: 'First', subtitles: [{ lang: 'en' }] });
    expect(await readdir(t.app.config.mediaFolder)).toEqual(['.incoming']);
  });

  test('replaces all files when it downloads a video again', async () => {
    const before = await objects(first);
    await add(t, first, '?autostart=true&force=true');
    await expectComplete(first);
    expect((await objects(first)).filter((name) => before.includes(name))).toEqual([]);
  });

  test('embeds metadata into the file, which gets a new name with its info.json', async () => {
    const before = await rowOf(first);
    await t.staff.call('POST', '/api/task/by-name/resync_metadata/');
    await t.runner.idle();
    await expectComplete(first);
    expect((await rowOf(first)).sha256).not.toBe(before.sha256);
  });

  test('remuxes a file to MP4 under a new name', async () => {
    const { mediaPath } = await rowOf(first);
    const stem = mediaPath.slice(0, -'.mp4'.length);
    const local = join(t.folder, 'film.mkv');
    const args = [
      '-v',
      'error',
      '-i',
      join(s3.folder, 'media', mediaPath),
      '-map',
      '0:v:0',
      '-map',
      '0:a:0',
      '-c',
      'copy',
      local,
    ];
    expect(spawnSync(process.env.REELKEEP_FFMPEG!, args, { encoding: 'utf8' }).stderr).toBe('');
    const content = await fingerprint(local);
    await t.app.files.put(`${stem}.mkv`, local, content);
    const change = { mediaPath: `${stem}.mkv`, ...content };
    await t.app.db.updateTable('video').set(change).where('id', '=', first).execute();
    await t.app.files.remove(mediaPath);
    await t.staff.call('POST', `/api/video/${first}/remux/`);
    await t.runner.idle();
    expect((await rowOf(first)).mediaPath).toMatch(/\.mp4$/);
    await expectComplete(first);
    expect(await t.app.db.selectFrom('stream').select('codec').where('videoId', '=', first).execute()).toHaveLength(2);
  });

  test('uploads refreshed subtitles only if they have changed', async () => {
    const before = await subtitlesOf(first);
    const refresh = async () => {
      await t.staff.call('POST', '/api/refresh/', { video: [first] });
      await t.runner.idle();
    };
    await refresh();
    expect(await subtitlesOf(first)).toEqual(before);
    videos[0]!.subtitles = [subtitle('The other platform')];
    await refresh();
    await expectComplete(first);
    const [after] = await subtitlesOf(first);
    expect(await readFile(join(s3.folder, 'media', after!.path), 'utf8')).toContain('The other platform');
  });

  test('imports a file', async () => {
    const path = join(importFolder(t.app.config), 'Imported [importedVi1].mp4');
    await mkdir(dirname(path), { recursive: true });
    await cp(join(s3.folder, 'media', (await rowOf(first)).mediaPath), path);
    const info = { id: 'importedVi1', title: 'Imported', extractor_key: 'Youtube', channel_id: channel.id, duration: 4 };
    await writeFile(path.replace('.mp4', '.info.json'), JSON.stringify({ ...info, channel: channel.name, _type: 'video' }));
    await t.staff.call('POST', '/api/appsettings/manual-import/', {});
    await t.runner.idle();
    await expectComplete('importedVi1');
  });

  test('finishes a download whose files are all in the bucket, without downloading it again', async () => {
    await downloadUntilRows(cutOff);
    const [upload] = await t.app.db.selectFrom('upload').select(['manifest', 'runId']).execute();
    expect(upload!.manifest).toContain(cutOff);
    // Another server has no work folder.
    await rm(workFolder(t.app.config), { recursive: true });
    await mkdir(workFolder(t.app.config));
    t.testSite.requests.length = 0;
    await t.staff.call('POST', `/api/download/${cutOff}/`, { status: 'priority' });
    await t.runner.idle();
    await expectComplete(cutOff);
    expect(t.testSite.requests.filter(({ host }) => /googlevideo/.test(host))).toEqual([]);
  });

  test('continues an upload at the next start under the same name', async () => {
    await downloadUntilRows(left);
    const [{ id }] = (await t.app.db.selectFrom('upload').select('id').execute()) as [{ id: string }];
    await recoverDownloads(t.app);
    await expectComplete(left);
    expect((await rowOf(left)).mediaPath).toBe(id);
  });

  test('uploads under another name if the upload was given up meanwhile', async () => {
    await downloadUntilRows(givenUp);
    const [{ id, paths }] = (await t.app.db.selectFrom('upload').select(['id', 'paths']).execute()) as [
      { id: string; paths: string },
    ];
    await t.app.db.deleteFrom('upload').execute();
    await Promise.all((JSON.parse(paths) as string[]).map((path) => t.app.files.remove(path)));
    await recoverDownloads(t.app);
    await expectComplete(givenUp);
    expect((await rowOf(givenUp)).mediaPath).not.toBe(id);
  });

  test('publishes a video once, though its work folder is still there', async () => {
    const work = workFolder(t.app.config);
    const kept = join(t.folder, 'kept');
    await downloadUntilRows(twice);
    await cp(work, kept, { recursive: true });
    await recoverDownloads(t.app);
    const published = await rowOf(twice);
    await cp(kept, work, { recursive: true });
    await recoverDownloads(t.app);
    expect(await rowOf(twice)).toEqual(published);
    await expectComplete(twice);
    // That of another server, with other names.
    await cp(kept, work, { recursive: true });
    const [number] = await readdir(work);
    const manifest = join(work, number!, 'manifest.json');
    const name = /\.([0-9a-f]{16})\.mp4/.exec(published.mediaPath)![1]!;
    await writeFile(manifest, (await readFile(manifest, 'utf8')).replaceAll(name, '0123456789abcdef'));
    await recoverDownloads(t.app);
    expect(await rowOf(twice)).toEqual(published);
    await expectComplete(twice);
  });

  /** Downloads a video until its files are in the bucket and its rows cannot be written. */
  async function downloadUntilRows(id: string) {
    await sql`create trigger no_rows before insert on video begin select raise(abort, 'no rows now'); end`.execute(t.app.db);
    await add(t, id);
    await sql`drop trigger no_rows`.execute(t.app.db);
    expect(await queueOf(t)).toMatchObject([{ youtube_id: id, failure: 'unknown' }]);
  }
});
