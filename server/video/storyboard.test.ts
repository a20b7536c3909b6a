import { execFileSync } from 'node:child_process';
import { mkdir, readFile, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { thumbnailCheck } from '../library/thumbnail-check.ts';
import type { Notification } from '#contract/task.ts';
import type { Video } from '#contract/video.ts';
import { aUser, aVideo, engines, testArchive, type TestArchive } from '../testing.ts';
import type { TaskDefinition } from '../task/task.ts';
import { makeStoryboards, wakeStoryboards } from './make-storyboards.ts';

const hasFfmpeg = Boolean(process.env.REELKEEP_FFMPEG);

describe.runIf(hasFfmpeg).each(engines)('previews, on $engine', (on) => {
  let archive: TestArchive;
  let staff: Awaited<ReturnType<typeof aUser>>;
  beforeEach(async () => {
    archive = await testArchive({ on, withTools: true });
    staff = await aUser(archive, { isStaff: true });
  });
  afterEach(() => archive.close());

  const inCache = (path: string) => join(archive.archive.config.cacheFolder, path);
  const film = async (id: string, seconds: number, size = '320x180') => {
    const mediaPath = `c/${id}.mp4`;
    const path = join(archive.archive.config.mediaFolder, mediaPath);
    await mkdir(dirname(path), { recursive: true });
    const source = `testsrc2=size=${size}:rate=5:duration=${seconds}`;
    const args = ['-v', 'error', '-f', 'lavfi', '-i', source, '-c:v', 'libx264', '-preset', 'ultrafast', '-g', '10'];
    execFileSync(archive.archive.tools.ffmpeg!.ffmpeg, [...args, '-pix_fmt', 'yuv420p', path]);
    await aVideo(archive.archive.db, { id, mediaPath, durationSeconds: seconds, sha256: id.repeat(6).slice(0, 64) });
  };
  const run = (task: TaskDefinition<never>, input: object) => {
    const skipped: string[] = [];
    const work = {
      id: 'x',
      input: input as never,
      againSince: null,
      signal: new AbortController().signal,
      report() {},
      skip: (what: string, problem: unknown) => skipped.push(`${what}: ${(problem as Error).message}`),
      note() {},
    };
    return task.run(work, archive.archive).then((result) => ({ result, skipped }));
  };
  const urlOf = async (id: string) => (await staff.call('GET', `/api/video/${id}/`)).json<Video>().storyboard_url;

  test('are made, listed by the seconds, served to who is logged in, and gone with the video', async () => {
    await film('_longVideo_', 450);
    expect(await urlOf('_longVideo_')).toBeNull();
    await run(makeStoryboards as never, { isThorough: false });
    const url = await urlOf('_longVideo_');
    expect(url).toBe('/cache/storyboards/_/_longVideo_.vtt');
    const list = (await staff.call('GET', url!)).body;
    const cues = list.match(/-->/g)!.length;
    expect(cues).toBe(200); // 450 s: one each 2.25 s
    expect(list).toContain('00:00:02.250 --> 00:00:04.500\n_longVideo__0.jpg#xywh=160,0,160,90\n');
    expect(list).toContain('00:07:27.750 --> 00:07:30.000\n_longVideo__1.jpg#xywh=1440,810,160,90');
    const sheet = await staff.call('GET', '/cache/storyboards/_/_longVideo__1.jpg');
    expect(sheet.headers['content-type']).toBe('image/jpeg');
    const { ffprobe } = archive.archive.tools.ffmpeg!;
    const show = ['-v', 'error', '-show_entries', 'stream=width,height', '-of', 'csv=p=0'];
    const size = execFileSync(ffprobe, [...show, inCache('storyboards/_/_longVideo__1.jpg')], { encoding: 'utf8' });
    expect(size.trim()).toBe('1600,900');
    expect((await archive.app.inject(url!)).statusCode).toBe(403);
    expect((await staff.call('GET', '/cache/storyboards/x/_longVideo_.vtt')).statusCode).toBe(404);
    await staff.call('DELETE', '/api/video/_longVideo_/');
    await expect(stat(inCache('storyboards/_/_longVideo_.vtt'))).rejects.toThrow();
    await expect(stat(inCache('storyboards/_/_longVideo__1.jpg'))).rejects.toThrow();
  });

  test('one bad video is told of and holds up nothing; it is tried again when asked, or when its file is another', async () => {
    await aVideo(archive.archive.db, { id: 'brokenVideo', title: 'Broken', mediaPath: 'c/none.mp4' });
    await film('wholeVideo_', 6, '180x320');
    const first = await run(makeStoryboards as never, { isThorough: false });
    // Nothing is begun for a file that is not there: many of them would hold up everybody.
    expect(first).toEqual({ result: 'Previews of 1 video(s) made.', skipped: ['Broken: The file is not there.'] });
    expect(await urlOf('brokenVideo')).toBeNull();
    expect(await urlOf('wholeVideo_')).not.toBeNull();
    expect((await run(makeStoryboards as never, { isThorough: false })).result).toBeUndefined();
    await wakeStoryboards(archive.archive);
    expect((await staff.call('GET', '/api/notification/')).json<Notification[]>()).toEqual([]);
    await rm(inCache('storyboards/w/wholeVideo__0.jpg'));
    expect((await run(makeStoryboards as never, { isThorough: true })).result).toBe('Previews of 1 video(s) made.');
    await archive.archive.db
      .updateTable('video')
      .set({ sha256: 'f'.repeat(64) })
      .where('id', '=', 'wholeVideo_')
      .execute();
    expect(await urlOf('wholeVideo_')).toBeNull();
    await run(makeStoryboards as never, { isThorough: false });
    expect(await readFile(inCache('storyboards/w/wholeVideo_.vtt'), 'utf8')).toContain(`NOTE ${'f'.repeat(64)}`);
  });

  test('are begun by themselves for what comes and for a file that is another, as soon as it is there, and for nothing else', async () => {
    const { db, tasks } = archive.archive;
    let begun = 0;
    const begin = async (_task: unknown, input: object) => {
      begun++;
      await run(makeStoryboards as never, input);
      return 'x';
    };
    const begins = async () => {
      const before = begun;
      await wakeStoryboards({ ...archive.archive, tasks: { ...tasks, start: begin as unknown as typeof tasks.start } });
      return begun > before;
    };
    await film('firstVideo_', 6);
    expect([await begins(), await begins(), await begins()]).toEqual([true, false, false]);
    await film('laterVideo_', 6);
    expect([await begins(), await begins()]).toEqual([true, false]);
    await db.updateTable('video').set({ viewCount: 7 }).where('id', '=', 'firstVideo_').execute();
    expect(await begins()).toBe(false);
    const sha256 = 'f'.repeat(64);
    await db.updateTable('video').set({ sha256 }).where('id', '=', 'firstVideo_').execute();
    expect([await begins(), await begins()]).toEqual([true, false]);
    expect(await readFile(inCache('storyboards/f/firstVideo_.vtt'), 'utf8')).toContain(`NOTE ${sha256}`);
    // Another file, and back before anybody looked.
    for (const sha of ['e'.repeat(64), sha256])
      await db.updateTable('video').set({ sha256: sha }).where('id', '=', 'firstVideo_').execute();
    await begins();
    expect([await begins(), await begins()]).toEqual([false, false]);
  });

  test('what is on the disk is found again without the database, and what belongs to nothing goes', async () => {
    await film('foundVideo_', 6);
    await run(makeStoryboards as never, { isThorough: false });
    await archive.archive.db.deleteFrom('storyboard').execute();
    const before = (await stat(inCache('storyboards/f/foundVideo__0.jpg'))).mtimeMs;
    await run(makeStoryboards as never, { isThorough: false });
    expect(await urlOf('foundVideo_')).not.toBeNull();
    expect((await stat(inCache('storyboards/f/foundVideo__0.jpg'))).mtimeMs).toBe(before);
    await archive.archive.db.deleteFrom('video').execute();
    await run(thumbnailCheck as never, {});
    await expect(stat(inCache('storyboards/f/foundVideo__0.jpg'))).rejects.toThrow();
    await expect(stat(inCache('storyboards/f/foundVideo_.vtt'))).rejects.toThrow();
  });
});
