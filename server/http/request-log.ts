import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyBaseLogger, FastifyInstance, FastifyServerOptions } from 'fastify';
import type { Meter } from '../meter.ts';

const slowMs = 1000;

/** Names a request: as a trusted proxy did, else by ourselves. It stands in every line of the log, in the answer and in the sentence of a 500. */
export const requestIds = (isTrusted: (address: string | undefined) => boolean) => (raw: IncomingMessage) => {
  const given = raw.headers['x-request-id'];
  return typeof given === 'string' && /^[\w.:-]{1,64}$/.test(given) && isTrusted(raw.socket.remoteAddress)
    ? given
    : randomUUID().slice(-12); // Node has those in stock
};

const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const;

/**
 * Makes what writes to the log about one request, with what names it: only when something is to be written, which is seldom. pino looks
 * for secrets in what each is named by, which was a sixth of all that a short answer allocated.
 */
export function whenWritten(log: FastifyBaseLogger): NonNullable<FastifyServerOptions['childLoggerFactory']> {
  const written = levels.slice(Math.max(0, levels.indexOf(log.level as (typeof levels)[number])));
  return (_, names, options) => {
    let made: FastifyBaseLogger | undefined;
    const own = () => (made ??= log.child(names, options));
    const late = Object.create(log) as FastifyBaseLogger; // what is below the level does nothing there either
    late.child = (...given) => own().child(...given);
    for (const level of written) late[level] = (...said: [object]) => own()[level](...said);
    return late;
  };
}

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
