import { spawn, spawnSync } from 'node:child_process';
import { cpSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { insertExactly } from '#server/platform/db/copy/bulk-copy.ts';
import type { Db } from '#server/platform/db/db.ts';
import { openPostgres } from '#server/platform/db/postgres/postgres.ts';
import { openSqlite } from '#server/platform/db/sqlite/sqlite.ts';
import { openKeys } from '#server/platform/security/key-file.ts';
import { isSealedWithPresentKey, unseal } from '#server/platform/security/encryption.ts';
import { sealWithoutPurpose } from '#server/test-support/encryption.ts';
import { createDatabase, engines } from '#server/test-support/app.ts';
import { hasStrace, killCommandFor } from '../support/killing.ts';
import { addressOf, createTempFolder, logInToProgram, startProgram, type Program, type ApiClient } from '../support/program.ts';

// Rotates the key of all encrypted values: while the server runs, while it is stopped, and with a kill at each point.

const missingTool = join(import.meta.dirname, 'no-such-program');
const script = join(import.meta.dirname, '../../server/cli/rotate-key.ts');

const cleanups: (() => Promise<unknown>)[] = [];
let path: string;
beforeEach(async () => {
  const folder = await createTempFolder();
  path = folder.path;
  cleanups.push(folder.remove);
});
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

interface Instance {
  data: string;
  url: string;
}
const keyOf = ({ data }: Instance) => readFileSync(join(data, 'secret.key'));
const envOf = ({ data, url }: Instance) => ({ ...process.env, REELKEEP_DATA: data, REELKEEP_DATABASE: url });

async function launch({ data, url }: Instance, env: Record<string, string> = {}): Promise<Program> {
  const program = await startProgram({
    data,
    env: { REELKEEP_YTDLP: missingTool, REELKEEP_FFMPEG: missingTool, ...(url && { REELKEEP_DATABASE: url }), ...env },
  });
  cleanups.push(async () => {
    program.child.kill('SIGKILL');
    await program.ended;
  });
  return program;
}
async function start(instance: Instance, env?: Record<string, string>) {
  const program = await launch(instance, env);
  const address = await addressOf(program);
  return { program, address, visitor: await logInToProgram(address) };
}
async function stop({ child, ended }: Program) {
  child.kill('SIGTERM');
  await ended;
}
function rotateKey(instance: Instance, under: string[] = []) {
  const [command = '', ...args] = [...under, process.execPath, script];
  // A single file thread, because strace counts the calls of each thread separately.
  return spawnSync(command, args, { encoding: 'utf8', env: { ...envOf(instance), UV_THREADPOOL_SIZE: '1' } });
}

async function within<T>({ data, url }: Instance, work: (db: Db) => Promise<T>): Promise<T> {
  const db = url ? openPostgres(url) : await openSqlite(join(data, 'reelkeep.db'));
  return work(db).finally(() => db.destroy());
}

/** Decrypts all encrypted values of the database with the keys of the key file. */
const decryptAll = (instance: Instance) =>
  within(instance, async (db) => {
    const keys = await openKeys({ dataFolder: instance.data });
    const all = [
      ...(await db.selectFrom('token').selectAll().execute()).map((row) => [`token.${row.accountId}`, row.sealed] as const),
      ...(await db.selectFrom('secret').selectAll().execute()).map((row) => [`secret.${row.name}`, row.sealed] as const),
      ...(await db.selectFrom('notifyTarget').selectAll().execute()).map((row) => ['notify-url', row.sealed] as const),
      ...(await db.selectFrom('outbox').selectAll().execute()).map((row) => ['notify-url', row.sealed] as const),
    ];
    return {
      texts: all.map(([purpose, sealed]) => unseal(keys, purpose, sealed)).sort(),
      isCurrent: all.every(([, sealed]) => isSealedWithPresentKey(keys, sealed)),
    };
  });

const targetUrl = 'ntfys://mine-canary';
/** The URL as the API masks it. */
const maskedUrl = 'ntfys://****';
const tokenOf = async ({ call }: ApiClient) => ((await call('GET', '/api/appsettings/token/')).json as { token: string }).token;
const targetsOf = async ({ call }: ApiClient) => JSON.stringify((await call('GET', '/api/task/notification/')).json);

/** Creates an archive with an API token, a notification target and a pending notification. */
async function createInstance({ data, url }: Instance): Promise<{ instance: Instance; texts: string[] }> {
  const instance = { data, url };
  const { program, visitor } = await start(instance);
  const token = await tokenOf(visitor);
  const { status } = await visitor.call('POST', '/api/task/notification/', { task_name: 'run_backup', url: targetUrl });
  expect(status).toBe(200);
  await stop(program);
  await within(instance, async (db) => {
    const { sealed } = await db.selectFrom('notifyTarget').select('sealed').executeTakeFirstOrThrow();
    await db.insertInto('outbox').values({ sealed, message: '{}', nextAt: 4e9, createdAt: 4e9 }).execute();
  });
  return { instance, texts: [token, targetUrl, targetUrl].sort() };
}

describe.each(engines)('rotating the key ($engine)', ({ engine }) => {
  const newInstance = async (name = 'data') => {
    const data = join(path, name);
    if (engine === 'sqlite') return { data, url: '' };
    const { url, drop } = await createDatabase();
    cleanups.push(drop);
    return { data, url };
  };

  test('re-encrypts all values while the server is stopped, and keeps sessions and tokens valid', async () => {
    const { instance, texts } = await createInstance(await newInstance());
    const [before, stored] = [keyOf(instance), await decryptAll(instance)];
    const { status, stdout } = rotateKey(instance);
    expect([status, stdout]).toEqual([0, expect.stringMatching(/encrypted 2 values with it/)]);
    expect(stdout).toMatch(/Deleted the previous key.*\nSigned links .* are no longer valid.*\n.*Earlier backups and snapshots/);
    expect([
      keyOf(instance).length,
      keyOf(instance).equals(before),
      statSync(join(instance.data, 'secret.key')).mode & 0o777,
    ]).toEqual([32, false, 0o600]);
    expect([stored.texts, await decryptAll(instance)]).toEqual([texts, { texts, isCurrent: true }]);
    const { visitor } = await start(instance);
    expect(texts).toContain(await tokenOf(visitor));
    expect(await targetsOf(visitor)).toContain(maskedUrl);
    // Deleting the target, which is found by its URL, also deletes its pending notification.
    await visitor.call('DELETE', '/api/task/notification/', { task_name: 'run_backup', url: targetUrl });
    await expect.poll(async () => (await decryptAll(instance)).texts.length).toBe(1);
  });

  test('a running server uses the new key immediately, and its next start removes the old one', async () => {
    const { instance, texts } = await createInstance(await newInstance());
    const { program, address, visitor } = await start(instance);
    await within(instance, async (db) => {
      const commonColumns = { site: 's', addedAt: 1, refreshedAt: 1 };
      await db
        .insertInto('channel')
        .values({ ...commonColumns, id: 'UCx', siteId: 'UCx', name: 'X', sortName: 'x' })
        .execute();
      const times = { publishedAt: 1, downloadedAt: 1, refreshedAt: 1, durationSeconds: 1, sizeBytes: 1 };
      const names = { id: 'v', site: 's', siteId: 'v', channelId: 'UCx', title: 'V', sortTitle: 'v', kind: 'videos' };
      await insertExactly(db, 'video', [{ ...names, ...times, sha256: '', mediaPath: 'UCx/v.mp4' }]);
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
    const { status, stdout } = rotateKey(instance);
    expect([status, stdout]).toEqual([
      0,
      expect.stringMatching(/The running server uses the new key\. .* until the server restarts/),
    ]);
    expect([await statusOf(link), await statusOf(await linkOf())]).toEqual([403, 200]);
    expect([texts.includes(await tokenOf(visitor)), (await targetsOf(visitor)).includes(maskedUrl)]).toEqual([true, true]);
    await visitor.call('POST', '/api/task/notification/', { task_name: 'rescan_filesystem', url: 'ntfys://others' });
    expect(rotateKey(instance).status).toBe(0);
    expect([keyOf(instance).length, (await decryptAll(instance)).isCurrent]).toEqual([96, true]);
    await stop(program);
    const restarted = await start(instance);
    expect([keyOf(instance).length, await targetsOf(restarted.visitor)]).toEqual([
      32,
      expect.stringContaining('rescan_filesystem'),
    ]);
    expect(await decryptAll(instance)).toEqual({ texts: [...texts, 'ntfys://others'].sort(), isCurrent: true });
  });

  test('survives a kill between key file and rows, and completes at the next start', async () => {
    const { instance, texts } = await createInstance(await newInstance());
    const killed: Record<string, string> = {};
    const check = async (name: string) => {
      killed[name] = `${keyOf(instance).length} bytes`;
      expect((await decryptAll(instance)).texts, name).toEqual(texts);
      const { program, visitor } = await start(instance);
      expect(texts, name).toContain(await tokenOf(visitor));
      expect(await targetsOf(visitor), name).toContain(maskedUrl);
      await stop(program);
      expect([name, keyOf(instance).length, (await decryptAll(instance)).texts]).toEqual([name, 32, texts]);
    };
    if (engine === 'postgres') {
      const client = new pg.Client({ connectionString: instance.url });
      await client.connect();
      cleanups.push(() => client.end());
      await client.query('begin; lock table token in share row exclusive mode');
      const command = spawn(process.execPath, [script], { env: envOf(instance), stdio: 'ignore' });
      for (let tries = 0; keyOf(instance).length === 32 && tries < 2000; tries++) await wait(10);
      command.kill('SIGKILL');
      await new Promise((resolve) => command.once('exit', resolve));
      await client.query('rollback');
      await check('before the first row');
      expect((await decryptAll(instance)).isCurrent).toBe(true);
    }
    const key = { path: join(instance.data, 'secret.key.part') };
    const points = [
      { ...key, name: 'before the file', calls: 'rename', when: 1 },
      ...(engine === 'sqlite'
        ? [{ path: join(instance.data, 'reelkeep.db-wal'), name: 'before the first row', calls: 'pwrite64', when: 1 }]
        : []),
      { ...key, name: 'before the old key is removed', calls: 'rename', when: 2 },
    ];
    for (const point of hasStrace ? points : []) {
      expect(rotateKey(instance, killCommandFor(point)).status, point.name).not.toBe(0);
      await check(point.name);
    }
    expect(killed).toEqual(
      hasStrace
        ? { 'before the file': '32 bytes', 'before the first row': '64 bytes', 'before the old key is removed': '64 bytes' }
        : expect.anything(),
    );
  });
});

test('re-encrypts values of an earlier version at startup, each for its purpose', async () => {
  const { instance, texts } = await createInstance({ data: join(path, 'data'), url: '' });
  const key = keyOf(instance);
  const [token = ''] = texts.filter((text) => text !== targetUrl);
  await within(instance, async (db) => {
    await db
      .updateTable('token')
      .set({ sealed: sealWithoutPurpose(key, token, { hasPrefix: false }) })
      .execute();
    const sealed = sealWithoutPurpose(key, targetUrl);
    for (const table of ['notifyTarget', 'outbox'] as const) await db.updateTable(table).set({ sealed }).execute();
  });
  const { program, visitor } = await start(instance);
  expect(await tokenOf(visitor)).toBe(token);
  await stop(program);
  expect([keyOf(instance).equals(key), await decryptAll(instance)]).toEqual([true, { texts, isCurrent: true }]);
});

test.runIf(engines.length > 1)(
  'a server with another key refuses to start; with the same key in REELKEEP_KEY it starts and changes it',
  async () => {
    const { url, drop } = await createDatabase();
    cleanups.push(drop);
    const { instance, texts } = await createInstance({ data: join(path, 'data'), url });
    const other = { data: join(path, 'other'), url };
    const refused = await launch(other);
    expect([await refused.ended, refused.output.text]).toEqual([
      78,
      expect.stringMatching(/encrypted with another key .* set REELKEEP_KEY/),
    ]);

    const key = keyOf(instance).toString('hex');
    const { program, visitor } = await start(other, { REELKEEP_KEY: key });
    expect(texts).toContain(await tokenOf(visitor));
    await stop(program);

    const refusal = spawnSync(process.execPath, [script], { encoding: 'utf8', env: { ...envOf(other), REELKEEP_KEY: key } });
    expect([refusal.status, refusal.stderr]).toEqual([78, expect.stringContaining('REELKEEP_KEY=<new key>,<current key>')]);

    const next = 'a1'.repeat(32);
    const changed = await start(other, { REELKEEP_KEY: `${next},${key}` });
    expect(texts).toContain(await tokenOf(changed.visitor));
    await stop(changed.program);
    // Nothing needs the former key any more.
    const { visitor: last, program: lastProgram } = await start(other, { REELKEEP_KEY: next });
    expect([texts.includes(await tokenOf(last)), await targetsOf(last)]).toEqual([true, expect.stringContaining(maskedUrl)]);
    await stop(lastProgram);
    const former = await launch(instance);
    expect(await former.ended).toBe(78);
  },
);

test('restores an older backup completely when the old key is appended to the key file', async () => {
  const { instance, texts } = await createInstance({ data: join(path, 'data'), url: '' });
  const run = (command: string, ...args: string[]) =>
    spawnSync(process.execPath, [join(script, '..', `${command}.ts`), ...args], { encoding: 'utf8', env: envOf(instance) });
  const oldKey = keyOf(instance);
  const filename = /Wrote (\S+):/.exec(run('backup').stdout)![1]!;
  expect(rotateKey(instance).status).toBe(0);
  const other = { data: join(path, 'other'), url: '' };
  cpSync(instance.data, other.data, { recursive: true });

  const restored = run('restore', filename);
  expect([restored.status, restored.stdout]).toEqual([0, expect.stringMatching(/Enter them again: .*API token of demo/)]);

  const file = join(other.data, 'secret.key');
  spawnSync('sh', ['-c', `cat - >> '${file}'`], { input: oldKey });
  const { status, stdout } = spawnSync(process.execPath, [join(script, '../restore.ts'), filename], {
    encoding: 'utf8',
    env: envOf(other),
  });
  expect([status, stdout]).toEqual([0, expect.not.stringContaining('given again')]);
  const { visitor } = await start(other);
  expect([keyOf(other).length, texts.includes(await tokenOf(visitor)), await targetsOf(visitor)]).toEqual([
    32,
    true,
    expect.stringContaining(maskedUrl),
  ]);
  expect((await decryptAll(other)).isCurrent).toBe(true);
});
