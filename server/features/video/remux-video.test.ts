import { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Video } from '#contract/video.ts';
import { findInconsistencies } from '../library/consistency/check.ts';
import { renderMessages } from '../../platform/messages/render.ts';
import { recoverReplacements, replacementPath } from '../../archive/storage/replace-file.ts';
import { fingerprint } from '../../platform/files/files.ts';
import { createUser, createVideo, engines, testApp, type TestApp } from '../../test-support/app.ts';

const hasFfmpeg = Boolean(process.env.REELKEEP_FFMPEG);

describe.runIf(hasFfmpeg).each(engines)('remuxing a file, on $engine', (on) => {
  let t: TestApp;
  let staff: Awaited<ReturnType<typeof createUser>>;
  const inMedia = (path: string) => join(t.app.config.mediaFolder, path);
  const ffmpeg = (...args: string[]) =>
    execFileSync(t.app.tools.ffmpeg!.ffmpeg, ['-v', 'error', '-y', ...args], { encoding: 'utf8' });
  const createFilm = async (id: string, extension: string, codecs: string[]) => {
    const mediaPath = `c/${id}${extension}`;
    await mkdir(dirname(inMedia(mediaPath)), { recursive: true });
    const picture = ['-f', 'lavfi', '-i', 'testsrc2=size=64x64:rate=10:duration=2'];
    const sound = ['-f', 'lavfi', '-i', 'sine=duration=2'];
    ffmpeg(...picture, ...sound, ...codecs, '-pix_fmt', 'yuv420p', inMedia(mediaPath));
    await writeFile(inMedia(`c/${id}.info.json`), '{}');
    await createVideo(t.app.db, { id, mediaPath, durationSeconds: 2, ...(await fingerprint(inMedia(mediaPath))) });
  };
  const packets = (path: string) => ffmpeg('-i', path, '-map', '0:v:0', '-c', 'copy', '-f', 'streamhash', '-hash', 'md5', '-');
  const remux = async (id: string) => {
    const response = await staff.call('POST', `/api/video/${id}/remux/`);
    await t.runner.idle();
    const { task_id } = response.json<{ task_id: string }>();
    return (await staff.call('GET', `/api/task/by-id/${task_id}/`)).json<{ status: string; result: string }>();
  };

  beforeEach(async () => {
    t = await testApp({ on, withTools: true });
    staff = await createUser(t, { isStaff: true });
    await t.runner.begin();
  });
  afterEach(() => t.close());

  test('keeps the streams, updates the row, and deletes the old file', async () => {
    await createFilm('packedVideo', '.mkv', ['-c:v', 'libx264', '-c:a', 'aac']);
    const before = (await staff.call('GET', '/api/video/packedVideo/')).json<Video>();
    await writeFile(inMedia('c/other.txt'), 'stays');
    expect(await remux('packedVideo')).toMatchObject({
      status: 'SUCCESS',
      result: expect.stringContaining('was remuxed to MP4') as string,
    });
    const after = (await staff.call('GET', '/api/video/packedVideo/')).json<Video>();
    expect([before.media_url, after.media_url]).toEqual(['/youtube/c/packedVideo.mkv', '/youtube/c/packedVideo.mp4']);
    expect(after.streams.map(({ type, codec }) => `${type} ${codec}`)).toEqual(['video h264', 'audio aac']);
    expect((await stat(inMedia('c/packedVideo.mp4'))).size).toBe(after.media_size);
    await expect(stat(inMedia('c/packedVideo.mkv'))).rejects.toThrow();
    expect((await readdir(inMedia('c'))).sort()).toEqual(['other.txt', 'packedVideo.info.json', 'packedVideo.mp4']);
    expect(await readFile(inMedia('c/other.txt'), 'utf8')).toBe('stays');
    expect((await staff.call('GET', '/youtube/c/packedVideo.mp4')).headers['content-type']).toBe('video/mp4');
    const problems = await Array.fromAsync(findInconsistencies(t.app), (one) => renderMessages(one));
    expect(problems.filter((one) => /packedVideo/.test(one))).toEqual([]);
    // A second run does nothing, and an unknown video returns 404.
    expect(await remux('packedVideo')).toMatchObject({ result: expect.stringContaining('is already an MP4 file') as string });
    expect((await staff.call('POST', '/api/video/notInHere01/remux/')).statusCode).toBe(404);
  });

  test('is completed at the next start if the server ends before it has updated the row', async () => {
    await createFilm('endsBetween', '.mkv', ['-c:v', 'libx264', '-c:a', 'aac']);
    const made = replacementPath(t.app, 'endsBetween', '.mp4');
    ffmpeg('-i', inMedia('c/endsBetween.mkv'), '-c', 'copy', made);
    const streams = [
      { position: 0, type: 'audio', codec: 'aac', bitrate: 1, width: null, height: null, language: 'de', kind: 'dub' },
    ];
    const plan = { id: 'endsBetween', from: basename(made), ...(await fingerprint(made)), streams };
    await writeFile(replacementPath(t.app, 'endsBetween', '.json'), JSON.stringify(plan));
    // The new file is in its place already.
    await rename(made, inMedia('c/endsBetween.mp4'));
    await recoverReplacements(t.app);
    await recoverReplacements(t.app);
    expect((await readdir(inMedia('c'))).sort()).toEqual(['endsBetween.info.json', 'endsBetween.mp4']);
    const { mediaPath, sha256 } = await t.app.db.selectFrom('video').selectAll().executeTakeFirstOrThrow();
    expect([mediaPath, sha256]).toEqual(['c/endsBetween.mp4', plan.sha256]);
    expect(await t.app.db.selectFrom('stream').select(['language', 'kind']).execute()).toEqual([{ language: 'de', kind: 'dub' }]);
    expect(await readdir(dirname(made))).toEqual([]);
  });

  test('keeps both files if the name is that of another video', async () => {
    await createFilm('sameName0001', '.mkv', ['-c:v', 'libx264', '-c:a', 'aac']);
    await createVideo(t.app.db, { id: 'otherVideo01', mediaPath: 'c/sameName0001.mp4' });
    await writeFile(inMedia('c/sameName0001.mp4'), 'of another video');
    expect(await remux('sameName0001')).toMatchObject({
      status: 'FAILURE',
      result: expect.stringContaining('Another video already uses the file name c/sameName0001.mp4.') as string,
    });
    expect((await readdir(inMedia('c'))).sort()).toEqual(['sameName0001.info.json', 'sameName0001.mkv', 'sameName0001.mp4']);
    expect(await readFile(inMedia('c/sameName0001.mp4'), 'utf8')).toBe('of another video');
  });

  test('keeps a file that cannot be remuxed to MP4', async () => {
    await createFilm('vorbisVideo', '.webm', ['-c:v', 'libvpx', '-c:a', 'libvorbis']);
    const before = packets(inMedia('c/vorbisVideo.webm'));
    expect(await remux('vorbisVideo')).toMatchObject({ status: 'FAILURE' });
    expect(packets(inMedia('c/vorbisVideo.webm'))).toBe(before);
    expect((await staff.call('GET', '/api/video/vorbisVideo/')).json<Video>().media_url).toBe('/youtube/c/vorbisVideo.webm');
  });

  test('remuxes all incompatible files one by one, and no others', async () => {
    const { db } = t.app;
    const streamsOf = (videoId: string, ...codecs: string[]) =>
      db
        .insertInto('stream')
        .values(
          codecs.map((codec, position) => {
            const type = position === 0 ? ('video' as const) : ('audio' as const);
            return { videoId, position, type, codec, bitrate: 1, width: 64, height: 64 };
          }),
        )
        .execute();
    await createFilm('opensNot0001', '.mkv', ['-c:v', 'libx264', '-c:a', 'aac']);
    await streamsOf('opensNot0001', 'h264', 'aac');
    await createFilm('playsNot0001', '.webm', ['-c:v', 'libvpx', '-c:a', 'libvorbis']);
    await streamsOf('playsNot0001', 'vp8', 'vorbis');
    await createVideo(db, { id: 'fileGone0001', title: 'Gone', mediaPath: 'c/fileGone0001.mkv' });
    await streamsOf('fileGone0001', 'h264', 'aac');
    const incompatible = async () => (await staff.call('GET', '/api/stats/incompatible/')).json<unknown>();
    expect(await incompatible()).toEqual({ remux: 2, redownload: 1 });
    const { ffmpeg } = t.app.tools;
    t.app.tools.ffmpeg = null;
    const failed = (await staff.call('POST', '/api/task/by-name/remux_incompatible/')).json<{ task_id: string }>();
    await t.runner.idle();
    expect((await staff.call('GET', `/api/task/by-id/${failed.task_id}/`)).json()).toMatchObject({
      status: 'FAILURE',
      result: expect.stringContaining('ffmpeg is not installed') as string,
    });
    t.app.tools.ffmpeg = ffmpeg;
    await db.updateTable('video').set({ sizeBytes: 9e15 }).where('id', '=', 'opensNot0001').execute();
    expect(await remux('opensNot0001')).toMatchObject({
      status: 'FAILURE',
      result: expect.stringMatching(/Not enough space for the new file: [\d.,]+ GB are free/) as string,
    });
    expect(await readdir(inMedia('c'))).toContain('opensNot0001.mkv');
    await db.updateTable('video').set({ sizeBytes: 1000 }).where('id', '=', 'opensNot0001').execute();
    const { task_id } = (await staff.call('POST', '/api/task/by-name/remux_incompatible/')).json<{ task_id: string }>();
    await t.runner.idle();
    expect((await staff.call('GET', `/api/task/by-id/${task_id}/`)).json()).toMatchObject({
      status: 'SUCCESS',
      result: '1 of 2 files remuxed.',
    });
    expect(await incompatible()).toEqual({ remux: 1, redownload: 1 });
    expect((await readdir(inMedia('c'))).filter((name) => !name.endsWith('.json')).sort()).toEqual([
      'opensNot0001.mp4',
      'playsNot0001.webm',
    ]);
  });
});
