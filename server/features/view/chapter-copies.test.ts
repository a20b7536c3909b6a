import { execFileSync } from 'node:child_process';
import { mkdir, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import type { Sponsorblock } from '#contract/video.ts';
import type { View } from '#contract/view.ts';
import { createChannel, createUser, createVideo, testApp, testTimeouts } from '../../test-support/app.ts';
import { updateViews } from './build-view.ts';
import { chapterTrack } from './chapter-copies.ts';

const segment = (category: string, start: number, end: number, actionType = 'skip') => ({
  UUID: 'x',
  category,
  actionType,
  segment: [start, end] as [number, number],
  videoDuration: 100,
  votes: 1,
  locked: 0,
});
const sponsorblock = (...segments: ReturnType<typeof segment>[]): Sponsorblock => ({
  is_enabled: true,
  last_refresh: 0,
  segments,
});
const video = { title: 'Film', durationSeconds: 100 };
const textOf = (track: { title: string; start: number; end: number }[]) =>
  track.map(({ title, start, end }) => `${start}–${end} ${title}`);

describe('a chapter track', () => {
  test('has segments within the chapters that they interrupt', () => {
    const chapters = [
      { title: 'One', start: 0, end: 40 },
      { title: 'Two', start: 40, end: 100 },
    ];
    expect(textOf(chapterTrack(video, chapters, sponsorblock(segment('sponsor', 10, 20), segment('outro', 90, 130))))).toEqual([
      '0–10 One',
      '10–20 [SponsorBlock]: Sponsor',
      '20–40 One',
      '40–90 Two',
      '90–100 [SponsorBlock]: Endcards/Credits',
    ]);
  });

  test('is empty without chapters and segments, and has the title where there is no chapter', () => {
    expect(chapterTrack(video, [], null)).toEqual([]);
    expect(chapterTrack(video, [], sponsorblock(segment('chapter', 1, 9, 'chapter'), segment('sponsor', 5, 5.5)))).toEqual([]);
    expect(textOf(chapterTrack(video, [], sponsorblock(segment('intro', 0, 5))))).toEqual([
      '0–5 [SponsorBlock]: Intro',
      '5–100 Film',
    ]);
  });
});

const ffmpeg = process.env.REELKEEP_FFMPEG;

test.skipIf(!ffmpeg)('a view has copies with a chapter track; a copy that is no longer used is removed', async () => {
  const t = await testApp({ withTools: true });
  try {
    const staff = await createUser(t, { isStaff: true });
    await t.runner.begin();
    const media = join(t.app.config.mediaFolder, 'UCtea/aaaaaaaaaaa.mp4');
    await mkdir(dirname(media), { recursive: true });
    execFileSync(ffmpeg!, ['-loglevel', 'error', '-f', 'lavfi', '-i', 'testsrc=d=20:s=64x36:r=5', '-pix_fmt', 'yuv420p', media]);
    const { db, config } = t.app;
    const chapters = JSON.stringify([{ title: 'Whole = part; 1', start: 0, end: 20 }]);
    const segments = JSON.stringify(sponsorblock(segment('sponsor', 5, 10)));
    await createChannel(db, { id: 'UCtea', name: 'Tea' });
    await createVideo(db, {
      id: 'aaaaaaaaaaa',
      channelId: 'UCtea',
      title: 'Film',
      durationSeconds: 20,
      chapters,
      sponsorblock: segments,
    });
    const body = { name: 'C', root: 'c', preset: 'custom', template: '{title} [{id}]', nfo: false, chapters: true };
    const { id } = (await staff.call('POST', '/api/view/', body)).json() as View;
    await staff.call('POST', `/api/view/${id}/build/`);
    await vi.waitFor(
      async () => expect((await staff.call('GET', '/api/view/')).json().data[0]).toMatchObject({ state: 'ready', videos: 1 }),
      testTimeouts,
    );
    const path = join(config.viewsFolder, 'c/Film [aaaaaaaaaaa].mp4');
    const chaptersIn = (file: string) => {
      const args = ['-v', 'error', '-show_chapters', '-of', 'json', file];
      const output = execFileSync(join(dirname(ffmpeg!), 'ffprobe'), args, { encoding: 'utf8' });
      return (JSON.parse(output) as { chapters: { tags: { title: string } }[] }).chapters.map(({ tags }) => tags.title);
    };
    expect(chaptersIn(path)).toEqual(['Whole = part; 1', '[SponsorBlock]: Sponsor', 'Whole = part; 1']);
    expect(chaptersIn(media)).toEqual([]);
    const copies = join(config.cacheFolder, 'chapters');
    expect(await readdir(copies)).toHaveLength(1);
    // Without chapters the view links to the file itself again.
    await db.updateTable('video').set({ chapters: '[]', sponsorblock: null }).where('id', '=', 'aaaaaaaaaaa').execute();
    await updateViews(t.app);
    expect(chaptersIn(path)).toEqual([]);
    await staff.call('POST', `/api/view/${id}/build/`);
    await vi.waitFor(async () => expect(await readdir(copies)).toEqual([]), testTimeouts);
  } finally {
    await t.close();
  }
});
