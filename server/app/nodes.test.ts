import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { message } from '#contract/messages.ts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../platform/config/config.ts';
import { sql } from 'kysely';
import { steps } from '../platform/db/migrations/migrate.ts';
import { openDatabase } from './open-database.ts';
import { inTransaction } from '../platform/db/db.ts';
import { openPostgres } from '../platform/db/postgres/postgres.ts';
import { deleteExpiredLimits, limitersOf } from '../platform/http/limiter.ts';
import { createServer } from '../platform/http/server/create-server.ts';
import { backupFolder } from '../features/backup/files/backup-files.ts';
import { createFirstAccount } from '../features/user/first-account.ts';
import { createLoginThrottle } from '../features/user/login/login-throttle.ts';
import { createDatabase, createQueueItem, createUser, createVideo, engines } from '../test-support/app.ts';
import { createApp } from './create-app.ts';
import { plainRoutes, routes } from './registry.ts';
import { cleanupSteps, runEach } from './startup.ts';

// Two servers in this process that share a PostgreSQL database, without background work.

async function startNode(name: string, role: 'all' | 'web', { url, folder }: { url: string; folder: string }) {
  const config = readConfig({
    REELKEEP_DATA: join(folder, name),
    REELKEEP_MEDIA: join(folder, 'media'),
    REELKEEP_CACHE: join(folder, 'cache'),
    REELKEEP_DATABASE: url,
    REELKEEP_KEY: '5a'.repeat(32),
    REELKEEP_NODE: name,
    REELKEEP_ROLE: role,
  });
  const { app, close } = await createApp(config, pino({ level: 'silent' }));
  const server = await createServer(app, routes, { plainRoutes, startedAt: app.now() });
  return {
    app,
    server,
    async close() {
      await server.close();
      await close();
    },
  };
}
type TestNode = Awaited<ReturnType<typeof startNode>>;

