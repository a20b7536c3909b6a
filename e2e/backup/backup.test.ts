import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { pairs, writeZip } from '../support/backups.ts';
import { fill, canMount, pathInNamespace, withSmallDisk } from '../support/disk.ts';
import { pidOf } from '../support/killing.ts';
import { line, one, video } from '../support/original-backup.ts';
import { addressOf, createTempFolder, logInToProgram, type ApiClient } from '../support/program.ts';
import { createTemplate, endAll, waitForTask, start, stop, withDatabase } from '../support/restoring.ts';

let folder: Awaited<ReturnType<typeof createTempFolder>>;
beforeEach(async () => void (folder = await createTempFolder()));
afterEach(async () => {
  await endAll();
  await folder.remove();
});

/** Resident memory of a process in megabytes. */
const residentMegabytes = (pid: number) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1000;

/** Returns the maximum memory of the program while a task runs that `begin` starts, and the duration. */
async function measureTask(pid: number, visitor: ApiClient, task: string, begin: () => Promise<unknown>) {
  let maxMegabytes = residentMegabytes(pid);
  const timer = setInterval(() => (maxMegabytes = Math.max(maxMegabytes, residentMegabytes(pid))), 20);
  const began = performance.now();
  await begin();
  const { status, result } = await waitForTask(visitor, task);
  clearInterval(timer);
  expect(status, result ?? '').toBe('SUCCESS');
  return { most: maxMegabytes, seconds: ((performance.now() - began) / 1000).toFixed(1) };
}

test('backup and restore of 300,000 lines need little memory', async () => {
  const data = join(folder.path, 'data');
  const first = await start(data);
  await addressOf(first);
  await stop(first);
  withDatabase(data, (db) =>
    db.exec(`insert into channel (id, site, site_id, name, sort_name, added_at, refreshed_at) values ('UCx', 's', 'UCx', 'X', 'x', 1, 1);
      insert into video (id, site, site_id, channel_id, title, sort_title, kind, published_at, downloaded_at, refreshed_at, duration_seconds, size_bytes, sha256, media_path)
        with recursive v(n) as (select 1 union all select n + 1 from v where n < 30)
        select 'v' || n, 's', 'v' || n, 'UCx', 'V', 'v', 'videos', 1, 1, 1, 1, 1, '', 'UCx/v' || n || '.mp4' from v;
      insert into transcript_line with recursive c(n) as (select 0 union all select n + 1 from c where n < 9999)
        select id, 'en', n, n, n + 1, 'These are words as people say them, and this is number ' || n from video, c`),
  );
  const program = await start(data);
  const visitor = await logInToProgram(await addressOf(program));
  const pid = await pidOf(program);
  await wait(1000);
  const idle = residentMegabytes(pid);
  const backup = await measureTask(pid, visitor, 'run_backup', () => visitor.call('POST', '/api/appsettings/backup/'));
  const [{ filename }] = (await visitor.call('GET', '/api/appsettings/backup/')).json as [{ filename: string }];
  const restore = await measureTask(pid, visitor, 'restore_backup', () =>
    visitor.call('POST', `/api/appsettings/backup/${filename}/`),
  );
  console.log(
    `resident memory: ${idle.toFixed(0)} MB before; at most ${backup.most.toFixed(0)} MB during a backup (${backup.seconds} s), ${restore.most.toFixed(0)} MB during its restore (${restore.seconds} s)`,
  );
  expect(backup.most - idle).toBeLessThan(120);
  expect(restore.most - idle).toBeLessThan(200);
  await stop(program);
});

test('restoring a TubeArchivist backup with 100,000 subtitle lines needs little memory', async () => {
  const data = join(folder.path, 'data');
  const program = await start(data);
  const visitor = await logInToProgram(await addressOf(program));
  const videos = Object.fromEntries(
    Array.from({ length: 200 }, (_, n) => [`v${String(n).padStart(10, '0')}`, video(`v${String(n).padStart(10, '0')}`, one)]),
  );
  const lines = (from: number) =>
    pairs(
      'subtitle',
      Object.fromEntries(
        Array.from({ length: 10_000 }, (_, n) => [
          `f${from + n}`,
          line(`v${String((from + n) % 200).padStart(10, '0')}`, Math.floor((from + n) / 200) + 1),
        ]),
      ),
    );
  const files = Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`es_subtitle-20260105-${n}.json`, lines(n * 10_000)]));
  const filename = 'ta_backup-20260105-auto.zip';
  await writeZip(join(data, 'backup', filename), { 'es_video-20260105-0.json': pairs('video', videos), ...files });
  const pid = await pidOf(program);
  const idle = residentMegabytes(pid);
  const { most, seconds } = await measureTask(pid, visitor, 'restore_backup', () =>
    visitor.call('POST', `/api/appsettings/backup/${filename}/`),
  );
  console.log(
    `resident memory: ${idle.toFixed(0)} MB before; at most ${most.toFixed(0)} MB while 100,000 lines came in (${seconds} s)`,
  );
  expect(most - idle).toBeLessThan(150);
  await stop(program);
  expect(withDatabase(data, (db) => db.prepare('select count(*) as n from transcript_line').get()?.['n'])).toBe(100_000);
});

