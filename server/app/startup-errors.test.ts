import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sql } from 'kysely';
import pg from 'pg';
import type { Config } from '../platform/config/config.ts';
import { DatabaseUnavailableError } from '../platform/db/db.ts';
import { acquireAdvisoryLock } from '../platform/db/postgres/advisory-lock.ts';
import { openPostgres } from '../platform/db/postgres/postgres.ts';
import { createDatabase, engines } from '../test-support/app.ts';
import { freePort } from '../test-support/nginx.ts';
import { asUserError } from './startup-errors.ts';

const pgbouncer = process.env.REELKEEP_TEST_PGBOUNCER;
if (!pgbouncer) process.stdout.write('PgBouncer is not installed: the tests with a real connection pooler are skipped\n');

describe.runIf(engines.length > 1)('PostgreSQL', () => {
  const cleanups: (() => unknown)[] = [];
  let url: string;
  beforeEach(async () => {
    const database = await createDatabase();
    url = database.url;
    cleanups.push(database.drop);
  });
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
  });
  const query = async (text: string) => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(text).finally(() => client.end());
  };
  /** Acquires the lock, and keeps it until the end of the test. */
  const acquire = async (from: string) => {
    const lock = await acquireAdvisoryLock(from);
    if (typeof lock === 'string') return lock;
    cleanups.push(() => lock.release());
    return 'acquired';
  };
  /** The message and exit code of a server that does not start. */
  const refusalOf = async (from: string, work: () => Promise<unknown> = () => acquire(from)) => {
    const error = await work().then(
      () => null,
      (error: unknown) => error,
    );
    const shown = (await asUserError(error, { databaseUrl: from, dataFolder: '/' } as Config)) as Error & { exitCode: number };
    return `${shown.exitCode}: ${shown.message}`;
  };

  test('that accepts no more connections: names the limit to raise, and retries', async () => {
    const role = new URL(url).pathname.slice(1);
    await query(`create role ${role} login connection limit 1`);
    cleanups.push(() => query(`drop role ${role}`));
    const limited = new URL(url);
    limited.username = role;
    expect(await acquire(limited.href)).toBe('acquired');
    expect(await refusalOf(limited.href)).toMatch(
      /^75: PostgreSQL at .* cannot be used: too many connections for role .*\. Each server opens up to 11 connections: raise max_connections there, or the limit of the database or user/,
    );
    const db = openPostgres(limited.href);
    cleanups.push(() => db.destroy());
    await expect(sql`select 1`.execute(db)).rejects.toThrow(DatabaseUnavailableError);
  });

  test('that is read-only: asks for the primary, and retries', async () => {
    await query(`alter database ${new URL(url).pathname.slice(1)} set default_transaction_read_only = on`);
    const db = openPostgres(url);
    cleanups.push(() => db.destroy());
    const change = () => sql`create table a ()`.execute(db);
    await expect(change()).rejects.toThrow(DatabaseUnavailableError);
    expect(await refusalOf(url, change)).toMatch(
      /^75: .*read-only transaction\. It is read-only, such as a replica\. Name the primary in REELKEEP_DATABASE\.$/,
    );
  });

  describe.runIf(pgbouncer)('behind PgBouncer', () => {
    /** Starts PgBouncer, and returns its URL. */
    async function startPgbouncer(settings: string) {
      const folder = await mkdtemp(join(tmpdir(), 'reelkeep-pgbouncer-'));
      const { hostname, port, username, searchParams } = new URL(url);
      const host = hostname || searchParams.get('host') || '127.0.0.1';
      const own = new URL(url);
      own.host = `127.0.0.1:${await freePort()}`;
      own.searchParams.delete('host');
      const path = join(folder, 'pgbouncer.ini');
      await writeFile(
        path,
        `[databases]\n* = host=${host} port=${port || 5432} user=${username}\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = ${own.port}
         unix_socket_dir =\nauth_type = any\n${settings}`.replaceAll(/^ +/gm, ''),
      );
      const account = process.getuid?.() === 0 ? ['-u', 'nobody'] : []; // it does not run as root
      const child = spawn(pgbouncer!, [...account, path], { stdio: ['ignore', 'ignore', 'pipe'] });
      const ended = new Promise((resolve) => child.once('exit', resolve));
      cleanups.push(async () => {
        child.kill('SIGKILL');
        await ended;
        await rm(folder, { recursive: true });
      });
      let output = '';
      await new Promise((resolve, reject) => {
        child.stderr.on('data', (text) => / process up/.test((output += String(text))) && resolve(null));
        void ended.then(() => reject(new Error(output)));
      });
      return own.href;
    }

    test('with pool_mode = session: has one lock, and queries have their limits', async () => {
      const pooled = await startPgbouncer('pool_mode = session');
      expect([await acquire(pooled), await acquire(pooled)]).toEqual(['acquired', 'database taken']);
      const db = openPostgres(pooled);
      const { rows } = await sql<{ limit: string }>`select current_setting('lock_timeout') as limit`.execute(db);
      await db.destroy();
      expect(rows).toEqual([{ limit: '30s' }]);
    });

    test.each(['transaction', 'statement'])('with pool_mode = %s: names the setting', async (mode) => {
      const pooled = await startPgbouncer(`pool_mode = ${mode}`);
      expect(await refusalOf(pooled)).toMatch(
        /^78: The connection pooler at \S+ gives each transaction another connection, .*Set pool_mode = session in PgBouncer, or name PostgreSQL itself/,
      );
    });

    test('that accepts no more connections: names the limit to raise, and retries', async () => {
      const pooled = await startPgbouncer('pool_mode = session\nmax_client_conn = 2');
      expect(await acquire(pooled)).toBe('acquired');
      expect(await refusalOf(pooled)).toMatch(/^75: .*no more connections allowed .* Each server opens up to 11 connections/);
    });
  });
});
