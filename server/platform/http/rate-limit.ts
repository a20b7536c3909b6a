import { message } from '#contract/messages.ts';
import type { FastifyInstance } from 'fastify';
import ipaddr from 'ipaddr.js';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { subnetOf } from '../config/ip-networks.ts';
import { tooMany } from './http-error.ts';

// Far more than a user, page or script needs, and few enough not to affect others.
const maxRequests = 2_000;
const periodSeconds = 10;

const isThisMachine = (address: string) => ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback';

/**
 * Limits each address to 2,000 requests in ten seconds, then answers 429. Loopback is exempt, because it may be a proxy for all
 * users; client addresses are known only from a trusted proxy (REELKEEP_TRUSTED_PROXIES).
 */
export function limitRequests(server: FastifyInstance) {
  const limiter = new RateLimiterMemory({ points: maxRequests, duration: periodSeconds });
  server.addHook('onRequest', async (request) => {
    if (isThisMachine(request.ip)) return;
    try {
      await limiter.consume(subnetOf(request.ip));
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      throw tooMany(message('error.too-many-requests'), refusal.msBeforeNext / 1000);
    }
  });
}
