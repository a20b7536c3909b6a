import { message } from '#contract/messages.ts';
import { randomUUID } from 'node:crypto';
import type { Selectable } from 'kysely';
import type { AppContext } from '../context/app-context.ts';
import { DatabaseUnavailableError, type Db } from '../db/db.ts';
import type { TaskTable } from '../db/schema/tables.ts';
import { badRequest } from '../http/http-error.ts';
import { MessageError, messagesOf } from '../messages/message-error.ts';
import type { NodeMessage } from '../context/nodes.ts';
import { awaitTools } from '../context/tools.ts';
import { lastOutputOf } from './run-log.ts';
import { createReporter, addCounts, createRunOutput, limitMessages } from './run-output.ts';
import { createAssistant } from './assist.ts';
import { serializeNotification, withoutLinks } from './shape.ts';
import * as store from './store.ts';
import { retryWrite } from './retry-write.ts';
import {
  type FinishedRun,
  isLeaseLost,
  LeaseLostError,
  Shutdown,
  Stopped,
  type Report,
  type StartedRun,
  type TaskDefinition,
  type Tasks,
} from '../context/task.ts';

interface Run {
  lease: store.RunLease;
  definition: TaskDefinition;
  controller: AbortController;
  done: Promise<void>;
}

/** Runs queued tasks of this process, renews their leases and stops them on request. */
export interface TaskRunner extends Tasks {
  /** Starts working, and continues the runs of an earlier process. */
  begin(): Promise<void>;
  /** Interrupts all runs; they continue at the next start. Resolves when none is running. */
  end(): Promise<void>;
  /** Handles a message of another node. */
  handleMessage(message: NodeMessage): void;
  /** Releases all runs but those of these processes. */
  releaseExcept(runIds: string[]): Promise<void>;
  /** Resolves when no run is queued or running. */
  idle(): Promise<void>;
}

interface RunnerOptions {
  /** Called after every run. Errors are only logged. */
  onEnd?: (ended: FinishedRun, app: AppContext) => Promise<void>;
  /** Interval of renewing leases and looking for commands. */
  heartbeatMs?: number;
}

// A run that ends the process each time would otherwise keep the server from starting.
const maxCrashes = 3;

