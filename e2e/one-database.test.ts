import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { anOwnDatabase, engines } from '#server/testing.ts';
import { eventually } from './acquiring.ts';
import { addressOf, aFolder, aVisitor, startProgram, type Program } from './program.ts';

/** A way to a database that can be closed, as when a cable is pulled, and opened again. */
async function aGate(url: string) {
  const { hostname, port, searchParams } = new URL(url);
  const host = hostname || searchParams.get('host') || '127.0.0.1';
  const sockets = new Set<Socket>();
  const gate = createServer((here) => {
    const there = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port || 5432}`) : connect(Number(port || 5432), host);
    here.pipe(there).pipe(here);
    for (const one of [here, there]) sockets.add(one.on('error', () => {}).on('close', () => sockets.delete(one)));
  });
  const open = async (at = 0) => {
    await once(gate.listen(at, '127.0.0.1'), 'listening');
    return (gate.address() as AddressInfo).port;
  };
  const own = await open();
  const through = new URL(url);
  through.host = `127.0.0.1:${own}`;
  through.searchParams.delete('host');
  return {
    url: through.href,
    open: () => open(own),
    close() {
      gate.close();
      for (const one of sockets) one.destroy();
    },
  };
}

// The same PostgreSQL named to several programs, each with a data folder of its own.

describe.runIf(engines.length > 1)('one database', () => {
  let folder: Awaited<ReturnType<typeof aFolder>>;
  let database: Awaited<ReturnType<typeof anOwnDatabase>>;
  let programs: Program[] = [];
  beforeEach(async () => {
    [folder, database] = [await aFolder(), await anOwnDatabase()];
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
    const none = { REELKEEP_YTDLP: '/nope', REELKEEP_FFMPEG: '/nope' };
    const program = await startProgram({ data: join(folder.path, name), env: { ...none, REELKEEP_DATABASE: url } });
    programs.push(program);
    return program;
  };
  const run = (name: string, command: string, ...args: string[]) => {
    const script = join(import.meta.dirname, '../server/console', `${command}.ts`);
    const env = { ...process.env, REELKEEP_DATA: join(folder.path, name), REELKEEP_DATABASE: database.url };
    const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], { encoding: 'utf8', env });
    return { status, said: (stdout + stderr).trim() };
  };
  /** Does something as the one who looks after the database. */
  const asAdmin = async <T>(work: (client: pg.Client) => Promise<T>) => {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    return work(client).finally(() => client.end());
  };
  const lock = `pg_locks join pg_database on pg_database.oid = database and datname = current_database()
    where locktype = 'advisory' and classid = 1382376812 and granted`;

  test('is worked on by the first; the second says so and ends; after a kill another goes on at once', async () => {
    const first = await start('first');
    const visitor = await aVisitor(await addressOf(first));
    const second = await start('second');
    expect(await second.ended).toBe(78);
    expect(second.words.text.trim().split('\n').at(-1)).toMatch(
      /^Another Reelkeep already works on PostgreSQL at .*\(REELKEEP_DATABASE\)\.$/,
    );
    expect(second.words.text).not.toContain('First login');
    expect((await visitor.call('GET', '/api/ping/')).status).toBe(200);
    expect(first.child.exitCode).toBeNull();
    first.child.kill('SIGKILL');
    await first.ended;
    await addressOf(await start('third'));
  });

  test('what works beside the program goes on doing so; what replaces everything does not, also with another data folder', async () => {
    await addressOf(await start('first'));
    await mkdir(join(folder.path, 'other'));
    expect(run('first', 'verify')).toEqual({ status: 0, said: 'Everything is as it should be.' });
    expect(run('first', 'user', 'list').status).toBe(0);
    expect(run('first', 'reset-password', 'demo').status).toBe(0);
    for (const name of ['first', 'other']) expect(run(name, 'doctor').said).toContain('✓ Program: it runs on this archive.');
    expect(run('first', 'backup')).toMatchObject({ status: 1, said: expect.stringMatching(/^Reelkeep runs on \//) });
    for (const command of [['backup'], ['import', '--dry-run'], ['restore', 'snapshot-20260101-000000-daily']] as const)
      expect(run('other', ...(command as unknown as [string])), command[0]).toMatchObject({
        status: 1,
        said: expect.stringMatching(/^Reelkeep runs on PostgreSQL at .*\. Use its call /),
      });
  });

  test('that another has taken while the connection was lost ends the first with a sentence', async () => {
    const first = await start('first');
    await addressOf(first);
    first.child.kill('SIGSTOP');
    await asAdmin(async (client) => {
      await client.query(`select pg_terminate_backend(pid) from ${lock}`);
      const take = `select pg_try_advisory_lock(1382376812, hashtext(current_schema())) as mine`;
      await eventually(async () => (await client.query<{ mine: boolean }>(take)).rows[0]!.mine || null);
      first.child.kill('SIGCONT');
      expect(await first.ended).toBe(78);
    });
    expect(first.words.text).toMatch(/was lost; it is taken again as soon as that answers/);
    expect(first.words.text.trim()).toMatch(
      /Another Reelkeep has taken PostgreSQL at \S+ while this one had lost it, so this one ends\. .*stopped\.$/,
    );
    await addressOf(await start('first'));
  });

  test('that is away for a moment is held again, and nobody notices', async () => {
    const first = await start('first');
    const visitor = await aVisitor(await addressOf(first));
    await asAdmin(async (client) => {
      await client.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
      );
      await eventually(async () => first.child.exitCode ?? ((await client.query(`select 1 from ${lock}`)).rowCount || null));
    });
    expect([first.child.exitCode, first.words.text]).toEqual([null, expect.any(String)]);
    // Whoever comes in the moment in which it is noticed is told to come again.
    await eventually(async () => {
      const { status } = await visitor.call('GET', '/api/ping/');
      expect([200, 503]).toContain(status);
      return status === 200 || null;
    });
  });

  test('that cannot be reached for a while is waited for: answers say so, and all goes on by itself', async () => {
    const gate = await aGate(database.url);
    try {
      const first = await start('first', gate.url);
      const address = await addressOf(first);
      const visitor = await aVisitor(address);
      gate.close();
      const away = await fetch(`${address}/api/playlist/`, { headers: visitor.headers });
      expect([away.status, away.headers.get('retry-after')]).toEqual([503, '5']);
      expect(await away.json()).toEqual({
        error: 'The database cannot be reached just now. It is tried again by itself; try again in a moment.',
      });
      await gate.open();
      await eventually(async () => (await visitor.call('GET', '/api/playlist/')).status === 200 || null);
      expect(first.child.exitCode).toBeNull();
    } finally {
      gate.close();
    }
  });
});
