import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import pg from 'pg';
import { createDatabase, engines, testTimeouts } from '../../../test-support/app.ts';
import { startPostgresRelay } from '../../../test-support/postgres-relay.ts';
import { acquireAdvisoryLock } from './advisory-lock.ts';

describe.runIf(engines.length > 1)('PostgreSQL advisory lock', () => {
  const cleanups: (() => Promise<unknown>)[] = [];
  let url: string;
  let admin: pg.Client;
  beforeEach(async () => {
    const database = await createDatabase();
    url = database.url;
    cleanups.push(database.drop);
    admin = new pg.Client({ connectionString: url });
    admin.on('error', () => {});
    await admin.connect();
    cleanups.push(() => admin.end());
  });
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
  });
  const acquire = async (lockUrl = url, options = {}) => {
    const lock = await acquireAdvisoryLock(lockUrl, options);
    if (typeof lock === 'string') return null;
    cleanups.push(() => lock.release());
    return lock;
  };
  const holders = async () =>
    (
      await admin.query(
        `select pid from pg_locks join pg_database on pg_database.oid = database and datname = current_database()
         where locktype = 'advisory' and classid = 1382376812 and granted`,
      )
    ).rows;

  test('is held by one process at a time and released at its end', async () => {
    const first = await acquire();
    expect(await acquire()).toBeNull();
    await first!.release();
    expect(await acquire()).not.toBeNull();
  });

  test('is shared by nodes with different names, one of which leads', async () => {
    const first = await acquire(url, { node: 'first', canLead: true });
    expect(await acquireAdvisoryLock(url, { node: 'first' })).toBe('name taken');
    expect(await acquireAdvisoryLock(url)).toBe('database taken');
    const web = await acquire(url, { node: 'web' });
    const second = await acquire(url, { node: 'second', canLead: true });
    expect([first!.isLeader(), web!.isLeader(), second!.isLeader()]).toEqual([true, false, false]);
    await first!.release();
    await expect.poll(() => second!.isLeader(), testTimeouts).toBe(true);
    await Promise.all([web!.release(), second!.release()]);
    const single = await acquire();
    expect(await acquireAdvisoryLock(url, { node: 'first' })).toBe('database taken');
    await single!.release();
  });

  test('is independent per database and schema', async () => {
    const other = await createDatabase();
    cleanups.push(other.drop);
    await admin.query('create schema second');
    const otherSchemaUrl = new URL(url);
    otherSchemaUrl.searchParams.set('options', '-c search_path=second');
    for (const lockUrl of [url, other.url, otherSchemaUrl.href]) expect(await acquire(lockUrl), lockUrl).not.toBeNull();
    expect(await acquire(otherSchemaUrl.href)).toBeNull();
  });

  test('is acquired again after the connection was terminated', async () => {
    let lost = 0;
    const lock = await acquire(url, { onLost: () => lost++ });
    const [{ pid }] = await holders();
    await admin.query('select pg_terminate_backend($1)', [pid]);
    await expect.poll(async () => (await holders()).some((one) => one.pid !== pid), testTimeouts).toBe(true);
    expect([lost, lock!.taken.aborted]).toEqual([1, false]);
    expect(await acquire()).toBeNull();
  });

  test('is acquired again after a network failure, although the server still has the former connection', async () => {
    const relay = await startPostgresRelay(url);
    cleanups.push(async () => relay.close());
    const lock = await acquire(relay.url);
    const [{ pid }] = await holders();
    void relay.silence();
    expect(await holders()).toEqual([{ pid }]);
    await expect.poll(async () => (await holders()).some((one) => one.pid !== pid), testTimeouts).toBe(true);
    expect(lock!.taken.aborted).toBe(false);
  });
});
