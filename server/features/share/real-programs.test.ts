import { execFile, execFileSync, spawn } from 'node:child_process';
import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fingerprint } from '../../platform/files/files.ts';
import { createChannel, createUser, createVideo, testApp, type TestApp } from '../../test-support/app.ts';

// The programs that people use: podcast apps, feed parsers and players.

const {
  REELKEEP_FFMPEG: ffmpeg,
  REELKEEP_TEST_READERS: programs,
  REELKEEP_TEST_FEEDPARSER: python,
  REELKEEP_TEST_PODCASTPARSER: podcastparser,
  REELKEEP_YTDLP: ytdlp,
  REELKEEP_TEST_YTDLP_OLD: oldYtdlp,
} = process.env;
const run = promisify(execFile);
const awkward = 'Tea & <coffee> "for" two\nlines';

describe.runIf(ffmpeg && programs && python)('real programs', () => {
  let t: TestApp;
  let user: Awaited<ReturnType<typeof createUser>>;
  let origin: string;
  let home: string;
  /** Paths that were requested, with their status. */
  const requests: string[] = [];

  beforeAll(async () => {
    t = await testApp({ withTools: true });
    user = await createUser(t, { isStaff: true });
    await t.runner.begin();
    t.server.addHook('onResponse', async (request, reply) => {
      requests.push(`${request.method} ${request.url.split('/').at(-1)} ${reply.statusCode}`);
    });
    await t.server.listen({ host: '127.0.0.1', port: 0 });
    origin = `http://127.0.0.1:${(t.server.server.address() as AddressInfo).port}`;
    await createChannel(t.app.db, { id: 'c1', name: awkward });
    for (const [at, id] of ['first', 'second'].entries()) {
      const path = join(t.app.config.mediaFolder, `c1/${id}.mp4`);
      await mkdir(dirname(path), { recursive: true });
      const inputs = ['-f', 'lavfi', '-i', 'testsrc2=size=64x64:rate=10:duration=1', '-f', 'lavfi', '-i', 'sine=duration=1'];
      const codecs = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac'];
      execFileSync(ffmpeg!, ['-v', 'error', '-y', ...inputs, ...codecs, path]);
      await createVideo(t.app.db, {
        id,
        channelId: 'c1',
        title: `${id} ${awkward}`,
        description: 'About & <more>',
        mediaPath: `c1/${id}.mp4`,
        publishedAt: 1_700_000_000 + at,
        durationSeconds: 1,
        chapters: '[{"title":"One","start":0,"end":1}]',
        ...(await fingerprint(path)),
      });
      await t.app.db
        .insertInto('stream')
        .values([
          { videoId: id, position: 0, type: 'video', codec: 'h264', bitrate: 1, width: 64, height: 64 },
          { videoId: id, position: 1, type: 'audio', codec: 'aac', bitrate: 64_000, width: null, height: null },
        ])
        .execute();
    }
    home = join(t.folder, 'home');
    await mkdir(home);
    await chmod(t.folder, 0o755);
    await chmod(home, 0o777);
  });
  afterAll(() => t.close());

  const onServer = (url: string) => url.replace(/^https?:\/\/[^/]+/, origin);
  const createFeed = async (media: 'audio' | 'video') =>
    onServer((await user.call('POST', '/api/podcast/', { type: 'channel', id: 'c1', media })).json<{ url: string }>().url);
  const environment = () => ({
    ...process.env,
    HOME: home,
    GPODDER_HOME: join(home, 'gpodder'),
    TERM: 'xterm',
    LC_ALL: 'C.UTF-8',
  });
  const start = (program: string, args: string[]) =>
    run(program, args, { cwd: home, env: environment(), timeout: 120_000, encoding: 'utf8' });

  test('feedparser reads a feed without an error', async () => {
    const script = `import feedparser, json, sys
f = feedparser.parse(sys.argv[1])
print(json.dumps([f.bozo, f.feed.title, f.feed.image.href, [[e.title, e.enclosures[0].type, e.enclosures[0].length, e.itunes_duration] for e in f.entries]]))`;
    const feed = await createFeed('audio');
    const { stdout } = await start(python!, ['-c', script, feed]);
    const [bozo, title, image, entries] = JSON.parse(stdout) as [boolean, string, string, string[][]];
    expect([bozo, title, image]).toEqual([false, awkward, feed.replace('feed.xml', 'cover.jpg')]);
    expect(entries).toEqual([
      [`second ${awkward}`, 'audio/mp4', expect.stringMatching(/^\d+$/), '1'],
      [`first ${awkward}`, 'audio/mp4', expect.stringMatching(/^\d+$/), '1'],
    ]);
  });

  test.runIf(podcastparser)('podcastparser reads a feed', async () => {
    const script = `import json, podcastparser, sys, urllib.request
print(json.dumps(podcastparser.parse(sys.argv[1], urllib.request.urlopen(sys.argv[1]))))`;
    const feed = await createFeed('audio');
    const { stdout } = await start(podcastparser!, ['-c', script, feed]);
    const name = awkward.replace('\n', ' ');
    const url = (file: string) => expect.stringMatching(new RegExp(`^${origin}/podcast/.+/${file}$`));
    const episode = (id: string) => ({
      title: `${id} ${name}`,
      total_time: 1,
      link: `${origin}/video/${id}/`,
      episode_art_url: url(`${id}\\.jpg`),
      enclosures: [{ url: url(`${id}\\.m4a`), file_size: expect.any(Number), mime_type: 'audio/mp4' }],
    });
    expect(JSON.parse(stdout)).toMatchObject({
      title: name,
      cover_url: feed.replace('feed.xml', 'cover.jpg'),
      itunes_author: name,
      explicit: false,
      episodes: [episode('second'), episode('first')],
    });
  });

  test('xmllint accepts a feed by the rules of RSS 2.0, and the OPML', async () => {
    for (const media of ['audio', 'video'] as const) {
      const path = join(home, `${media}.xml`);
      await writeFile(path, await (await fetch(await createFeed(media))).text());
      await start(join(programs!, 'xmllint'), ['--noout', '--relaxng', join(import.meta.dirname, '../podcast/rss.rng'), path]);
    }
    await writeFile(join(home, 'feeds.opml'), (await user.call('GET', '/api/podcast/opml/')).body);
    await start(join(programs!, 'xmllint'), ['--noout', join(home, 'feeds.opml')]);
  });

  test('newsboat and podboat subscribe, download and update', async () => {
    const folder = join(home, 'newsboat');
    const downloads = join(folder, 'downloads');
    await mkdir(downloads, { recursive: true });
    const at = (name: string) => join(folder, name);
    await writeFile(at('urls'), `${await createFeed('audio')}\n`);
    await writeFile(at('config'), `podcast-auto-enqueue yes\ndownload-path ${downloads}/\ndownload-filename-format "%u"\n`);
    const newsboat = (...command: string[]) =>
      start(join(programs!, 'newsboat'), ['-u', at('urls'), '-c', at('cache.db'), '-C', at('config'), '-x', ...command]);
    await newsboat('reload');
    expect((await newsboat('print-unread')).stdout).toContain('2 unread');
    const queue = await readFile(join(home, '.newsboat/queue'), 'utf8').catch(() =>
      readFile(join(home, '.local/share/newsboat/queue'), 'utf8'),
    );
    expect(queue).toMatch(/second\.m4a/);
    await writeFile(at('queue'), queue);
    // podboat needs a terminal, and ends on a key.
    const podboat = `${join(programs!, 'podboat')} -a -C ${at('config')} -q ${at('queue')}`;
    const terminal = spawn('script', ['-qfec', podboat, '/dev/null'], {
      cwd: home,
      env: environment(),
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    try {
      await expect.poll(async () => (await readdir(downloads)).sort()).toEqual(['first.m4a', 'second.m4a']);
      for (const name of ['first.m4a', 'second.m4a']) expect((await stat(join(downloads, name))).size).toBeGreaterThan(500);
    } finally {
      terminal.kill();
    }
    const before = requests.length;
    for (let n = 0; n < 2; n++) await newsboat('reload');
    // The first one receives the exact sizes of the audio.
    expect(requests.slice(before)).toEqual(['GET feed.xml 200', 'GET feed.xml 304']);
  });

  test('gPodder subscribes, downloads and updates', async () => {
    const gpo = (...args: string[]) => start(join(programs!, 'gpo'), args);
    const url = await createFeed('video');
    await gpo('subscribe', url);
    expect((await gpo('list')).stdout).toContain(url);
    await gpo('update');
    await gpo('download');
    const files = (await readdir(join(home, 'gpodder/Downloads'), { recursive: true })).filter((name) => name.endsWith('.mp4'));
    expect(files).toHaveLength(2);
    for (const name of files)
      expect((await stat(join(home, 'gpodder/Downloads', name))).size).toBe(
        (await stat(join(t.app.config.mediaFolder, name.includes('first') ? 'c1/first.mp4' : 'c1/second.mp4'))).size,
      );
    const before = requests.length;
    await gpo('update');
    expect(requests.slice(before)).toEqual(['GET feed.xml 304']);
  });

  const lists = async () => {
    const m3u = await user.call('GET', '/api/channel/c1/m3u/');
    const share = async (body: object) =>
      onServer((await user.call('POST', '/api/share/', { expires: null, ...body })).json<{ url: string }>().url);
    const { playlist_id: id } = (await user.call('POST', '/api/playlist/custom/', { playlist_name: awkward })).json();
    for (const video_id of ['first', 'second'])
      await user.call('POST', `/api/playlist/custom/${id}/`, { action: 'create', video_id });
    return [
      [onServer(String(m3u.headers['content-location'])), ['second.mp4', 'first.mp4']],
      [await share({ type: 'video', id: 'first' }), ['first.mp4']],
      [await share({ type: 'playlist', id }), ['first.mp4', 'second.mp4']],
    ] as const;
  };
  /** The media files that a player requested, in order. */
  const playedSince = (from: number) => [
    ...new Set(requests.slice(from).flatMap((line) => /^GET (\w+\.mp4) 20[06]$/.exec(line)?.[1] ?? [])),
  ];

  test.runIf(ytdlp && oldYtdlp).each([
    ['current', ytdlp],
    ['18 months old', oldYtdlp],
  ])('yt-dlp downloads the videos of an M3U and of a shared playlist: %s', async (age, program) => {
    const folder = join(home, age);
    const [m3u, , playlist] = await lists();
    for (const [index, [url, files]] of [m3u, playlist].entries()) {
      const before = requests.length;
      const output = join(folder, String(index), '%(playlist_index)s %(id)s.%(ext)s');
      await start(program!, ['--ignore-config', '--no-cache-dir', '-o', output, url]);
      const names = files.map((name, position) => `${position + 1} ${name}`);
      expect((await readdir(join(folder, String(index)))).toSorted()).toEqual(names);
      for (const [position, name] of names.entries())
        expect((await stat(join(folder, String(index), name))).size).toBe(
          (await stat(join(t.app.config.mediaFolder, 'c1', files[position]!))).size,
        );
      expect(requests.slice(before).filter((line) => / [45]\d\d$/.test(line))).toEqual([]);
    }
  });

  test('mpv plays an M3U and share links', async () => {
    for (const [url, files] of await lists()) {
      const before = requests.length;
      const { stdout } = await start(join(programs!, 'mpv'), ['--no-config', '--vo=null', '--ao=null', '--ao-null-untimed', url]);
      expect(stdout).toContain('End of file');
      expect(playedSince(before)).toEqual(files);
    }
  });

  test('VLC plays an M3U and share links', async () => {
    // VLC refuses to run as root.
    const asUser = process.getuid?.() === 0 ? ['--reuid=65534', '--regid=65534', '--clear-groups'] : [];
    const options = ['-vv', '--no-color', '--intf', 'dummy', '--vout', 'dummy', '--aout', 'dummy', '--play-and-exit'];
    for (const [url, files] of await lists()) {
      const before = requests.length;
      const { stderr } = await start('setpriv', [...asUser, join(programs!, 'cvlc'), ...options, url]);
      expect(playedSince(before)).toEqual(files);
      expect(stderr.match(/Received first picture/g)).toHaveLength(files.length);
    }
  });
});
