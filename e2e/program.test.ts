import { createServer } from 'node:net';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readConfig } from '#server/config.ts';
import { openSqlite } from '#server/db/sqlite.ts';
import { anOwnDatabase, engines } from '#server/testing.ts';
import { brokenPromises } from '#server/library/invariants.ts';
import { aCatalogue, aChannel, aVideo } from '#standin/builders.ts';
import { startStandin, type Standin } from '#standin/site.ts';
import { eventually, hasTools, throughStandin } from './acquiring.ts';
import { addressOf, aFolder, aVisitor, kill, startProgram, type Program, type Visitor } from './program.ts';

let folder: Awaited<ReturnType<typeof aFolder>>;
let programs: Program[] = [];
beforeEach(async () => {
  folder = await aFolder();
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

async function complaints(): Promise<string[]> {
  const db = await openSqlite(join(folder.path, 'reelkeep.db'));
  try {
    return await Array.fromAsync(brokenPromises({ db, config: readConfig({ REELKEEP_DATA: folder.path }) }));
  } finally {
    await db.destroy();
  }
}

describe('the program', () => {
  test('says where it is and how to log in, once', async () => {
    const first = await start({ REELKEEP_PASSWORD: '' });
    await addressOf(first);
    await eventually(async () => first.words.text.includes('only this once'));
    const password = /First login: demo \/ ([a-z2-9-]{19})/.exec(first.words.text)?.[1];
    expect(password).toBeDefined();
    expect((await stat(join(folder.path, 'reelkeep.db'))).mode & 0o077).toBe(0);
    first.child.kill('SIGINT');
    expect(await first.ended).toBe(0);
    const second = await start({ REELKEEP_PASSWORD: '' });
    await addressOf(second);
    expect(second.words.text).not.toContain('First login');
    expect(second.words.text).not.toContain(password);
  });

  test('ends in order however soon it is stopped after it said where it is', async () => {
    const { child, ended, words } = await start();
    const stop = () => {
      if (!words.text.includes('http://')) return;
      child.stdout.off('data', stop);
      child.kill('SIGTERM');
    };
    child.stdout.on('data', stop);
    expect(await ended).toBe(0);
    expect(words.text).toContain('SIGTERM: stopping.');
  });

  test('refuses a second one on the same data folder with a sentence', async () => {
    await addressOf(await start());
    const second = await start();
    expect(await second.ended).toBe(78);
    expect(second.words.text.trim()).toMatch(/^Another Reelkeep already works on .*\(REELKEEP_DATA\)\.$/);
  });

  test('says in a sentence that the port is taken, and leaves the folder free', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const { port } = other.address() as { port: number };
    const program = await start({ REELKEEP_PORT: String(port) });
    expect(await program.ended).toBe(78);
    expect(program.words.text.trim()).toBe(
      `Port ${port} is taken by another program. Choose another: REELKEEP_PORT=8080 npm start`,
    );
    other.close();
    await addressOf(await start());
  });

  test('names the variable that it does not understand', async () => {
    const program = await start({ REELKEEP_PORT: 'http' });
    expect(await program.ended).toBe(78);
    expect(program.words.text.trim()).toBe('REELKEEP_PORT is not understood: write a number from 0 to 65535.');
  });

  test('lives below a path, whether or not the reverse proxy takes it away', async () => {
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

  test('starts without yt-dlp and ffmpeg, and says what is missing when it is needed', async () => {
    const address = await addressOf(
      await start({
        REELKEEP_YTDLP: '/nowhere/yt-dlp',
        REELKEEP_FFMPEG: '/nowhere/ffmpeg',
        PATH: '/nowhere',
        PIP_INDEX_URL: 'http://127.0.0.1:1/',
      }),
    );
    const visitor = await aVisitor(address);
    const { json } = await visitor.call('POST', '/api/download/?autostart=true', { data: [{ youtube_id: 'dQw4w9WgXcQ' }] });
    const result = await eventually(async () => {
      const task = (await visitor.call('GET', `/api/task/by-id/${(json as { task_id: string }).task_id}/`)).json as {
        status: string;
        result: string;
      };
      return task.status === 'FAILURE' && task;
    });
    expect(result.result).toMatch(/yt-dlp is not there yet/);
  });
});

describe.runIf(hasTools)('a download', () => {
  let standin: Standin;
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
      trouble: { kind: 'slow', bytesPerSecond: 200_000 },
    });
  const quick = () => aVideo({ id: 'quickVideo1', channelId: channel.id, title: 'Quick', durationSeconds: 5 });
  beforeEach(async () => {
    standin = await startStandin({ catalogue: aCatalogue({ channels: [channel], videos: [slow(), quick()] }) });
  });
  afterEach(() => standin.close());

  type Notices = { id: string; group: string; messages: string[]; progress?: number }[];
  const running = async (visitor: Visitor) =>
    ((await visitor.call('GET', '/api/notification/?filter=download')).json as Notices).find(
      (notice) => notice.group === 'download:run',
    );
  const isUnderWay = (visitor: Visitor) =>
    eventually(async () => {
      const notice = await running(visitor);
      return (notice?.progress ?? 0) > 0 && /% of .*\/s/.test(notice?.messages[1] ?? '') && notice;
    });
  const add = (visitor: Visitor, id: string) =>
    visitor.call('POST', '/api/download/?autostart=true', { data: [{ youtube_id: id }] });
  const isThere = (visitor: Visitor, id: string) =>
    eventually(async () => (await visitor.call('GET', `/api/video/${id}/`)).status === 200);
  const incoming = () => readdir(join(folder.path, 'media/.incoming'));
  const begin = async () => {
    const program = await start(throughStandin(standin));
    const visitor = await aVisitor(await addressOf(program));
    await visitor.call('POST', '/api/appsettings/config/', { downloads: { sleep_interval: null } });
    return { program, visitor };
  };

  test('tells percent, speed and the time left; stopped, it ends and leaves nothing', async () => {
    const { visitor } = await begin();
    await add(visitor, slow().id);
    const notice = await isUnderWay(visitor);
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

  test('is put down by Ctrl-C, and goes on at the next start with what was there', async () => {
    const { program, visitor } = await begin();
    await add(visitor, slow().id);
    await isUnderWay(visitor);
    await wait(500);
    program.child.kill('SIGINT');
    expect(await program.ended).toBe(0);
    const [number] = await incoming();
    expect((await readdir(join(folder.path, 'media/.incoming', number!))).some((name) => name.endsWith('.part'))).toBe(true);

    standin.catalogue.videos[0]!.trouble = undefined;
    standin.requests.length = 0;
    const again = await begin();
    await isThere(again.visitor, slow().id);
    await eventually(async () => (await incoming()).length === 0);
    again.program.child.kill('SIGTERM');
    expect(await again.program.ended).toBe(0);
    expect(await complaints()).toEqual([]);
  });

  test('survives a kill at any moment: nothing is lost, nothing is there twice', async () => {
    for (const delay of [0, 700, 1500, 2200]) {
      const { program, visitor } = await begin();
      await add(visitor, `${quick().id} ${slow().id}`);
      await wait(delay);
      kill(program.child);
      await program.ended;
    }
    standin.catalogue.videos[0]!.trouble = undefined;
    const { program, visitor } = await begin();
    await add(visitor, `${quick().id} ${slow().id}`); // the first kill may have come before the queue knew of them
    await isThere(visitor, quick().id);
    await isThere(visitor, slow().id);
    await eventually(async () => (await incoming()).length === 0);
    program.child.kill('SIGTERM');
    await program.ended;
    expect(await complaints()).toEqual([]);
  });

  test('that was whole but not yet on the shelf is brought there at the next start', async () => {
    // What a kill between the manifest and the rows leaves: the rows are taken away, the manifest is put back.
    const { program, visitor } = await begin();
    await add(visitor, quick().id);
    await isThere(visitor, quick().id);
    program.child.kill('SIGTERM');
    await program.ended;
    const shelf = join(folder.path, 'media', channel.id);
    const media = await readFile(join(shelf, `${quick().id}.mp4`));
    const db = await openSqlite(join(folder.path, 'reelkeep.db'));
    const video = (await db.selectFrom('video').selectAll().executeTakeFirstOrThrow())!;
    const streams = await db.selectFrom('stream').select(['position', 'type', 'codec', 'bitrate', 'width', 'height']).execute();
    await db.deleteFrom('video').execute();
    await db.destroy();
    await rm(join(shelf, `${quick().id}.mp4`));
    const left = join(folder.path, 'media/.incoming/77');
    await mkdir(left, { recursive: true });
    await writeFile(join(left, 'quick.mp4'), media);
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
    await writeFile(join(left, 'manifest.json'), JSON.stringify(manifest));

    const again = await begin();
    await isThere(again.visitor, quick().id);
    await eventually(async () => (await incoming()).length === 0);
    again.program.child.kill('SIGTERM');
    await again.program.ended;
    expect(await complaints()).toEqual([]);
  });
});

test.runIf(hasTools && engines.length > 1)('the whole program runs on PostgreSQL, and goes on there', async () => {
  const database = await anOwnDatabase();
  const channel = aChannel({ name: 'Elsewhere' });
  const video = aVideo({ id: 'postgresVi1', channelId: channel.id, title: 'Kept elsewhere', durationSeconds: 5 });
  const standin = await startStandin({ catalogue: aCatalogue({ channels: [channel], videos: [video] }) });
  const env = { ...throughStandin(standin), REELKEEP_DATABASE: database.url };
  try {
    const first = await start(env);
    const visitor = await aVisitor(await addressOf(first));
    await visitor.call('POST', '/api/download/?autostart=true', { data: [{ youtube_id: video.id }] });
    await eventually(async () => (await visitor.call('GET', `/api/video/${video.id}/`)).status === 200);
    first.child.kill('SIGTERM');
    expect(await first.ended).toBe(0);
    expect(await readdir(folder.path)).not.toContain('reelkeep.db');
    const again = await aVisitor(await addressOf(await start(env)));
    expect((await again.call('GET', `/api/video/${video.id}/`)).json).toMatchObject({ title: 'Kept elsewhere' });
  } finally {
    for (const { child, ended } of programs) {
      kill(child);
      await ended;
    }
    await database.drop();
    await standin.close();
  }
});
