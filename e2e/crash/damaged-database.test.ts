import { spawnSync } from 'node:child_process';
import { closeSync, cpSync, openSync, readdirSync, readFileSync, statSync, truncateSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Check } from '#contract/health.ts';
import { eventually } from '../support/acquisition.ts';
import { addressOf, createTempFolder, logInToProgram, type ApiClient } from '../support/program.ts';
import { endAll, waitForTask, start, stop, withDatabase } from '../support/restoring.ts';

// Simulates a disk that returns other data than was written.

let templateFolder: Awaited<ReturnType<typeof createTempFolder>>;
let folder: Awaited<ReturnType<typeof createTempFolder>>;
let template: string;
let data: string;
let snapshot: string;
const file = () => join(data, 'reelkeep.db');
const videos = 400;

beforeAll(async () => {
  templateFolder = await createTempFolder();
  template = join(templateFolder.path, 'template');
  const first = await start(template);
  await addressOf(first);
  await stop(first);
  withDatabase(template, (db) =>
    db.exec(`insert into channel (id, site, site_id, name, sort_name, added_at, refreshed_at) values ('UCx', 's', 'UCx', 'Kept', 'kept', 1, 1);
      insert into video (id, site, site_id, channel_id, title, sort_title, kind, published_at, downloaded_at, refreshed_at, duration_seconds, size_bytes, sha256, media_path)
        with recursive c(n) as (select 1 union all select n + 1 from c where n < ${videos})
        select 'v' || n, 's', 'v' || n, 'UCx', 'Video ' || n, 'video ' || n, 'videos', n, n, n, 1, 1, '', 'UCx/v' || n || '.mp4' from c`),
  );
  const second = await start(template);
  const visitor = await logInToProgram(await addressOf(second));
  snapshot = ((await visitor.call('POST', '/api/appsettings/snapshot/')).json as { snapshot_name: string }).snapshot_name;
  expect(await waitForTask(visitor, 'snapshot')).toMatchObject({ status: 'SUCCESS' });
  await stop(second);
});
afterAll(() => templateFolder.remove());
beforeEach(async () => {
  folder = await createTempFolder();
  data = join(folder.path, 'data');
  cpSync(template, data, { recursive: true });
});
afterEach(async () => {
  await endAll();
  await folder.remove();
});

function overwrite(from: number, bytes: number) {
  const descriptor = openSync(file(), 'r+');
  writeSync(descriptor, Buffer.alloc(bytes, 0xa5), 0, bytes, from);
  closeSync(descriptor);
}
/** Returns the root page of a table. */
const pageOf = (table: string) =>
  withDatabase(data, (db) => {
    const { rootpage } = db.prepare('select rootpage from sqlite_schema where name = ?').get(table) as { rootpage: number };
    const { page_size: size } = db.prepare('pragma page_size').get() as { page_size: number };
    return { from: (rootpage - 1) * size, size };
  });
const damageVideos = () => {
  const { from, size } = pageOf('video');
  overwrite(from, size);
};
const listDamagedFiles = () => readdirSync(data).filter((name) => /^reelkeep\.db\.damaged-\d{8}-\d{6}$/.test(name));
const runCommand = (script: string, ...args: string[]) =>
  spawnSync(process.execPath, [join(import.meta.dirname, '../../server/cli', script), ...args], {
    encoding: 'utf8',
    env: { ...process.env, REELKEEP_DATA: data, REELKEEP_DATABASE: '' },
  });
const countVideos = async (visitor: ApiClient) =>
  ((await visitor.call('GET', '/api/video/')).json as { paginate: { total_hits: number } }).paginate.total_hits;

