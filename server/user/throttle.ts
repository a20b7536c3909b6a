import { RateLimiterMemory } from 'rate-limiter-flexible';
import { tooMany } from '../http/problem.ts';
import { foldName } from './store.ts';

const quarter = 15 * 60;

export interface Throttle {
  /** Throws 429 when this address, or this address on this account, has failed too often lately. */
  check(address: string, name: string): Promise<void>;
  failed(address: string, name: string): Promise<void>;
  succeeded(address: string, name: string): Promise<void>;
}

/**
 * Counts wrong passwords: ten in a quarter of an hour for one account from one address, thirty for an address. Others
 * are not shut out by them, so nobody can lock the owner's account from elsewhere.
 */
export function makeThrottle(): Throttle {
  const perAccount = new RateLimiterMemory({ points: 10, duration: quarter });
  const perAddress = new RateLimiterMemory({ points: 30, duration: quarter });
  const keyOf = (address: string, name: string) => `${address} ${foldName(name)}`;
  const isSpent = (limiter: RateLimiterMemory, state: Awaited<ReturnType<RateLimiterMemory['get']>>) =>
    state !== null && state.consumedPoints >= limiter.points ? state.msBeforeNext / 1000 : 0;

  return {
    async check(address, name) {
      const wait = Math.max(
        isSpent(perAccount, await perAccount.get(keyOf(address, name))),
        isSpent(perAddress, await perAddress.get(address)),
      );
      if (wait > 0) throw tooMany(`Too many wrong passwords; try again in ${Math.ceil(wait / 60)} minutes.`, wait);
    },
    async failed(address, name) {
      await perAccount.penalty(keyOf(address, name));
      await perAddress.penalty(address);
    },
    async succeeded(address, name) {
      await perAccount.delete(keyOf(address, name));
    },
  };
}
