import { Problem, tooMany } from '../http/problem.ts';

/** Who searches. */
export interface Searcher {
  accountId: number;
  /** Where they type, if that is known: what is searched for there takes the place of what was searched for there before. */
  window: string | null;
}

/** Searches one after the other. */
export interface Turns {
  /**
   * Runs `work` when it is its turn. Of what waits from one window only the newest is done: people type, and what they typed
   * before interests nobody any more. Throws 409 where a newer one came, 429 where too many wait, of one person or of all.
   */
  take<T>(who: Searcher, work: () => Promise<T>): Promise<T>;
}

interface Waiting extends Searcher {
  go(): void;
  drop(): void;
}

const outdated = () => new Problem(409, 'You have searched for something else meanwhile.');

// Somebody's programs and open pages may ask for several things at once, and still leave room for others.
const fairShare = 8;

export function makeTurns({ most = 1, mostWaiting = 30, mostOfOne = fairShare } = {}): Turns {
  const waiting: Waiting[] = [];
  let running = 0;
  function makeSureOfRoom({ accountId }: Searcher) {
    if (waiting.length >= mostWaiting) throw tooMany('Many people are searching just now. Try again in a moment.', 2);
    if (waiting.filter((one) => one.accountId === accountId).length >= mostOfOne)
      throw tooMany('Many of your searches are waiting already. Try again in a moment.', 2);
  }
  return {
    async take(who, work) {
      const { accountId, window } = who;
      const older = waiting.findIndex((one) => window !== null && one.window === window && one.accountId === accountId);
      if (older >= 0) waiting.splice(older, 1)[0]!.drop();
      if (running >= most) {
        makeSureOfRoom(who);
        await new Promise<void>((go, refuse) => waiting.push({ ...who, go, drop: () => refuse(outdated()) }));
      } else running++;
      try {
        return await work();
      } finally {
        const next = waiting.shift();
        if (next) next.go();
        else running--;
      }
    },
  };
}
