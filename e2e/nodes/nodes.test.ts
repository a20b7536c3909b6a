import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createDatabase, engines } from '#server/test-support/app.ts';
import { startS3, versitygwPath } from '#server/test-support/s3.ts';
import { aCatalogue, aChannel, aVideo } from '../../test-site/builders.ts';
import type { VideoFault } from '../../test-site/catalogue.ts';
import { startTestSite, type TestSite } from '../../test-site/site.ts';
import { eventually, hasTools, testSiteEnv } from '../support/acquisition.ts';
import { addressOf, createTempFolder, logInToProgram, startProgram, type ApiClient, type Program } from '../support/program.ts';
import { waitForTask } from '../support/restoring.ts';

// Several servers on one PostgreSQL database and one media folder.

const channel = aChannel({ name: 'Many Lines', look: { scene: 'blend', seed: 4 } });
const ids = ['manyNodes01', 'manyNodes02', 'manyNodes03'];
const stalledIds = ['stalledOne1', 'stalledTwo2', 'stalledTri3'];
const slowIds = ['slowOnOne01', 'slowOnTwo02', 'slowOnTri03'];
const slow = { kind: 'slow' as const, bytesPerSecond: 200 };
const faultOf = (id: string): VideoFault | undefined =>
  stalledIds.includes(id) ? { kind: 'stall' } : slowIds.includes(id) ? slow : undefined;
const videos = [...ids, ...slowIds, ...stalledIds].map((id, n) =>
  aVideo({
    id,
    channelId: channel.id,
    title: `Line ${n + 1}`,
    durationSeconds: 5,
    look: { scene: 'blend', seed: n },
    fault: faultOf(id),
  }),
);

interface NodeState {
  name: string;
  role: string;
  is_leader: boolean;
  is_alive: boolean;
}

interface Run {
  id: string;
  name: string;
  downloads?: unknown[];
}

interface Ended {
  status: string;
  result: string;
}

