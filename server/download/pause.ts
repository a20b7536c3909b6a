import { setTimeout as wait } from 'node:timers/promises';

/** Waits half to one and a half times these seconds; ends at once, with the signal's reason, when it fires. */
export async function pause(seconds: number | null, signal: AbortSignal) {
  signal.throwIfAborted();
  if (!seconds) return;
  try {
    await wait(seconds * 1000 * (0.5 + Math.random()), undefined, { signal });
  } catch {
    throw signal.reason;
  }
}
