import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { aUser, engines, patience, testArchive, type TestArchive } from '../testing.ts';
import * as store from './store.ts';
import { defineTask, type TaskDefinition, type Work } from './task.ts';

const plain = { title: 'A test', group: 'download:run', isStartable: true, isStoppable: true, input: z.looseObject({}) };
const asTasks = (...definitions: unknown[]) => definitions as TaskDefinition[];

describe.each(engines)('tasks on $engine', (on) => {
  let t: TestArchive;
  afterEach(() => t.close());
  const result = async (id: string) => (await store.findTask(t.archive.db, id))!;
  const ended = (id: string) => vi.waitFor(async () => expect((await result(id)).endedAt).not.toBeNull(), patience);

  test('a task runs once it is started, tells how far it is, and says what came of it', async () => {
    const go = Promise.withResolvers<void>();
    const counting = defineTask({
      ...plain,
      name: 'count',
      async run(work) {
        work.report({ messages: ['Half-way.'], progress: 0.5 });
        await go.promise;
        return 'counted 2';
      },
    });
    t = await testArchive({ on, tasks: asTasks(counting) });
    await t.runner.begin();
    const staff = await aUser(t, { isStaff: true });
    const started = await staff.call('POST', '/api/task/by-name/count/');
    expect(started.json()).toMatchObject({ task_name: 'count', status: 'PENDING' });
    const id = started.json().task_id as string;
    // It is on the list before the call that started it has answered.
    const notices = async () => (await staff.call('GET', '/api/notification/?filter=download')).json();
    expect(await notices()).toMatchObject([{ id, title: 'A test', api_stop: true }]);
    await vi.waitFor(async () => expect(await notices()).toMatchObject([{ messages: ['Half-way.'], progress: 0.5 }]), patience);
    go.resolve();
    await ended(id);
    expect((await staff.call('GET', `/api/task/by-id/${id}/`)).json()).toMatchObject({ status: 'SUCCESS', result: 'counted 2' });
    expect(await notices()).toMatchObject([{ messages: ['Task completed'] }]);
  });

  test('a second start while it runs is the same run', async () => {
    let runs = 0;
    const go = Promise.withResolvers<void>();
    const once = defineTask({ ...plain, name: 'once', run: () => (runs++, go.promise) });
    t = await testArchive({ on, tasks: asTasks(once) });
    await t.runner.begin();
    const starts = await Promise.all([1, 2, 3, 4].map(() => t.archive.tasks.start(once, {})));
    expect(new Set(starts.map((start) => start.id)).size).toBe(1);
    expect(starts.filter((start) => !start.wasRunning)).toHaveLength(1);
    go.resolve();
    await ended(starts[0]!.id);
    expect(runs).toBe(1);
    // Over is over: now it may start again.
    expect((await t.archive.tasks.start(once, {})).wasRunning).toBe(false);
    await t.runner.idle();
    expect(runs).toBe(2);
  });

  test('stop is felt at once, and a stopped task is not a failed one', async () => {
    const begun = Promise.withResolvers<void>();
    const long = defineTask({
      ...plain,
      name: 'long',
      async run({ signal }: Work<unknown>) {
        begun.resolve();
        await wait(60_000, undefined, { signal });
      },
    });
    t = await testArchive({ on, tasks: asTasks(long) });
    await t.runner.begin();
    const staff = await aUser(t, { isStaff: true });
    const { id } = await t.archive.tasks.start(long, {});
    await begun.promise;
    const asked = Date.now();
    expect((await staff.call('POST', `/api/task/by-id/${id}/`, { command: 'stop' })).statusCode).toBe(204);
    await ended(id);
    expect(Date.now() - asked).toBeLessThan(1000);
    expect((await staff.call('GET', `/api/task/by-id/${id}/`)).json()).toMatchObject({ status: 'REVOKED' });
  });

  test('what ran when the program ended goes on at the next start', async () => {
    const lengths: number[] = [];
    const long = defineTask({
      ...plain,
      name: 'long',
      input: z.object({ length: z.number() }),
      async run({ signal, input }: Work<{ length: number }>) {
        lengths.push(input.length);
        if (lengths.length === 1) await wait(60_000, undefined, { signal });
      },
    });
    t = await testArchive({ on, tasks: asTasks(long) });
    await t.runner.begin();
    const { id } = await t.archive.tasks.start(long, { length: 7 });
    await vi.waitFor(() => expect(lengths).toEqual([7]), patience);
    await t.runner.end();
    expect((await result(id)).status).toBe('pending');
    await t.runner.begin();
    await ended(id);
    expect(lengths).toEqual([7, 7]);
    expect((await result(id)).status).toBe('success');
  });

  test('a run whose program died is taken over when its lease is lost, not before', async () => {
    t = await testArchive({ on, tasks: asTasks(defineTask({ ...plain, name: 'any', run: async () => {} })) });
    await store.enqueue(t.archive.db, { id: 'x', name: 'any', input: '{}', onlyOne: 'any' }, 1000);
    expect((await store.claim(t.archive.db, 'dead', 1000))?.id).toBe('x');
    expect(await store.claim(t.archive.db, 'alive', 1000 + store.leaseSeconds)).toBeUndefined();
    expect(await store.claim(t.archive.db, 'alive', 1001 + store.leaseSeconds)).toMatchObject({
      id: 'x',
      leasedBy: 'alive',
      attempts: 2,
    });
  });

  test('one task that fails, says why, and the next one runs', async () => {
    const bad = defineTask({ ...plain, name: 'bad', run: () => Promise.reject(new Error('The disk said no.')) });
    const good = defineTask({ ...plain, name: 'good', run: async () => 'done' });
    t = await testArchive({ on, tasks: asTasks(bad, good) });
    await t.runner.begin();
    const first = await t.archive.tasks.start(bad, {});
    const second = await t.archive.tasks.start(good, {});
    await ended(first.id);
    await ended(second.id);
    expect(await result(first.id)).toMatchObject({
      status: 'failure',
      isError: 1,
      messages: '["Task failed: The disk said no."]',
    });
    expect(await result(second.id)).toMatchObject({ status: 'success' });
  });

  test('a task of a newer version, or with an input that is not its own, fails alone', async () => {
    const strict = defineTask({ ...plain, name: 'strict', input: z.object({ id: z.string() }), run: async () => {} });
    t = await testArchive({ on, tasks: asTasks(strict) });
    await store.enqueue(t.archive.db, { id: 'new', name: 'of-the-future', input: '{}', onlyOne: null }, 1);
    await store.enqueue(t.archive.db, { id: 'odd', name: 'strict', input: '{"id":7}', onlyOne: null }, 2);
    await t.runner.begin();
    await ended('new');
    await ended('odd');
    expect((await result('new')).status).toBe('failure');
    expect((await result('odd')).status).toBe('failure');
  });

  test('a task without an end can be neither started nor stopped by those who may not', async () => {
    const hidden = defineTask({ ...plain, name: 'hidden', isStartable: false, isStoppable: false, run: async () => {} });
    t = await testArchive({ on, tasks: asTasks(hidden) });
    const staff = await aUser(t, { isStaff: true });
    expect((await staff.call('POST', '/api/task/by-name/hidden/')).statusCode).toBe(404);
    expect((await staff.call('POST', '/api/task/by-name/nothing/')).statusCode).toBe(404);
    const { id } = await t.archive.tasks.start(hidden, {});
    const answer = await staff.call('POST', `/api/task/by-id/${id}/`, { command: 'stop' });
    expect([answer.statusCode, answer.json()]).toEqual([400, { error: 'task can not be stopped' }]);
  });
});
