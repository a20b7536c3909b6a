import { message } from '#contract/messages.ts';
import type { Insertable } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { findNodeProblems } from '../features/system/health-checks.ts';
import { defineTask, type TaskDefinition } from '../platform/context/task.ts';
import type { Role } from '../platform/context/nodes.ts';
import { acquireAdvisoryLock } from '../platform/db/postgres/advisory-lock.ts';
import type { NodeTable } from '../platform/db/schema/tables.ts';
import { storeMessages } from '../platform/messages/stored.ts';
import { createQueueItem, createUser, engines, testApp, testTimeouts, type TestApp } from '../test-support/app.ts';
import { joinNodes } from './join-nodes.ts';

const shortTask = defineTask({
  title: 'A short task',
  name: 'short',
  group: 'download:run',
  isStartable: true,
  isStoppable: true,
  input: z.looseObject({}),
  run: async () => {},
});

let t: TestApp;
let staff: Awaited<ReturnType<typeof createUser>>;
const open = async (on: (typeof engines)[number]) => {
  t = await testApp({ on, tasks: [shortTask] as TaskDefinition[] });
  staff = await createUser(t, { isStaff: true });
};
const list = async () => (await staff.call('GET', '/api/node/')).json();
const drain = (name: string, isDraining: unknown) => staff.call('POST', `/api/node/${name}/`, { is_draining: isDraining });
const isReady = async () => (await t.server.inject('/readyz/')).statusCode === 200;

describe.each(engines)('a single server on $engine', (on) => {
  beforeEach(() => open(on));
  afterEach(() => t.close());

  test('has no nodes, and rejects changes of one', async () => {
    expect(await list()).toEqual([]);
    const answers = [await drain('web', true), await staff.call('DELETE', '/api/node/web/'), await drain('%00', true)];
    expect(answers.map((answer) => [answer.statusCode, answer.json().error])).toEqual([
      [404, 'Server not found'],
      [404, 'Server not found'],
      [404, expect.any(String)],
    ]);
    for (const wrong of ['yes', 1, null, undefined]) expect((await drain('web', wrong)).statusCode).toBe(400);
  });

  test('is ready as soon as it has started', async () => {
    t.app.health.work = 'beginning';
    const starting = await t.server.inject('/readyz/');
    expect([starting.statusCode, starting.json().error]).toEqual([503, 'This server is starting. Try again in a moment.']);
    t.app.health.work = { failedStep: 'task queue' }; // users can log in and watch
    expect(await isReady()).toBe(true);
    t.app.health.work = 'begun';
    expect(await isReady()).toBe(true);
  });
});

