import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createDatabase, engines } from '#server/test-support/app.ts';
import { eventually } from '../support/acquisition.ts';
import { addressOf, createTempFolder, logInToProgram, startProgram, type Program } from '../support/program.ts';

/** Creates a TCP proxy to a database that can be closed, like a pulled cable, and opened again. */
async function createDatabaseProxy(url: string) {
  const { hostname, port, searchParams } = new URL(url);
  const host = hostname || searchParams.get('host') || '127.0.0.1';
  const sockets = new Set<Socket>();
  const proxy = createServer((client) => {
    const upstream = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port || 5432}`) : connect(Number(port || 5432), host);
    client.pipe(upstream).pipe(client);
    for (const socket of [client, upstream]) sockets.add(socket.on('error', () => {}).on('close', () => sockets.delete(socket)));
  });
  const open = async (port = 0) => {
    await once(proxy.listen(port, '127.0.0.1'), 'listening');
    return (proxy.address() as AddressInfo).port;
  };
  const proxyPort = await open();
  const proxyUrl = new URL(url);
  proxyUrl.host = `127.0.0.1:${proxyPort}`;
  proxyUrl.searchParams.delete('host');
  return {
    url: proxyUrl.href,
    open: () => open(proxyPort),
    close() {
      proxy.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

// Several programs use the same PostgreSQL database, each with its own data folder.

describe.runIf(engines.length > 1)('one PostgreSQL database', () => {
  let folder: Awaited<ReturnType<typeof createTempFolder>>;
  let database: Awaited<ReturnType<typeof createDatabase>>;
  let programs: Program[] = [];
  beforeEach(async () => {
    [folder, database] = [await createTempFolder(), await createDatabase()];
  });
  afterEach(async () => {
    for (const { child, ended } of programs.splice(0)) {
      child.kill('SIGKILL');
      await ended;
    }
    await database.drop();
    await folder.remove();
  });
  const start = async (name: string, url = database.url) => {
    const missingTools = { REELKEEP_YTDLP: '/nope', REELKEEP_FFMPEG: '/nope' };
    // Servers of one database have one key.
    const env = { ...missingTools, REELKEEP_DATABASE: url, REELKEEP_KEY: '3c'.repeat(32) };
    const program = await startProgram({ data: join(folder.path, name), env });
    programs.push(program);
    return program;
  };
  const run = (name: string, command: string, ...args: string[]) => {
    const script = join(import.meta.dirname, '../../server/cli', `${command}.ts`);
    const env = { ...process.env, REELKEEP_DATA: join(folder.path, name), REELKEEP_DATABASE: database.url };
    const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], { encoding: 'utf8', env });
    return { status, output: (stdout + stderr).trim() };
  };
  /** Runs queries as the administrator of the database. */
  const asAdmin = async <T>(work: (client: pg.Client) => Promise<T>) => {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    return work(client).finally(() => client.end());
  };
  const lock = `pg_locks join pg_database on pg_database.oid = database and datname = current_database()
    where locktype = 'advisory' and classid = 1382376812 and granted`;

  test('is used by the first server; a second one exits, and takes over after a kill', async () => {
    const first = await start('first');
    const visitor = await logInToProgram(await addressOf(first));
    const second = await start('second');
    expect(await second.ended).toBe(78);
    expect(second.output.text.trim().split('\n').at(-1)).toMatch(
      /^Another Reelkeep already works on PostgreSQL at .*\(REELKEEP_DATABASE\)\.$/,
    );
    expect(second.output.text).not.toContain('First login');
    expect((await visitor.call('GET', '/api/ping/')).status).toBe(200);
    expect(first.child.exitCode).toBeNull();
    first.child.kill('SIGKILL');
    await first.ended;
    await addressOf(await start('third'));
  });

  test('allows concurrent commands, but none that replaces the data, also from another data folder', async () => {
    await addressOf(await start('first'));
    await mkdir(join(folder.path, 'other'));
    expect(run('first', 'verify')).toEqual({ status: 0, output: 'Everything is as it should be.' });
    expect(run('first', 'user', 'list').status).toBe(0);
    expect(run('first', 'reset-password', 'demo').status).toBe(0);
    for (const name of ['first', 'other']) expect(run(name, 'health').output).toContain('✓ Program: it runs on this archive.');
    expect(run('first', 'backup')).toMatchObject({ status: 1, output: expect.stringMatching(/^Reelkeep runs on \//) });
    for (const command of [['backup'], ['import', '--dry-run'], ['restore', 'snapshot-20260101-000000-daily']] as const)
      expect(run('other', ...(command as unknown as [string])), command[0]).toMatchObject({
        status: 1,
        output: expect.stringMatching(/^Reelkeep runs on PostgreSQL at .*\. Use its call /),
      });
  });

  test('stops the first server when another took the lock during a lost connection', async () => {
    const first = await start('first');
    await addressOf(first);
    first.child.kill('SIGSTOP');
    await asAdmin(async (client) => {
      await client.query(`select pg_terminate_backend(pid) from ${lock}`);
      const takeLock = `select pg_try_advisory_lock(1382376812, hashtext(current_schema())) as mine`;
      await eventually(async () => (await client.query<{ mine: boolean }>(takeLock)).rows[0]!.mine || null);
      first.child.kill('SIGCONT');
      expect(await first.ended).toBe(78);
    });
    expect(first.output.text).toMatch(/was lost; reconnecting/);
    expect(first.output.text.trim()).toMatch(
      /Another server has locked PostgreSQL at \S+ while this one was disconnected\. This server exits; .*the other one\.$/m,
    );
    await addressOf(await start('first'));
  });

  test('reacquires the lock after a short interruption', async () => {
    const first = await start('first');
    const visitor = await logInToProgram(await addressOf(first));
    await asAdmin(async (client) => {
      await client.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
      );
      await eventually(async () => first.child.exitCode ?? ((await client.query(`select 1 from ${lock}`)).rowCount || null));
    });
    expect([first.child.exitCode, first.output.text]).toEqual([null, expect.any(String)]);
    // Requests during the reconnection may get 503.
    await eventually(async () => {
      const { status } = await visitor.call('GET', '/api/ping/');
      expect([200, 503]).toContain(status);
      return status === 200 || null;
    });
  });

  test('waits for an unreachable database with 503, and continues', async () => {
    const proxy = await createDatabaseProxy(database.url);
    try {
      const first = await start('first', proxy.url);
      const address = await addressOf(first);
      const visitor = await logInToProgram(address);
      proxy.close();
      const response = await fetch(`${address}/api/playlist/`, { headers: visitor.headers });
      expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5']);
      expect(await response.json()).toMatchObject({
        error: 'The database is unreachable. Reelkeep reconnects automatically; try again in a moment.',
      });
      await proxy.open();
      await eventually(async () => (await visitor.call('GET', '/api/playlist/')).status === 200 || null);
      expect(first.child.exitCode).toBeNull();
    } finally {
      proxy.close();
    }
  });
});
