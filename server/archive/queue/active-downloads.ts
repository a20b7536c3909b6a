import type { AppContext } from '../../platform/context/app-context.ts';
import { chunks } from '../../platform/db/db.ts';

interface Run {
  controller: AbortController;
  done: Promise<unknown>;
}

declare module '../../platform/context/app-state.ts' {
  interface AppState {
    /** Downloads that are running in this process, by number of the queue item. */
    activeDownloads: Map<number, Run>;
  }
}

/** The item was removed from the queue during its download. */
export class ItemRemovedError extends Error {}

/** Runs a download whose signal fires when the task stops or when its item is removed. */
export async function registerDownload(
  app: AppContext,
  number: number,
  taskSignal: AbortSignal,
  download: (signal: AbortSignal) => Promise<void>,
) {
  const controller = new AbortController();
  const done = download(AbortSignal.any([taskSignal, controller.signal]));
  const settled = done.catch(() => {}); // abortDownloads only waits for the end, whatever the result
  app.state.activeDownloads.set(number, { controller, done: settled });
  try {
    await done;
  } finally {
    app.state.activeDownloads.delete(number);
  }
}

/** Aborts the downloads of these items on all nodes. Resolves when those of this node have ended. */
export async function abortDownloads(app: AppContext, items: { number: number }[]) {
  const numbers = items.map(({ number }) => number);
  for (const some of chunks(numbers)) app.nodes.broadcast({ kind: 'abort', numbers: some });
  await abortDownloadsHere(app, numbers);
}

/** Aborts the downloads of these items on this node. Resolves when all have ended. */
export async function abortDownloadsHere(app: Pick<AppContext, 'state'>, numbers: number[]) {
  for (const number of numbers) {
    const run = app.state.activeDownloads.get(number);
    run?.controller.abort(new ItemRemovedError('Taken from the queue.'));
    await run?.done;
  }
}
