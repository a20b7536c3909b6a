import { message } from '#contract/messages.ts';
import type { Selectable } from 'kysely';
import type { AppContext } from '../context/app-context.ts';
import {
  type FinishedRun,
  isLeaseLost,
  LeaseLostError,
  type Report,
  Shutdown,
  type TaskDefinition,
  type TaskWork,
} from '../context/task.ts';
import { awaitTools } from '../context/tools.ts';
import { DatabaseUnavailableError } from '../db/db.ts';
import type { TaskTable } from '../db/schema/tables.ts';
import { MessageError, messagesOf } from '../messages/message-error.ts';
import { retryWrite } from './retry-write.ts';
import { lastOutputOf } from './run-log.ts';
import { addCounts, createReporter, createRunOutput, limitMessages } from './run-output.ts';
import * as store from './store.ts';

export interface RunOptions {
  /** Stops the run. */
  signal: AbortSignal;
  /** Fires when the runner ends: the result is no longer retried then. */
  shutdown: AbortSignal;
  /** Notifies browsers of changes of the run. */
  publish(): Promise<void>;
  /** Called after every run. Errors are only logged. */
  onEnd?: ((ended: FinishedRun, app: AppContext) => Promise<void>) | undefined;
}

interface Run extends RunOptions {
  app: AppContext;
  row: Selectable<TaskTable>;
  definition: TaskDefinition;
  output: ReturnType<typeof createRunOutput>;
  startedAt: number;
}

// A run that ends the process each time would otherwise keep the server from starting.
const maxCrashes = 3;

const sharesOf = ({ app, row }: Run) => store.sharesOf(app.db, row.id, app.now());

async function finish(run: Run, how: store.Ending): Promise<void> {
  const { app, row, definition, output, onEnd } = run;
  const { db, log } = app;
  const counts = await output.close();
  if (app.config.node !== undefined)
    for (const share of await sharesOf(run)) {
      how.messages.push(...share.skipped);
      addCounts(counts, share.counts);
    }
  how.messages = limitMessages(how.messages);
  // Retried while the disk is full, so that the run does not stay "running".
  const isOurs = await retryWrite(() => store.finish(db, row, how, app.now(), counts), app, run.shutdown);
  if (!isOurs && !(await store.hasEnded(db, row))) throw new LeaseLostError();
  if (app.config.node !== undefined) await store.deleteOldShares(db);
  await store.deleteOldRuns(db, app.now()).catch((error: unknown) => log.warn({ err: error }, 'cannot delete old runs'));
  app.metrics.tasks.inc({ name: row.name, outcome: how.status });
  app.metrics.taskSeconds.observe({ name: row.name }, (performance.now() - run.startedAt) / 1000);
  try {
    await onEnd?.({ id: row.id, name: row.name, title: definition.title, status: how.status, result: how.result }, app);
  } catch (error) {
    log.error({ task: row.name, err: error }, 'cannot queue the notification of a task');
  }
}

/** Does the work of a run. Returns its result. */
async function work(run: Run, report: (report: Report) => void) {
  const { app, row, definition, output, signal } = run;
  const input = definition.input.parse(JSON.parse(row.input));
  if (row.crashes >= maxCrashes) {
    const why = new MessageError(message('run.crashed', { count: row.crashes }));
    await definition.abandon?.(input, app, why);
    throw why;
  }
  await awaitTools(app.tools, definition.needs ?? [], signal, (waiting) => report({ messages: [waiting] }));
  const taskWork: TaskWork<unknown> = {
    id: row.id,
    input,
    againSince: row.attempts > 1 ? row.queuedAt : null,
    signal,
    report(now) {
      output.step(now);
      report(now);
    },
    skip: output.skip,
    note: output.note,
    ...(app.config.node !== undefined && { shares: () => sharesOf(run) }),
  };
  return definition.run(taskWork, app);
}

/** Ends a run that threw: another process continues it, or it was stopped, or it failed. */
async function handleError(run: Run, error: unknown): Promise<void> {
  const { app, row, definition, output, signal, shutdown } = run;
  const { db, log } = app;
  const isLost = isLeaseLost(error, signal);
  const isAway = error instanceof DatabaseUnavailableError && !signal.aborted;
  if (isLost || isAway || error instanceof Shutdown || signal.reason instanceof Shutdown) {
    await output.close();
    if (isLost) {
      log.warn({ task: row.name }, 'the lease of a run was lost; its next holder continues it');
      return;
    }
    if (isAway) log.warn({ task: row.name, err: error }, 'the database is away; the run continues when it is back');
    await retryWrite(() => store.requeue(db, row), app, shutdown);
    app.nodes.broadcast({ kind: 'queued' });
  } else if (signal.aborted) await finish(run, { status: 'stopped', messages: [message('run.stopped')], result: null });
  else {
    log.error({ task: row.name, err: error }, 'task failed');
    const why = messagesOf(error);
    output.note({ kind: 'problem', what: definition.title, why, words: lastOutputOf(error) });
    await finish(run, { status: 'failure', messages: [message('run.failed', { why })], result: why });
  }
}

/** Runs a task that this process has claimed, and records how it ended. @throws LeaseLostError */
export async function runTask(
  app: AppContext,
  row: Selectable<TaskTable>,
  definition: TaskDefinition,
  options: RunOptions,
): Promise<void> {
  const { publish } = options;
  const run = { ...options, app, row, definition, output: createRunOutput(app, row), startedAt: performance.now() };
  const saveReport = (report: Report) =>
    store
      .saveReport(app.db, row, report, report.progress === undefined ? null : Math.min(1, Math.max(0, report.progress)))
      .then(publish);
  const { report, close } = createReporter(saveReport, app);
  await publish().catch(() => {}); // only a notification
  try {
    const result = await work(run, report);
    await close();
    await finish(run, {
      status: 'success',
      messages: [message('run.completed'), ...run.output.skipped],
      result: result ? [result].flat() : null,
    });
  } catch (error) {
    await close();
    await handleError(run, error);
  }
}
