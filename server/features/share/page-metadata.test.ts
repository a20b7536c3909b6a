import { execFile, execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createChannel, createUser, createVideo, testApp, type TestApp } from '../../test-support/app.ts';

const { REELKEEP_YTDLP: ytdlp, REELKEEP_FFMPEG: ffmpeg } = process.env;
const run = promisify(execFile);
const title = 'Tea & "coffee" </script><script>alert(1)</script> $& \\';

describe('the page of a share link', () => {
  let t: TestApp;
  let user: Awaited<ReturnType<typeof createUser>>;
  let origin: string;
  let webFolder: string;
  let media: string;
  beforeAll(async () => {
    webFolder = await mkdtemp(join(tmpdir(), 'reelkeep-web-'));
    await writeFile(join(webFolder, 'shared.html'), '<head><base href="/"></head><body></body>');
    t = await testApp({ serverOptions: { webFolder } });
    user = await createUser(t, { isStaff: true });
    await createChannel(t.app.db, { id: 'c1', name: 'Channel' });
    media = join(t.app.config.mediaFolder, 'c1/v1.mp4');
    await mkdir(dirname(media), { recursive: true });
    await writeFile(media, 'film');
    const text = { title, description: 'About <tea>' };
    await createVideo(t.app.db, { id: 'v1', channelId: 'c1', ...text, durationSeconds: 61, mediaPath: 'c1/v1.mp4' });
    await t.app.db
      .insertInto('stream')
      .values({ videoId: 'v1', position: 0, type: 'video', codec: 'h264', bitrate: 1, width: 640, height: 360 })
      .execute();
    await t.server.listen({ host: '127.0.0.1', port: 0 });
    origin = `http://127.0.0.1:${(t.server.server.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    await t.close();
    await rm(webFolder, { recursive: true });
  });

  const share = async (body: object = {}) => {
    const response = await user.call('POST', '/api/share/', { type: 'video', id: 'v1', expires: null, ...body });
    return response.json<{ url: string }>().url.replace(/^https?:\/\/[^/]+/, origin);
  };
  const pageOf = async (url: string, headers: Record<string, string> = { accept: 'text/html' }) =>
    (await fetch(url, { headers })).text();

  test('names the video for previews, with escaped texts', async () => {
    const url = await share();
    const bot = { accept: '*/*', 'user-agent': 'TelegramBot (like TwitterBot)' };
    for (const headers of [undefined, bot]) {
      const page = await pageOf(url, headers);
      for (const tag of [
        '<meta property="og:title" content="Tea &amp; &quot;coffee&quot; &lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt; $&amp; \\"/>',
        '<meta property="og:description" content="About &lt;tea&gt;"/>',
        `<meta property="og:video" content="${url}/-/v1/v1.mp4"/>`,
        '<meta property="og:video:type" content="video/mp4"/>',
        '<meta property="og:video:width" content="640"/>',
        '<meta property="og:video:height" content="360"/>',
        `<meta property="og:image" content="${url}/-/v1/v1.jpg"/>`,
      ])
        expect(page).toContain(tag);
      const [, data] = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(page)!;
      expect(JSON.parse(data!)).toMatchObject({ '@type': 'VideoObject', name: title, contentUrl: `${url}/-/v1/v1.mp4` });
      expect(page.match(/<script/g)).toHaveLength(1);
    }
    expect((await fetch(`${url}/-/v1/v1.mp4`)).status).toBe(200);
  });

  test('says nothing about a video behind a password', async () => {
    const page = await pageOf(await share({ password: 'a long password' }));
    expect(page).toContain('<base');
    expect(page).not.toMatch(/<meta|<script|Tea/);
  });

  test.runIf(ytdlp && ffmpeg)('is a video that yt-dlp downloads', async () => {
    const input = ['-f', 'lavfi', '-i', 'testsrc2=size=64x64:rate=10:duration=1'];
    execFileSync(ffmpeg!, ['-v', 'error', '-y', ...input, '-c:v', 'libx264', '-preset', 'ultrafast', media]);
    const target = join(t.folder, 'downloaded.mp4');
    const options = ['--ignore-config', '--no-cache-dir', '--print', 'after_move:title', '--no-simulate', '-o', target];
    const { stdout } = await run(ytdlp!, [...options, await share()], { timeout: 60_000 });
    expect(stdout.trim()).toBe(title);
    expect(await readFile(target)).toEqual(await readFile(media));
  });
});