test.runIf(canMount)('reports a nearly full disk before the backup starts, and leaves nothing', async () => {
  const data = join(folder.path, 'data');
  mkdirSync(data);
  const program = await start(data, withSmallDisk(data, 60));
  const visitor = await logInToProgram(await addressOf(program));
  const dataInside = pathInNamespace(await pidOf(program), data);
  const freeSpace = fill(dataInside, 30_000_000);
  await visitor.call('POST', '/api/appsettings/backup/');
  expect(await waitForTask(visitor, 'run_backup')).toMatchObject({
    status: 'FAILURE',
    result: expect.stringMatching(/^Only \d+ MB are free in .*Free up space/),
  });
  expect(readdirSync(join(dataInside, 'backup'))).toEqual([]);
  freeSpace();
  await stop(program);
});

test('rejects a database of a newer version and prints the way back, which works', async () => {
  const data = join(folder.path, 'data');
  const first = await start(data);
  const visitor = await logInToProgram(await addressOf(first));
  await visitor.call('POST', '/api/user/me/', { page_size: 17 });
  const { snapshot_name: id } = (await visitor.call('POST', '/api/appsettings/snapshot/')).json as { snapshot_name: string };
  expect(await waitForTask(visitor, 'snapshot')).toMatchObject({ status: 'SUCCESS' });
  // While the program runs, the command refers to the API.
  const runCommand = (script: string, ...args: string[]) =>
    spawnSync(process.execPath, [join(import.meta.dirname, '../../server/cli', script), ...args], {
      encoding: 'utf8',
      env: { ...process.env, REELKEEP_DATA: data, REELKEEP_DATABASE: '' },
    });
  expect(runCommand('restore.ts', id).stderr).toContain('Reelkeep runs on');
  expect(runCommand('backup.ts').stderr).toContain('POST /api/appsettings/backup/');
  await stop(first);
  withDatabase(data, (db) =>
    db.exec("insert into kysely_migration values ('9999-later', '2099'); update account set config = '{}'"),
  );

  const rejected = await start(data);
  expect(await rejected.ended).toBe(78);
  expect(rejected.output.text).toContain('made by a newer version');
  expect(rejected.output.text).toContain(`npm run cli -- restore ${id}`);

  const dryRun = runCommand('restore.ts', id, '--dry-run');
  expect([dryRun.status, dryRun.stdout]).toEqual([0, expect.stringContaining('Nothing was changed')]);
  expect(dryRun.stdout).toContain('The current accounts cannot be read. The restore replaces all of them.');
  const restored = runCommand('restore.ts', id);
  expect([restored.status, restored.stderr]).toEqual([0, '']);
  const third = await start(data);
  const client = await logInToProgram(await addressOf(third));
  expect((await client.call('GET', '/api/user/me/')).json).toMatchObject({ page_size: 17 });
  await stop(third);

  const manualBackup = runCommand('backup.ts');
  expect([manualBackup.status, manualBackup.stdout]).toEqual([0, expect.stringMatching(/Wrote ta_backup-\d{8}-manual\.zip/)]);
  const name = /ta_backup-\S+\.zip/.exec(manualBackup.stdout)![0];
  withDatabase(data, (db) =>
    db.exec(`insert into account (normalized_name, name, password_hash, is_staff, is_superuser, created_at)
      values ('since', 'Since', '', 0, 0, 1); update account set is_staff = 0, is_superuser = 0, password_hash = 'x' where name = 'demo'`),
  );
  const fullRestore = runCommand('restore.ts', join(data, 'backup', name));
  expect([fullRestore.status, fullRestore.stdout]).toEqual([0, expect.stringContaining('Backup restored')]);
  expect(fullRestore.stdout).toContain('Removed accounts: Since.');
  expect(fullRestore.stdout).toContain('Changed accounts: demo (becomes staff, gets its earlier password).');
  expect(runCommand('restore.ts', 'nothing.zip').stderr).toContain('no backup, file or snapshot');
});

test('allows an upload to take longer than 30 seconds, and no other request', async () => {
  const data = join(folder.path, 'data');
  const { data: template, filename } = await createTemplate(folder.path);
  cpSync(template, data, { recursive: true });
  const program = await start(data);
  const address = new URL(await addressOf(program));
  const login = await fetch(`${address.href}api/user/login/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"username":"demo","password":"demo"}',
  });
  const cookies = login.headers.getSetCookie().map((cookie) => cookie.split(';')[0]!);
  const headers = { cookie: cookies.join('; '), 'x-csrftoken': cookies.find((one) => one.startsWith('csrftoken='))!.slice(10) };
  const bytes = readFileSync(join(data, 'backup', filename));
  /** Sends a body in small pieces. Returns the status, or null if the connection was closed. */
  const sendSlowly = (method: string, path: string, type: string, body: Buffer) =>
    new Promise<number | null>((resolve) => {
      const outgoing = request(
        {
          host: address.hostname,
          port: address.port,
          method,
          path,
          headers: { ...headers, 'content-type': type, 'content-length': body.length },
        },
        (response) => resolve(response.statusCode ?? null),
      );
      outgoing.once('error', () => resolve(null));
      const steps = 34;
      let step = 0;
      const timer = setInterval(() => {
        const size = Math.ceil(body.length / steps);
        if (!outgoing.destroyed) outgoing.write(body.subarray(step * size, (step + 1) * size));
        if (++step < steps) return;
        clearInterval(timer);
        outgoing.end();
      }, 1000);
    });
  const [upload, json] = await Promise.all([
    sendSlowly('PUT', '/api/appsettings/backup/ta_backup-20200101-slow.zip/file/', 'application/zip', bytes),
    sendSlowly('POST', '/api/user/me/', 'application/json', Buffer.from(`{"page_size": 9${' '.repeat(500)}}`)),
  ]);
  expect([upload, json]).toEqual([200, null]);
  await stop(program);
});
