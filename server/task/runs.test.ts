import { afterEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Run, RunNote } from '#contract/runs.ts';
import { ChildFailed } from '../child/child-failed.ts';
import { aQueueItem, aUser, aVideo, engines, testArchive, type TestArchive } from '../testing.ts';
import { YtdlpFailed } from '../ytdlp/failure.ts';
import { forgetOld } from './store.ts';
import { defineTask, type TaskDefinition, type Work } from './task.ts';

const plain = { title: 'A test', group: 'download:run', isStartable: true, isStoppable: true, input: z.looseObject({}) };

describe.each(engines)('what a run did, on $engine', (on) => {
  let t: TestArchive;
  let staff: Awaited<ReturnType<typeof aUser>>;
  afterEach(() => t.close());

  /** Runs a task that does this; answers the run with its lines. */
  async function ran(work: (work: Work<unknown>) => Promise<string | void>) {
    const task = defineTask({ ...plain, name: 'try', run: work });
    t = await testArchive({ on, tasks: [task] as unknown as TaskDefinition[] });
    staff = await aUser(t, { isStaff: true });
    const archived = await aVideo(t.archive.db, { id: 'archivedVid' });
    const waiting = await aQueueItem(t.archive.db, { id: 'waitingVid0' });
    await t.runner.begin();
    const { id } = await t.archive.tasks.start(task, {});
    await t.runner.idle();
    const run = (await staff.call('GET', `/api/task/runs/${id}/`)).json() as Run & { notes: RunNote[] };
    return { run, id, archived, waiting };
  }

  test('its problems are kept line by line, with the words of the program and where the video is now', async () => {
    const { run } = await ran(async (work) => {
      work.report({ messages: ['Looking at Night Trains (1/2)'] });
      work.note({ kind: 'new', what: 'A new one', videoId: 'waitingVid0' });
      work.note({ kind: 'left-out', what: 'A short', why: 'It is too short.', videoId: 'nowhereVid0' });
      const lastWords = 'WARNING: slow\nERROR: [youtube] x: Private video https://me:geheim@proxy.example/';
      const cause = new ChildFailed('yt-dlp', { code: 1, lastWords, reason: 'exit' });
      work.skip('A private one', new YtdlpFailed({ kind: 'private', message: 'It is private.' }, { cause }), {
        videoId: 'archivedVid',
      });
      return 'did it';
    });
    expect(run).toMatchObject({ title: 'A test', status: 'success', result: 'did it', problems: 1, new: 1, left_out: 1 });
    expect(run.notes.map(({ kind, what, why, youtube_id: id, place }) => [kind, what, why, id, place])).toEqual([
      ['step', 'Looking at Night Trains (1/2)', null, null, null],
      ['new', 'A new one', null, 'waitingVid0', 'queue'],
      ['left-out', 'A short', 'It is too short.', 'nowhereVid0', null],
      ['problem', 'A private one', 'It is private.', 'archivedVid', 'archive'],
    ]);
    expect(run.notes[3]!.words).toMatch(/^WARNING: slow\nERROR: \[youtube\] x: Private video/);
    expect(JSON.stringify(run)).not.toContain('geheim');
  });

  test('a run that failed says why, and is found among those with trouble', async () => {
    const { run } = await ran(() => Promise.reject(new Error('no way')));
    expect(run).toMatchObject({ status: 'failure', result: 'no way', problems: 1 });
    expect(run.notes).toMatchObject([{ kind: 'problem', why: 'no way' }]);
    const found = async (query: string) => (await staff.call('GET', `/api/task/runs/${query}`)).json().data as Run[];
    expect(await found('?trouble=true')).toHaveLength(1);
    expect(await found('?name=try')).toHaveLength(1);
    expect(await found('?name=other')).toEqual([]);
    expect((await staff.call('GET', '/api/task/runs/nothing/')).statusCode).toBe(404);
    expect((await (await aUser(t)).call('GET', '/api/task/runs/')).statusCode).toBe(403);
  });

  test('ten thousand problems are counted, a thousand are kept, each cut to a length', async () => {
    const { run } = await ran(async (work) => {
      for (let n = 0; n < 10_000; n++) work.skip(`${n} ${'x'.repeat(5000)}`, 'y\0'.repeat(5000));
    });
    expect(run.problems).toBe(10_000);
    expect(run.notes).toHaveLength(1000);
    expect(Math.max(...run.notes.map(({ what, why }) => what.length + why!.length))).toBeLessThanOrEqual(900);
  });

  test('old runs go with their lines: those of a month ago, and all but the last five hundred', async () => {
    const { id } = await ran(async (work) => work.skip('x', 'y'));
    const { db, now } = t.archive;
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
    await db
      .insertInto('runNote')
      .values({ taskId: 'old-0', kind: 'problem', what: 'x', at: 1 } as never)
      .execute();
    await forgetOld(db, now());
    expect((await db.selectFrom('task').select('id').execute()).length).toBeLessThanOrEqual(501);
    expect((await db.selectFrom('runNote').select('taskId').execute()).every(({ taskId }) => taskId === id)).toBe(true);
    await forgetOld(db, now() + 31 * 86_400);
    expect(await db.selectFrom('task').select('id').execute()).toEqual([]);
  });
});
