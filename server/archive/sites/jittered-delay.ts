import { setTimeout as wait } from 'node:timers/promises';

/** Waits 0.5 to 1.5 times the given seconds. Throws the reason of the signal when it fires. */
export async function jitteredDelay(seconds: number | null, signal: AbortSignal) {
  signal.throwIfAborted();
  if (!seconds) return;
  try {
    await wait(seconds * 1000 * (0.5 + Math.random()), undefined, { signal });
  } catch {
    throw signal.reason;
  }
}
