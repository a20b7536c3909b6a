import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { request, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aCatalogue, aChannel, aClip, aPlaylist, aVideo, cuesFrom } from './builders.ts';
import type { Video } from './catalogue.ts';
import { startTestSite, type TestSite } from './site.ts';
import { failures, type Failure } from './youtube/failures.ts';

const run = promisify(execFile);
const programs = [
  { name: 'a current yt-dlp', command: process.env['REELKEEP_YTDLP'] },
  // It has no yt-dlp-ejs, so it gets videos without a challenge.
  { name: 'a yt-dlp of 2025.04.30', command: process.env['REELKEEP_TEST_YTDLP_OLD'], challenge: 'none' as const },
].filter((program): program is { name: string; command: string; challenge?: 'none' } => Boolean(program.command));

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
const chatted = aVideo({
  id: 'chattedVid1',
  channelId: channel.id,
  kind: 'stream',
  title: 'With a chat',
  startsAt: new Date('2025-05-31T12:00:00Z'),
  chat: {
    messages: Array.from({ length: 60 }, (_, n) => ({
      id: `m${n}`,
      atSeconds: n,
      author: `viewer${n % 3}`,
      text: `Hello :wave: ${n}`,
      ...(n === 7 && { kind: 'paid' as const, amount: '$5.00' }),
      ...(n === 9 && { removedAtSeconds: 20 }),
    })),
  },
});
const failing = Object.keys(failures).map((fails) =>
  aVideo({ id: fails.padEnd(11, '-').slice(0, 11), channelId: modern.id, title: fails, fails: fails as Failure, unlisted: true }),
);
const playlist = aPlaylist({ channelId: modern.id, title: 'Long', videoIds: listed.map(({ id }) => id) });
const short = aVideo({ id: 'shortOfTabs', channelId: modern.id, kind: 'short', title: 'Short' });

/** Requests a path of the media host and returns the status. */
const fetchThrough = async ({ proxyUrl }: TestSite, at: string) => {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request(proxyUrl, { path: `http://rr1.googlevideo.com${at}` }, resolve)
      .once('error', reject)
      .end();
  });
  response.resume();
  return response.statusCode;
};

