import { message, plainText } from '#contract/messages.ts';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { createUser, engines, testTimeouts, testApp, type TestApp } from '../../test-support/app.ts';
import { DatabaseUnavailableError } from '../db/db.ts';
import * as store from './store.ts';
import { LeaseLostError, defineTask, type TaskDefinition, type TaskWork } from '../context/task.ts';

const common = { title: 'A test', group: 'download:run', isStartable: true, isStoppable: true, input: z.looseObject({}) };
const asTasks = (...definitions: unknown[]) => definitions as TaskDefinition[];

describe.each(engines)('tasks on $engine', (on) => {
  let t: TestApp;
  afterEach(() => t.close());
  const result = async (id: string) => (await store.findTask(t.app.db, id))!;
  const waitForEnd = (id: string) => vi.waitFor(async () => expect((await result(id)).endedAt).not.toBeNull(), testTimeouts);

  test('runs a started task and reports progress and result', async () => {
    const released = Promise.withResolvers<void>();
    const counting = defineTask({
      ...common,
      name: 'count',
      async run(work) {
        work.report({ messages: [plainText('Half-way.')], progress: 0.5 });
        await released.promise;
        return plainText('counted 2');
      },
    });
    t = await testApp({ on, tasks: asTasks(counting) });
    await t.runner.begin();
    const staff = await createUser(t, { isStaff: true });
    const started = await staff.call('POST', '/api/task/by-name/count/');
    expect(started.json()).toMatchObject({ task_name: 'count', status: 'PENDING' });
    const id = started.json().task_id as string;
    // The notification exists before the response to the start.
    const readNotifications = async () => (await staff.call('GET', '/api/notification/?filter=download')).json();
    expect(await readNotifications()).toMatchObject([{ id, title: 'A test', api_stop: true }]);
    await vi.waitFor(
      async () => expect(await readNotifications()).toMatchObject([{ messages: ['Half-way.'], progress: 0.5 }]),
      testTimeouts,
    );
    released.resolve();
    await waitForEnd(id);
    expect((await staff.call('GET', `/api/task/by-id/${id}/`)).json()).toMatchObject({ status: 'SUCCESS', result: 'counted 2' });
    expect(await readNotifications()).toMatchObject([{ messages: ['Task completed'] }]);
  });

  test('does not start a run again during which the server ended three times', async () => {
    let starts = 0;
    const abandoned: unknown[] = [];
    const deadly = defineTask({
      ...common,
      name: 'deadly',
      abandon: async (input) => void abandoned.push(input),
      run: async () => void starts++,
    });
    t = await testApp({ on, tasks: asTasks(deadly) });
    const { db, tasks } = t.app;
    const end = async (id: string, crashes: number) => {
      for (let n = 0; n < crashes; n++) {
        expect(await store.claim(db, `process ${n}`, t.app.now())).toMatchObject({ id, crashes: n });
        await store.releaseExcept(db, []);
      }
    };
    const twice = await tasks.start(deadly, { n: 2 });
    await end(twice.id, 2);
    await t.runner.begin();
    await waitForEnd(twice.id);
    expect([starts, (await result(twice.id)).status]).toEqual([1, 'success']);
    await t.runner.end();
    const thrice = await tasks.start(deadly, { n: 3 });
    await end(thrice.id, 2);
    // Another server took over an expired lease.
    const at = t.app.now();
    await store.claim(db, 'process 2', at);
    await store.claim(db, 'process 3', at + 1000);
    await store.releaseExcept(db, ['process 3']);
    await db.updateTable('task').set({ status: 'pending' }).where('id', '=', thrice.id).execute();
    await t.runner.begin();
    await waitForEnd(thrice.id);
    const { status, result: why } = await result(thrice.id);
    expect([starts, status, why, abandoned]).toEqual([1, 'failure', expect.stringContaining('run.crashed'), [{ n: 3 }]]);
  });

  test('continues a run after the database was away, and blames no item', async () => {
    let attempts = 0;
    const careful = defineTask({
      ...common,
      name: 'careful',
      async run(work) {
        const away = new DatabaseUnavailableError(new Error('terminated'));
        if (++attempts === 1) throw away;
        if (attempts === 2) work.skip('an item', away);
      },
    });
    t = await testApp({ on, tasks: asTasks(careful) });
    await t.runner.begin();
    const { id } = await t.runner.start(careful, {});
    await waitForEnd(id);
    expect(await result(id)).toMatchObject({ status: 'success', attempts: 3, problems: 0 });
  });

  test('shows links in task reports only to staff, also in live events', async () => {
    const released = Promise.withResolvers<void>();
    const lookupTask = defineTask({
      ...common,
      name: 'look',
      async run(work) {
        const title = 'https://clips.example/private?watch_key=canary';
        work.report({
          messages: [plainText(`Looking up ${title} (1/1)`)],
          downloads: [{ videoId: 'x', title, stage: message('download.metadata') }],
        });
        await released.promise;
      },
    });
    t = await testApp({ on, tasks: asTasks(lookupTask) });
    await t.runner.begin();
    await t.server.listen({ port: 0, host: '127.0.0.1' });
    const { port } = t.server.server.address() as AddressInfo;
    const end = new AbortController();
    const watchers = await Promise.all(
      [true, false].map(async (isStaff) => {
        const user = await createUser(t, { isStaff });
        const stream = await fetch(`http://127.0.0.1:${port}/api/events/`, { headers: user.headers, signal: end.signal });
        const received = { text: '' };
        void (async () => {
          for await (const part of stream.body!) received.text += new TextDecoder().decode(part);
        })().catch(() => undefined);
        return { user, received };
      }),
    );
    await t.app.tasks.start(lookupTask, {});
    const messageOf = async ({ user }: (typeof watchers)[0]) =>
      (await user.call('GET', '/api/notification/')).json()[0]?.messages[0] as string | undefined;
    const expectedMessages = ['Looking up https://clips.example/private?watch_key=canary (1/1)', 'Looking up … (1/1)'];
    try {
      await vi.waitFor(async () => expect(await messageOf(watchers[0]!)).toBe(expectedMessages[0]), testTimeouts);
      expect(await messageOf(watchers[1]!)).toBe(expectedMessages[1]);
      expect(JSON.stringify((await watchers[1]!.user.call('GET', '/api/notification/')).json())).not.toContain('canary');
      await vi.waitFor(() => expect(watchers[0]!.received.text).toContain(expectedMessages[0]), testTimeouts);
      await vi.waitFor(() => expect(watchers[1]!.received.text).toContain('Looking up'), testTimeouts);
      expect(watchers[1]!.received.text).not.toContain('canary');
    } finally {
      released.resolve();
      end.abort();
    }
    await t.runner.idle();
  });

  test('a second start returns the running run', async () => {
    let runs = 0;
    const released = Promise.withResolvers<void>();
    const once = defineTask({ ...common, name: 'once', run: () => (runs++, released.promise) });
    t = await testApp({ on, tasks: asTasks(once) });
    await t.runner.begin();
    const starts = await Promise.all([1, 2, 3, 4].map(() => t.app.tasks.start(once, {})));
    expect(new Set(starts.map((start) => start.id)).size).toBe(1);
    expect(starts.filter((start) => !start.wasRunning)).toHaveLength(1);
    released.resolve();
    await waitForEnd(starts[0]!.id);
    expect(runs).toBe(1);
    // After the end it can be started again.
    expect((await t.app.tasks.start(once, {})).wasRunning).toBe(false);
    await t.runner.idle();
    expect(runs).toBe(2);
  });

  test('stops a running task immediately with the status REVOKED', async () => {
    const started = Promise.withResolvers<void>();
    const long = defineTask({
      ...common,
      name: 'long',
      async run({ signal }: TaskWork<unknown>) {
        started.resolve();
        await wait(60_000, undefined, { signal });
      },
    });
    t = await testApp({ on, tasks: asTasks(long) });
    await t.runner.begin();
    const staff = await createUser(t, { isStaff: true });
    const { id } = await t.app.tasks.start(long, {});
    await started.promise;
    const stopRequestedAt = Date.now();
    expect((await staff.call('POST', `/api/task/by-id/${id}/`, { command: 'stop' })).statusCode).toBe(204);
    await waitForEnd(id);
    expect(Date.now() - stopRequestedAt).toBeLessThan(30_000); // half of the duration without a stop
    expect((await staff.call('GET', `/api/task/by-id/${id}/`)).json()).toMatchObject({ status: 'REVOKED' });
  });

  test('continues interrupted runs at the next start', async () => {
    const lengths: number[] = [];
    const long = defineTask({
      ...common,
      name: 'long',
      input: z.object({ length: z.number() }),
      async run({ signal, input }: TaskWork<{ length: number }>) {
        lengths.push(input.length);
        if (lengths.length === 1) await wait(60_000, undefined, { signal });
      },
    });
    t = await testApp({ on, tasks: asTasks(long) });
    await t.runner.begin();
    const { id } = await t.app.tasks.start(long, { length: 7 });
    await vi.waitFor(() => expect(lengths).toEqual([7]), testTimeouts);
    await t.runner.end();
    expect((await result(id)).status).toBe('pending');
    await t.runner.begin();
    await waitForEnd(id);
    expect(lengths).toEqual([7, 7]);
    expect((await result(id)).status).toBe('success');
  });

  test('takes over a run with an expired lease, not before', async () => {
    t = await testApp({ on, tasks: asTasks(defineTask({ ...common, name: 'any', run: async () => {} })) });
    await store.enqueue(t.app.db, { id: 'x', name: 'any', input: '{}', singletonName: 'any' }, 1000);
    expect((await store.claim(t.app.db, 'dead', 1000))?.id).toBe('x');
    expect(await store.claim(t.app.db, 'alive', 1000 + store.leaseSeconds)).toBeUndefined();
    expect(await store.claim(t.app.db, 'alive', 1001 + store.leaseSeconds)).toMatchObject({
      id: 'x',
      leasedBy: 'alive',
      attempts: 2,
    });
  });

  test('a run whose lease was lost stops, and its result is not stored', async () => {
    const stopped = Promise.withResolvers<unknown>();
    const slow = defineTask({
      ...common,
      name: 'slow',
      async run({ signal }: TaskWork<unknown>) {
        await wait(60_000, undefined, { signal }).catch(() => stopped.resolve(signal.reason));
        return plainText('This result is too late.');
      },
    });
    t = await testApp({ on, tasks: asTasks(slow), heartbeatMs: 50 });
    await t.runner.begin();
    const { id } = await t.app.tasks.start(slow, {});
    await vi.waitFor(async () => expect((await result(id)).status).toBe('running'), testTimeouts);
    // Another process claims it after the lease has expired.
    const other = await store.claim(t.app.db, 'other', t.app.now() + 2 * store.leaseSeconds);
    expect(other).toMatchObject({ id, leasedBy: 'other', epoch: 2 });
    expect(await stopped.promise).toBeInstanceOf(LeaseLostError);
    await t.runner.idle();
    expect(await result(id)).toMatchObject({ status: 'running', leasedBy: 'other', result: null });
    expect(await store.finish(t.app.db, other!, { status: 'success', messages: [], result: null }, t.app.now())).toBe(true);
  });

  test('a failing task reports its error and does not affect the next one', async () => {
    const bad = defineTask({ ...common, name: 'bad', run: () => Promise.reject(new Error('The disk said no.')) });
    const good = defineTask({ ...common, name: 'good', run: async () => plainText('done') });
    t = await testApp({ on, tasks: asTasks(bad, good) });
    await t.runner.begin();
    const first = await t.app.tasks.start(bad, {});
    const second = await t.app.tasks.start(good, {});
    await waitForEnd(first.id);
    await waitForEnd(second.id);
    expect(await result(first.id)).toMatchObject({
      status: 'failure',
      isError: 1,
      messages: JSON.stringify({ messages: [message('run.failed', { why: [plainText('The disk said no.')] })] }),
    });
    expect(await result(second.id)).toMatchObject({ status: 'success' });
  });

  test('an unknown task or invalid input fails without affecting others', async () => {
    const strict = defineTask({ ...common, name: 'strict', input: z.object({ id: z.string() }), run: async () => {} });
    t = await testApp({ on, tasks: asTasks(strict) });
    await store.enqueue(t.app.db, { id: 'new', name: 'of-the-future', input: '{}', singletonName: null }, 1);
    await store.enqueue(t.app.db, { id: 'odd', name: 'strict', input: '{"id":7}', singletonName: null }, 2);
    await t.runner.begin();
    await waitForEnd('new');
    await waitForEnd('odd');
    expect((await result('new')).status).toBe('failure');
    expect((await result('odd')).status).toBe('failure');
  });

  test('rejects starting and stopping tasks that do not allow it', async () => {
    const hidden = defineTask({ ...common, name: 'hidden', isStartable: false, isStoppable: false, run: async () => {} });
    t = await testApp({ on, tasks: asTasks(hidden) });
    const staff = await createUser(t, { isStaff: true });
    expect((await staff.call('POST', '/api/task/by-name/hidden/')).statusCode).toBe(404);
    expect((await staff.call('POST', '/api/task/by-name/nothing/')).statusCode).toBe(404);
    const { id } = await t.app.tasks.start(hidden, {});
    const response = await staff.call('POST', `/api/task/by-id/${id}/`, { command: 'stop' });
    expect([response.statusCode, response.json()]).toMatchObject([400, { error: 'task can not be stopped' }]);
  });
});
