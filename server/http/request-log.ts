import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Meter } from '../meter.ts';

const slowMs = 1000;

/** Names a request: as a trusted proxy did, else by ourselves. It stands in every line of the log, in the answer and in the sentence of a 500. */
export const requestIds = (isTrusted: (address: string | undefined) => boolean) => (raw: IncomingMessage) => {
  const given = raw.headers['x-request-id'];
  return typeof given === 'string' && /^[\w.:-]{1,64}$/.test(given) && isTrusted(raw.socket.remoteAddress)
    ? given
    : randomBytes(9).toString('base64url');
};

/** One line a request: at debug, and at info what failed or was slow. Paths as patterns, and no query: ids and links stay out. */
export function logRequests(app: FastifyInstance, meter: Meter) {
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'none';
    const ms = Math.round(reply.elapsedTime);
    const { lasts } = request.routeOptions.config as { lasts?: true };
    if (!lasts)
      meter.httpSeconds.observe({ route, method: request.method, status: String(reply.statusCode) }, reply.elapsedTime / 1000);
    const line = { method: request.method, route, status: reply.statusCode, ms, ...(request.user && { user: request.user.id }) };
    if (reply.statusCode >= 500) request.log.info(line, 'answered with a failure');
    else if (ms > slowMs && !lasts) request.log.info(line, 'answered slowly');
    else request.log.debug(line, 'answered');
  });
}
