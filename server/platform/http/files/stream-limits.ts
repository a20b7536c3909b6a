import { message } from '#contract/messages.ts';
import type { ServerResponse } from 'node:http';
import type { Metrics } from '../../observability/metrics.ts';
import { tooMany } from '../http-error.ts';

// More than a household of players needs.
const maxPerUser = 64;
const maxTotal = 256;
// A player that pauses for longer is disconnected; it requests the remaining part when it resumes.
const idleMs = 5 * 60_000;

/** Limits the files being sent. */
export interface StreamLimits {
  /**
   * Registers a file transfer until it ends.
   * @throws 429 if the user or all users have too many
   */
  begin(accountId: number, response: ServerResponse): void;
  readonly active: number;
  /** Closes connections that accept no data for too long. */
  closeIdle(): void;
  close(): void;
}

interface Sending {
  accountId: number;
  response: ServerResponse;
  /** Bytes sent at the last check and its time, in milliseconds of a monotonic clock. */
  bytes: number;
  movedAt: number;
}

/** `onMoved` is called when a transfer starts, and twice a minute during it. */
export function createStreamLimits(meter: Metrics, maxIdleMs = idleMs, onMoved: () => void = () => {}): StreamLimits {
  const sending = new Set<Sending>();
  const closeIdle = () => {
    for (const one of sending) {
      const bytes = one.response.socket?.bytesWritten ?? 0;
      if (bytes !== one.bytes) {
        Object.assign(one, { bytes, movedAt: performance.now() });
        onMoved();
      } else if (performance.now() - one.movedAt >= maxIdleMs) one.response.destroy();
    }
  };
  const timer = setInterval(closeIdle, Math.min(30_000, maxIdleMs / 2)).unref();
  return {
    begin(accountId, response) {
      const own = [...sending].filter((one) => one.accountId === accountId).length;
      if (own >= maxPerUser || sending.size >= maxTotal) throw tooMany(message('error.too-many-streams'), 10);
      const before = response.socket?.bytesWritten ?? 0;
      const one = { accountId, response, bytes: before, movedAt: performance.now() };
      sending.add(one);
      onMoved();
      const { socket } = response;
      const over = () => {
        if (!sending.delete(one)) return;
        meter.streamBytes.inc(Math.max(0, (socket?.bytesWritten ?? 0) - before));
      };
      response.once('close', over).once('finish', over);
    },
    get active() {
      return sending.size;
    },
    closeIdle,
    close: () => clearInterval(timer),
  };
}
