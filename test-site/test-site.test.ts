import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aCatalogue, aChannel, aPlaylist, aVideo, cuesFrom } from './builders.ts';
import type { Video } from './catalogue.ts';
import { startTestSite, type TestSite } from './site.ts';
import { failures, type Failure } from './youtube/failures.ts';

const run = promisify(execFile);
const programs = [
  { name: 'a current yt-dlp', command: process.env['REELKEEP_YTDLP'] },
  { name: 'a yt-dlp of 2025.04.30', command: process.env['REELKEEP_TEST_YTDLP_OLD'] },
].filter((program): program is { name: string; command: string } => Boolean(program.command));

const channel = aChannel({ name: 'Tabs and Lists' });
const modern = aChannel({ name: 'New Layout', layout: 'lockup' });
const bulk = Array.from({ length: 70 }, (_, n) =>
  aVideo({ id: `bulkVid${String(n).padStart(4, '0')}`, channelId: channel.id, title: `Bulk ${n}` }),
);
const listed = Array.from({ length: 250 }, (_, n) =>
  aVideo({ id: `listVid${String(n).padStart(4, '0')}`, channelId: modern.id, title: `Listed ${n}`, unlisted: true }),
);
const full = aVideo({
  id: 'fullOfStuff',
  channelId: channel.id,
  title: 'Full of stuff',
  durationSeconds: 6,
  published: new Date('2025-05-31T12:00:00Z'),
  chapters: [
    { startSeconds: 0, title: 'One' },
    { startSeconds: 3, title: 'Two' },
  ],
  subtitles: [{ language: 'en', name: 'English', automatic: false, cues: cuesFrom(['Hello', 'World'], 6) }],
  comments: [
    {
      id: 'c1',
      text: 'First',
      author: '@a',
      authorId: 'UCa',
      likes: 1,
      ago: '1 day ago',
      replies: [{ id: 'c1.r', text: 'Second', author: '@b', authorId: 'UCb', likes: 0, ago: '1 day ago' }],
    },
  ],
});
const failing = Object.keys(failures).map((fails) =>
  aVideo({ id: fails.padEnd(11, '-').slice(0, 11), channelId: modern.id, title: fails, fails: fails as Failure, unlisted: true }),
);
const playlist = aPlaylist({ channelId: modern.id, title: 'Long', videoIds: listed.map(({ id }) => id) });
const short = aVideo({ id: 'shortOfTabs', channelId: modern.id, kind: 'short', title: 'Short' });

describe.each(programs)('test site with $name', ({ command }) => {
  let testSite: TestSite;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'testSite-test-'));
    const videos: Video[] = [full, ...bulk, ...listed, ...failing, short];
    testSite = await startTestSite({ catalogue: aCatalogue({ channels: [channel, modern], videos, playlists: [playlist] }) });
  });
  afterAll(async () => {
    await testSite.close();
    await rm(folder, { recursive: true, force: true });
  });

  const ytdlp = async (...args: string[]) => {
    const always = ['--ignore-config', '--proxy', testSite.proxyUrl, '--no-check-certificates', '--no-warnings'];
    return run(command, [...always, ...args], { cwd: folder, maxBuffer: 1 << 26 }).catch(
      (error: { stdout: string; stderr: string }) => error,
    );
  };
  const listing = async (index: string) => (await ytdlp('--flat-playlist', '--print', 'id', index)).stdout.trim().split('\n');

  test('returns all metadata of a video', async () => {
    const { stdout } = await ytdlp('-J', '--write-comments', `https://www.youtube.com/watch?v=${full.id}`);
    const info = JSON.parse(stdout);
    expect(info).toMatchObject({
      id: full.id,
      title: full.title,
      duration: 6,
      channel_id: channel.id,
      upload_date: '20250531',
      view_count: 4321,
      tags: full.tags,
    });
    expect(info.chapters.map((chapter: { title: string }) => chapter.title)).toEqual(['One', 'Two']);
    expect(Object.keys(info.subtitles)).toContain('en');
    expect(info.comments.map((comment: { text: string; parent: string }) => [comment.text, comment.parent])).toEqual([
      ['First', 'root'],
      ['Second', 'c1'],
    ]);
  });

  test('returns complete tabs and playlists over continuations', async () => {
    expect(await listing(`https://www.youtube.com/${channel.handle}/videos`)).toHaveLength(71);
    expect(await listing(`https://www.youtube.com/channel/${modern.id}/shorts`)).toEqual([short.id]);
    expect(await listing(`https://www.youtube.com/playlist?list=${playlist.id}`)).toEqual(playlist.videoIds);
  });

  test('merges separate video and audio files and downloads subtitles', async () => {
    await ytdlp('--write-subs', '--sub-format', 'json3', '-o', 'whole.%(ext)s', `https://www.youtube.com/watch?v=${full.id}`);
    expect((await readdir(folder)).sort()).toEqual(['whole.en.json3', 'whole.mp4']);
    const { stdout } = await run('ffprobe', [
      '-v',
      'error',
      '-show_entries',
      'stream=codec_type',
      '-of',
      'csv=p=0',
      path.join(folder, 'whole.mp4'),
    ]);
    expect(stdout.trim().split('\n').sort()).toEqual(['audio', 'video']);
  });

  test('reports each failure with the original message', async () => {
    const { stderr } = (await ytdlp(
      '--ignore-errors',
      '-s',
      ...failing.map(({ id }) => `https://www.youtube.com/watch?v=${id}`),
    )) as { stderr: string };
    const messages = new Map(
      stderr.split('\n').flatMap((line) => {
        const found = /^ERROR: \[youtube\] ([-\w]{11}): (.*)$/.exec(line);
        return found ? [[found[1]!, found[2]!]] : [];
      }),
    );
    const wrong = failing.flatMap(({ id, fails }) => {
      const { saying, olderSaying = saying }: { saying: string; olderSaying?: string } = failures[fails!];
      return [saying, olderSaying].some((words) => messages.get(id)?.startsWith(words))
        ? []
        : [`${fails}: "${messages.get(id)}" instead of "${saying}"`];
    });
    expect(wrong).toEqual([]);
  });
});

// `npm run test:quick` runs without yt-dlp; `npm test` installs it, and counts the tests above as skipped if that fails.
test.runIf(process.env.REELKEEP_YTDLP)('finds a current yt-dlp', () => expect(programs.length).toBeGreaterThan(0));
