import { message, messages, plainText, type Message } from '#contract/messages.ts';
import { renderMessages } from '../messages/render.ts';
import { afterEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Run, RunNote } from '#contract/runs.ts';
import { ProcessError } from '../process/process-error.ts';
import { createQueueItem, createUser, createVideo, engines, testApp, type TestApp } from '../../test-support/app.ts';
import { YtdlpFailed } from '../ytdlp/failure.ts';
import { deleteOldRuns } from './store.ts';
import { defineTask, type TaskDefinition, type TaskWork } from '../context/task.ts';

const common = { title: 'A test', group: 'download:run', isStartable: true, isStoppable: true, input: z.looseObject({}) };

describe.each(engines)('task history, on $engine', (on) => {
  let t: TestApp;
  let staff: Awaited<ReturnType<typeof createUser>>;
  afterEach(() => t.close());

  /** Runs a task with this work and returns its run with the log lines. */
  async function runWith(work: (work: TaskWork<unknown>) => Promise<Message | void>) {
    const task = defineTask({ ...common, name: 'try', run: work });
    t = await testApp({ on, tasks: [task] as unknown as TaskDefinition[] });
    staff = await createUser(t, { isStaff: true });
    const archived = await createVideo(t.app.db, { id: 'archivedVid' });
    const waiting = await createQueueItem(t.app.db, { id: 'waitingVid0' });
    await t.runner.begin();
    const { id } = await t.app.tasks.start(task, {});
    await t.runner.idle();
    const run = (await staff.call('GET', `/api/task/runs/${id}/`)).json() as Run & { notes: RunNote[] };
    return { run, id, archived, waiting };
  }

  test('records each problem with the program output and the state of the video', async () => {
    const { run } = await runWith(async (work) => {
      work.report({ messages: [message('scan.running', { name: 'Night Trains', place: 1, count: 2 })] });
      work.note({ kind: 'new', what: 'A new one', videoId: 'waitingVid0' });
      work.note({ kind: 'left-out', what: 'A short', why: message('rule.short'), videoId: 'nowhereVid0' });
      const lastWords = 'WARNING: slow\nERROR: [youtube] x: Private video https://me:geheim@proxy.example/';
      const cause = new ProcessError('yt-dlp', { code: 1, lastWords, reason: 'exit' });
      work.skip('A private one', new YtdlpFailed({ kind: 'private', message: message('failure.private') }, { cause }), {
        videoId: 'archivedVid',
      });
      return plainText('did it');
    });
    expect(run).toMatchObject({ title: 'A test', status: 'success', result: 'did it', problems: 1, new: 1, left_out: 1 });
    expect(run.notes.map(({ kind, what, why, youtube_id: id, place: index }) => [kind, what, why, id, index])).toEqual([
      ['step', renderMessages(message('scan.running', { name: 'Night Trains', place: 1, count: 2 })), null, null, null],
      ['new', 'A new one', null, 'waitingVid0', 'queue'],
      ['left-out', 'A short', messages['rule.short'], 'nowhereVid0', null],
      ['problem', 'A private one', messages['failure.private'], 'archivedVid', 'archive'],
    ]);
    expect(run.notes[3]!.words).toMatch(/^WARNING: slow\nERROR: \[youtube\] x: Private video/);
    expect(JSON.stringify(run)).not.toContain('geheim');
  });

  test('a failed run has a reason and is found by the filter for problems', async () => {
    const { run } = await runWith(() => Promise.reject(new Error('no way')));
    expect(run).toMatchObject({ status: 'failure', result: 'no way', problems: 1 });
    expect(run.notes).toMatchObject([{ kind: 'problem', why: 'no way' }]);
    const found = async (query: string) => (await staff.call('GET', `/api/task/runs/${query}`)).json().data as Run[];
    expect(await found('?problems=true')).toHaveLength(1);
    expect(await found('?name=try')).toHaveLength(1);
    expect(await found('?name=other')).toEqual([]);
    expect((await staff.call('GET', '/api/task/runs/nothing/')).statusCode).toBe(404);
    expect((await (await createUser(t)).call('GET', '/api/task/runs/')).statusCode).toBe(403);
  });

  test('counts ten thousand problems, stores a thousand and truncates each', async () => {
    const { run } = await runWith(async (work) => {
      for (let n = 0; n < 10_000; n++) work.skip(`${n} ${'x'.repeat(5000)}`, plainText('y\0'.repeat(5000)));
    });
    expect(run.problems).toBe(10_000);
    expect(run.notes).toHaveLength(1000);
    expect(Math.max(...run.notes.map(({ what, why }) => what.length + why!.length))).toBeLessThanOrEqual(900);
  });

  test('deletes runs older than a month and all but the last five hundred', async () => {
    const { id } = await runWith(async (work) => work.skip('x', plainText('y')));
    const { db, now } = t.app;
    const rows = Array.from({ length: 600 }, (_, n) => ({
      id: `old-${n}`,
      name: 'try',
      input: '{}',
      status: 'success' as const,
      queuedAt: 1,
      endedAt: now() - 600 + n,
    }));
    for (let from = 0; from < 600; from += 100)
      await db
        .insertInto('task')
        .values(rows.slice(from, from + 100))
        .execute();
    await db.insertInto('runLog').values({ taskId: 'old-0', kind: 'problem', subject: 'x', loggedAt: 1 }).execute();
    await deleteOldRuns(db, now());
    expect((await db.selectFrom('task').select('id').execute()).length).toBeLessThanOrEqual(501);
    expect((await db.selectFrom('runLog').select('taskId').execute()).every(({ taskId }) => taskId === id)).toBe(true);
    await deleteOldRuns(db, now() + 31 * 86_400);
    expect(await db.selectFrom('task').select('id').execute()).toEqual([]);
  });
});
