import { renderMessages } from '#server/platform/messages/render.ts';
import { createServer } from 'node:net';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readConfig } from '#server/platform/config/config.ts';
import { openSqlite } from '#server/platform/db/sqlite/sqlite.ts';
import { createDatabase, engines } from '#server/test-support/app.ts';
import { createDiskStore } from '#server/platform/storage/disk-store.ts';
import { findInconsistencies } from '#server/features/library/consistency/check.ts';
import { aCatalogue, aChannel, aVideo } from '../../test-site/builders.ts';
import { startTestSite, type TestSite } from '../../test-site/site.ts';
import { eventually, hasTools, testSiteEnv } from '../support/acquisition.ts';
import {
  addressOf,
  createTempFolder,
  logInToProgram,
  kill,
  startProgram,
  type Program,
  type ApiClient,
} from '../support/program.ts';

let folder: Awaited<ReturnType<typeof createTempFolder>>;
let programs: Program[] = [];
beforeEach(async () => {
  folder = await createTempFolder();
});
afterEach(async () => {
  for (const { child, ended } of programs) {
    kill(child);
    await ended;
  }
  programs = [];
  await folder.remove();
});

const start = async (env: Record<string, string> = {}) => {
  const program = await startProgram({ data: folder.path, env });
  programs.push(program);
  return program;
};

async function inconsistencies(): Promise<string[]> {
  const db = await openSqlite(join(folder.path, 'reelkeep.db'));
  try {
    const config = readConfig({ REELKEEP_DATA: folder.path });
    return await Array.fromAsync(findInconsistencies({ db, config, files: createDiskStore(config) }), (found) =>
      renderMessages(found),
    );
  } finally {
    await db.destroy();
  }
}

