import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { migrate, steps } from '#server/db/migrate.ts';
import { openSqlite } from '#server/db/sqlite.ts';
import { hasStrace, isDeadWithin, killedBefore, killWhenSeen, pidOf } from './killing.ts';
import { addressOf, aFolder, aVisitor, startProgram, type Program, type Visitor } from './program.ts';

const lineCount = 20_000;

let folder: Awaited<ReturnType<typeof aFolder>>;
let running: Program[] = [];
beforeEach(async () => {
  folder = await aFolder();
  running = [];
});
afterEach(async () => {
  for (const { child, ended } of running) {
    child.kill('SIGKILL');
    await ended;
  }
  await folder.remove();
});

const none = join(import.meta.dirname, 'no-such-program');
async function start(data: string, under: string[] = []) {
  const program = await startProgram({ data, under, env: { REELKEEP_YTDLP: none, REELKEEP_FFMPEG: none } });
  running.push(program);
  return program;
}
async function stop(program: Program) {
  program.child.kill('SIGTERM');
  await program.ended;
}

/** Does something in a database that nobody has open. */
function within<T>(data: string, work: (db: DatabaseSync) => T): T {
  const db = new DatabaseSync(join(data, 'reelkeep.db'), { timeout: 10_000 });
  try {
    return work(db);
  } finally {
    db.close();
  }
}

/** Which of two states an archive is in: it must be one of them in everything. */
const stateOf = (data: string) =>
  within(data, (db) => {
    const one = (text: string) => Object.values(db.prepare(text).get() ?? {})[0];
    expect(one('pragma integrity_check')).toBe('ok');
    expect(db.prepare('pragma foreign_key_check').all()).toEqual([]);
    const found = [
      one("select name from channel where id = 'UCx'"),
      one('select count(*) from line'),
      one('select count(*) from listing'),
    ];
    return JSON.stringify(found);
  });
const [before, after] = [JSON.stringify(['Now', 10, 1]), JSON.stringify(['Then', lineCount, 0])];

async function finished(visitor: Visitor, name: string): Promise<{ status: string; result: string | null }> {
  for (let tries = 0; tries < 600; tries++) {
    const { status, json } = await visitor.call('GET', `/api/task/by-name/${name}/`);
    const [last] = status === 200 ? (json as { status: string; result: string | null }[]) : [];
    if (last && last.status !== 'PENDING') return last;
    await wait(50);
  }
  throw new Error(`${name} did not end.`);
}

/** A data folder with a backup of one state in it, and another state. */
async function aTemplate() {
  const data = join(folder.path, 'template');
  const first = await start(data);
  await addressOf(first);
  await stop(first);
  within(data, (db) => {
    db.exec(`insert into channel (id, site, site_id, name, sort_name, added_at, refreshed_at) values ('UCx', 's', 'UCx', 'Then', 'then', 1, 1);
      insert into video (id, site, site_id, channel_id, title, sort_title, kind, published_at, downloaded_at, refreshed_at, duration_seconds, size_bytes, sha256, media_path)
        values ('v', 's', 'v', 'UCx', 'V', 'v', 'videos', 1, 1, 1, 1, 1, '', 'UCx/v.mp4');
      insert into line with recursive c(n) as (select 0 union all select n + 1 from c where n < ${lineCount - 1})
        select 'v', 'en', n, n, n + 1, 'these words stand here ' || n || ' ' || hex(randomblob(60)) from c`);
  });
  const second = await start(data);
  const visitor = await aVisitor(await addressOf(second));
  await visitor.call('POST', '/api/appsettings/backup/', { reason: 'manual' });
  expect((await finished(visitor, 'run_backup')).status).toBe('SUCCESS');
  await stop(second);
  within(data, (db) => {
    db.exec("update channel set name = 'Now'; delete from line where position >= 10; insert into listing values ('u', 1, 1)");
  });
  const filename = readdirSync(join(data, 'backup')).find((name) => name.endsWith('.zip'))!;
  return { data, filename };
}

