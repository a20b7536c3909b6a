import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { migrate, steps } from '#server/db/migrate.ts';
import { openSqlite } from '#server/db/sqlite.ts';
import { pairs, writeZip } from './backups.ts';
import { fill, mayMount, seenBy, withSmallDisk } from './disk.ts';
import { pidOf } from './killing.ts';
import { line, one, video } from './original-backup.ts';
import { addressOf, aFolder, aVisitor, type Visitor } from './program.ts';
import { aTemplate, endAll, finished, start, stop, within } from './restoring.ts';

let folder: Awaited<ReturnType<typeof aFolder>>;
beforeEach(async () => void (folder = await aFolder()));
afterEach(async () => {
  await endAll();
  await folder.remove();
});

/** Megabytes of a process that are in memory. */
const resident = (pid: number) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1000;

/** The most that a program took while a task ran that somebody started. */
async function mostDuring(pid: number, visitor: Visitor, task: string, begin: () => Promise<unknown>) {
  let most = resident(pid);
  const timer = setInterval(() => (most = Math.max(most, resident(pid))), 20);
  const began = performance.now();
  await begin();
  const { status, result } = await finished(visitor, task);
  clearInterval(timer);
  expect(status, result ?? '').toBe('SUCCESS');
  return { most, seconds: ((performance.now() - began) / 1000).toFixed(1) };
}

test('a backup of 300,000 lines, and its restore, cost the program little memory', async () => {
  const data = join(folder.path, 'data');
  const first = await start(data);
  await addressOf(first);
  await stop(first);
  within(data, (db) =>
    db.exec(`insert into channel (id, site, site_id, name, sort_name, added_at, refreshed_at) values ('UCx', 's', 'UCx', 'X', 'x', 1, 1);
      insert into video (id, site, site_id, channel_id, title, sort_title, kind, published_at, downloaded_at, refreshed_at, duration_seconds, size_bytes, sha256, media_path)
        with recursive v(n) as (select 1 union all select n + 1 from v where n < 30)
        select 'v' || n, 's', 'v' || n, 'UCx', 'V', 'v', 'videos', 1, 1, 1, 1, 1, '', 'UCx/v' || n || '.mp4' from v;
      insert into line with recursive c(n) as (select 0 union all select n + 1 from c where n < 9999)
        select id, 'en', n, n, n + 1, 'These are words as people say them, and this is number ' || n from video, c`),
  );
  const program = await start(data);
  const visitor = await aVisitor(await addressOf(program));
  const pid = await pidOf(program);
  await wait(1000);
  const idle = resident(pid);
  const backup = await mostDuring(pid, visitor, 'run_backup', () => visitor.call('POST', '/api/appsettings/backup/'));
  const [{ filename }] = (await visitor.call('GET', '/api/appsettings/backup/')).json as [{ filename: string }];
  const restore = await mostDuring(pid, visitor, 'restore_backup', () =>
    visitor.call('POST', `/api/appsettings/backup/${filename}/`),
  );
  console.log(
    `resident memory: ${idle.toFixed(0)} MB before; at most ${backup.most.toFixed(0)} MB during a backup (${backup.seconds} s), ${restore.most.toFixed(0)} MB during its restore (${restore.seconds} s)`,
  );
  expect(backup.most - idle).toBeLessThan(120);
  expect(restore.most - idle).toBeLessThan(200);
  await stop(program);
});

test('a backup of the original program with 100,000 subtitle lines costs little memory too', async () => {
  const data = join(folder.path, 'data');
  const program = await start(data);
  const visitor = await aVisitor(await addressOf(program));
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
  const idle = resident(pid);
  const { most, seconds } = await mostDuring(pid, visitor, 'restore_backup', () =>
    visitor.call('POST', `/api/appsettings/backup/${filename}/`),
  );
  console.log(
    `resident memory: ${idle.toFixed(0)} MB before; at most ${most.toFixed(0)} MB while 100,000 lines came in (${seconds} s)`,
  );
  expect(most - idle).toBeLessThan(150);
  await stop(program);
  expect(within(data, (db) => db.prepare('select count(*) as n from line').get()?.['n'])).toBe(100_000);
});

test.runIf(mayMount)('where the disk is nearly full a backup says so before it begins, and leaves nothing', async () => {
  const data = join(folder.path, 'data');
  mkdirSync(data);
  const program = await start(data, withSmallDisk(data, 60));
  const visitor = await aVisitor(await addressOf(program));
  const inside = seenBy(await pidOf(program), data);
  const makeRoom = fill(inside, 30_000_000);
  await visitor.call('POST', '/api/appsettings/backup/');
  expect(await finished(visitor, 'run_backup')).toMatchObject({
    status: 'FAILURE',
    result: expect.stringMatching(/^Only \d+ MB are free.*Nothing was written/),
  });
  expect(readdirSync(join(inside, 'backup'))).toEqual([]);
  makeRoom();
  await stop(program);
});

