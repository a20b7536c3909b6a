import { createServer, type Server } from 'node:http';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { engines, patience, testArchive, type TestArchive } from '../testing.ts';
import { defineTask, type TaskDefinition } from '../task/task.ts';
import { noteEnd, sendDue, waitAfter } from './outbox.ts';
import { dropTarget, keepTarget } from './targets.ts';

const plain = { group: 'download:run', isStartable: true, isStoppable: true, input: z.looseObject({}) };
const works = defineTask({ ...plain, name: 'works', title: 'Working', run: async () => 'downloaded 2 video(s).' });
const fails = defineTask({
  ...plain,
  name: 'fails',
  title: 'Failing',
  run: () => Promise.reject(new Error('The disk said no.')),
});
const silent = defineTask({ ...plain, name: 'silent', title: 'Silent', run: async () => {} });

describe.each(engines)('the outbox on $engine', (on) => {
  let t: TestArchive;
  let server: Server;
  let got: { title: string; message: string; type: string }[];
  let status: number;
  let target: string;
  let clock: number | undefined;
  const warnings: object[] = [];
  beforeEach(async () => {
    [got, status, clock] = [[], 200, undefined];
    warnings.length = 0;
    server = createServer((request, response) => {
      let body = '';
      request.on('data', (piece: Buffer) => (body += piece.toString()));
      request.on('end', () => {
        got.push(JSON.parse(body));
        response.writeHead(status).end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    target = `json://127.0.0.1:${(server.address() as { port: number }).port}/hook`;
    t = await testArchive({
      on,
      tasks: [works, fails, silent] as TaskDefinition[],
      env: { REELKEEP_ALLOW_PRIVATE: '127.0.0.1' },
    });
    const real = t.archive.now;
    t.archive.now = () => clock ?? real();
    t.archive.log.warn = (about) => void warnings.push(about as object);
    await t.runner.begin();
  });
  afterEach(async () => {
    server.close();
    await t.close();
  });
  const rows = () => t.archive.db.selectFrom('outbox').selectAll().execute();
  const end = async (definition: TaskDefinition) => {
    await t.archive.tasks.start(definition, {});
    await t.runner.idle();
  };
  const told = (at: number, id = 'a') => {
    clock = at;
    return noteEnd({ id, name: 'works', title: 'Working', status: 'success', result: 'done' }, t.archive);
  };

  test('tells how a task ended, to everybody who asked, and nothing when there is nothing to tell', async () => {
    await keepTarget(t.archive, 'works', target);
    await keepTarget(t.archive, 'works', `${target}?x=1`);
    await keepTarget(t.archive, 'fails', target);
    await keepTarget(t.archive, 'silent', target);
    for (const one of [works, fails, silent]) await end(one as TaskDefinition);
    expect(await rows()).toHaveLength(3);
    expect(JSON.stringify(await rows())).not.toContain('127.0.0.1');
    await sendDue(t.archive);
    expect(got.map(({ title, message, type }) => [title, message, type]).sort()).toEqual([
      ['[Reelkeep] Failing process ended with FAILURE', 'The disk said no.', 'failure'],
      ['[Reelkeep] Working process ended with SUCCESS', 'downloaded 2 video(s).', 'success'],
      ['[Reelkeep] Working process ended with SUCCESS', 'downloaded 2 video(s).', 'success'],
    ]);
    expect(await rows()).toEqual([]);
  });

  test('sends each once, however many look at the same time', async () => {
    await keepTarget(t.archive, 'works', target);
    for (const id of ['a', 'b', 'c']) await told(1000, id);
    await Promise.all([sendDue(t.archive), sendDue(t.archive), sendDue(t.archive)]);
    expect(got).toHaveLength(3);
  });

  test('tries again, less and less often, and gives up after a day with one line', async () => {
    status = 503;
    await keepTarget(t.archive, 'works', target);
    await told(1_000_000);
    const tries: number[] = [];
    for (let at = 1_000_000; at <= 1_000_000 + 100_000; at += 30) {
      clock = at;
      const before = got.length;
      const [row] = await rows();
      if (!row) break;
      if (row.nextAt > at) continue;
      await sendDue(t.archive);
      if (got.length > before) tries.push(at - 1_000_000);
    }
    expect(tries.slice(0, 5)).toEqual([0, 60, 180, 420, 900]);
    expect(tries.at(-1)).toBeLessThan(86_400);
    expect(tries.at(-1)).toBeGreaterThan(82_000);
    expect(await rows()).toEqual([]);
    expect(warnings).toEqual([{ task: 'works', attempts: expect.any(Number), why: expect.stringMatching(/answered with 503/) }]);
    expect(JSON.stringify(warnings)).not.toContain('hook');
  });

  test('arrives when the other side is back', async () => {
    status = 500;
    await keepTarget(t.archive, 'works', target);
    await told(5000);
    await sendDue(t.archive);
    expect(await rows()).toMatchObject([{ attempts: 1, nextAt: 5060 }]);
    [status, clock] = [200, 5030];
    await sendDue(t.archive);
    expect(got).toHaveLength(1);
    clock = 5060;
    await sendDue(t.archive);
    expect([got.length, await rows(), warnings]).toEqual([2, [], []]);
  });

  test('does not tell the news of last week, and outlives a clock that was wrong', async () => {
    await keepTarget(t.archive, 'works', target);
    await told(1_000_000, 'old');
    clock = 1_000_000 + 8 * 86_400;
    await sendDue(t.archive);
    expect([got, await rows(), warnings.length]).toEqual([[], [], 1]);
    await told(9_000_000_000, 'ahead');
    clock = 2_000_000;
    await sendDue(t.archive);
    expect(got).toHaveLength(1);
  });

  test('forgets what was on its way to a place that was taken away', async () => {
    await keepTarget(t.archive, 'works', target);
    await told(1000);
    await dropTarget(t.archive, 'works', target);
    expect(await rows()).toEqual([]);
  });

  test('that cannot be written to leaves the task as it is', async () => {
    const errors: string[] = [];
    t.archive.log.error = (_, words) => void errors.push(words ?? '');
    await t.archive.db.schema.dropTable('outbox').execute();
    const { id } = await t.archive.tasks.start(works as TaskDefinition, {});
    await t.runner.idle();
    const row = await t.archive.db.selectFrom('task').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    expect([row.status, row.result]).toEqual(['success', 'downloaded 2 video(s).']);
    await vi.waitFor(() => expect(errors).toEqual(['the end of a task could not be told']), patience);
  });
});

test('the waits double up to an hour', () => {
  expect([1, 2, 3, 6, 7, 8, 99].map(waitAfter)).toEqual([60, 120, 240, 1920, 3600, 3600, 3600]);
});
