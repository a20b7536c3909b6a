import { message } from '#contract/messages.ts';
import { randomUUID } from 'node:crypto';
import type { AppContext } from '../context/app-context.ts';
import type { Db } from '../db/db.ts';
import { badRequest } from '../http/http-error.ts';
import type { NodeMessage } from '../context/nodes.ts';
import { createAssistant } from './assist.ts';
import { serializeNotification, withoutLinks } from './shape.ts';
import { runTask, type RunOptions } from './run-task.ts';
import * as store from './store.ts';
import { LeaseLostError, Shutdown, Stopped, type StartedRun, type TaskDefinition, type Tasks } from '../context/task.ts';

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

interface RunnerOptions extends Pick<RunOptions, 'onEnd'> {
  /** Interval of renewing leases and looking for commands. */
  heartbeatMs?: number;
}

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
      const done = runTask(app, row, definition, { signal: controller.signal, shutdown: shutdown.signal, publish, onEnd })
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
