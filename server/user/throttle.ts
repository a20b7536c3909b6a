import { RateLimiterMemory } from 'rate-limiter-flexible';
import { tooMany } from '../http/problem.ts';
import { householdOf } from '../networks.ts';
import { foldName } from '../fold-text.ts';

const quarter = 15 * 60;
const day = 86_400;
const mostRemembered = 10_000;

export interface Throttle {
  /**
   * Counts one try at a password before it is looked at, so that a hundred at once are counted too. Throws 429 when there
   * were too many.
   */
  attempt(address: string, name: string): Promise<void>;
  /** The password was right: the try is given back. */
  succeeded(address: string, name: string): Promise<void>;
}

/**
 * Counts tries at passwords. From one address, which of IPv6 is what one household has: ten in a quarter of an hour for an
 * account, thirty for all of them, a hundred in a day. For one account from everywhere: a hundred in a quarter of an hour,
 * but never for an address that has logged in to it before; so nobody can lock its owner out from elsewhere.
 */
export function makeThrottle(): Throttle {
  const perAccount = new RateLimiterMemory({ keyPrefix: 'one', points: 10, duration: quarter });
  const perAddress = new RateLimiterMemory({ keyPrefix: 'all', points: 30, duration: quarter });
  const perDay = new RateLimiterMemory({ keyPrefix: 'day', points: 100, duration: day });
  const fromAnywhere = new RateLimiterMemory({ keyPrefix: 'any', points: 100, duration: quarter });
  // Which addresses have logged in to which accounts since the start.
  const known = new Set<string>();
  const keysOf = (address: string, name: string) => {
    const [household, account] = [householdOf(address), foldName(name)];
    return { household, account, both: `${household} ${account}` };
  };

  function limitsOf(address: string, name: string): [RateLimiterMemory, string][] {
    const { household, account, both } = keysOf(address, name);
    return [
      [perAccount, both],
      [perAddress, household],
      [perDay, household],
      ...(known.has(both) ? [] : ([[fromAnywhere, account]] as [RateLimiterMemory, string][])),
    ];
  }

  return {
    async attempt(address, name) {
      const counted: [RateLimiterMemory, string][] = [];
      for (const [limiter, key] of limitsOf(address, name)) {
        const { consumedPoints, msBeforeNext } = await limiter.penalty(key);
        if (consumedPoints > limiter.points) {
          await Promise.all(counted.map(([before, its]) => before.reward(its))); // what is refused here costs nothing there
          const wait = msBeforeNext / 1000;
          throw tooMany(`Too many wrong passwords; try again in ${Math.ceil(wait / 60)} minutes.`, wait);
        }
        counted.push([limiter, key]);
      }
    },
    async succeeded(address, name) {
      const { both } = keysOf(address, name);
      const others = limitsOf(address, name).filter(([limiter]) => limiter !== perAccount);
      await Promise.all(others.map(([limiter, key]) => limiter.reward(key)));
      await perAccount.delete(both);
      if (known.size >= mostRemembered) known.clear();
      known.add(both);
    },
  };
}