describe('a database file that cannot be opened', () => {
  test.each<[string, () => void]>([
    ['its header is overwritten', () => overwrite(0, 100)],
    ['its schema is overwritten', () => overwrite(100, 3000)],
    ['it is truncated', () => truncateSync(file(), Math.floor(statSync(file()).size / 2))],
    ['it is empty', () => truncateSync(file(), 0)],
  ])('%s: exits with the restore command, which works', async (_, damage) => {
    damage();
    const damaged = readFileSync(file());
    const rejected = await start(data);
    expect(await rejected.ended).toBe(78);
    const output = rejected.output.text.trim();
    expect(output).toMatch(/^The database \S+reelkeep\.db is damaged \(.+\)\. Nothing was changed\. Restore a copy/);
    expect(output).toContain(`\n  env REELKEEP_DATA=${data} npm run cli -- restore ${snapshot} `);
    expect(output).not.toMatch(/^ +at /m);
    expect(readFileSync(file())).toEqual(damaged);

    const dryRun = runCommand('restore.ts', snapshot, '--dry-run');
    expect([dryRun.status, dryRun.stdout]).toEqual([0, expect.stringContaining('Nothing was changed')]);
    expect([readFileSync(file()), listDamagedFiles()]).toEqual([damaged, []]);
    const restored = runCommand('restore.ts', snapshot);
    expect([restored.status, restored.stderr]).toEqual([0, '']);
    const [damagedFile] = listDamagedFiles();
    expect(restored.stdout).toContain(damagedFile);
    expect(readFileSync(join(data, damagedFile!))).toEqual(damaged);
    const visitor = await logInToProgram(await addressOf(await start(data)));
    expect(await countVideos(visitor)).toBe(videos);
  });

  test('reports that there is no copy', async () => {
    spawnSync('rm', ['-rf', join(data, 'snapshots')]);
    overwrite(0, 100);
    const rejected = await start(data);
    expect(await rejected.ended).toBe(78);
    expect(rejected.output.text).toContain(`There is no snapshot and no backup in ${data}`);
    const verification = runCommand('verify.ts');
    expect([verification.status, verification.stderr]).toEqual([78, expect.stringContaining('is damaged')]);
  });
});

describe('a database with a damaged page', () => {
  test('serves readable rows, reports the others, and restores a snapshot at runtime', async () => {
    damageVideos();
    const program = await start(data);
    const address = await addressOf(program);
    const visitor = await logInToProgram(address);
    const health = async () => {
      const response = await fetch(`${address}/api/health/`);
      return [response.status, JSON.stringify(await response.json())];
    };
    // The startup check detects the damage without a request for the damaged rows.
    await eventually(async () => (await health())[0] === 503);
    expect(await health()).toEqual([503, expect.stringContaining('The database is damaged')]);
    const checks = (await visitor.call('GET', '/api/health/checks/')).json as Check[];
    expect(checks.find(({ name }) => name === 'database')).toMatchObject({
      state: 'bad',
      advice: expect.stringContaining('snapshot'),
      command: `npm run cli -- restore ${snapshot}`,
    });
    const rejected = await fetch(`${address}/api/video/`, { headers: visitor.headers });
    expect([rejected.status, await rejected.json()]).toMatchObject([
      500,
      { error: expect.stringMatching(/^This part of the database is damaged/) },
    ]);
    expect((await visitor.call('GET', '/api/channel/UCx/')).status).toBe(200);

    expect((await visitor.call('POST', `/api/appsettings/snapshot/${snapshot}/`)).status).toBe(200);
    const { status, result } = await waitForTask(visitor, 'restore_backup');
    expect([status, result]).toEqual([
      'SUCCESS',
      expect.stringMatching(/^Snapshot .* restored\..* saved as reelkeep\.db\.damaged-/),
    ]);
    expect(await countVideos(visitor)).toBe(videos); // existing sessions stay valid
    await eventually(async () => (await health())[0] === 200);
    expect(listDamagedFiles()).toHaveLength(1);
    await stop(program);
    expect(withDatabase(data, (db) => db.prepare('pragma integrity_check').get())).toEqual({ integrity_check: 'ok' });
  });

  test('the restore command keeps the damaged file and restores the copy', async () => {
    damageVideos();
    const damaged = readFileSync(file());
    const restored = runCommand('restore.ts', snapshot);
    expect([restored.status, restored.stderr]).toEqual([0, '']);
    expect(listDamagedFiles().map((name) => readFileSync(join(data, name)))).toEqual([damaged]);
    expect(await countVideos(await logInToProgram(await addressOf(await start(data))))).toBe(videos);
  });
});