describe('the program', () => {
  test('prints its URL and the first login once', async () => {
    const first = await start({ REELKEEP_PASSWORD: '' });
    await addressOf(first);
    await eventually(async () => first.output.text.includes('shown only once'));
    const password = /First login: demo \/ ([a-z2-9-]{19})/.exec(first.output.text)?.[1];
    expect(password).toBeDefined();
    expect((await stat(join(folder.path, 'reelkeep.db'))).mode & 0o077).toBe(0);
    first.child.kill('SIGINT');
    expect(await first.ended).toBe(0);
    const second = await start({ REELKEEP_PASSWORD: '' });
    await addressOf(second);
    expect(second.output.text).not.toContain('First login');
    expect(second.output.text).not.toContain(password);
  });

  test('exits cleanly when stopped right after startup', async () => {
    const { child, ended, output } = await start();
    const stop = () => {
      if (!output.text.includes('http://')) return;
      child.stdout.off('data', stop);
      child.kill('SIGTERM');
    };
    child.stdout.on('data', stop);
    expect(await ended).toBe(0);
    expect(output.text).toContain('SIGTERM: stopping.');
  });

  test('rejects a second process on the same data folder', async () => {
    await addressOf(await start());
    const second = await start();
    expect(await second.ended).toBe(78);
    expect(second.output.text.trim()).toMatch(/^Another Reelkeep already works on .*\(REELKEEP_DATA\)\.$/);
  });

  test('reports a used port, and releases the data folder', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const { port } = other.address() as { port: number };
    const program = await start({ REELKEEP_PORT: String(port) });
    expect(await program.ended).toBe(78);
    expect(program.output.text.trim()).toBe(
      `Port ${port} is taken by another program. Choose another: REELKEEP_PORT=8080 npm start`,
    );
    other.close();
    await addressOf(await start());
  });

  test('names an unknown variable', async () => {
    const program = await start({ REELKEEP_PORT: 'http' });
    expect(await program.ended).toBe(78);
    expect(program.output.text.trim()).toBe('REELKEEP_PORT is not understood: write a number from 0 to 65535.');
  });

  test('works below a base path, with and without prefix stripping by the proxy', async () => {
    const address = await addressOf(await start({ REELKEEP_BASE_PATH: '/tube' }));
    expect(await (await fetch(`${address}/tube/api/health/`)).json()).toBe('OK');
    expect(await (await fetch(`${address}/api/health/`)).json()).toBe('OK');
    const login = await fetch(`${address}/tube/api/user/login/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'demo', password: 'demo' }),
    });
    expect(login.headers.getSetCookie().filter((cookie) => /Path=\/tube\b/.test(cookie))).toHaveLength(2);
  });

  test('starts without yt-dlp and ffmpeg, and reports them when they are needed', async () => {
    const address = await addressOf(
      await start({
        REELKEEP_YTDLP: '/nowhere/yt-dlp',
        REELKEEP_FFMPEG: '/nowhere/ffmpeg',
        PATH: '/nowhere',
        PIP_INDEX_URL: 'http://127.0.0.1:1/',
      }),
    );
    const visitor = await logInToProgram(address);
    const { json } = await visitor.call('POST', '/api/download/?autostart=true', { data: [{ youtube_id: 'dQw4w9WgXcQ' }] });
    const result = await eventually(async () => {
      const task = (await visitor.call('GET', `/api/task/by-id/${(json as { task_id: string }).task_id}/`)).json as {
        status: string;
        result: string;
      };
      return task.status === 'FAILURE' && task;
    });
    expect(result.result).toMatch(/yt-dlp is not installed/);
  });
});

describe.runIf(hasTools)('a download', () => {
  let testSite: TestSite;
  const channel = aChannel({ name: 'Slow Rails', look: { scene: 'blend', seed: 5 } });
  const slow = () =>
    aVideo({
      id: 'slowVideo01',
      channelId: channel.id,
      title: 'Slow',
      durationSeconds: 20,
      width: 640,
      height: 360,
      look: { scene: 'pattern', seed: 1 },
      fault: { kind: 'slow', bytesPerSecond: 200_000 },
    });
  const quick = () => aVideo({ id: 'quickVideo1', channelId: channel.id, title: 'Quick', durationSeconds: 5 });
  beforeEach(async () => {
    testSite = await startTestSite({ catalogue: aCatalogue({ channels: [channel], videos: [slow(), quick()] }) });
  });
  afterEach(() => testSite.close());

  type Notices = { id: string; group: string; messages: string[]; progress?: number }[];
  const findRun = async (visitor: ApiClient) =>
    ((await visitor.call('GET', '/api/notification/?filter=download')).json as Notices).find(
      (notice) => notice.group === 'download:run',
    );
  const waitForProgress = (visitor: ApiClient) =>
    eventually(async () => {
      const notice = await findRun(visitor);
      return (notice?.progress ?? 0) > 0 && /% of .*\/s/.test(notice?.messages[1] ?? '') && notice;
    });
  const add = (visitor: ApiClient, id: string) =>
    visitor.call('POST', '/api/download/?autostart=true', { data: [{ youtube_id: id }] });
  const waitForVideo = (visitor: ApiClient, id: string) =>
    eventually(async () => (await visitor.call('GET', `/api/video/${id}/`)).status === 200);
  const incoming = () => readdir(join(folder.path, 'media/.incoming'));
  const begin = async () => {
    const program = await start(testSiteEnv(testSite));
    const visitor = await logInToProgram(await addressOf(program));
    await visitor.call('POST', '/api/appsettings/config/', { downloads: { sleep_interval: null } });
    return { program, visitor };
  };

  test('reports percent, speed and remaining time, and leaves nothing when stopped', async () => {
    const { visitor } = await begin();
    await add(visitor, slow().id);
    const notice = await waitForProgress(visitor);
    expect(notice.messages[0]).toBe('Slow');
    expect(notice.messages[1]).toMatch(/^\d+\.\d% of \d+\.\d\d[KM]iB at \d+\.\d\d[KM]iB\/s - time left: \d\d:\d\d$/);
    expect((await visitor.call('POST', `/api/task/by-id/${notice.id}/`, { command: 'stop' })).status).toBe(204);
    await eventually(
      async () => ((await visitor.call('GET', `/api/task/by-id/${notice.id}/`)).json as { status: string }).status === 'REVOKED',
    );
    expect(await incoming()).toEqual([]);
    const queue = (await visitor.call('GET', '/api/download/?filter=pending')).json as { data: object[] };
    expect(queue.data).toMatchObject([{ youtube_id: slow().id, running: false }]);
  });

  test('resumes a download after Ctrl-C', async () => {
    const { program, visitor } = await begin();
    await add(visitor, slow().id);
    await waitForProgress(visitor);
    await wait(500);
    program.child.kill('SIGINT');
    expect(await program.ended).toBe(0);
    const [number] = await incoming();
    expect((await readdir(join(folder.path, 'media/.incoming', number!))).some((name) => name.endsWith('.part'))).toBe(true);

    testSite.catalogue.videos[0]!.fault = undefined;
    testSite.requests.length = 0;
    const restarted = await begin();
    await waitForVideo(restarted.visitor, slow().id);
    await eventually(async () => (await incoming()).length === 0);
    restarted.program.child.kill('SIGTERM');
    expect(await restarted.program.ended).toBe(0);
    expect(await inconsistencies()).toEqual([]);
  });

  test('resumes a killed download without losing or duplicating anything', async () => {
    for (const delay of [0, 700, 1500, 2200]) {
      const { program, visitor } = await begin();
      await add(visitor, `${quick().id} ${slow().id}`);
      await wait(delay);
      kill(program.child);
      await program.ended;
    }
    testSite.catalogue.videos[0]!.fault = undefined;
    const { program, visitor } = await begin();
    await add(visitor, `${quick().id} ${slow().id}`); // the first kill may have happened before the queue was saved
    await waitForVideo(visitor, quick().id);
    await waitForVideo(visitor, slow().id);
    await eventually(async () => (await incoming()).length === 0);
    program.child.kill('SIGTERM');
    await program.ended;
    expect(await inconsistencies()).toEqual([]);
  });

  test('publishes a complete download at the next start', async () => {
    // Reproduces a kill between manifest and rows: deletes the rows and writes the manifest again.
    const { program, visitor } = await begin();
    await add(visitor, quick().id);
    await waitForVideo(visitor, quick().id);
    program.child.kill('SIGTERM');
    await program.ended;
    const channelFolder = join(folder.path, 'media', channel.id);
    const media = await readFile(join(channelFolder, `${quick().id}.mp4`));
    const db = await openSqlite(join(folder.path, 'reelkeep.db'));
    const video = (await db.selectFrom('video').selectAll().executeTakeFirstOrThrow())!;
    const streams = await db.selectFrom('stream').select(['position', 'type', 'codec', 'bitrate', 'width', 'height']).execute();
    await db.deleteFrom('video').execute();
    await db.destroy();
    await rm(join(channelFolder, `${quick().id}.mp4`));
    const leftover = join(folder.path, 'media/.incoming/77');
    await mkdir(leftover, { recursive: true });
    await writeFile(join(leftover, 'quick.mp4'), media);
    const { isActive: _a, downloadedAt: _d, refreshedAt: _r, sortTitle: _s, commentCount: _c, ...plain } = video;
    const manifest = {
      version: 1,
      number: 77,
      isForced: false,
      files: [{ from: 'quick.mp4', to: video.mediaPath, sizeBytes: video.sizeBytes, sha256: video.sha256 }],
      thumbnail: null,
      channel: { id: channel.id, site: 'youtube', name: channel.name, url: null, subscriberCount: null, kind: 'videos' },
      video: { ...plain, categories: [], tags: [], chapters: [], sponsorblock: null, streams, subtitles: [], comments: null },
    };
    await writeFile(join(leftover, 'manifest.json'), JSON.stringify(manifest));

    const restarted = await begin();
    await waitForVideo(restarted.visitor, quick().id);
    await eventually(async () => (await incoming()).length === 0);
    restarted.program.child.kill('SIGTERM');
    await restarted.program.ended;
    expect(await inconsistencies()).toEqual([]);
  });
});

test.runIf(hasTools && engines.length > 1)('runs on PostgreSQL, and continues after a restart', async () => {
  const database = await createDatabase();
  const channel = aChannel({ name: 'Elsewhere' });
  const video = aVideo({ id: 'postgresVi1', channelId: channel.id, title: 'Kept elsewhere', durationSeconds: 5 });
  const testSite = await startTestSite({ catalogue: aCatalogue({ channels: [channel], videos: [video] }) });
  const env = { ...testSiteEnv(testSite), REELKEEP_DATABASE: database.url };
  try {
    const first = await start(env);
    const visitor = await logInToProgram(await addressOf(first));
    await visitor.call('POST', '/api/download/?autostart=true', { data: [{ youtube_id: video.id }] });
    await eventually(async () => (await visitor.call('GET', `/api/video/${video.id}/`)).status === 200);
    first.child.kill('SIGTERM');
    expect(await first.ended).toBe(0);
    expect(await readdir(folder.path)).not.toContain('reelkeep.db');
    const client = await logInToProgram(await addressOf(await start(env)));
    expect((await client.call('GET', `/api/video/${video.id}/`)).json).toMatchObject({ title: 'Kept elsewhere' });
  } finally {
    for (const { child, ended } of programs) {
      kill(child);
      await ended;
    }
    await database.drop();
    await testSite.close();
  }
});
