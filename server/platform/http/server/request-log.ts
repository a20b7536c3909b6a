import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyBaseLogger, FastifyInstance, FastifyServerOptions } from 'fastify';
import type { Metrics } from '../../observability/metrics.ts';

const slowMs = 1000;

/**
 * Returns the request id: that of a trusted proxy, else a random one. It is part of every log line, the response header and the
 * message of a 500.
 */
export const requestIds = (isTrusted: (address: string | undefined) => boolean) => (raw: IncomingMessage) => {
  const given = raw.headers['x-request-id'];
  return typeof given === 'string' && /^[\w.:-]{1,64}$/.test(given) && isTrusted(raw.socket.remoteAddress)
    ? given
    : randomUUID().slice(-12); // Node caches random UUIDs
};

const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const;

/**
 * Creates the child logger of a request only when a line is written, which is rare. pino checks the bindings of each child logger
 * for secrets, which was a sixth of all allocations of a short response.
 */
export function onResponseWritten(log: FastifyBaseLogger): NonNullable<FastifyServerOptions['childLoggerFactory']> {
  const enabledLevels = levels.slice(Math.max(0, levels.indexOf(log.level as (typeof levels)[number])));
  return (_, names, options) => {
    let childLogger: FastifyBaseLogger | undefined;
    const createChild = () => (childLogger ??= log.child(names, options));
    const lazyLogger = Object.create(log) as FastifyBaseLogger; // disabled levels do nothing
    lazyLogger.child = (...given) => createChild().child(...given);
    for (const level of enabledLevels) lazyLogger[level] = (...args: [object]) => createChild()[level](...args);
    return lazyLogger;
  };
}

/**
 * Logs a line per request: at level debug, or info if it failed or was slow. Route patterns without query, so that no ids and
 * links are logged.
 */
export function logRequests(server: FastifyInstance, meter: Metrics) {
  server.addHook('onResponse', async (request, reply) => {
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