describe('a restore', () => {
  test('killed at any point leaves the old archive or the new, and the next start is well', async () => {
    const { data: template, filename } = await aTemplate();
    expect(stateOf(template)).toBe(before);
    const copy = (name: string) => {
      const data = join(folder.path, name);
      cpSync(template, data, { recursive: true });
      return data;
    };
    const restoring = async (program: Program) =>
      (await aVisitor(await addressOf(program))).call('POST', `/api/appsettings/backup/${filename}/`);

    // Once to its end, to know how long it takes.
    const whole = copy('whole');
    const program = await start(whole);
    const visitor = await aVisitor(await addressOf(program));
    const began = performance.now();
    await visitor.call('POST', `/api/appsettings/backup/${filename}/`);
    const statuses = new Set<string>();
    for (let isOver = false; !isOver;) {
      const [read, write] = await Promise.all([
        visitor.call('GET', '/api/channel/'),
        visitor.call('POST', '/api/user/me/', { page_size: 9 }),
      ]);
      statuses.add(`read ${read.status}`).add(`write ${write.status}`);
      const { json } = await visitor.call('GET', '/api/task/by-name/restore_backup/');
      isOver = (json as { status: string }[])[0]?.status !== 'PENDING';
      await wait(5);
    }
    const tookMs = performance.now() - began;
    expect(await finished(visitor, 'restore_backup')).toMatchObject({ status: 'SUCCESS' });
    console.log(`a restore of ${lineCount} lines took ${Math.round(tookMs)} ms; meanwhile ${[...statuses].join(', ')}`);
    expect([...statuses].filter((one) => one.startsWith('read'))).toEqual(['read 200']);
    expect(statuses).toContain('write 503');
    await stop(program);
    expect(stateOf(whole)).toBe(after);

    const outcomes: string[] = [];
    const check = async (name: string, data: string) => {
      const state = stateOf(data);
      expect([before, after], `${name}: ${state}`).toContain(state);
      outcomes.push(`${name}: ${state === after ? 'new' : 'old'}`);
      const next = await start(data);
      const again = await aVisitor(await addressOf(next));
      const { status, result } = await finished(again, 'restore_backup');
      // It never goes on by itself over what people did since.
      expect(status === 'SUCCESS' ? after : before, `${name}: ${status} ${result}`).toBe(state);
      await stop(next);
      expect(stateOf(data)).toBe(state);
      expect(readdirSync(data).filter((file) => file.includes('restoring'))).toEqual([]);
    };

    for (let share = 1; share <= 5; share++) {
      const name = `after ${share * 20} %`;
      const data = copy(`k${share}`);
      const one = await start(data);
      const pid = await pidOf(one);
      await restoring(one);
      await wait((tookMs * share * 20) / 100);
      process.kill(pid, 'SIGKILL');
      await isDeadWithin(pid, 5000);
      await check(name, data);
    }

    const walOf = (data: string) => join(data, 'reelkeep.db-wal');
    const seen: [name: string, isSeen: (data: string) => boolean][] = [
      ['the new database begins', (data) => existsSync(join(data, 'reelkeep.db.restoring'))],
      ['it takes the place of the old one', (data) => existsSync(walOf(data)) && statSync(walOf(data)).size > 2_000_000],
    ];
    for (const [name, isSeen] of seen) {
      const data = copy(name);
      const one = await start(data);
      const pid = await pidOf(one);
      await restoring(one);
      expect(await killWhenSeen(pid, () => isSeen(data), 20_000), name).toBe(true);
      await check(name, data);
    }

    if (hasStrace)
      for (const [name, calls, file, when] of [
        ['before a write into the place of the old one', 'pwrite64', 'reelkeep.db-wal', 200],
        ['before the last of the new one is removed', 'unlink,unlinkat', 'reelkeep.db.restoring', 1],
      ] as const) {
        const data = copy(name);
        const one = await start(data, killedBefore({ name, calls, path: join(data, file), when }));
        const pid = await pidOf(one);
        await restoring(one).catch(() => {});
        if (!(await isDeadWithin(pid, 20_000))) {
          outcomes.push(`${name}: did not come`);
          await stop(one);
          continue;
        }
        await check(name, data);
      }
    console.log(outcomes.join('\n'));
    expect(outcomes.length).toBeGreaterThanOrEqual(7);
    expect(outcomes.some((one) => one.endsWith('old'))).toBe(true);
  }, 400_000);
});

test('a backup of 300,000 lines costs the program little memory', async () => {
  const data = join(folder.path, 'data');
  const first = await start(data);
  await addressOf(first);
  await stop(first);
  within(data, (db) =>
    db.exec(`insert into channel (id, site, site_id, name, sort_name, added_at, refreshed_at) values ('UCx', 's', 'UCx', 'X', 'x', 1, 1);
      insert into video (id, site, site_id, channel_id, title, sort_title, kind, published_at, downloaded_at, refreshed_at, duration_seconds, size_bytes, sha256, media_path)
        values ('v', 's', 'v', 'UCx', 'V', 'v', 'videos', 1, 1, 1, 1, 1, '', 'UCx/v.mp4');
      insert into line with recursive c(n) as (select 0 union all select n + 1 from c where n < 299999)
        select 'v', 'en', n, n, n + 1, 'These are words as people say them, and this is number ' || n from c`),
  );
  const program = await start(data);
  const visitor = await aVisitor(await addressOf(program));
  const pid = await pidOf(program);
  const resident = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1000;
  await wait(1000);
  const idle = resident();
  let most = idle;
  const timer = setInterval(() => (most = Math.max(most, resident())), 20);
  await visitor.call('POST', '/api/appsettings/backup/');
  expect(await finished(visitor, 'run_backup')).toMatchObject({ status: 'SUCCESS', result: expect.stringContaining('entries') });
  clearInterval(timer);
  console.log(`resident memory: ${idle.toFixed(0)} MB before, at most ${most.toFixed(0)} MB during a backup`);
  expect(most - idle).toBeLessThan(120);
  await stop(program);
}, 60_000);

