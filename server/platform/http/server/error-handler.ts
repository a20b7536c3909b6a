import { message, type Message } from '#contract/messages.ts';
import { renderMessages } from '../../messages/render.ts';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AppContext } from '../../context/app-context.ts';
import { isDamage, isForeignKeyViolation, temporaryFailure } from '../../db/db.ts';
import { basicHeaders } from './security-headers.ts';
import { ValidationError } from '../validate.ts';
import { StorageError } from '../../storage/file-store.ts';
import { HttpError } from '../http-error.ts';
import { unsupported } from '../body-parsers.ts';
import { logRefusal } from '../auth/auth-log.ts';

const keyOf = (status: number) => ([401, 403, 405, 415, 429].includes(status) ? 'detail' : 'error');

/** Body of an error: the English text as in the TubeArchivist API, and the messages with their parameters. */
export const errorBody = (messages: Message | Message[], key: 'error' | 'detail' = 'error') => ({
  [key]: renderMessages(messages),
  messages: [messages].flat(),
});

/** Messages for temporary database errors. */
export const reportUnwritable = {
  locked: message('error.database-busy'),
  full: message('error.disk-full-read-only'),
  away: message('error.database-unreachable'),
};

const damaged = message('error.damaged-part');
const deletedMeanwhile = message('error.deleted-meanwhile');
const tooLarge = message('error.body-too-large');

/** Converts errors to responses, for all routes. */
export function registerErrorHandler(server: FastifyInstance, app: Pick<AppContext, 'metrics' | 'health' | 'state'>) {
  const { metrics, health } = app;
  server.setErrorHandler((error: FastifyError | HttpError, request: FastifyRequest, reply: FastifyReply) => {
    const { alsoAsMessage } = request.routeOptions.config;
    if (error instanceof ValidationError)
      return reply.code(400).send({ ...error.body, ...(alsoAsMessage && { message: error.message }) });
    if (error instanceof HttpError) {
      if (error.status === 429) void logRefusal(app, request, error.message, request.user?.id ?? null);
      if (error.retryAfterSeconds !== undefined) reply.header('Retry-After', String(Math.ceil(error.retryAfterSeconds)));
      const body = errorBody(error.messages, error.key);
      // TubeArchivist's web app reads `error` only.
      return reply.code(error.status).send({ ...body, ...(error.status === 429 && { error: body.detail }), ...error.more });
    }
    const status = 'statusCode' in error ? (error.statusCode ?? 500) : 500;
    if (error instanceof SyntaxError || error.code === 'FST_ERR_CTP_INVALID_JSON_BODY')
      return reply.code(400).send({ detail: `JSON parse error - ${error.message}`, ...errorBody(message('error.not-json')) });
    if (status === 413) return reply.code(413).send(errorBody(tooLarge));
    if (status === 415) return reply.code(415).send(errorBody(unsupported, 'detail'));
    if (status < 500) return reply.code(status).send({ [keyOf(status)]: error.message });
    const cause = temporaryFailure(error);
    if (cause) {
      request.log.warn({ err: error }, `the database cannot be used (${cause})`);
      if (cause === 'locked') metrics.databaseBusy.inc();
      reply.header('Retry-After', cause === 'full' ? '60' : '5');
      return reply.code(cause === 'full' ? 507 : 503).send(errorBody(reportUnwritable[cause]));
    }
    if (error instanceof StorageError) {
      request.log.warn({ err: error }, 'the storage of the media cannot be used');
      return reply.header('Retry-After', '5').code(503).send(errorBody(error.messages));
    }
    if (isDamage(error)) {
      request.log.error({ err: error }, 'the database is damaged');
      health.damage ??= error.message;
      return reply.code(500).send(errorBody(damaged));
    }
    if (isForeignKeyViolation(error)) {
      request.log.info({ err: error }, 'a referenced row was deleted meanwhile');
      return reply.code(404).send(errorBody(deletedMeanwhile));
    }
    request.log.error({ err: error, route: request.routeOptions.url }, 'request failed');
    return reply.code(500).send(errorBody(message('error.internal', { id: request.id })));
  });
}

/** Handles malformed URLs, such as an incomplete percent encoding, for which no route and no hook runs. */
export function replyToMalformedRequest(error: FastifyError, _request: FastifyRequest, reply: FastifyReply) {
  const isTooLong = error.code === 'FST_ERR_MAX_PARAM_LENGTH';
  return reply
    .code(isTooLong ? 404 : 400)
    .headers(basicHeaders)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(errorBody(isTooLong ? message('error.path') : message('error.malformed-url'))));
}
