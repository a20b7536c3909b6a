import type { Archive } from '../archive.ts';

interface Run {
  controller: AbortController;
  done: Promise<unknown>;
}

// What this program downloads right now, by the number of the queue item. Each archive of a process has its own.
const runs = new WeakMap<Archive['tasks'], Map<number, Run>>();

const runsOf = ({ tasks }: Archive) => runs.getOrInsertComputed(tasks, () => new Map());

/** Somebody took the item from the queue while it was being downloaded. */
export class TakenAway extends Error {}

/** Runs a download so that it can be abandoned: its signal fires when the task stops, or when its item is taken away. */
export async function abandonable(
  archive: Archive,
  number: number,
  stop: AbortSignal,
  download: (signal: AbortSignal) => Promise<void>,
) {
  const controller = new AbortController();
  const done = download(AbortSignal.any([stop, controller.signal]));
  const settled = done.catch(() => {}); // who abandons waits for the end, whatever it is
  runsOf(archive).set(number, { controller, done: settled });
  try {
    await done;
  } finally {
    runsOf(archive).delete(number);
  }
}

/** Ends the downloads of these items, where they run; resolves when none of them does anything any more. */
export async function abandon(archive: Archive, items: { number: number }[]) {
  for (const { number } of items) {
    const run = runsOf(archive).get(number);
    run?.controller.abort(new TakenAway('Taken from the queue.'));
    await run?.done;
  }
}
