import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import pg from 'pg';
import { anOwnDatabase, engines, patience } from '../testing.ts';
import { holdPostgres } from './postgres-hold.ts';

describe.runIf(engines.length > 1)('a PostgreSQL database', () => {
  const ends: (() => Promise<unknown>)[] = [];
  let url: string;
  let admin: pg.Client;
  beforeEach(async () => {
    const own = await anOwnDatabase();
    url = own.url;
    ends.push(own.drop);
    admin = new pg.Client({ connectionString: url });
    admin.on('error', () => {});
    await admin.connect();
    ends.push(() => admin.end());
  });
  afterEach(async () => {
    for (const end of ends.splice(0).toReversed()) await end();
  });
  const hold = async (at = url, wish = {}) => {
    const held = await holdPostgres(at, wish);
    if (held) ends.push(() => held.release());
    return held;
  };
  const holders = async () =>
    (
      await admin.query(
        `select pid from pg_locks join pg_database on pg_database.oid = database and datname = current_database()
         where locktype = 'advisory' and classid = 1382376812 and granted`,
      )
    ).rows;

  test('is held by one program at a time, and free when that ends', async () => {
    const first = await hold();
    expect(await hold()).toBeNull();
    await first!.release();
    expect(await hold()).not.toBeNull();
  });

  test('another database, or another schema of it, is held for itself', async () => {
    const other = await anOwnDatabase();
    ends.push(other.drop);
    await admin.query('create schema beside');
    const within = new URL(url);
    within.searchParams.set('options', '-c search_path=beside');
    for (const at of [url, other.url, within.href]) expect(await hold(at), at).not.toBeNull();
    expect(await hold(within.href)).toBeNull();
  });

  test('is taken again when the connection was ended, as by a restart of the database', async () => {
    let lost = 0;
    const held = await hold(url, { onLost: () => lost++ });
    const [{ pid }] = await holders();
    await admin.query('select pg_terminate_backend($1)', [pid]);
    await expect.poll(async () => (await holders()).some((one) => one.pid !== pid), patience).toBe(true);
    expect([lost, held!.taken.aborted]).toEqual([1, false]);
    expect(await hold()).toBeNull();
  });

  test('is taken again when the network was cut, though the database still sees the connection of before', async () => {
    const { hostname, port, searchParams } = new URL(url);
    const host = hostname || searchParams.get('host') || '127.0.0.1';
    const pairs: Socket[][] = [];
    const gate = createServer((here) => {
      const there = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port || 5432}`) : connect(Number(port || 5432), host);
      here.pipe(there).pipe(here);
      for (const one of [here, there]) one.on('error', () => {});
      pairs.push([here, there]);
    }).listen(0, '127.0.0.1');
    await once(gate, 'listening');
    ends.push(async () => {
      for (const one of pairs.flat()) one.destroy();
      gate.close();
    });
    const through = new URL(url);
    through.host = `127.0.0.1:${(gate.address() as AddressInfo).port}`;
    through.searchParams.delete('host');
    const held = await hold(through.href);
    const [{ pid }] = await holders();
    // From now on nothing of it arrives, on either side.
    for (const [here, there] of pairs) {
      here!.unpipe(there).pause();
      there!.unpipe(here).pause();
    }
    expect(await holders()).toEqual([{ pid }]);
    await expect.poll(async () => (await holders()).some((one) => one.pid !== pid), patience).toBe(true);
    expect(held!.taken.aborted).toBe(false);
  });
});
