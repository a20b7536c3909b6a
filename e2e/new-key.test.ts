import { spawn, spawnSync } from 'node:child_process';
import { cpSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { addExactly } from '#server/db/copy.ts';
import type { Db } from '#server/db/db.ts';
import { openPostgres } from '#server/db/postgres.ts';
import { openSqlite } from '#server/db/sqlite.ts';
import { openKeys } from '#server/key-file.ts';
import { isSealedAnew, unseal } from '#server/seal.ts';
import { anOwnDatabase, engines } from '#server/testing.ts';
import { hasStrace, killedBefore } from './killing.ts';
import { addressOf, aFolder, aVisitor, startProgram, type Program, type Visitor } from './program.ts';

// A new key for everything that is sealed: beside the program, without it, and killed at every point.

const none = join(import.meta.dirname, 'no-such-program');
const script = join(import.meta.dirname, '../server/console/new-key.ts');

const ends: (() => Promise<unknown>)[] = [];
let path: string;
beforeEach(async () => {
  const folder = await aFolder();
  path = folder.path;
  ends.push(folder.remove);
});
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

interface Place {
  data: string;
  url: string;
}
const keyOf = ({ data }: Place) => readFileSync(join(data, 'secret.key'));
const envOf = ({ data, url }: Place) => ({ ...process.env, REELKEEP_DATA: data, REELKEEP_DATABASE: url });

async function start({ data, url }: Place): Promise<{ program: Program; address: string; visitor: Visitor }> {
  const program = await startProgram({
    data,
    env: { REELKEEP_YTDLP: none, REELKEEP_FFMPEG: none, ...(url && { REELKEEP_DATABASE: url }) },
  });
  ends.push(async () => {
    program.child.kill('SIGKILL');
    await program.ended;
  });
  const address = await addressOf(program);
  return { program, address, visitor: await aVisitor(address) };
}
async function stop({ child, ended }: Program) {
  child.kill('SIGTERM');
  await ended;
}
function changeKey(place: Place, under: string[] = []) {
  const [command = '', ...args] = [...under, process.execPath, script];
  // One thread for files, since strace counts the calls of each for itself.
  return spawnSync(command, args, { encoding: 'utf8', env: { ...envOf(place), UV_THREADPOOL_SIZE: '1' } });
}

async function within<T>({ data, url }: Place, work: (db: Db) => Promise<T>): Promise<T> {
  const db = url ? openPostgres(url) : await openSqlite(join(data, 'reelkeep.db'));
  return work(db).finally(() => db.destroy());
}

/** All that is sealed in the database, opened with what the key file has. */
const opened = (place: Place) =>
  within(place, async (db) => {
    const keys = await openKeys(place.data);
    const rows = await Promise.all(
      (['token', 'secret', 'notifyTarget', 'outbox'] as const).map((table) => db.selectFrom(table).select('sealed').execute()),
    );
    const all = rows.flat().map(({ sealed }) => sealed);
    return { texts: all.map((one) => unseal(keys, one)).sort(), isAnew: all.every((one) => isSealedAnew(keys, one)) };
  });

const goal = 'ntfys://mine-canary';
const tokenOf = async ({ call }: Visitor) => ((await call('GET', '/api/appsettings/token/')).json as { token: string }).token;
const goalsOf = async ({ call }: Visitor) => JSON.stringify((await call('GET', '/api/task/notification/')).json);

/** An archive with an API token, an address to be told, and a message on its way there. */
async function anArchive({ data, url }: Place): Promise<{ place: Place; texts: string[] }> {
  const place = { data, url };
  const { program, visitor } = await start(place);
  const token = await tokenOf(visitor);
  const { status } = await visitor.call('POST', '/api/task/notification/', { task_name: 'run_backup', url: goal });
  expect(status).toBe(200);
  await stop(program);
  await within(place, async (db) => {
    const { sealed } = await db.selectFrom('notifyTarget').select('sealed').executeTakeFirstOrThrow();
    await db.insertInto('outbox').values({ sealed, message: '{}', nextAt: 4e9, createdAt: 4e9 }).execute();
  });
  return { place, texts: [token, goal, goal].sort() };
}

describe.each(engines)('a new key ($engine)', ({ engine }) => {
  const aPlace = async (name = 'data') => {
    const data = join(path, name);
    if (engine === 'sqlite') return { data, url: '' };
    const { url, drop } = await anOwnDatabase();
    ends.push(drop);
    return { data, url };
  };

  test('seals everything anew while the program is down, and nobody has to give anything again', async () => {
    const { place, texts } = await anArchive(await aPlace());
    const [before, was] = [keyOf(place), await opened(place)];
    const { status, stdout } = changeKey(place);
    expect([status, stdout]).toEqual([0, expect.stringMatching(/2 values that the former one sealed are sealed with it/)]);
    expect(stdout).toMatch(/The former key is gone.*\nSigned links .* have ended.*\n.*Backups and snapshots of before/);
    expect([keyOf(place).length, keyOf(place).equals(before), statSync(join(place.data, 'secret.key')).mode & 0o777]).toEqual([
      32,
      false,
      0o600,
    ]);
    expect([was.texts, await opened(place)]).toEqual([texts, { texts, isAnew: true }]);
    const { visitor } = await start(place);
    expect(texts).toContain(await tokenOf(visitor));
    expect(await goalsOf(visitor)).toContain(goal);
    // What was to be told goes with the address, which is found again.
    await visitor.call('DELETE', '/api/task/notification/', { task_name: 'run_backup', url: goal });
    await expect.poll(async () => (await opened(place)).texts.length).toBe(1);
  });

  test('is used by the program that runs at once; its next start takes the former one away', async () => {
    const { place, texts } = await anArchive(await aPlace());
    const { program, address, visitor } = await start(place);
    await within(place, async (db) => {
      const both = { site: 's', addedAt: 1, refreshedAt: 1 };
      await db
        .insertInto('channel')
        .values({ ...both, id: 'UCx', siteId: 'UCx', name: 'X', sortName: 'x' })
        .execute();
      const times = { publishedAt: 1, downloadedAt: 1, refreshedAt: 1, durationSeconds: 1, sizeBytes: 1 };
      const names = { id: 'v', site: 's', siteId: 'v', channelId: 'UCx', title: 'V', sortTitle: 'v', kind: 'videos' };
      await addExactly(db, 'video', [{ ...names, ...times, sha256: '', mediaPath: 'UCx/v.mp4' }]);
    });
    const linkOf = async () => {
      const headers = { authorization: `Token ${await tokenOf(visitor)}` };
      const { vid_thumb_url: link } = (await (await fetch(`${address}/api/video/v/`, { headers })).json()) as {
        vid_thumb_url: string;
      };
      return `${address}${link}`;
    };
    const statusOf = async (link: string) => (await fetch(link)).status;
    const link = await linkOf();
    expect(await statusOf(link)).toBe(200);
    const { status, stdout } = changeKey(place);
    expect([status, stdout]).toEqual([
      0,
      expect.stringMatching(/The program goes on with it\. .* until the program starts again/),
    ]);
    expect([await statusOf(link), await statusOf(await linkOf())]).toEqual([403, 200]);
    expect([texts.includes(await tokenOf(visitor)), (await goalsOf(visitor)).includes(goal)]).toEqual([true, true]);
    await visitor.call('POST', '/api/task/notification/', { task_name: 'rescan_filesystem', url: 'ntfys://others' });
    expect(changeKey(place).status).toBe(0);
    expect([keyOf(place).length, (await opened(place)).isAnew]).toEqual([96, true]);
    await stop(program);
    const again = await start(place);
    expect([keyOf(place).length, await goalsOf(again.visitor)]).toEqual([32, expect.stringContaining('ntfys://others')]);
    expect(await opened(place)).toEqual({ texts: [...texts, 'ntfys://others'].sort(), isAnew: true });
  });

  test('killed between the key file and the rows loses nothing, and the next start goes on', async () => {
    const { place, texts } = await anArchive(await aPlace());
    const killed: Record<string, string> = {};
    const check = async (name: string) => {
      killed[name] = `${keyOf(place).length} bytes`;
      expect((await opened(place)).texts, name).toEqual(texts);
      const { program, visitor } = await start(place);
      expect(texts, name).toContain(await tokenOf(visitor));
      expect(await goalsOf(visitor), name).toContain(goal);
      await stop(program);
      expect([name, keyOf(place).length, (await opened(place)).texts]).toEqual([name, 32, texts]);
    };
    if (engine === 'postgres') {
      const client = new pg.Client({ connectionString: place.url });
      await client.connect();
      ends.push(() => client.end());
      await client.query('begin; lock table token in share row exclusive mode');
      const command = spawn(process.execPath, [script], { env: envOf(place), stdio: 'ignore' });
      for (let tries = 0; keyOf(place).length === 32 && tries < 2000; tries++) await wait(10);
      command.kill('SIGKILL');
      await new Promise((resolve) => command.once('exit', resolve));
      await client.query('rollback');
      await check('before the first row');
      expect((await opened(place)).isAnew).toBe(true);
    }
    const key = { path: join(place.data, 'secret.key.part') };
    const points = [
      { ...key, name: 'before the file', calls: 'rename', when: 1 },
      ...(engine === 'sqlite'
        ? [{ path: join(place.data, 'reelkeep.db-wal'), name: 'before the first row', calls: 'pwrite64', when: 1 }]
        : []),
      { ...key, name: 'before the former key goes', calls: 'rename', when: 2 },
    ];
    for (const point of hasStrace ? points : []) {
      expect(changeKey(place, killedBefore(point)).status, point.name).not.toBe(0);
      await check(point.name);
    }
    expect(killed).toEqual(
      hasStrace
        ? { 'before the file': '32 bytes', 'before the first row': '64 bytes', 'before the former key goes': '64 bytes' }
        : expect.anything(),
    );
  });
});

test('a backup of before comes back whole where the former key is put behind the new one', async () => {
  const { place, texts } = await anArchive({ data: join(path, 'data'), url: '' });
  const run = (command: string, ...args: string[]) =>
    spawnSync(process.execPath, [join(script, '..', `${command}.ts`), ...args], { encoding: 'utf8', env: envOf(place) });
  const former = keyOf(place);
  const filename = /Wrote (\S+):/.exec(run('backup').stdout)![1]!;
  expect(changeKey(place).status).toBe(0);
  const other = { data: join(path, 'other'), url: '' };
  cpSync(place.data, other.data, { recursive: true });

  const without = run('restore', filename);
  expect([without.status, without.stdout]).toEqual([
    0,
    expect.stringMatching(/must be given again: the API token of demo, where/),
  ]);

  const file = join(other.data, 'secret.key');
  spawnSync('sh', ['-c', `cat - >> '${file}'`], { input: former });
  const { status, stdout } = spawnSync(process.execPath, [join(script, '../restore.ts'), filename], {
    encoding: 'utf8',
    env: envOf(other),
  });
  expect([status, stdout]).toEqual([0, expect.not.stringContaining('given again')]);
  const { visitor } = await start(other);
  expect([keyOf(other).length, texts.includes(await tokenOf(visitor)), await goalsOf(visitor)]).toEqual([
    32,
    true,
    expect.stringContaining(goal),
  ]);
  expect((await opened(other)).isAnew).toBe(true);
});
