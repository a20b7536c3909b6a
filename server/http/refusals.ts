import type { FastifyRequest } from 'fastify';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { householdOf } from '../networks.ts';

// Who is turned away a thousand times a minute must not fill the disk by it.
const most = 30;
const seconds = 60;
const limiter = new RateLimiterMemory({ keyPrefix: 'refusals', points: most, duration: seconds });

/**
 * One line of the log about somebody who was turned away: what for, by whose account (its number; null when that is not known), from
 * where. At most 30 a minute for a household, with a word when there would be more.
 */
export async function noteRefusal(request: FastifyRequest, why: string, account: number | null): Promise<void> {
  const { ip: address, method } = request;
  const { consumedPoints } = await limiter.penalty(householdOf(address));
  if (consumedPoints > most + 1) return;
  const line = { account, address, method, route: request.routeOptions.url ?? 'none', why };
  if (consumedPoints <= most) request.log.info(line, 'turned away');
  else request.log.warn(line, 'turned away; for a minute no more is told of this address');
}
