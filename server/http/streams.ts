import type { ServerResponse } from 'node:http';
import type { Meter } from '../meter.ts';
import { tooMany } from './problem.ts';

// A household of players with some to spare; more is a fault or an attack.
const mostPerPerson = 64;
const mostInAll = 256;
// A player that pauses for longer is let go; when it goes on it asks for the rest.
const idleMs = 5 * 60_000;

/** What reaches a connection without being written to it here, in bytes so far. */
interface PassingBy {
  readonly handedOver: number;
}

/** The files that are being sent. */
export interface Streams {
  /** Counts a file that is about to be sent until it is over. Throws 429 when the person, or all together, have too many. */
  begin(accountId: number, response: ServerResponse, passingBy: PassingBy): void;
  readonly active: number;
  /** Lets go of who has taken no byte for too long. */
  look(): void;
  close(): void;
}

interface Sending {
  accountId: number;
  response: ServerResponse;
  passingBy: PassingBy;
  /** What had gone over its connection when that was last looked at, and when that was, milliseconds of a steady clock. */
  bytes: number;
  movedAt: number;
}

export function openStreams(meter: Meter, longestIdleMs = idleMs): Streams {
  const sending = new Set<Sending>();
  const look = () => {
    for (const one of sending) {
      const bytes = (one.response.socket?.bytesWritten ?? 0) + one.passingBy.handedOver;
      if (bytes !== one.bytes) Object.assign(one, { bytes, movedAt: performance.now() });
      else if (performance.now() - one.movedAt >= longestIdleMs) one.response.destroy();
    }
  };
  const timer = setInterval(look, Math.min(30_000, longestIdleMs / 2)).unref();
  return {
    begin(accountId, response, passingBy) {
      const own = [...sending].filter((one) => one.accountId === accountId).length;
      if (own >= mostPerPerson || sending.size >= mostInAll)
        throw tooMany('Too many files are being sent at this moment; try again when one of them is over.', 10);
      const before = response.socket?.bytesWritten ?? 0;
      const one = { accountId, response, passingBy, bytes: before, movedAt: performance.now() };
      sending.add(one);
      const { socket } = response;
      const over = () => {
        if (!sending.delete(one)) return;
        meter.streamBytes.inc(Math.max(0, (socket?.bytesWritten ?? 0) - before) + passingBy.handedOver);
      };
      response.once('close', over).once('finish', over);
    },
    get active() {
      return sending.size;
    },
    look,
    close: () => clearInterval(timer),
  };
}
