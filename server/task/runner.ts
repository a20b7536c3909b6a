import { randomUUID } from 'node:crypto';
import type { Selectable } from 'kysely';
import type { Archive } from '../archive.ts';
import type { Db } from '../db/db.ts';
import type { TaskTable } from '../db/tables.ts';
import { refused } from '../http/problem.ts';
import { noteKeeper, wordsOf } from './notes.ts';
import { shapeNotification } from './shape.ts';
import * as store from './store.ts';
import { untilWritten } from './until-written.ts';
import { type Ended, Shutdown, Stopped, type Report, type Started, type TaskDefinition, type Tasks, type Work } from './task.ts';

const heartbeatMs = 5_000;
// Reports reach the database, and people, this often at most; the newest wins.
const reportMs = 500;
const mostSkipped = 20;

interface Run {
  id: string;
  definition: TaskDefinition;
  controller: AbortController;
  done: Promise<void>;
}

/** The tasks of this program: starts what is queued, keeps its leases, stops it when asked. */
export interface Runner extends Tasks {
  /** Begins to work, taking over what an earlier run left. */
  begin(): Promise<void>;
  /** Stops everything; what ran goes on at the next start. Resolves when nothing runs. */
  end(): Promise<void>;
  /** Resolves when nothing waits and nothing runs. */
  idle(): Promise<void>;
}

interface RunnerOptions {
  /** Hears of every run that is over. What it throws is logged and changes nothing. */
  onEnd?: (ended: Ended, archive: Archive) => Promise<void>;
}