test('what a newer version left is refused with the way back, and that way works', async () => {
  const data = join(folder.path, 'data');
  const first = await start(data);
  const visitor = await aVisitor(await addressOf(first));
  await visitor.call('POST', '/api/user/me/', { page_size: 17 });
  const { snapshot_name: id } = (await visitor.call('POST', '/api/appsettings/snapshot/')).json as { snapshot_name: string };
  expect(await finished(visitor, 'snapshot')).toMatchObject({ status: 'SUCCESS' });
  // While the program runs, the console says what to use instead.
  const byHand = (script: string, ...args: string[]) =>
    spawnSync(process.execPath, [join(import.meta.dirname, '../server/console', script), ...args], {
      encoding: 'utf8',
      env: { ...process.env, REELKEEP_DATA: data, REELKEEP_DATABASE: '' },
    });
  expect(byHand('restore.ts', id).stderr).toContain('Reelkeep runs on');
  expect(byHand('backup.ts').stderr).toContain('POST /api/appsettings/backup/');
  await stop(first);
  within(data, (db) => db.exec("insert into kysely_migration values ('9999-later', '2099'); update account set config = '{}'"));

  const refused = await start(data);
  expect(await refused.ended).toBe(78);
  expect(refused.words.text).toContain('made by a newer version');
  expect(refused.words.text).toContain(`npm run restore -- ${id}`);

  const dry = byHand('restore.ts', id, '--dry-run');
  expect([dry.status, dry.stdout]).toEqual([0, expect.stringContaining('Nothing was changed')]);
  const restored = byHand('restore.ts', id);
  expect([restored.status, restored.stderr]).toEqual([0, '']);
  const again = await start(data);
  const back = await aVisitor(await addressOf(again));
  expect((await back.call('GET', '/api/user/me/')).json).toMatchObject({ page_size: 17 });
  await stop(again);

  const written = byHand('backup.ts');
  expect([written.status, written.stdout]).toEqual([0, expect.stringMatching(/Wrote ta_backup-\d{8}-manual\.zip/)]);
  const name = /ta_backup-\S+\.zip/.exec(written.stdout)![0];
  const whole = byHand('restore.ts', join(data, 'backup', name));
  expect([whole.status, whole.stdout]).toEqual([0, expect.stringContaining('backup restore completed')]);
  expect(byHand('restore.ts', 'nothing.zip').stderr).toContain('no backup, file or snapshot');
});

test('before the tables change, what is there is kept', async () => {
  const data = join(folder.path, 'data');
  mkdirSync(data);
  const names = Object.keys(steps);
  const db = await openSqlite(join(data, 'reelkeep.db'));
  await migrate(db, names.at(-2)!);
  await db.destroy();
  const program = await start(data);
  await addressOf(program);
  await stop(program);
  const notes = readdirSync(join(data, 'snapshots')).filter((name) => name.endsWith('-update.json'));
  expect(notes).toHaveLength(1);
  expect(JSON.parse(readFileSync(join(data, 'snapshots', notes[0]!), 'utf8'))).toMatchObject({ migration: names.at(-2) });
});

test('an upload may take longer than half a minute, and nothing else may', async () => {
  const data = join(folder.path, 'data');
  const { data: template, filename } = await aTemplate(folder.path);
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
  /** Sends a body bit by bit; answers the status, or null when the line was cut. */
  const slowly = (method: string, path: string, type: string, body: Buffer) =>
    new Promise<number | null>((resolve) => {
      const sent = request(
        {
          host: address.hostname,
          port: address.port,
          method,
          path,
          headers: { ...headers, 'content-type': type, 'content-length': body.length },
        },
        (answer) => resolve(answer.statusCode ?? null),
      );
      sent.once('error', () => resolve(null));
      const steps = 34;
      let step = 0;
      const timer = setInterval(() => {
        const size = Math.ceil(body.length / steps);
        if (!sent.destroyed) sent.write(body.subarray(step * size, (step + 1) * size));
        if (++step < steps) return;
        clearInterval(timer);
        sent.end();
      }, 1000);
    });
  const [upload, json] = await Promise.all([
    slowly('PUT', '/api/appsettings/backup/ta_backup-20200101-slow.zip/file/', 'application/zip', bytes),
    slowly('POST', '/api/user/me/', 'application/json', Buffer.from(`{"page_size": 9${' '.repeat(500)}}`)),
  ]);
  expect([upload, json]).toEqual([200, null]);
  await stop(program);
});
