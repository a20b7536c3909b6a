import { Problem, tooMany } from '../http/problem.ts';

/** Searches one after the other. */
export interface Turns {
  /**
   * Runs `work` when it is its turn. Of what waits under one name only the newest is done: people type, and what they typed
   * before interests nobody any more. Throws 409 where a newer one came, 429 where too many wait.
   */
  take<T>(name: string, work: () => Promise<T>): Promise<T>;
}

interface Waiting {
  name: string;
  go(): void;
  drop(): void;
}

const outdated = () => new Problem(409, 'You have searched for something else meanwhile.');

export function makeTurns({ most = 1, mostWaiting = 30 } = {}): Turns {
  const waiting: Waiting[] = [];
  let running = 0;
  return {
    async take(name, work) {
      const older = waiting.findIndex((one) => one.name === name);
      if (older >= 0) waiting.splice(older, 1)[0]!.drop();
      if (running >= most) {
        if (waiting.length >= mostWaiting) throw tooMany('Many people are searching just now. Try again in a moment.', 2);
        await new Promise<void>((go, refuse) => waiting.push({ name, go, drop: () => refuse(outdated()) }));
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