/** Creates the runner. `appOf` is called later, because the app context contains the runner. */
export function createTaskRunner(
  definitions: TaskDefinition[],
  appOf: () => AppContext,
  { onEnd, heartbeatMs = 5_000 }: RunnerOptions = {},
): TaskRunner {
  const byName = new Map(definitions.map((definition) => [definition.name, definition]));
  if (byName.size !== definitions.length) throw new Error('Two tasks have the same name.');
  const runs = new Map<string, Run>();
  let isOpen = false;
  let isPaused = false;
  let checking: Promise<void> | undefined;
  let checkAgain = false;
  let heart: NodeJS.Timeout | undefined;
  let shutdown = new AbortController();

  /** Sends notifications to the browsers of this node, and has the other nodes do the same. */
  async function publish() {
    appOf().nodes.broadcast({ kind: 'tasks' });
    await publishHere();
  }

  async function publishHere() {
    const app = appOf();
    const rows = await store.current(app.db, app.now());
    const notices = rows.flatMap((row) => serializeNotification(row, byName.get(row.name)) ?? []);
    app.events.notices({ forStaff: notices, forOthers: notices.map(withoutLinks) });
  }

  /** Saves a report of a run that this process holds. */
  const saveReport = (lease: store.RunLease) => (report: Report) =>
    store
      .saveReport(appOf().db, lease, report, report.progress === undefined ? null : Math.min(1, Math.max(0, report.progress)))
      .then(publish);

  async function runTask(row: Selectable<TaskTable>, definition: TaskDefinition, { signal }: AbortController) {
    const app = appOf();
    const { db, log } = app;
    const { report, close } = createReporter(saveReport(row), app);
    const output = createRunOutput(app, row);
    const startedAt = performance.now();
    const reportAndNote = (now: Report) => {
      output.step(now);
      report(now);
    };
    const shares = () => store.sharesOf(db, row.id, app.now());
    // Retried while the disk is full, so that the run does not stay "running".
    const finish = async (how: store.Ending) => {
      const counts = await output.close();
      if (app.config.node !== undefined)
        for (const share of await shares()) {
          how.messages.push(...share.skipped);
          addCounts(counts, share.counts);
        }
      how.messages = limitMessages(how.messages);
      const isOurs = await retryWrite(() => store.finish(db, row, how, app.now(), counts), app, shutdown.signal);
      if (!isOurs && !(await store.hasEnded(db, row))) throw new LeaseLostError();
      if (app.config.node !== undefined) await store.deleteOldShares(db);
      await store.deleteOldRuns(db, app.now()).catch((error: unknown) => log.warn({ err: error }, 'cannot delete old runs'));
      app.metrics.tasks.inc({ name: row.name, outcome: how.status });
      app.metrics.taskSeconds.observe({ name: row.name }, (performance.now() - startedAt) / 1000);
      try {
        await onEnd?.({ id: row.id, name: row.name, title: definition.title, status: how.status, result: how.result }, app);
      } catch (error) {
        log.error({ task: row.name, err: error }, 'cannot queue the notification of a task');
      }
    };
    await publish().catch(() => {}); // only a notification
    try {
      const againSince = row.attempts > 1 ? row.queuedAt : null;
      const input = definition.input.parse(JSON.parse(row.input));
      if (row.crashes >= maxCrashes) {
        const why = new MessageError(message('run.crashed', { count: row.crashes }));
        await definition.abandon?.(input, app, why);
        throw why;
      }
      await awaitTools(app.tools, definition.needs ?? [], signal, (waiting) => report({ messages: [waiting] }));
      const result = await definition.run(
        {
          id: row.id,
          input,
          againSince,
          signal,
          report: reportAndNote,
          skip: output.skip,
          note: output.note,
          ...(app.config.node !== undefined && { shares }),
        },
        app,
      );
      await close();
      await finish({
        status: 'success',
        messages: [message('run.completed'), ...output.skipped],
        result: result ? [result].flat() : null,
      });
    } catch (error) {
      await close();
      const isLost = isLeaseLost(error, signal);
      const isAway = error instanceof DatabaseUnavailableError && !signal.aborted;
      if (isLost || isAway || error instanceof Shutdown || signal.reason instanceof Shutdown) {
        await output.close();
        if (isLost) log.warn({ task: row.name }, 'the lease of a run was lost; its next holder continues it');
        else {
          if (isAway) log.warn({ task: row.name, err: error }, 'the database is away; the run continues when it is back');
          await retryWrite(() => store.requeue(db, row), app, shutdown.signal);
          app.nodes.broadcast({ kind: 'queued' });
        }
      } else if (signal.aborted) await finish({ status: 'stopped', messages: [message('run.stopped')], result: null });
      else {
        log.error({ task: row.name, err: error }, 'task failed');
        const why = messagesOf(error);
        output.note({ kind: 'problem', what: definition.title, why, words: lastOutputOf(error) });
        await finish({ status: 'failure', messages: [message('run.failed', { why })], result: why });
      }
    }
  }

  const assistant = createAssistant(definitions, appOf);

  async function lookForWork() {
    const app = appOf();
    while (isOpen && !isPaused && !app.nodes.isDraining()) {
      const row = await store.claim(app.db, app.runId, app.now(), [...runs.keys()]);
      if (!row) return;
      const definition = byName.get(row.name);
      if (!definition) {
        await store.finish(app.db, row, { status: 'failure', messages: [message('run.unknown')], result: null }, app.now());
        continue;
      }
      const controller = new AbortController();
      if (store.isStop(row.command)) controller.abort(new Stopped('Stopped.'));
      const done = runTask(row, definition, controller)
        .catch((error: unknown) => app.log.error({ err: error }, 'cannot complete a task'))
        .finally(async () => {
          runs.delete(row.id);
          app.announce('task');
          await publish().catch(() => {}); // only a notification; the browser polls
          wake();
        });
      runs.set(row.id, { lease: row, definition, controller, done });
    }
  }

  /** Looks for queued runs now, or again after the current look. */
  function wake() {
    if (!isOpen || isPaused) return;
    if (checking) {
      checkAgain = true;
      return;
    }
    checking = lookForWork()
      .catch((error: unknown) => appOf().log.error({ err: error }, 'cannot read the task queue'))
      .finally(() => {
        checking = undefined;
        if (checkAgain) {
          checkAgain = false;
          wake();
        }
      });
  }

  async function beat() {
    const app = appOf();
    if (isOpen && !isPaused) assistant.look();
    const known = [...runs.values()];
    const leases = known.map(({ lease }) => lease);
    const held = new Map((await store.renew(app.db, leases, app.now())).map((row) => [row.id, row]));
    for (const { lease, controller } of known) {
      const row = held.get(lease.id);
      if (row && store.isStop(row.command)) controller.abort(new Stopped('Stopped.'));
      // A run that has just ended is no longer held either.
      else if (!row && runs.has(lease.id)) controller.abort(new LeaseLostError());
    }
    wake();
  }

  async function queue<Input>(db: Db, definition: TaskDefinition<Input>, input: Input): Promise<StartedRun> {
    const singletonName = definition.isParallel ? null : definition.name;
    const row = { id: randomUUID(), name: definition.name, input: JSON.stringify(input), singletonName };
    const queued = await store.enqueue(db, row, appOf().now());
    if (queued) return { id: queued.id, wasRunning: false };
    const running = await store.findOnlyOne(db, definition.name);
    return running ? { id: running.id, wasRunning: true } : queue(db, definition, input);
  }

  async function begun() {
    appOf().nodes.broadcast({ kind: 'queued' });
    await publish();
    wake();
  }

  async function start<Input>(definition: TaskDefinition<Input>, input: Input): Promise<StartedRun> {
    const started = await queue(appOf().db, definition, input);
    // The notification exists before the response to the start: clients stop polling at the first empty list.
    await begun();
    return started;
  }

  return {
    queue,
    begun,
    start,
    definition: (name) => byName.get(name),
    definitions: () => definitions,
    activeInputs: async (name) => (await store.activeInputsOf(appOf().db, name)).map((input) => JSON.parse(input) as unknown),
    async startByName(name) {
      const definition = byName.get(name);
      if (!definition) throw badRequest('error.no-task-name');
      return start(definition, definition.input.parse({}));
    },
    async stop(id, command) {
      const app = appOf();
      const known = await store.askToStop(app.db, id, command);
      if (!known) return false;
      const run = runs.get(id);
      if (run) run.controller.abort(new Stopped('Stopped.'));
      else app.nodes.broadcast({ kind: 'stop', taskId: id });
      await publish();
      return true;
    },
    async pause(id, isPausing) {
      const known = await store.pause(appOf().db, id, isPausing);
      if (known) await publish();
      return known !== undefined;
    },
    isPaused: async (id) => (await store.findTask(appOf().db, id))?.command === 'PAUSE',
    async pauseOthers(id) {
      isPaused = true;
      await checking;
      const others = [...runs.values()].filter(({ lease }) => lease.id !== id);
      const reason = new Shutdown('The archive is being replaced.');
      for (const { controller } of others) controller.abort(reason);
      await Promise.all([...others.map((run) => run.done), assistant.end(reason)]);
    },
    resume() {
      isPaused = false;
      wake();
    },
    async begin() {
      const app = appOf();
      await store.releaseExcept(app.db, await app.nodes.otherRuns());
      await store
        .deleteOldRuns(app.db, app.now())
        .catch((error: unknown) => app.log.warn({ err: error }, 'cannot delete old runs'));
      // Counters start at 0, because Prometheus does not see the increase of a counter that appears with its first failure.
      for (const name of byName.keys()) for (const outcome of store.outcomes) app.metrics.tasks.inc({ name, outcome }, 0);
      isOpen = true;
      shutdown = new AbortController();
      heart = setInterval(
        () => beat().catch((error: unknown) => app.log.error({ err: error }, 'cannot renew leases')),
        heartbeatMs,
      );
      wake();
    },
    async end() {
      isOpen = false;
      shutdown.abort();
      clearInterval(heart);
      await checking;
      const reason = new Shutdown('The program ends.');
      for (const { controller } of runs.values()) controller.abort(reason);
      await Promise.all([...[...runs.values()].map((run) => run.done), assistant.end(reason)]);
    },
    handleMessage(message) {
      if (message.kind === 'stop') {
        runs.get(message.taskId)?.controller.abort(new Stopped('Stopped.'));
        assistant.stop(message.taskId);
      } else if (message.kind === 'queued') wake();
      else if (message.kind === 'tasks') {
        if (isOpen && !isPaused) assistant.look();
        publishHere().catch(() => {}); // only a notification; the browser polls
      }
    },
    async releaseExcept(runIds) {
      await store.releaseExcept(appOf().db, runIds);
      wake();
    },
    async idle() {
      while (checking || runs.size > 0) await (checking ?? Promise.race([...runs.values()].map((run) => run.done)));
    },
  };
}