describe.runIf(engines.length > 1)('nodes', () => {
  const leaving: (() => Promise<void>)[] = [];
  beforeEach(() => open(engines.find(({ engine }) => engine === 'postgres')!));
  afterEach(async () => {
    for (const leave of leaving.splice(0)) await leave();
    await t.close();
  });

  async function join(name: string, role: Role, runId: string) {
    const { db, now, log } = t.app;
    const connection = await acquireAdvisoryLock(t.app.config.databaseUrl!, { node: name, canLead: role !== 'web' });
    if (typeof connection === 'string') throw new Error(connection);
    const { nodes, leave } = await joinNodes({
      db,
      connection,
      tools: t.app.tools,
      node: { name, role, runId, egress: '' },
      now,
      log,
      findProblems: async () => [],
    });
    leaving.push(async () => {
      await leave();
      await connection.release();
    });
    return nodes;
  }
  /** Makes the server of the test a node. */
  async function joinSelf(role: Role) {
    const nodes = await join('self', role, t.app.runId);
    Object.assign(t.app, { nodes });
    nodes.onMessage((received) => t.runner.handleMessage(received));
  }
  /** Adds a node that has ended, unless it was seen just now. */
  const add = (name: string, values: Partial<Insertable<NodeTable>> = {}) =>
    t.app.db
      .insertInto('node')
      .values({
        name,
        role: 'worker',
        runId: `run of ${name}`,
        egress: '',
        version: '0.0.1',
        isLeader: 1,
        isDraining: 1,
        problems: storeMessages(message('health.no-ffmpeg')),
        startedAt: 1,
        seenAt: 2,
        ...values,
      })
      .execute();

  test('lists what nodes are doing, and their problems', async () => {
    await joinSelf('web');
    const { db, now } = t.app;
    await add('gone');
    await add('worker', { seenAt: now() + 60, isDraining: 0 });
    const { id } = await t.app.tasks.start(shortTask, {});
    const lease = { leasedBy: 'run of worker', leaseUntil: now() + 60 };
    await db.updateTable('task').set({ ...lease, status: 'running', startedAt: now() }).execute(); // prettier-ignore
    for (let n = 0; n < 3; n++) await createQueueItem(db);
    await db.updateTable('download').set(lease).where('number', '>', 1).execute();
    const nothing = { runs: [], downloads: 0, problems: [], problem_messages: [] };
    expect(await list()).toMatchObject([
      { name: 'gone', version: '0.0.1', is_alive: false, is_leader: false, is_draining: false, seen_at: 2, ...nothing },
      { name: 'self', role: 'web', is_this: true, is_alive: true, is_leader: false, is_draining: false, ...nothing },
      {
        name: 'worker',
        is_this: false,
        is_alive: true,
        is_leader: true,
        runs: [{ id, name: 'short', title: 'A short task' }],
        downloads: 2,
        problems: ['ffmpeg is not installed, so downloads cannot be merged or verified.'],
        problem_messages: [{ id: 'health.no-ffmpeg' }],
      },
    ]);
  });

  test('a draining node is not ready and claims no runs until draining ends', async () => {
    await joinSelf('all');
    await t.runner.begin();
    expect((await drain('self', true)).statusCode).toBe(204);
    const draining = await t.server.inject('/readyz/');
    expect([draining.statusCode, draining.json().error]).toEqual([503, expect.stringMatching(/^This server is draining/)]);
    expect(await list()).toMatchObject([{ name: 'self', is_draining: true }]);
    const { id } = await t.app.tasks.start(shortTask, {});
    await t.runner.idle();
    const status = async () =>
      (await t.app.db.selectFrom('task').select('status').where('id', '=', id).executeTakeFirst())?.status;
    expect(await status()).toBe('pending');

    expect((await drain('self', false)).statusCode).toBe(204);
    expect(await isReady()).toBe(true);
    await expect.poll(status, testTimeouts).toBe('success');
  });

  test('drains another node, until it starts again', async () => {
    await joinSelf('web');
    const worker = await join('worker', 'worker', 'first run');
    await drain('worker', true);
    await expect.poll(() => worker.isDraining(), testTimeouts).toBe(true);
    expect([await isReady(), t.app.nodes.isDraining()]).toEqual([true, false]);
    await drain('worker', false);
    await expect.poll(() => worker.isDraining(), testTimeouts).toBe(false);

    await add('killed');
    const restarted = await join('killed', 'worker', 'second run');
    expect(restarted.isDraining()).toBe(false);
    expect((await list())[0]).toMatchObject({ name: 'killed', is_alive: true, is_draining: false });
  });

  test('removes a node that has ended, and no other one', async () => {
    await joinSelf('web');
    await join('worker', 'worker', 'other run');
    await add('gone');
    const remove = (name: string) => staff.call('DELETE', `/api/node/${name}/`);
    const answers = [await remove('worker'), await drain('gone', true), await remove('unknown'), await remove('gone')];
    expect(answers.map((answer) => [answer.statusCode, answer.body && answer.json().error])).toEqual([
      [409, 'The server worker is running. Stop it first, then remove it.'],
      [409, expect.stringMatching(/^The server gone is not running/)],
      [404, 'Server not found'],
      [204, ''],
    ]);
    expect((await list()).map(({ name }: { name: string }) => name)).toEqual(['self', 'worker']);
  });
});

test('reports missing programs and a missing media folder as problems of a node', async () => {
  t = await testApp();
  const found = async () => (await findNodeProblems(t.app)).map(({ id }) => id);
  expect(await found()).toEqual(['health.no-ytdlp', 'health.no-ffmpeg']);
  t.app.config.role = 'web'; // needs no programs
  t.app.config.mediaFolder = '/nowhere';
  expect(await found()).toEqual(['disk.unreadable']);
  await t.close();
});
