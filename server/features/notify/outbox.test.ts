import { message, plainText } from '#contract/messages.ts';
import { createServer, type Server } from 'node:http';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { engines, testTimeouts, testApp, type TestApp } from '../../test-support/app.ts';
import { defineTask, type TaskDefinition } from '../../platform/context/task.ts';
import { parseMessages } from '../../platform/messages/stored.ts';
import { queueTaskNotification, sendDueNotifications, retryDelay } from './outbox.ts';
import { deleteTarget, saveTarget } from './target-store.ts';

const common = { group: 'download:run', isStartable: true, isStoppable: true, input: z.looseObject({}) };
const succeedingTask = defineTask({
  ...common,
  name: 'works',
  title: 'Working',
  run: async () => message('download.done', { count: 2 }),
});
const failingTask = defineTask({
  ...common,
  name: 'fails',
  title: 'Failing',
  run: () => Promise.reject(new Error('The disk said no.')),
});
const silentTask = defineTask({ ...common, name: 'silent', title: 'Silent', run: async () => {} });

describe.each(engines)('the outbox on $engine', (on) => {
  let t: TestApp;
  let server: Server;
  let received: { title: string; message: string; type: string }[];
  let status: number;
  let target: string;
  let clock: number | undefined;
  const warnings: object[] = [];
  beforeEach(async () => {
    [received, status, clock] = [[], 200, undefined];
    warnings.length = 0;
    server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        received.push(JSON.parse(body));
        response.writeHead(status).end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    target = `json://127.0.0.1:${(server.address() as { port: number }).port}/hook`;
    t = await testApp({
      on,
      tasks: [succeedingTask, failingTask, silentTask] as TaskDefinition[],
      env: { REELKEEP_ALLOW_PRIVATE: '127.0.0.1' },
    });
    const realNow = t.app.now;
    t.app.now = () => clock ?? realNow();
    t.app.log.warn = (fields) => void warnings.push(fields as object);
    await t.runner.begin();
  });
  afterEach(async () => {
    server.close();
    await t.close();
  });
  const rows = () => t.app.db.selectFrom('outbox').selectAll().execute();
  const runTask = async (definition: TaskDefinition) => {
    await t.app.tasks.start(definition, {});
    await t.runner.idle();
  };
  const queueNotification = (at: number, id = 'a') => {
    clock = at;
    return queueTaskNotification({ id, name: 'works', title: 'Working', status: 'success', result: [plainText('done')] }, t.app);
  };

  test('notifies all targets of a finished task, and of no empty result', async () => {
    await saveTarget(t.app, 'works', target);
    await saveTarget(t.app, 'works', `${target}?x=1`);
    await saveTarget(t.app, 'fails', target);
    await saveTarget(t.app, 'silent', target);
    await saveTarget(t.app, 'task.failed', target);
    for (const task of [succeedingTask, failingTask, silentTask]) await runTask(task as TaskDefinition);
    expect(await rows()).toHaveLength(4);
    expect(JSON.stringify(await rows())).not.toContain('127.0.0.1');
    await sendDueNotifications(t.app);
    expect(received.map(({ title, message, type }) => [title, message, type]).sort()).toEqual([
      ['[Reelkeep] Failed: Failing', 'The disk said no.', 'failure'],
      ['[Reelkeep] Failing process ended with FAILURE', 'The disk said no.', 'failure'],
      ['[Reelkeep] Working process ended with SUCCESS', 'Downloaded 2 videos.', 'success'],
      ['[Reelkeep] Working process ended with SUCCESS', 'Downloaded 2 videos.', 'success'],
    ]);
    expect(await rows()).toEqual([]);
  });

  test('sends each notification once, with concurrent workers', async () => {
    await saveTarget(t.app, 'works', target);
    for (const id of ['a', 'b', 'c']) await queueNotification(1000, id);
    await Promise.all([sendDueNotifications(t.app), sendDueNotifications(t.app), sendDueNotifications(t.app)]);
    expect(received).toHaveLength(3);
  });

  test('retries with growing delays, and gives up after a day with one log line', async () => {
    status = 503;
    await saveTarget(t.app, 'works', target);
    await queueNotification(1_000_000);
    const attempts: number[] = [];
    for (let at = 1_000_000; at <= 1_000_000 + 100_000; at += 30) {
      clock = at;
      const before = received.length;
      const [row] = await rows();
      if (!row) break;
      if (row.nextAt > at) continue;
      await sendDueNotifications(t.app);
      if (received.length > before) attempts.push(at - 1_000_000);
    }
    expect(attempts.slice(0, 5)).toEqual([0, 60, 180, 420, 900]);
    expect(attempts.at(-1)).toBeLessThan(86_400);
    expect(attempts.at(-1)).toBeGreaterThan(82_000);
    expect(await rows()).toEqual([]);
    expect(warnings).toEqual([
      { task: 'works', attempts: expect.any(Number), why: expect.stringMatching(/responded with status 503/) },
    ]);
    expect(JSON.stringify(warnings)).not.toContain('hook');
  });

  test('delivers when the service is back', async () => {
    status = 500;
    await saveTarget(t.app, 'works', target);
    await queueNotification(5000);
    await sendDueNotifications(t.app);
    expect(await rows()).toMatchObject([{ attempts: 1, nextAt: 5060 }]);
    [status, clock] = [200, 5030];
    await sendDueNotifications(t.app);
    expect(received).toHaveLength(1);
    clock = 5060;
    await sendDueNotifications(t.app);
    expect([received.length, await rows(), warnings]).toEqual([2, [], []]);
  });

  test('drops week-old notifications, and survives a wrong clock', async () => {
    await saveTarget(t.app, 'works', target);
    await queueNotification(1_000_000, 'old');
    clock = 1_000_000 + 8 * 86_400;
    await sendDueNotifications(t.app);
    expect([received, await rows(), warnings.length]).toEqual([[], [], 1]);
    await queueNotification(9_000_000_000, 'ahead');
    clock = 2_000_000;
    await sendDueNotifications(t.app);
    expect(received).toHaveLength(1);
  });

  test('drops pending notifications of a deleted target', async () => {
    await saveTarget(t.app, 'works', target);
    await queueNotification(1000);
    await deleteTarget(t.app, 'works', { url: target });
    expect(await rows()).toEqual([]);
  });

  test('a failed write does not affect the task', async () => {
    const errors: string[] = [];
    t.app.log.error = (_, text) => void errors.push(text ?? '');
    await t.app.db.schema.dropTable('outbox').execute();
    const { id } = await t.app.tasks.start(succeedingTask as TaskDefinition, {});
    await t.runner.idle();
    const row = await t.app.db.selectFrom('task').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    expect([row.status, parseMessages(row.result)]).toEqual(['success', [message('download.done', { count: 2 })]]);
    await vi.waitFor(() => expect(errors).toEqual(['cannot queue the notification of a task']), testTimeouts);
  });
});

test('delays double up to an hour', () => {
  expect([1, 2, 3, 6, 7, 8, 99].map(retryDelay)).toEqual([60, 120, 240, 1920, 3600, 3600, 3600]);
});
