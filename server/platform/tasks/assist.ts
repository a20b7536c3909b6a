import type { Selectable } from 'kysely';
import type { AppContext } from '../context/app-context.ts';
import type { TaskTable } from '../db/schema/tables.ts';
import { Shutdown, Stopped, type Report, type TaskDefinition } from '../context/task.ts';
import { addCounts, createReporter, createRunOutput } from './run-output.ts';
import * as store from './store.ts';

// Takes part in runs that other nodes hold, such as that of the download queue.

interface Part {
  controller: AbortController;
  isWanted: boolean;
  /** Saves that this node still takes part. */
  renew(): void;
  done: Promise<void>;
}

/** Creates the part of a node in the runs of others. A single server has none. */
export function createAssistant(definitions: TaskDefinition[], appOf: () => AppContext) {
  const helped = new Map(definitions.flatMap((definition) => (definition.assist ? [[definition.name, definition]] : [])));
  const parts = new Map<string, Part>();
  let looking: Promise<void> | undefined;
  let isEnding = false;

  async function take(row: Selectable<TaskTable>, part: Omit<Part, 'done'>) {
    const app = appOf();
    const { db, nodes, runId } = app;
    const definition = helped.get(row.name)!;
    const output = createRunOutput(app, row);
    const earlier = (await store.sharesOf(db, row.id, app.now())).find((share) => share.runId === runId);
    const countsOf = () => {
      const counts = { ...earlier?.counts };
      addCounts(counts, output.counts);
      return counts;
    };
    let latest: Report = { messages: [] };
    const save = (isActive: boolean) =>
      store.saveShare(
        db,
        {
          taskId: row.id,
          runId,
          egress: nodes.egress,
          isActive,
          report: isActive ? latest : { messages: [] },
          counts: countsOf(),
          skipped: [...(earlier?.skipped ?? []), ...output.skipped],
        },
        app.now(),
      );
    const { report, close } = createReporter(() => save(true), app);
    part.renew = () => report(latest);
    await save(true);
    try {
      await definition.assist!(
        {
          id: row.id,
          input: definition.input.parse(JSON.parse(row.input)),
          againSince: null,
          signal: part.controller.signal,
          report(now) {
            output.step(now);
            latest = now;
            report(now);
          },
          skip: output.skip,
          note: output.note,
          isWanted: () => part.isWanted,
        },
        app,
      );
    } finally {
      await close();
      await output.close();
      await save(false);
    }
  }

  /** Ends the parts in runs that were stopped or have ended, and starts one in each run of another node. */
  async function look() {
    const app = appOf();
    const active = new Map((await store.activeRuns(app.db, [...helped.keys()])).map((row) => [row.id, row]));
    for (const [id, part] of parts) {
      const row = active.get(id) ?? (await store.findTask(app.db, id));
      if (!row || row.status === 'stopped' || store.isStop(row.command)) part.controller.abort(new Stopped('Stopped.'));
      part.isWanted = active.has(id) && row?.leasedBy !== app.runId && !app.nodes.isDraining();
      part.renew();
    }
    if (isEnding || app.nodes.isDraining()) return;
    for (const row of active.values()) {
      const isOfOther = row.status === 'running' && row.leasedBy !== app.runId;
      if (!isOfOther || store.isStop(row.command) || parts.has(row.id)) continue;
      const part = { controller: new AbortController(), isWanted: true, renew() {} };
      const done = take(row, part)
        .catch((error: unknown) => {
          // The run was deleted, or the database is away; the next look starts again.
          if (!part.controller.signal.aborted) app.log.warn({ task: row.name, err: error }, 'cannot take part in a run');
        })
        .finally(() => parts.delete(row.id));
      parts.set(row.id, Object.assign(part, { done }));
    }
  }

  return {
    /** Looks for runs of other nodes, if this one is one of several. */
    look() {
      const app = appOf();
      if (app.config.node === undefined || helped.size === 0) return;
      looking ??= look()
        .catch((error: unknown) => app.log.warn({ err: error }, 'cannot look for runs of other nodes'))
        .finally(() => (looking = undefined));
    },
    /** Ends the part in a run that a user stopped. */
    stop: (id: string) => parts.get(id)?.controller.abort(new Stopped('Stopped.')),
    /** Interrupts all parts. Resolves when none is left. */
    async end(reason: Shutdown) {
      isEnding = true;
      await looking;
      for (const { controller } of parts.values()) controller.abort(reason);
      await Promise.all([...parts.values()].map(({ done }) => done));
      isEnding = false;
    },
  };
}