describe.each(programs)('test site with $name', ({ command, challenge }) => {
  let testSite: TestSite;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'testSite-test-'));
    const videos = [full, chatted, ...bulk, ...listed, ...failing, short].map((video): Video => ({
      ...video,
      ...(challenge && { challenge }),
    }));
    testSite = await startTestSite({ catalogue: aCatalogue({ channels: [channel, modern], videos, playlists: [playlist] }) });
  });
  afterAll(async () => {
    await testSite.close();
    await rm(folder, { recursive: true, force: true });
  });

  const ytdlp = async (...args: string[]) => {
    const runtime = challenge ? [] : ['--no-remote-components', '--no-js-runtimes', `--js-runtimes=node:${process.execPath}`];
    const always = ['--ignore-config', '--proxy', testSite.proxyUrl, '--no-check-certificates', '--no-warnings', ...runtime];
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

  test('replays the chat of a stream, and shows that of a running one as far as it goes', async () => {
    const chatOf = async (name: string) => {
      const url = `https://www.youtube.com/watch?v=${chatted.id}`;
      await ytdlp('--skip-download', '--write-subs', '--sub-langs', 'live_chat', '-o', `${name}.%(ext)s`, url);
      const text = await readFile(path.join(folder, `${name}.live_chat.json`), 'utf8');
      await rm(path.join(folder, `${name}.live_chat.json`));
      return text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as { isLive?: true; replayChatItemAction: { actions: object[] } });
    };
    const replay = await chatOf('replay');
    // Also the ticker of the paid message, and the removal.
    expect(replay).toHaveLength(62);
    expect(JSON.stringify(replay)).toMatch(/"m0"[^]*\$5\.00[^]*"targetItemId":"m9"[^]*"m59"/);
    const inCatalogue = testSite.catalogue.videos.find(({ id }) => id === chatted.id)!;
    Object.assign(inCatalogue, { live: 'now', stream: { fragments: 1 } });
    const isRead = () => testSite.requests.filter(({ path: at }) => at.includes('/get_live_chat?')).length > 1;
    const running = chatOf('live');
    while (!isRead()) await new Promise(setImmediate);
    const late = { id: 'late', atSeconds: 60, author: 'viewer1', text: 'Late' };
    inCatalogue.chat = { messages: [...chatted.chat!.messages, late] };
    const asked = testSite.requests.length;
    while (testSite.requests.length < asked + 2) await new Promise(setImmediate);
    Object.assign(inCatalogue, { live: undefined, stream: undefined });
    const live = await running;
    expect(live.every(({ isLive }) => isLive)).toBe(true);
    expect(JSON.stringify(live)).toMatch(/"m0"[^]*"late"/);
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

const challenged = [
  aVideo({ id: 'withOnlyAnN', title: 'n' }),
  aVideo({ id: 'withSigTooo', title: 'Signature', challenge: 'signature' }),
  aVideo({ id: 'cannotReadX', title: 'Unreadable', challenge: 'unreadable' }),
  aVideo({ id: 'oldFormatXX', title: 'Old format', challenge: 'unreadable', extraFormats: ['combined'] }),
  aVideo({ id: 'onlyByySABR', title: 'SABR', challenge: 'sabr' }),
  aVideo({ id: 'poTokenPlzz', title: 'PO token', wantsPoToken: true }),
  aVideo({
    id: 'subsPoToken',
    title: 'Subtitles',
    subtitles: [{ language: 'en', name: 'English', automatic: false, wantsPoToken: true, cues: cuesFrom(['Hello'], 6) }],
  }),
];
const guarded = aClip({ title: 'Guarded', wantsBrowser: true });

describe.runIf(process.env['REELKEEP_YTDLP'])('challenges of the test site', () => {
  let testSite: TestSite;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'challenges-test-'));
    testSite = await startTestSite({ catalogue: aCatalogue({ videos: challenged, clips: [guarded] }) });
  });
  afterAll(async () => {
    await testSite.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** Runs yt-dlp, by default with Node as its runtime, and returns its output. */
  const download = async (url: string, options: string[] = [`--js-runtimes=node:${process.execPath}`], command?: string) => {
    const always = [
      '--ignore-config',
      '--proxy',
      testSite.proxyUrl,
      '--no-check-certificates',
      '--no-remote-components',
      '--no-js-runtimes',
    ];
    const args = [...always, `--cache-dir=${folder}/cache`, '--print=after_move:%(height)s', ...options, url];
    return run(command ?? process.env['REELKEEP_YTDLP']!, args, { cwd: folder }).catch(
      (error: { stdout: string; stderr: string }) => error,
    );
  };
  const watch = (id: string) => `https://www.youtube.com/watch?v=${id}`;

  test.each(['withOnlyAnN', 'withSigTooo'])('%s is downloaded when its challenges are solved', async (id) => {
    expect((await download(watch(id))).stdout).toBe('180\n');
  });

  test('media without a solved challenge are forbidden', async () => {
    const { stderr } = await download(watch('withOnlyAnN'), ['--extractor-args=youtube:player_skip=js']);
    expect(stderr).toContain('No video formats found');
    const response = await fetchThrough(testSite, '/videoplayback?id=withOnlyAnN&itag=140&n=unsolved');
    expect(response).toBe(403);
  });

  test.each([
    ['withOnlyAnN', [], 'No supported JavaScript runtime could be found'],
    ['cannotReadX', undefined, 'n challenge solving failed'],
    ['onlyByySABR', undefined, 'SABR-only streaming experiment'],
    ['poTokenPlzz', undefined, 'HTTP Error 403: Forbidden'],
  ])('%s fails as on the real site', async (id, options, words) => {
    const { stderr } = await download(watch(id), options);
    expect(stderr).toContain(words);
    expect(stderr).toContain('ERROR:');
  });

  test('the old format of a video survives an unreadable player', async () => {
    const { stdout, stderr } = await download(watch('oldFormatXX'));
    expect([stdout, stderr]).toEqual(['90\n', expect.stringContaining('n challenge solving failed')]);
  });

  test('subtitles that want a PO token are missing without one', async () => {
    const { stderr } = await download(watch('subsPoToken'), [`--js-runtimes=node:${process.execPath}`, '--write-subs']);
    expect(stderr).toContain('There are missing subtitles languages because a PO token was not provided');
  });

  test('a page behind Cloudflare wants a browser', async () => {
    expect((await download('https://clips.example/watch/guarded', [])).stderr).toContain('Cloudflare anti-bot challenge');
  });

  test.runIf(process.env['REELKEEP_TEST_YTDLP_IMPERSONATING'])('curl_cffi passes as a browser', async () => {
    const { stdout } = await download(
      'https://clips.example/watch/guarded',
      ['--extractor-args=generic:impersonate'],
      process.env['REELKEEP_TEST_YTDLP_IMPERSONATING'],
    );
    expect(stdout).not.toBe('');
  });
});

// `npm run test:quick` runs without yt-dlp; `npm test` installs it, and counts the tests above as skipped if that fails.
test.runIf(process.env.REELKEEP_YTDLP)('finds a current yt-dlp', () => expect(programs.length).toBeGreaterThan(0));