/** Makes the runner. `archive` is asked for when work begins, so that the archive can hold the runner. */
export function makeRunner(definitions: TaskDefinition[], archiveOf: () => Archive, { onEnd }: RunnerOptions = {}): Runner {
  const byName = new Map(definitions.map((definition) => [definition.name, definition]));
  if (byName.size !== definitions.length) throw new Error('Two tasks have the same name.');
  const runs = new Map<string, Run>();
  let isOpen = false;
  let isPaused = false;
  let looking: Promise<void> | undefined;
  let lookAgain = false;
  let heart: NodeJS.Timeout | undefined;
  let ending = new AbortController();

  async function publish() {
    const archive = archiveOf();
    const rows = await store.current(archive.db, archive.now());
    archive.events.notices(rows.flatMap((row) => shapeNotification(row, byName.get(row.name)) ?? []));
  }

  function reporter(id: string) {
    let latest: Report | undefined;
    let timer: NodeJS.Timeout | undefined;
    let last = -reportMs; // of a clock that nobody can set
    let writing: Promise<void> = Promise.resolve();
    const write = () => {
      timer = undefined;
      const report = latest;
      if (!report) return;
      latest = undefined;
      last = performance.now();
      writing = store
        .say(
          archiveOf().db,
          id,
          report.messages,
          report.progress === undefined ? null : Math.min(1, Math.max(0, report.progress)),
        )
        .then(publish)
        .catch((error: unknown) => archiveOf().log.warn({ err: error }, 'a report was lost'));
    };
    return {
      report(now: Report) {
        latest = now;
        timer ??= setTimeout(write, Math.max(0, last + reportMs - performance.now()));
      },
      /** Nothing more is written once this resolves. */
      async close() {
        clearTimeout(timer);
        latest = undefined;
        await writing;
      },
    };
  }

  async function runTask(
    row: Pick<Selectable<TaskTable>, 'id' | 'name' | 'input' | 'attempts' | 'queuedAt'>,
    definition: TaskDefinition,
    { signal }: AbortController,
  ) {
    const archive = archiveOf();
    const { db, log } = archive;
    const { report, close } = reporter(row.id);
    const skipped: string[] = [];
    const began = performance.now();
    const notes = noteKeeper(archive, row.id);
    const skip: Work<unknown>['skip'] = (what, error, { videoId, cause = error } = {}) => {
      const why = error instanceof Error ? error.message : String(error);
      if (skipped.length < mostSkipped) skipped.push(`${what}: ${why}`);
      notes.note({ kind: 'problem', what, why, words: wordsOf(cause), ...(videoId && { videoId }) });
      log.warn({ task: row.name, what, err: error }, 'skipped');
    };
    const reportAndNote = (now: Report) => {
      notes.step(now.messages[0]);
      report(now);
    };
    // The end is written even when the disk is full just now: else it would look as if it ran for ever.
    const finish = async (how: store.Ending) => {
      const counts = await notes.close();
      await untilWritten(() => store.finish(db, row.id, how, archive.now(), counts), archive, ending.signal);
      await store
        .forgetOld(db, archive.now())
        .catch((error: unknown) => log.warn({ err: error }, 'old runs could not be forgotten'));
      archive.meter.tasks.inc({ name: row.name, outcome: how.status });
      archive.meter.taskSeconds.observe({ name: row.name }, (performance.now() - began) / 1000);
      try {
        await onEnd?.({ id: row.id, name: row.name, title: definition.title, status: how.status, result: how.result }, archive);
      } catch (error) {
        log.error({ task: row.name, err: error }, 'the end of a task could not be told');
      }
    };
    await publish().catch(() => {}); // only news
    try {
      const againSince = row.attempts > 1 ? row.queuedAt : null;
      const input = definition.input.parse(JSON.parse(row.input));
      const result =
        (await definition.run(
          { id: row.id, input, againSince, signal, report: reportAndNote, skip, note: notes.note },
          archive,
        )) ?? null;
      await close();
      await finish({ status: 'success', messages: ['Task completed', ...skipped], result });
    } catch (error) {
      await close();
      if (signal.reason instanceof Shutdown) {
        await notes.close();
        await store.putBack(db, row.id, archive.runId);
      } else if (signal.aborted) await finish({ status: 'stopped', messages: ['Task stopped'], result: null });
      else {
        log.error({ task: row.name, err: error }, 'task failed');
        const why = error instanceof Error ? error.message : String(error);
        notes.note({ kind: 'problem', what: definition.title, why, words: wordsOf(error) });
        await finish({ status: 'failure', messages: [`Task failed: ${why}`], result: why });
      }
    }
  }

  async function lookForWork() {
    const archive = archiveOf();
    while (isOpen && !isPaused) {
      const row = await store.claim(archive.db, archive.runId, archive.now(), [...runs.keys()]);
      if (!row) return;
      const definition = byName.get(row.name);
      if (!definition) {
        await store.finish(
          archive.db,
          row.id,
          { status: 'failure', messages: ['This version does not know the task.'], result: null },
          archive.now(),
        );
        continue;
      }
      const controller = new AbortController();
      if (row.command) controller.abort(new Stopped('Stopped.'));
      const done = runTask(row, definition, controller)
        .catch((error: unknown) => archive.log.error({ err: error }, 'a task could not be finished'))
        .finally(async () => {
          runs.delete(row.id);
          archive.announce('task');
          await publish().catch(() => {}); // only news; the page asks again by itself
          wake();
        });
      runs.set(row.id, { id: row.id, definition, controller, done });
    }
  }

  /** Looks for work now, or once more when a look is under way. */
  function wake() {
    if (!isOpen || isPaused) return;
    if (looking) {
      lookAgain = true;
      return;
    }
    looking = lookForWork()
      .catch((error: unknown) => archiveOf().log.error({ err: error }, 'the queue of tasks cannot be read'))
      .finally(() => {
        looking = undefined;
        if (lookAgain) {
          lookAgain = false;
          wake();
        }
      });
  }

  async function beat() {
    const archive = archiveOf();
    for (const { id, command } of await store.renew(archive.db, [...runs.keys()], archive.now()))
      if (command) runs.get(id)?.controller.abort(new Stopped('Stopped.'));
    wake();
  }

  async function queue<Input>(db: Db, definition: TaskDefinition<Input>, input: Input): Promise<Started> {
    const onlyOne = definition.isParallel ? null : definition.name;
    const row = { id: randomUUID(), name: definition.name, input: JSON.stringify(input), onlyOne };
    const queued = await store.enqueue(db, row, archiveOf().now());
    if (queued) return { id: queued.id, wasRunning: false };
    const running = await store.findOnlyOne(db, definition.name);
    return running ? { id: running.id, wasRunning: true } : queue(db, definition, input);
  }

  async function begun() {
    await publish();
    wake();
  }

  async function start<Input>(definition: TaskDefinition<Input>, input: Input): Promise<Started> {
    const started = await queue(archiveOf().db, definition, input);
    // The notice exists before the call that started the task answers: clients stop asking at the first empty list.
    await begun();
    return started;
  }

  return {
    queue,
    begun,
    start,
    definition: (name) => byName.get(name),
    underWay: async (name) => (await store.inputsUnderWay(archiveOf().db, name)).map((input) => JSON.parse(input) as unknown),
    async startByName(name) {
      const definition = byName.get(name);
      if (!definition) throw refused('task name not found');
      return start(definition, definition.input.parse({}));
    },
    async stop(id, command) {
      const archive = archiveOf();
      const known = await store.askToStop(archive.db, id, command);
      if (!known) return false;
      runs.get(id)?.controller.abort(new Stopped('Stopped.'));
      await publish();
      return true;
    },
    async pauseOthers(id) {
      isPaused = true;
      await looking;
      const others = [...runs.values()].filter((run) => run.id !== id);
      for (const { controller } of others) controller.abort(new Shutdown('The archive is being replaced.'));
      await Promise.all(others.map((run) => run.done));
    },
    resume() {
      isPaused = false;
      wake();
    },
    async begin() {
      const archive = archiveOf();
      // One program works on a database (hold.ts): what is leased was leased by one that has ended.
      await store.freeAll(archive.db);
      await store
        .forgetOld(archive.db, archive.now())
        .catch((error: unknown) => archive.log.warn({ err: error }, 'old runs could not be forgotten'));
      // Told from the start: of a count that appears with its first failure, Prometheus does not see that it rose.
      for (const name of byName.keys()) for (const outcome of store.outcomes) archive.meter.tasks.inc({ name, outcome }, 0);
      isOpen = true;
      ending = new AbortController();
      heart = setInterval(
        () => beat().catch((error: unknown) => archive.log.error({ err: error }, 'leases could not be renewed')),
        heartbeatMs,
      );
      wake();
    },
    async end() {
      isOpen = false;
      ending.abort();
      clearInterval(heart);
      await looking;
      for (const { controller } of runs.values()) controller.abort(new Shutdown('The program ends.'));
      await Promise.all([...runs.values()].map((run) => run.done));
    },
    async idle() {
      while (looking || runs.size > 0) await (looking ?? Promise.race([...runs.values()].map((run) => run.done)));
    },
  };
}
