import { message, type Message } from '#contract/messages.ts';
import type { AppContext } from '../context/app-context.ts';
import type { Report, TaskWork } from '../context/task.ts';
import { DatabaseUnavailableError } from '../db/db.ts';
import { messagesOf } from '../messages/message-error.ts';
import { renderMessages } from '../messages/render.ts';
import { createRunLog, lastOutputOf, type Counts } from './run-log.ts';

// Minimum interval between reports written to the database; the newest is written.
const reportMs = 500;
const maxSkipped = 20;

/** Writes the newest report, at most twice a second. */
export function createReporter(write: (report: Report) => Promise<unknown>, { log }: Pick<AppContext, 'log'>) {
  let latest: Report | undefined;
  let timer: NodeJS.Timeout | undefined;
  let last = -reportMs; // on the monotonic clock
  let writing: Promise<unknown> = Promise.resolve();
  const writeLatest = () => {
    timer = undefined;
    const report = latest;
    if (!report) return;
    latest = undefined;
    last = performance.now();
    writing = write(report).catch((error: unknown) => log.warn({ err: error }, 'cannot write a report'));
  };
  return {
    report(now: Report) {
      latest = now;
      timer ??= setTimeout(writeLatest, Math.max(0, last + reportMs - performance.now()));
    },
    /** Nothing is written after this resolves. */
    async close() {
      clearTimeout(timer);
      latest = undefined;
      await writing;
    },
  };
}

/** Collects the log lines and failed items of a run. */
export function createRunOutput(app: AppContext, { id, name }: { id: string; name: string }) {
  const skipped: Message[] = [];
  const { note, step, close, counts } = createRunLog(app, id);
  const skip: TaskWork<unknown>['skip'] = (what, error, { videoId, cause = error } = {}) => {
    // Not the fault of the item: the run is interrupted, and continues.
    if (error instanceof DatabaseUnavailableError) throw error;
    const why = error instanceof Error ? messagesOf(error) : [error].flat();
    if (skipped.length < maxSkipped) skipped.push(message('run.skipped', { what, why }));
    note({ kind: 'problem', what, why, words: lastOutputOf(cause), ...(videoId && { videoId }) });
    app.log.warn({ task: name, what, ...(error instanceof Error ? { err: error } : { why: renderMessages(why) }) }, 'skipped');
  };
  return {
    note,
    skip,
    /** Records the first message of a report, if it is another one. */
    step: ({ messages }: Report) => step(messages[0]),
    /** Messages about failed items, at most twenty. */
    skipped,
    counts,
    close,
  };
}

/** Adds the numbers of log lines of another node. */
export function addCounts(counts: Counts, others: Counts) {
  for (const [kind, count] of Object.entries(others) as [keyof Counts, number][]) counts[kind] = (counts[kind] ?? 0) + count;
}

/** The first messages of a run and of the other nodes in it. */
export const limitMessages = (messages: Message[]) => messages.slice(0, maxSkipped + 1);
