import type { FastifyInstance } from 'fastify';
import ipaddr from 'ipaddr.js';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { householdOf } from '../networks.ts';
import { tooMany } from './problem.ts';

// Far more than any person, page or script of theirs asks for, and few enough that the others do not notice.
const most = 2_000;
const seconds = 10;

const isThisMachine = (address: string) => ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback';

/**
 * Lets no address ask for more than 2,000 things in ten seconds: what is beyond is answered 429. A proxy on this machine is let
 * through, since it may be everybody; whom it speaks for is known only when it is trusted (REELKEEP_TRUSTED_PROXIES).
 */
export function stemFloods(app: FastifyInstance) {
  const limiter = new RateLimiterMemory({ points: most, duration: seconds });
  app.addHook('onRequest', async (request) => {
    if (isThisMachine(request.ip)) return;
    try {
      await limiter.consume(householdOf(request.ip));
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      throw tooMany('Too many requests from your address. Wait a few seconds.', refusal.msBeforeNext / 1000);
    }
  });
}