describe.runIf(engines.length > 1)('two nodes', () => {
  let folder: string;
  let database: Awaited<ReturnType<typeof createDatabase>>;
  let [one, two]: TestNode[] = [];
  beforeAll(async () => {
    [folder, database] = await Promise.all([mkdtemp(join(tmpdir(), 'reelkeep-test-')), createDatabase()]);
    const place = { url: database.url, folder };
    [one, two] = await Promise.all([startNode('one', 'all', place), startNode('two', 'web', place)]);
  });
  afterAll(async () => {
    await Promise.all([one, two].map((node) => node?.close()));
    await database.drop();
    await rm(folder, { recursive: true });
  });

  test('that start for the first time together create one account', async () => {
    const printed = await Promise.all([one!, two!].map(({ app }) => createFirstAccount(app)));
    expect(printed.map((first) => first?.name ?? null).sort()).toEqual(['admin', null]);
    expect(await two!.app.db.selectFrom('account').select('name').execute()).toEqual([{ name: 'admin' }]);
  });

  const logIn = ({ server }: TestNode, username: string, password: string, remoteAddress: string) =>
    server.inject({ method: 'POST', url: '/api/user/login/', payload: { username, password }, remoteAddress });

  test('count login attempts and deletions together', async () => {
    const { name, password } = await createUser(one!, { name: 'eve' });
    for (let n = 0; n < 5; n++)
      for (const node of [one!, two!]) expect((await logIn(node, name, `guess ${n}`, '10.1.1.1')).statusCode).toBe(400);
    for (const node of [one!, two!]) {
      const blocked = await logIn(node, name, password, '10.1.1.1');
      expect([blocked.statusCode, Number(blocked.headers['retry-after']) > 0]).toEqual([429, true]);
      expect((await logIn(node, name, password, '10.1.1.2')).statusCode).toBe(204);
    }
    await one!.app.state.deletionLimits.bytes.penalty('a token', 60e9);
    expect((await two!.app.state.deletionLimits.bytes.penalty('a token', 60e9)).consumedPoints).toBe(120e9);
  });

  test('report the archive in the metrics of the leader only, and their process each', async () => {
    await createVideo(one!.app.db, { sizeBytes: 1000 });
    await createQueueItem(one!.app.db);
    await logIn(one!, 'nobody', 'guess', '10.3.3.3');
    await logIn(two!, 'nobody', 'guess', '10.3.3.3');
    const staff = await createUser(one!, { isStaff: true });
    const texts = await Promise.all([one!, two!].map(({ server }) => server.inject({ url: '/metrics', headers: staff.headers })));
    /** Values on both nodes. */
    const valuesOf = (name: string) =>
      texts.map(({ body }) => {
        const line = body.split('\n').find((one) => one.startsWith(`${name} `));
        return line === undefined ? null : Number(line.slice(name.length + 1));
      });
    expect(valuesOf('reelkeep_videos{type="videos",state="active"}')).toEqual([1, null]);
    expect(valuesOf('reelkeep_library_bytes')).toEqual([1000, null]);
    expect(valuesOf('reelkeep_verify_failures')).toEqual([0, null]);
    expect(valuesOf('reelkeep_queue_items{status="pending",class="none"}')).toEqual([1, null]);
    expect(valuesOf('reelkeep_disk_free_bytes{folder="media"}')).toEqual([expect.any(Number), null]);
    for (const each of ['reelkeep_disk_free_bytes{folder="data"}', 'process_resident_memory_bytes'])
      expect(valuesOf(each)).toEqual([expect.any(Number), expect.any(Number)]);
    const [here, there] = valuesOf('reelkeep_login_failures_total');
    expect([here! > 0, there! > 0]).toEqual([true, true]);
  });

  test('delete counts whose period is over', async () => {
    const { db } = one!.app;
    await db
      .insertInto('rateLimit')
      .values({ key: 'login day:10.9.9.9', points: 3, expire: Date.now() - 1 })
      .execute();
    await two!.app.state.loginThrottle.attempt(two!.app, '10.8.8.8', 'nobody');
    await deleteExpiredLimits(one!.app);
    const keys = (await db.selectFrom('rateLimit').select('key').execute()).map(({ key }) => key);
    expect(keys).not.toContain('login day:10.9.9.9');
    expect(keys).toContain('login day:10.8.8.8');
  });

  test('keep at their start what another one writes into a shared folder', async () => {
    const backups = backupFolder(two!.app);
    await mkdir(backups, { recursive: true });
    await writeFile(join(backups, 'ta_backup-20261126-auto.zip.part'), 'half a backup');
    await runEach(
      two!.app,
      cleanupSteps.filter(({ name }) => ['backups', 'partial uploads'].includes(name)),
    );
    expect(await readdir(backups)).toEqual(['ta_backup-20261126-auto.zip.part']);
  });

  describe('during a maintenance', () => {
    const why = message('error.restoring');
    const signal = new AbortController().signal;
    const begin = (node: TestNode, onWait: (names: string[]) => void = () => {}) =>
      node.app.nodes.beginMaintenance(why, { signal, onWait });
    /** Records a third node, which does not exist. */
    const addGhost = (secondsAgo: number) =>
      one!.app.db
        .insertInto('node')
        .values({
          name: 'ghost',
          role: 'web',
          runId: 'ghost',
          egress: '',
          isDraining: 0,
          problems: '[]',
          version: '',
          isLeader: 0,
          startedAt: 0,
          seenAt: one!.app.now() - secondsAgo,
        })
        .execute();
    const removeGhost = () => one!.app.db.deleteFrom('node').where('name', '=', 'ghost').execute();
    afterEach(removeGhost);

    test('all reject changes until it ends', async () => {
      const staff = await createUser(two!, { isStaff: true });
      await begin(one!);
      expect(two!.app.maintenance.why).toEqual(why);
      const refused = await staff.call('POST', '/api/user/me/', { page_size: 9 });
      expect([refused.statusCode, refused.headers['retry-after'], refused.json()]).toMatchObject([
        503,
        '15',
        { messages: [why] },
      ]);
      expect((await staff.call('GET', '/api/user/me/')).statusCode).toBe(200);
      // Also if the message has not arrived yet.
      two!.app.maintenance.why = null;
      expect((await staff.call('POST', '/api/user/me/', { page_size: 9 })).statusCode).toBe(503);
      two!.app.maintenance.why = why;
      await inTransaction(one!.app.db, (tx) => one!.app.nodes.confirmMaintenance(tx));
      await one!.app.nodes.endMaintenance();
      await expect.poll(() => two!.app.maintenance.why).toBeNull();
      expect((await staff.call('POST', '/api/user/me/', { page_size: 9 })).statusCode).toBe(200);
    });

    test('a node that does not respond is waited for until it counts as dead', async () => {
      await addGhost(0);
      const waiting = Promise.withResolvers<string[]>();
      const begun = begin(one!, (names) => names.join() === 'ghost' && waiting.resolve(names));
      expect(await waiting.promise).toEqual(['ghost']);
      await removeGhost();
      await addGhost(40);
      await begun;
      await one!.app.nodes.endMaintenance();
    });

    test('a dead node does not keep the others, and cannot replace data when it comes back', async () => {
      await begin(one!);
      // As if another node had considered it dead, and the maintenance of a dead one.
      await addGhost(40);
      await one!.app.db.updateTable('maintenance').set({ runId: 'ghost' }).execute();
      one!.app.nodes.broadcast({ kind: 'maintenance' });
      await expect.poll(() => two!.app.maintenance.why).toBeNull();
      await expect(inTransaction(one!.app.db, (tx) => one!.app.nodes.confirmMaintenance(tx))).rejects.toThrow(
        'the other servers continued',
      );
      await one!.app.nodes.endMaintenance();
      const row = await one!.app.db.selectFrom('maintenance').select('runId').executeTakeFirst();
      expect(row).toEqual({ runId: null });
    });
  });

  test('are not updated while one runs that could not use the database afterwards', async () => {
    const { config, db } = one!.app;
    steps['0900-later'] = { up: async (tx) => void (await sql`drop table feed_poll`.execute(tx)) };
    try {
      await expect(openDatabase(config)).rejects.toThrow(/Stop them first: one, two\. Nothing was changed/);
      expect(await db.selectFrom('feedPoll').selectAll().execute()).toEqual([]);
      steps['0900-later'] = { isExpansion: true, up: async (tx) => void (await sql`create table later (id int)`.execute(tx)) };
      await (await openDatabase(config)).destroy();
    } finally {
      delete steps['0900-later'];
    }
    // A server of the version before starts again.
    await (await openDatabase(config)).destroy();
  });

  test('count alone while the database cannot be reached', async () => {
    const db = openPostgres('postgres://127.0.0.1:1/nothing');
    const throttle = createLoginThrottle(limitersOf({ config: one!.app.config, db }));
    const attempt = () => throttle.attempt({ db }, '10.2.2.2', 'eve');
    for (let n = 0; n < 10; n++) await attempt();
    await expect(attempt()).rejects.toMatchObject({ status: 429 });
    await db.destroy();
  });
});
