import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, vi } from 'vitest';
import { thumbnailPath } from '../archive/storage/thumbnail-path.ts';
import { createChannel, createVideo, testTimeouts, type TestApp } from './app.ts';

// Kodi itself, on a virtual screen (https://kodi.wiki/view/JSON-RPC_API).

const kodi = process.env.REELKEEP_TEST_KODI;
const ffmpeg = process.env.REELKEEP_FFMPEG;

export const canRunKodi = Boolean(kodi && ffmpeg && spawnSync('Xvfb', ['-help']).status === 0);

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

type Cleanups = (() => Promise<void>)[];

async function startScreen(cleanups: Cleanups): Promise<string> {
  const screen = spawn('Xvfb', ['-displayfd', '1', '-screen', '0', '640x480x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  cleanups.push(async () => void screen.kill());
  const [number] = (await once(screen.stdout, 'data')) as [Buffer];
  return `:${String(number).trim()}`;
}

/**
 * Starts Kodi with a source of TV shows that are not scanned yet, its web server and no sound. Returns a function that calls its
 * JSON-RPC API.
 */
export async function startKodi(cleanups: Cleanups, folder: string) {
  const home = await mkdtemp(join(tmpdir(), 'reelkeep-kodi-'));
  cleanups.push(() => rm(home, { recursive: true, force: true, maxRetries: 5 }));
  const userdata = join(home, '.kodi/userdata');
  const port = await freePort();
  await mkdir(userdata, { recursive: true });
  const settings = {
    'services.webserver': true,
    'services.webserverport': port,
    'services.webserverauthentication': true,
    'services.webserverusername': 'kodi',
    'services.webserverpassword': 'pass wörd',
    'general.addonupdates': 2, // never
    'audiooutput.audiodevice': 'NULL',
  };
  const rows = Object.entries(settings).map(([id, value]) => `<setting id="${id}">${value}</setting>`);
  await writeFile(join(userdata, 'guisettings.xml'), `<settings version="2">${rows.join('')}</settings>`);
  const source = `<source><name>Archive</name><path pathversion="1">${folder}/</path></source>`;
  await writeFile(join(userdata, 'sources.xml'), `<sources><video>${source}</video></sources>`);
  const program = spawn(kodi!, ['--standalone'], {
    env: { HOME: home, DISPLAY: await startScreen(cleanups), PATH: process.env.PATH, LIBGL_ALWAYS_SOFTWARE: '1' },
    stdio: 'ignore',
  });
  cleanups.push(async () => {
    const exited = once(program, 'exit');
    program.kill('SIGKILL');
    await exited;
  });
  const token = 'kodi:pass wörd';
  const address = `http://127.0.0.1:${port}`;
  const authorization = `Basic ${Buffer.from(token).toString('base64')}`;
  const rpc = async <Result>(method: string, params: object = {}): Promise<Result> => {
    const response = await fetch(`${address}/jsonrpc`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    return ((await response.json()) as { result: Result }).result;
  };
  await vi.waitFor(async () => expect(await rpc('JSONRPC.Ping')).toBe('pong'), testTimeouts);
  setContent(join(userdata, 'Database/MyVideos121.db'), `${folder}/`);
  return { rpc, token, address };
}

/** As "Set content" → TV shows → "Local information only" in Kodi (https://kodi.wiki/view/Databases/MyVideos#path). */
function setContent(videoDatabase: string, folder: string) {
  const db = new DatabaseSync(videoDatabase, { timeout: 10_000 });
  db.prepare(
    `insert into path (strPath, strContent, strScraper, scanRecursive, useFolderNames, noUpdate, exclude)
     values (?, 'tvshows', 'metadata.local', 0, 0, 0, 0)`,
  ).run(folder);
  db.close();
}

/** Archives three videos of two channels, with real media files and pictures. */
export async function createRealVideos({ app, folder }: TestApp) {
  const { db, config } = app;
  const [media, picture] = [join(folder, 'media.mp4'), join(folder, 'picture.jpg')];
  execFileSync(ffmpeg!, ['-loglevel', 'error', '-f', 'lavfi', '-i', 'testsrc=d=60:s=64x36:r=5', '-pix_fmt', 'yuv420p', media]);
  execFileSync(ffmpeg!, ['-loglevel', 'error', '-i', media, '-frames:v', '1', picture]);
  await createChannel(db, { id: 'UCtea', name: 'Tea & more', description: 'About <tea>.' });
  await createChannel(db, { id: 'UCbread', name: 'Subs' });
  await mkdir(join(config.cacheFolder, 'channels'), { recursive: true });
  await copyFile(picture, join(config.cacheFolder, 'channels/UCtea_thumb.jpg'));
  const videos = [
    { id: 'aaaaaaaaaaa', channelId: 'UCtea', title: '“First” & <best> 🫖' },
    { id: '-_bbbbbbbbb', channelId: 'UCtea', title: 'Second/third: 50 % more?' },
    { id: 'ccccccccccc', channelId: 'UCbread', title: 'A free sample of bread-trailers' },
  ];
  for (const [index, video] of videos.entries()) {
    const mediaPath = `${video.channelId}/${video.id}.mp4`;
    for (const [from, to] of [
      [media, join(config.mediaFolder, mediaPath)],
      [picture, join(config.cacheFolder, thumbnailPath(video.id))],
    ] as const) {
      await mkdir(dirname(to), { recursive: true });
      await copyFile(from, to);
    }
    const publishedAt = Date.UTC(2024, 1, 29, 12, index) / 1000;
    await createVideo(db, {
      ...video,
      mediaPath,
      publishedAt,
      durationSeconds: 60,
      description: `Plot of ${video.title}\nLine 2`,
      categories: JSON.stringify(['Food / drink']),
    });
  }
  return videos;
}
