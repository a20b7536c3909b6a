import type { FastifyRequest } from 'fastify';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { subnetOf } from '../../config/ip-networks.ts';
import type { AppContext } from '../../context/app-context.ts';

// Limits the log lines per address, so that an attacker cannot fill the disk.
const maxLines = 30;
const periodSeconds = 60;

declare module '../../context/app-state.ts' {
  interface AppState {
    /** Counts logged rejections per subnet. */
    refusalLog: RateLimiterMemory;
  }
}

export const createRefusalLog = () => new RateLimiterMemory({ points: maxLines, duration: periodSeconds });

/**
 * Logs a rejected request with reason, account number (null if unknown) and address. At most 30 lines per minute and subnet, then
 * one line that more are omitted.
 */
export async function logRefusal(
  { state }: Pick<AppContext, 'state'>,
  request: FastifyRequest,
  why: string,
  account: number | null,
): Promise<void> {
  const { ip: address, method } = request;
  const { consumedPoints } = await state.refusalLog.penalty(subnetOf(address));
  if (consumedPoints > maxLines + 1) return;
  const line = { account, address, method, route: request.routeOptions.url ?? 'none', why };
  if (consumedPoints <= maxLines) request.log.info(line, 'request denied');
  else request.log.warn(line, 'request denied; further ones from this address are not logged for a minute');
}
