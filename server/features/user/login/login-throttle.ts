import { message } from '#contract/messages.ts';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import type { AppContext } from '../../../platform/context/app-context.ts';
import type { Db } from '../../../platform/db/db.ts';
import { tooMany } from '../../../platform/http/http-error.ts';
import type { CreateLimiter } from '../../../platform/http/limiter.ts';
import { subnetOf } from '../../../platform/config/ip-networks.ts';
import { normalizeName } from '../../../platform/lib/normalize-text.ts';

const quarter = 15 * 60;
const day = 86_400;
const maxRemembered = 10_000;

declare module '../../../platform/context/app-state.ts' {
  interface AppState {
    /** Limits password attempts at all places that ask for a password. */
    loginThrottle: Throttle;
  }
}

export interface Throttle {
  /**
   * Counts an attempt before the password is verified, so that parallel attempts are counted too. @throws 429 above the limit.
   */
  attempt(app: Pick<AppContext, 'db'>, address: string, name: string): Promise<void>;
  /** Refunds the attempt after a correct password. */
  succeeded(address: string, name: string): Promise<void>;
}

/**
 * Limits password attempts. Per network (an IPv4 address, or the first half of an IPv6 address): 10 in 15 minutes for one
 * account, 30 for all accounts, 100 a day. Per account from all networks: 100 in 15 minutes. Networks that have a session, or
 * have logged in since the start, are exempt from the last limit, so that the owner is not locked out there. New networks are
 * not, because counting only wrong passwords requires verifying every attempt first.
 *
 * Network limits are checked first: above them, attempted names are not recorded.
 */
export function createLoginThrottle(createLimiter: CreateLimiter): Throttle {
  const perAccount = createLimiter({ keyPrefix: 'login one', points: 10, duration: quarter });
  const perAddress = createLimiter({ keyPrefix: 'login all', points: 30, duration: quarter });
  const perDay = createLimiter({ keyPrefix: 'login day', points: 100, duration: day });
  const fromAnywhere = createLimiter({ keyPrefix: 'login any', points: 100, duration: quarter });
  // Networks with a session of an account, or a login since the start.
  const known = new Set<string>();
  const keysOf = (address: string, name: string) => {
    const [network, account] = [subnetOf(address), normalizeName(name)];
    return { network, account, both: `${network} ${account}` };
  };

  const remember = (both: string) => {
    if (known.size >= maxRemembered) known.clear();
    known.add(both);
  };

  function limitsOf(address: string, name: string): [RateLimiterAbstract, string][] {
    const { network, account, both } = keysOf(address, name);
    return [
      [perAddress, network],
      [perDay, network],
      [perAccount, both],
      ...(known.has(both) ? [] : ([[fromAnywhere, account]] as [RateLimiterAbstract, string][])),
    ];
  }

  /** Returns whether a browser in the same network has a session of the account. */
  async function hasSession(db: Db, address: string, name: string): Promise<boolean> {
    const { network, account } = keysOf(address, name);
    const sessions = await db
      .selectFrom('session')
      .innerJoin('account', 'account.id', 'session.accountId')
      .select('session.address')
      .where('account.normalizedName', '=', account)
      .execute();
    return sessions.some((one) => subnetOf(one.address) === network);
  }

  return {
    async attempt({ db }, address, name) {
      const counted: [RateLimiterAbstract, string][] = [];
      for (const [limiter, key] of limitsOf(address, name)) {
        const { consumedPoints, msBeforeNext } = await limiter.penalty(key);
        if (consumedPoints > limiter.points) {
          if (limiter === fromAnywhere && (await hasSession(db, address, name))) {
            await limiter.reward(key); // this limit does not apply here
            return remember(keysOf(address, name).both);
          }
          // a rejected attempt does not count toward the other limits
          await Promise.all(counted.map(([before, key]) => before.reward(key)));
          const wait = msBeforeNext / 1000;
          throw tooMany(message('error.too-many-failed-logins', { minutes: Math.ceil(wait / 60) }), wait);
        }
        counted.push([limiter, key]);
      }
    },
    async succeeded(address, name) {
      const { both } = keysOf(address, name);
      const others = limitsOf(address, name).filter(([limiter]) => limiter !== perAccount);
      await Promise.all(others.map(([limiter, key]) => limiter.reward(key)));
      await perAccount.delete(both);
      remember(both);
    },
  };
}
