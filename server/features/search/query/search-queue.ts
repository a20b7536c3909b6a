import { message } from '#contract/messages.ts';
import { HttpError, tooMany } from '../../../platform/http/http-error.ts';

/** The origin of a search. */
export interface Searcher {
  accountId: number;
  /** The browser window, if known; a search replaces the waiting one of the same window. */
  window: string | null;
}

/** Runs searches one at a time. */
export interface SearchQueue {
  /**
   * Runs `work` when its turn comes. Only the newest queued search per browser window runs. A queued search is removed when
   * `signal` fires, which means that its connection was closed.
   * @throws HttpError 409 if a newer search replaced it, 429 if too many searches waited for too long.
   */
  take<T>(who: Searcher, work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
}

const closed = () => new HttpError(503, message('error.connection-closed'));
const outdated = () => new HttpError(409, message('error.search-replaced'));

interface Waiting extends Searcher {
  go(): void;
  drop(why: HttpError): void;
}

const retryAfterSeconds = 2;

// Clients and open pages of one user may search in parallel, but must leave capacity for other users.
const fairShare = 8;

/**
 * At most `maxOfOne` searches per user and `maxWaiting` in total are queued, in order of arrival. Further ones, at most
 * `maxHeld` per user, wait for a place in the queue and are rejected after `longestHeldMs`.
 */
export function createSearchQueue({
  most = 1,
  maxWaiting = 30,
  maxOfOne = fairShare,
  maxHeld = 100,
  longestHeldMs = 15_000,
} = {}): SearchQueue {
  const waiting: Waiting[] = [];
  const held: Waiting[] = [];
  let running = 0;

  const countOf = (list: Waiting[], accountId: number) => list.filter((one) => one.accountId === accountId).length;
  const hasRoom = ({ accountId }: Searcher) => waiting.length < maxWaiting && countOf(waiting, accountId) < maxOfOne;
  const refusalOf = ({ accountId }: Searcher) =>
    countOf(waiting, accountId) >= maxOfOne
      ? tooMany(message('error.too-many-own-searches'), retryAfterSeconds)
      : tooMany(message('error.too-many-searches'), retryAfterSeconds);

  function admitHeld() {
    for (let at = held.findIndex(hasRoom); at >= 0; at = held.findIndex(hasRoom)) waiting.push(...held.splice(at, 1));
  }
  function remove(one: Waiting) {
    for (const list of [waiting, held]) {
      const at = list.indexOf(one);
      if (at >= 0) list.splice(at, 1);
    }
    admitHeld();
  }

  async function waitFor(who: Searcher, signal: AbortSignal | undefined) {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const mine: Waiting = {
      ...who,
      go: resolve,
      drop(why) {
        remove(mine);
        reject(why);
      },
    };
    if (hasRoom(who)) waiting.push(mine);
    else if (countOf(held, who.accountId) >= maxHeld) throw refusalOf(who);
    else held.push(mine);
    const tooLong = setTimeout(() => held.includes(mine) && mine.drop(refusalOf(who)), longestHeldMs);
    const gone = () => mine.drop(closed());
    signal?.addEventListener('abort', gone);
    try {
      await promise;
    } finally {
      clearTimeout(tooLong);
      signal?.removeEventListener('abort', gone);
    }
  }

  return {
    async take(who, work, signal) {
      if (signal?.aborted) throw closed();
      const { accountId, window } = who;
      const isOlder = (one: Waiting) => window !== null && one.window === window && one.accountId === accountId;
      [...waiting, ...held].find(isOlder)?.drop(outdated());
      if (running >= most) await waitFor(who, signal);
      else running++;
      try {
        return await work();
      } finally {
        const next = waiting.shift();
        admitHeld();
        if (next) next.go();
        else running--;
      }
    },
  };
}
