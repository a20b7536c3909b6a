import { messagesOf } from '../../platform/messages/message-error.ts';
import { execFileSync } from 'node:child_process';
import { mkdir, readFile, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { thumbnailCheck } from '../library/consistency/thumbnail-check.ts';
import type { Notification } from '#contract/task.ts';
import type { Video } from '#contract/video.ts';
import { isPlaying } from '../../platform/http/playback.ts';
import { createUser, createVideo, engines, testTimeouts, testApp, type TestApp } from '../../test-support/app.ts';
import type { TaskDefinition, TaskWork } from '../../platform/context/task.ts';
import { renderMessages } from '../../platform/messages/render.ts';
import { makeStoryboards, startStoryboardsIfDue } from './make-storyboards.ts';

const hasFfmpeg = Boolean(process.env.REELKEEP_FFMPEG);

describe.runIf(hasFfmpeg).each(engines)('storyboards, on $engine', (on) => {
  let t: TestApp;
  let staff: Awaited<ReturnType<typeof createUser>>;
  beforeEach(async () => {
    t = await testApp({ on, withTools: true });
    staff = await createUser(t, { isStaff: true });
  });
  afterEach(() => t.close());

  const inCache = (path: string) => join(t.app.config.cacheFolder, path);
  const createFilm = async (id: string, seconds: number, size = '320x180') => {
    const mediaPath = `c/${id}.mp4`;
    const path = join(t.app.config.mediaFolder, mediaPath);
    await mkdir(dirname(path), { recursive: true });
    const source = `testsrc2=size=${size}:rate=5:duration=${seconds}`;
    const args = ['-v', 'error', '-f', 'lavfi', '-i', source, '-c:v', 'libx264', '-preset', 'ultrafast', '-g', '10'];
    execFileSync(t.app.tools.ffmpeg!.ffmpeg, [...args, '-pix_fmt', 'yuv420p', path]);
    await createVideo(t.app.db, { id, mediaPath, durationSeconds: seconds, sha256: id.repeat(6).slice(0, 64) });
  };
  const run = (task: TaskDefinition<never>, input: object) => {
    const skipped: string[] = [];
    const work: TaskWork<never> = {
      id: 'x',
      input: input as never,
      againSince: null,
      signal: new AbortController().signal,
      report() {},
      skip: (what, why) => void skipped.push(`${what}: ${renderMessages(why instanceof Error ? messagesOf(why) : why)}`),
      note() {},
    };
    return task.run(work, t.app).then((result) => ({ result: result && renderMessages(result), skipped }));
  };
  const urlOf = async (id: string) => (await staff.call('GET', `/api/video/${id}/`)).json<Video>().storyboard_url;

  test('are created, listed, served to users, and deleted with the video', async () => {
    await createFilm('_longVideo_', 450);
    expect(await urlOf('_longVideo_')).toBeNull();
    await run(makeStoryboards as never, { isThorough: false });
    const url = await urlOf('_longVideo_');
    expect(url).toBe('/cache/storyboards/_/_longVideo_.vtt');
    const list = (await staff.call('GET', url!)).body;
    const cues = list.match(/-->/g)!.length;
    expect(cues).toBe(200); // one per 2.25 s of 450 s
    expect(list).toContain('00:00:02.250 --> 00:00:04.500\n_longVideo__0.jpg#xywh=160,0,160,90\n');
    expect(list).toContain('00:07:27.750 --> 00:07:30.000\n_longVideo__1.jpg#xywh=1440,810,160,90');
    const sheet = await staff.call('GET', '/cache/storyboards/_/_longVideo__1.jpg');
    expect(sheet.headers['content-type']).toBe('image/jpeg');
    const { ffprobe } = t.app.tools.ffmpeg!;
    const show = ['-v', 'error', '-show_entries', 'stream=width,height', '-of', 'csv=p=0'];
    const size = execFileSync(ffprobe, [...show, inCache('storyboards/_/_longVideo__1.jpg')], { encoding: 'utf8' });
    expect(size.trim()).toBe('1600,900');
    expect((await t.server.inject(url!)).statusCode).toBe(403);
    expect((await staff.call('GET', '/cache/storyboards/x/_longVideo_.vtt')).statusCode).toBe(404);
    await staff.call('DELETE', '/api/video/_longVideo_/');
    await expect(stat(inCache('storyboards/_/_longVideo_.vtt'))).rejects.toThrow();
    await expect(stat(inCache('storyboards/_/_longVideo__1.jpg'))).rejects.toThrow();
  });

  test('a broken video is reported and blocks no other; it is retried on request or with another file', async () => {
    await createVideo(t.app.db, { id: 'brokenVideo', title: 'Broken', mediaPath: 'c/none.mp4' });
    await createFilm('wholeVideo_', 6, '180x320');
    const first = await run(makeStoryboards as never, { isThorough: false });
    // A missing file does not start ffmpeg, because many of them would block the task.
    expect(first).toEqual({ result: 'Created previews of 1 video.', skipped: ['Broken: The file is missing.'] });
    expect(await urlOf('brokenVideo')).toBeNull();
    expect(await urlOf('wholeVideo_')).not.toBeNull();
    expect((await run(makeStoryboards as never, { isThorough: false })).result).toBeUndefined();
    await startStoryboardsIfDue(t.app);
    expect((await staff.call('GET', '/api/notification/')).json<Notification[]>()).toEqual([]);
    await rm(inCache('storyboards/w/wholeVideo__0.jpg'));
    expect((await run(makeStoryboards as never, { isThorough: true })).result).toBe('Created previews of 1 video.');
    await t.app.db
      .updateTable('video')
      .set({ sha256: 'f'.repeat(64) })
      .where('id', '=', 'wholeVideo_')
      .execute();
    expect(await urlOf('wholeVideo_')).toBeNull();
    await run(makeStoryboards as never, { isThorough: false });
    expect(await readFile(inCache('storyboards/w/wholeVideo_.vtt'), 'utf8')).toContain(`NOTE ${'f'.repeat(64)}`);
  });

  test('are created automatically for new and replaced files only', async () => {
    const { db, tasks } = t.app;
    let starts = 0;
    const startTask = async (_task: unknown, input: object) => {
      starts++;
      await run(makeStoryboards as never, input);
      return 'x';
    };
    const startsTask = async () => {
      const before = starts;
      await startStoryboardsIfDue({ ...t.app, tasks: { ...tasks, start: startTask as unknown as typeof tasks.start } });
      return starts > before;
    };
    await createFilm('firstVideo_', 6);
    expect([await startsTask(), await startsTask(), await startsTask()]).toEqual([true, false, false]);
    await createFilm('laterVideo_', 6);
    expect([await startsTask(), await startsTask()]).toEqual([true, false]);
    await db.updateTable('video').set({ viewCount: 7 }).where('id', '=', 'firstVideo_').execute();
    expect(await startsTask()).toBe(false);
    const sha256 = 'f'.repeat(64);
    await db.updateTable('video').set({ sha256 }).where('id', '=', 'firstVideo_').execute();
    expect([await startsTask(), await startsTask()]).toEqual([true, false]);
    expect(await readFile(inCache('storyboards/f/firstVideo_.vtt'), 'utf8')).toContain(`NOTE ${sha256}`);
    // The file is replaced and restored between two checks.
    for (const sha of ['e'.repeat(64), sha256])
      await db.updateTable('video').set({ sha256: sha }).where('id', '=', 'firstVideo_').execute();
    await startsTask();
    expect([await startsTask(), await startsTask()]).toEqual([false, false]);
  });

  const noticeOf = async (id: string) =>
    (await staff.call('GET', '/api/notification/')).json<Notification[]>().find((notice) => notice.id === id);
  const statusOf = async (id: string) => (await staff.call('GET', `/api/task/by-id/${id}/`)).json().status as string;

  test('wait during playback', async () => {
    await createFilm('waitsVideo_', 6);
    let clock = t.app.now();
    Object.assign(t.app, { now: () => clock });
    await t.runner.begin();
    const watched = await createVideo(t.app.db);
    await staff.call('POST', `/api/video/${watched}/progress/`, { position: 20 });
    await startStoryboardsIfDue(t.app);
    expect((await staff.call('GET', '/api/notification/')).json()).toEqual([]);
    const { id } = await t.app.tasks.start(makeStoryboards, { isThorough: false });
    await expect
      .poll(async () => (await noticeOf(id))?.messages, testTimeouts)
      .toEqual(['Waiting for playback or downloads to end.']);
    expect(await urlOf('waitsVideo_')).toBeNull();
    clock += 61;
    await expect.poll(() => statusOf(id), testTimeouts).toBe('SUCCESS');
    expect(await urlOf('waitsVideo_')).not.toBeNull();
  });

  test('a file that is being sent counts as playback', async () => {
    await createFilm('waitsVideo_', 6);
    const { media_url } = (await staff.call('GET', '/api/video/waitsVideo_/')).json<Video>();
    expect(isPlaying(t.app)).toBe(false);
    expect((await staff.call('GET', media_url)).statusCode).toBe(200);
    expect(isPlaying(t.app)).toBe(true);
  });

  test('can be paused and resumed, and stay paused after a restart', async () => {
    await createFilm('pausedVideo', 6);
    const { id } = await t.app.tasks.start(makeStoryboards, { isThorough: true });
    const command = async (name: string, user = staff) =>
      (await user.call('POST', `/api/task/by-id/${id}/`, { command: name })).statusCode;
    expect(await command('pause', await createUser(t))).toBe(403);
    expect(await command('pause')).toBe(204);
    for (const start of ['first', 'second']) {
      await t.runner.begin();
      await expect
        .poll(async () => await noticeOf(id), { ...testTimeouts, message: start })
        .toMatchObject({ messages: ['Paused.'], command: 'PAUSE', api_pause: true, api_stop: true });
      await t.runner.end();
    }
    await t.runner.begin();
    expect(await urlOf('pausedVideo')).toBeNull();
    expect(await command('resume')).toBe(204);
    await expect.poll(() => statusOf(id), testTimeouts).toBe('SUCCESS');
    expect(await urlOf('pausedVideo')).not.toBeNull();
    expect(await command('pause')).toBe(400);
  });

  test('can be stopped while paused; other tasks cannot be paused', async () => {
    await createFilm('pausedVideo', 6);
    const { id } = await t.app.tasks.start(makeStoryboards, { isThorough: true });
    for (const command of ['pause', 'stop']) await staff.call('POST', `/api/task/by-id/${id}/`, { command });
    await t.runner.begin();
    await expect.poll(() => statusOf(id), testTimeouts).toBe('REVOKED');
    const { id: other } = await t.app.tasks.start(thumbnailCheck, {});
    const rejected = await staff.call('POST', `/api/task/by-id/${other}/`, { command: 'pause' });
    expect([rejected.statusCode, rejected.json()]).toMatchObject([400, { error: 'task can not be paused' }]);
    await t.runner.idle();
  });

  test('files are found without the database, and orphans are deleted', async () => {
    await createFilm('foundVideo_', 6);
    await run(makeStoryboards as never, { isThorough: false });
    await t.app.db.deleteFrom('storyboard').execute();
    const before = (await stat(inCache('storyboards/f/foundVideo__0.jpg'))).mtimeMs;
    await run(makeStoryboards as never, { isThorough: false });
    expect(await urlOf('foundVideo_')).not.toBeNull();
    expect((await stat(inCache('storyboards/f/foundVideo__0.jpg'))).mtimeMs).toBe(before);
    await t.app.db.deleteFrom('video').execute();
    await run(thumbnailCheck as never, {});
    await expect(stat(inCache('storyboards/f/foundVideo__0.jpg'))).rejects.toThrow();
    await expect(stat(inCache('storyboards/f/foundVideo_.vtt'))).rejects.toThrow();
  });
});