describe.runIf(engines.length > 1 && hasTools)('several servers', () => {
  let folder: Awaited<ReturnType<typeof createTempFolder>>;
  let database: Awaited<ReturnType<typeof createDatabase>>;
  let testSite: TestSite;
  /** Looks into the database. */
  let client: pg.Client;
  let programs: Program[];
  beforeEach(async () => {
    programs = [];
    [folder, database] = await Promise.all([createTempFolder(), createDatabase()]);
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
    testSite = await startTestSite({ catalogue: aCatalogue({ channels: [channel], videos }) });
  });
  afterEach(async () => {
    for (const { child, ended } of programs) {
      child.kill('SIGCONT');
      child.kill('SIGKILL');
      await ended;
    }
    await testSite.close();
    await client.end();
    await database.drop();
    await folder.remove();
  });

  async function start(name: string, role: 'web' | 'worker' | 'all', env: Record<string, string> = {}) {
    const program = await startProgram({
      data: join(folder.path, name),
      env: {
        ...testSiteEnv(testSite),
        REELKEEP_DATABASE: database.url,
        REELKEEP_MEDIA: join(folder.path, 'media'),
        REELKEEP_CACHE: join(folder.path, 'cache'),
        REELKEEP_KEY: '5a'.repeat(32),
        REELKEEP_NODE: name,
        REELKEEP_ROLE: role,
        ...env,
      },
    });
    programs.push(program);
    return program;
  }
  /** Starts a web node and logs in. */
  async function startWeb(name: string) {
    const address = await addressOf(await start(name, 'web'));
    return { address, visitor: await logInToProgram(address) };
  }
  const add = ({ call }: ApiClient, ids: string[]) =>
    call('POST', '/api/download/?autostart=true', { data: ids.map((youtube_id) => ({ youtube_id })) });
  const archived = async ({ call }: ApiClient) =>
    ((await call('GET', '/api/video/')).json as { data: { youtube_id: string }[] }).data.map((video) => video.youtube_id).sort();
  const nodesOf = async ({ call }: ApiClient) => (await call('GET', '/api/node/')).json as NodeState[];

  test('downloads videos of a web node on a worker, and updates browsers at another web node', async () => {
    const first = await startWeb('web-1');
    const worker = await addressOf(await start('worker', 'worker'));
    const second = await addressOf(await start('web-2', 'web'));
    const { headers } = first.visitor;
    const stream = await fetch(`${second}/api/events/`, { headers });
    const events: string[] = [];
    const reading = (async () => {
      for await (const text of stream.body!.pipeThrough(new TextDecoderStream())) events.push(text);
    })().catch(() => {}); // the stream ends with its server

    // While the worker drains, what is added waits. The second web server drains meanwhile, and still answers.
    const readiness = async (address: string) => (await fetch(`${address}/readyz/`)).text();
    const drains = (address: string) => async () => (await readiness(address)).includes('is draining');
    const drain = async (name: string, isDraining: boolean) =>
      expect((await first.visitor.call('POST', `/api/node/${name}/`, { is_draining: isDraining })).status).toBe(204);
    await drain('worker', true);
    await eventually(drains(worker), 'the draining worker');
    expect((await add(first.visitor, ['manyNodes01'])).status).toBe(200);
    await drain('web-2', true);
    await eventually(drains(second), 'the draining web server');
    expect((await fetch(`${second}/api/ping/`, { headers })).status).toBe(200);
    await drain('web-2', false);
    await eventually(async () => (await readiness(second)) === '"OK"', 'the web server');
    const { rows } = await client.query("select status from task where name = 'extract_download'");
    expect(rows).toEqual([{ status: 'pending' }]);
    await drain('worker', false);
    await eventually(async () => events.join('').includes('event: arrived') && events.join('').includes('manyNodes01'));
    const list = (await (await fetch(`${second}/api/video/`, { headers })).json()) as { data: { media_url: string }[] };
    expect(list.data).toHaveLength(1);
    const file = await fetch(new URL(list.data[0]!.media_url, second), { headers });
    expect([file.status, (await file.arrayBuffer()).byteLength > 10_000]).toEqual([200, true]);
    // A deletion at the second node is seen at the first one at once.
    const csrf = /csrftoken=([^;]+)/.exec(headers.cookie)![1]!;
    const removed = await fetch(`${second}/api/video/manyNodes01/`, {
      method: 'DELETE',
      headers: { ...headers, 'x-csrftoken': csrf },
    });
    expect([removed.status, await archived(first.visitor)]).toEqual([204, []]);

    expect(await nodesOf(first.visitor)).toMatchObject([
      { name: 'web-1', role: 'web', is_leader: false, is_alive: true },
      { name: 'web-2', role: 'web', is_leader: false, is_alive: true },
      { name: 'worker', role: 'worker', is_leader: true, is_alive: true },
    ]);
    expect((await fetch(`${worker}/livez/`)).status).toBe(200);
    expect(await readiness(worker)).toBe('"OK"');
    expect((await fetch(`${worker}/api/video/`, { headers })).status).toBe(404);
    for (const { child } of programs) child.kill('SIGTERM');
    expect(await Promise.all(programs.map(({ ended }) => ended))).toEqual([0, 0, 0]);
    await reading;
  });

  test.runIf(versitygwPath)('downloads into a bucket, from which a web server sends files of workers that are gone', async () => {
    const s3 = await startS3();
    try {
      // Nothing but the database and the bucket is shared.
      const own = (name: string) => ({
        ...s3.env,
        REELKEEP_MEDIA: join(folder.path, name, 'media'),
        REELKEEP_CACHE: join(folder.path, name, 'cache'),
      });
      const web = await start('web', 'web', own('web'));
      const workers = [await start('first', 'worker', own('first')), await start('second', 'worker', own('second'))];
      const visitor = await logInToProgram(await addressOf(web));
      await visitor.call('POST', '/api/appsettings/config/', { downloads: { sleep_interval: null } });
      await add(visitor, ids);
      await eventually(async () => (await archived(visitor)).length === ids.length, 'all videos');
      for (const { child, ended } of workers) {
        child.kill('SIGKILL');
        await ended;
      }
      await Promise.all(['first', 'second'].map((name) => rm(join(folder.path, name), { recursive: true })));
      for (const id of ids) {
        const { json } = await visitor.call('GET', `/api/video/${id}/`);
        const { media_url: media, vid_thumb_url: thumbnail } = json as { media_url: string; vid_thumb_url: string };
        expect([await visitor.bytesOf(media), await visitor.bytesOf(thumbnail)]).toEqual([
          expect.toSatisfy((bytes: number) => bytes > 10_000),
          expect.toSatisfy((bytes: number) => bytes > 1_000),
        ]);
      }
      const stored = readdirSync(join(s3.folder, 'media', channel.id)).filter((name) => name.endsWith('.mp4'));
      expect(stored).toHaveLength(ids.length);
    } finally {
      await s3.stop();
    }
  });

  test('continues on another worker when one is frozen and one is killed', async () => {
    const web = await startWeb('web');
    await web.visitor.call('POST', '/api/appsettings/config/', { downloads: { sleep_interval: null } });
    const names = ['first', 'second', 'third'];
    // Each has its own address, so that all download from the site at once.
    const workers = new Map(
      await Promise.all(names.map(async (name) => [name, await start(name, 'worker', { REELKEEP_EGRESS: name })] as const)),
    );
    await Promise.all([...workers.values()].map(addressOf));
    expect((await add(web.visitor, slowIds)).status).toBe(200);
    await eventually(async () => {
      const { rows } = await client.query('select 1 from download where leased_by is not null');
      return rows.length === names.length;
    }, 'a download on each worker');
    slow.bytesPerSecond = 8000;
    const [frozen, killed] = ['first', 'second'] as const;
    workers.get(frozen)!.child.kill('SIGSTOP');
    workers.get(killed)!.child.kill('SIGKILL');
    await eventually(async () => (await archived(web.visitor)).length === slowIds.length, 'all archived');
    workers.get(frozen)!.child.kill('SIGCONT');
    await eventually(
      async () => /the lease of a (run|download) was lost/.test(workers.get(frozen)!.output.text),
      'the lost lease',
    );
    const last = names.find((name) => name !== frozen && name !== killed);
    // The frozen one may believe that it leads until it notices that its connection was closed.
    await eventually(async () => {
      const list = await nodesOf(web.visitor);
      const leaders = list.filter(({ is_leader }) => is_leader).map(({ name }) => name);
      return list.every(({ name, is_alive }) => is_alive === (name !== killed)) && leaders.length === 1 && leaders[0] === last;
    }, 'one leader');
    expect(((await web.visitor.call('GET', '/api/download/')).json as { data: unknown[] }).data).toEqual([]);
    const { rows } = await client.query<{ videos: string }>('select count(*) as videos from video');
    expect(Number(rows[0]!.videos)).toBe(slowIds.length);
    await eventually(
      async () => readdirSync(join(folder.path, `media/.incoming/node-${frozen}`)).length === 0,
      'its work folder',
    );
  });

  test('downloads on all workers, within the limits of each address, and stops on all', async () => {
    const { visitor } = await startWeb('web');
    await visitor.call('POST', '/api/appsettings/config/', { downloads: { sleep_interval: null }, queue: { per_site: 1 } });
    await Promise.all(['home', 'office'].map(async (name) => addressOf(await start(name, 'worker', { REELKEEP_EGRESS: name }))));
    const started = await add(visitor, stalledIds);
    expect(started.status).toBe(200);
    const held = async () =>
      (await client.query<{ egress: string }>('select egress from download where leased_by is not null')).rows
        .map(({ egress }) => egress)
        .sort();
    const running = async () =>
      ((await visitor.call('GET', '/api/notification/?filter=download')).json as Run[]).filter(
        ({ name }) => name === 'download_pending',
      );
    const endOf = ({ id }: Run) =>
      eventually(async () => {
        const ended = (await visitor.call('GET', `/api/task/by-id/${id}/`)).json as Ended;
        return ended.status !== 'PENDING' && ended;
      }, 'its end');
    const run = await eventually(async () => {
      const [run, another] = await running();
      const { rows } = await client.query('select id from download');
      return !another && run?.downloads?.length === 2 && rows.length === stalledIds.length && run;
    }, 'the progress of both workers in one task');
    expect(await held()).toEqual(['home', 'office']); // the third one waits
    // Adding ends with a start of the queue, which must not come after the stop.
    await eventually(async () => {
      const { rows } = await client.query(
        "select 1 from task where name = 'extract_download' and status in ('pending', 'running')",
      );
      return rows.length === 0;
    }, 'the end of adding');
    expect((await visitor.call('POST', `/api/task/by-id/${run.id}/`, { command: 'stop' })).status).toBe(204);
    await eventually(async () => (await held()).length === 0, 'both stopped');
    expect(await endOf(run)).toMatchObject({ status: 'REVOKED' });
    for (const id of stalledIds) await visitor.call('DELETE', `/api/download/${id}/`);

    expect((await add(visitor, ids)).status).toBe(200);
    const next = await eventually(async () => (await running()).find(({ id }) => id !== run.id), 'the next run');
    expect(await endOf(next)).toMatchObject({ status: 'SUCCESS', result: 'Downloaded 3 videos.' });
    expect(await archived(visitor)).toEqual(ids);
  });

  /** Waits until a worker downloads, and returns its name. */
  const downloadingNode = () =>
    eventually(async () => {
      const { rows } = await client.query<{ name: string }>('select name from node join download on leased_by = run_id');
      return rows[0]?.name;
    }, 'a download');

  test('interrupts a download on another server for a restore, and continues it', async () => {
    const names = ['web', 'first', 'second'];
    for (const folderName of ['backup', ...names]) mkdirSync(join(folder.path, folderName));
    for (const name of names) symlinkSync(join(folder.path, 'backup'), join(folder.path, name, 'backup'));
    const { address, visitor } = await startWeb('web');
    const workers = { first: await start('first', 'worker'), second: await start('second', 'worker') };
    await Promise.all(Object.values(workers).map(addressOf));
    const end = async (task: string) => {
      const { status, result } = await waitForTask(visitor, task);
      expect(status, result ?? '').toBe('SUCCESS');
    };
    const playlists = async () =>
      ((await visitor.call('GET', '/api/playlist/?type=custom')).json as { data: { playlist_name: string }[] }).data
        .map((playlist) => playlist.playlist_name)
        .sort();
    const { cookie } = visitor.headers;
    const change = () =>
      fetch(`${address}/api/user/me/`, {
        method: 'POST',
        headers: { cookie, 'x-csrftoken': /csrftoken=([^;]+)/.exec(cookie)![1]!, 'content-type': 'application/json' },
        body: JSON.stringify({ page_size: 9 }),
      });

    await visitor.call('POST', '/api/playlist/custom/', { playlist_name: 'Before' });
    await add(visitor, ['slowOnOne01']);
    const busy = workers[(await downloadingNode()) as keyof typeof workers];
    busy.child.kill('SIGSTOP');
    await visitor.call('POST', '/api/appsettings/backup/');
    await end('run_backup');
    await visitor.call('POST', '/api/playlist/custom/', { playlist_name: 'After' });
    const [{ filename }] = (await visitor.call('GET', '/api/appsettings/backup/')).json as [{ filename: string }];
    expect((await visitor.call('POST', `/api/appsettings/backup/${filename}/`)).status).toBe(200);
    const refused = await eventually(async () => {
      const response = await change();
      return response.status === 503 && response;
    }, 'maintenance');
    expect([refused.headers.get('retry-after'), await playlists()]).toEqual(['15', ['After', 'Before']]);
    busy.child.kill('SIGCONT');
    await end('restore_backup');
    await eventually(async () => (await change()).status === 200, 'changes');
    expect(await playlists()).toEqual(['Before']);
    await eventually(async () => (await archived(visitor)).length === 1, 'the video');
    const { rows } = await client.query<{ attempts: number }>("select attempts::int from task where name = 'download_pending'");
    expect(rows).toHaveLength(1);
    // Interrupted by the restore, and perhaps also by a connection that ended while its worker was frozen.
    expect(rows[0]!.attempts).toBeGreaterThan(1);
  });

  test('rejects a second node of the same name, a single server next to nodes, and nodes without PostgreSQL', async () => {
    await addressOf(await start('web', 'web'));
    const [same, single, alone] = await Promise.all([
      start('web', 'worker', { REELKEEP_DATA: join(folder.path, 'another') }),
      start('single', 'all', { REELKEEP_NODE: '' }),
      start('alone', 'worker', { REELKEEP_DATABASE: '' }),
    ]);
    expect([await same.ended, same.output.text]).toEqual([
      78,
      expect.stringMatching(/as node web.*another name \(REELKEEP_NODE\)/),
    ]);
    expect([await single.ended, single.output.text]).toEqual([78, expect.stringContaining('Another Reelkeep already works on')]);
    expect([await alone.ended, alone.output.text]).toEqual([78, expect.stringMatching(/share a PostgreSQL database/)]);
  });
});
