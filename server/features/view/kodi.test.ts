import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, expect, test, vi } from 'vitest';
import type { View } from '#contract/view.ts';
import { createChannel, createUser, createVideo, testArchive, testTimeouts, type TestArchive } from '../../test-support/app.ts';
import { thumbnailPath } from '../../archive/storage/thumbnail-path.ts';

// Kodi itself reads a view, on a virtual screen, and is asked what it found (https://kodi.wiki/view/JSON-RPC_API).

const kodi = process.env.REELKEEP_TEST_KODI;
const ffmpeg = process.env.REELKEEP_FFMPEG;

let close: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const one of close.toReversed()) await one();
  close = [];
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function startScreen(): Promise<string> {
  const screen = spawn('Xvfb', ['-displayfd', '1', '-screen', '0', '640x480x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  close.push(async () => void screen.kill());
  const [number] = (await once(screen.stdout, 'data')) as [Buffer];
  return `:${String(number).trim()}`;
}

/** Starts Kodi with an empty library, its web server and no sound. Returns a function that calls its JSON-RPC API. */
async function startKodi() {
  const home = await mkdtemp(join(tmpdir(), 'reelkeep-kodi-'));
  close.push(() => rm(home, { recursive: true, force: true, maxRetries: 5 }));
  const userdata = join(home, '.kodi/userdata');
  const port = await freePort();
  await mkdir(userdata, { recursive: true });
  const settings = {
    'services.webserver': true,
    'services.webserverport': port,
    'services.webserverauthentication': false,
    'general.addonupdates': 2, // never
    'audiooutput.audiodevice': 'NULL',
  };
  const rows = Object.entries(settings).map(([id, value]) => `<setting id="${id}">${value}</setting>`);
  await writeFile(join(userdata, 'guisettings.xml'), `<settings version="2">${rows.join('')}</settings>`);
  const program = spawn(kodi!, ['--standalone'], {
    env: { HOME: home, DISPLAY: await startScreen(), PATH: process.env.PATH, LIBGL_ALWAYS_SOFTWARE: '1' },
    stdio: 'ignore',
  });
  close.push(async () => {
    const exited = once(program, 'exit');
    program.kill('SIGKILL');
    await exited;
  });
  const rpc = async <Result>(method: string, params: object = {}): Promise<Result> => {
    const response = await fetch(`http://127.0.0.1:${port}/jsonrpc`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    return ((await response.json()) as { result: Result }).result;
  };
  await vi.waitFor(async () => expect(await rpc('JSONRPC.Ping')).toBe('pong'), testTimeouts);
  return { rpc, videoDatabase: join(userdata, 'Database/MyVideos121.db') };
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

interface Episode {
  title: string;
  firstaired: string;
  plot: string;
  season: number;
  episode: number;
  showtitle: string;
  playcount: number;
  lastplayed: string;
  uniqueid: Record<string, string>;
  art: Record<string, string>;
  resume: { position: number };
}

/** Archives three videos of two channels, with real media files and pictures. */
async function fillArchive({ archive, folder }: TestArchive) {
  const { db, config } = archive;
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

test.skipIf(!kodi || !ffmpeg || spawnSync('Xvfb', ['-help']).status !== 0)(
  'Kodi lists every episode of a view with title, date, plot, picture and watched state',
  async () => {
    const t = await testArchive();
    close.push(() => t.close());
    const staff = await createUser(t, { isStaff: true });
    await t.runner.begin();
    const videos = await fillArchive(t);
    await staff.call('POST', '/api/watched/', { id: 'aaaaaaaaaaa', is_watched: true });
    await staff.call('POST', '/api/video/ccccccccccc/progress/', { position: 25 });
    const body = { name: 'Kodi', root: 'kodi', preset: 'kodi', person: staff.id };
    const view = (await staff.call('POST', '/api/view/', body)).json() as View;
    await staff.call('POST', `/api/view/${view.id}/build/`);
    await vi.waitFor(
      async () => expect((await staff.call('GET', '/api/view/')).json().data).toMatchObject([{ state: 'ready', videos: 3 }]),
      testTimeouts,
    );

    const { rpc, videoDatabase } = await startKodi();
    setContent(videoDatabase, `${view.root}/`);
    await rpc('VideoLibrary.Scan', { directory: `${view.root}/`, showdialogs: false });
    const properties = [
      'title',
      'firstaired',
      'plot',
      'season',
      'episode',
      'showtitle',
      'playcount',
      'lastplayed',
      'uniqueid',
      'art',
      'resume',
    ];
    const episodes = await vi.waitFor(async () => {
      const found = (await rpc<{ episodes?: Episode[] }>('VideoLibrary.GetEpisodes', { properties })).episodes ?? [];
      expect(found).toHaveLength(videos.length);
      return found;
    }, testTimeouts);
    for (const { id, title, channelId } of videos) {
      const episode = episodes.find(({ uniqueid }) => uniqueid['youtube'] === id);
      expect(episode).toMatchObject({
        title,
        firstaired: '2024-02-29',
        plot: `Plot of ${title}\nLine 2`,
        season: 2024,
        showtitle: channelId === 'UCtea' ? 'Tea & more' : 'Subs',
        playcount: id === 'aaaaaaaaaaa' ? 1 : 0,
        resume: { position: id === 'ccccccccccc' ? 25 : 0 },
      });
      expect(episode!.lastplayed === '').toBe(id === '-_bbbbbbbbb');
      expect(decodeURIComponent(episode!.art['thumb']!)).toContain(`[${id}]-thumb.jpg`);
    }
    expect(episodes.map(({ episode }) => episode).toSorted()).toEqual([22901, 22901, 22902]);
    type Show = { label: string; plot: string; genre: string[]; premiered: string; art: Record<string, string> };
    const shows = await rpc<{ tvshows: Show[] }>('VideoLibrary.GetTVShows', {
      properties: ['plot', 'genre', 'premiered', 'art'],
    });
    const tea = shows.tvshows.find(({ label }) => label === 'Tea & more')!;
    expect(tea).toMatchObject({ plot: 'About <tea>.', genre: ['Food/drink'], premiered: '2024-02-29' });
    expect(decodeURIComponent(tea.art['poster']!)).toContain('/Tea & more/poster.jpg');
  },
);