test('what a newer version left is refused with the way back, and that way works', async () => {
  const data = join(folder.path, 'data');
  const first = await start(data);
  const visitor = await aVisitor(await addressOf(first));
  await visitor.call('POST', '/api/user/me/', { page_size: 17 });
  const { snapshot_name: id } = (await visitor.call('POST', '/api/appsettings/snapshot/')).json as { snapshot_name: string };
  expect(await finished(visitor, 'snapshot')).toMatchObject({ status: 'SUCCESS' });
  // While the program runs, the console says what to use instead.
  const byHand = (script: string, ...args: string[]) =>
    spawnSync(process.execPath, [join(import.meta.dirname, '../server', script), ...args], { encoding: 'utf8', env: { ...process.env, REELKEEP_DATA: data, REELKEEP_DATABASE: '' } }); // prettier-ignore
  expect(byHand('restore-by-hand.ts', id).stderr).toContain('Reelkeep runs on');
  expect(byHand('backup-by-hand.ts').stderr).toContain('POST /api/appsettings/backup/');
  await stop(first);
  within(data, (db) => db.exec("insert into kysely_migration values ('9999-later', '2099'); update account set config = '{}'"));

  const refused = await start(data);
  expect(await refused.ended).toBe(78);
  expect(refused.words.text).toContain('made by a newer version');
  expect(refused.words.text).toContain(`npm run restore -- ${id}`);

  const dry = byHand('restore-by-hand.ts', id, '--dry-run');
  expect([dry.status, dry.stdout]).toEqual([0, expect.stringContaining('Nothing was changed')]);
  const restored = byHand('restore-by-hand.ts', id);
  expect([restored.status, restored.stderr]).toEqual([0, '']);
  const again = await start(data);
  const back = await aVisitor(await addressOf(again));
  expect((await back.call('GET', '/api/user/me/')).json).toMatchObject({ page_size: 17 });
  await stop(again);

  const written = byHand('backup-by-hand.ts');
  expect([written.status, written.stdout]).toEqual([0, expect.stringMatching(/Wrote ta_backup-\d{8}-manual\.zip/)]);
  const name = /ta_backup-\S+\.zip/.exec(written.stdout)![0];
  const whole = byHand('restore-by-hand.ts', join(data, 'backup', name));
  expect([whole.status, whole.stdout]).toEqual([0, expect.stringContaining('backup restore completed')]);
  expect(byHand('restore-by-hand.ts', 'nothing.zip').stderr).toContain('no backup, file or snapshot');
}, 60_000);

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
  const notes = readdirSync(join(data, 'snapshots')).filter((name) => /-update\.json$/.test(name));
  expect(notes).toHaveLength(1);
  expect(JSON.parse(readFileSync(join(data, 'snapshots', notes[0]!), 'utf8'))).toMatchObject({ migration: names.at(-2) });
});

test('an upload may take longer than half a minute, and nothing else may', async () => {
  const data = join(folder.path, 'data');
  const { data: template, filename } = await aTemplate();
  cpSync(template, data, { recursive: true });
  const program = await start(data);
  const address = new URL(await addressOf(program));
  const login = await fetch(`${address.href}api/user/login/`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"username":"demo","password":"demo"}' }); // prettier-ignore
  const cookies = login.headers.getSetCookie().map((cookie) => cookie.split(';')[0]!);
  const headers = { cookie: cookies.join('; '), 'x-csrftoken': cookies.find((one) => one.startsWith('csrftoken='))!.slice(10) };
  const bytes = readFileSync(join(data, 'backup', filename));
  /** Sends a body bit by bit; answers the status, or null when the line was cut. */
  const slowly = (method: string, path: string, type: string, body: Buffer) =>
    new Promise<number | null>((resolve) => {
      const sent = request({ host: address.hostname, port: address.port, method, path, headers: { ...headers, 'content-type': type, 'content-length': body.length } }, (answer) => resolve(answer.statusCode ?? null)); // prettier-ignore
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
}, 90_000);
