import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Archive } from '../archive.ts';
import { isDamage, isDangling, passingTrouble } from '../db/db.ts';
import { bareHeaders } from './headers.ts';
import { Misfit } from './parse.ts';
import { Problem } from './problem.ts';
import { noteRefusal } from './refusals.ts';
import { saidInHeader } from './said.ts';

const saying = (status: number, sentence: string) => ({
  [[401, 403, 405, 415, 429].includes(status) ? 'detail' : 'error']: sentence,
});

/** What people are told while nothing can be written. */
export const unwritten = {
  locked: 'The database is busy with something else. Try again in a moment.',
  full: 'The disk of the data folder is full, so nothing can be kept. Make room; what is there can be watched meanwhile.',
  away: 'The database cannot be reached just now. It is tried again by itself; try again in a moment.',
};

const damaged =
  'This part of the database is damaged. Settings, Health says what to do; what can still be read can be watched meanwhile.';
const deletedMeanwhile = 'What this is about was deleted just now.';
const tooLarge = 'The body is larger than 1 MB.';

/** Tells the sentence by its code as well: the body is as clients of the API know it. */
function says(reply: FastifyReply, sentence: string): FastifyReply {
  const said = saidInHeader(sentence);
  return said ? reply.header('Reelkeep-Said', said) : reply;
}

/** The only place where an error becomes an answer. */
export function answerErrors(app: FastifyInstance, { meter, troubles }: Pick<Archive, 'meter' | 'troubles'>) {
  app.setErrorHandler((error: FastifyError | Problem, request: FastifyRequest, reply: FastifyReply) => {
    const { alsoAsMessage } = request.routeOptions.config;
    if (error instanceof Misfit)
      return says(reply, error.message)
        .code(400)
        .send({ ...error.body, ...(alsoAsMessage && { message: error.message }) });
    if (error instanceof Problem) {
      if (error.status === 429) void noteRefusal(request, error.message, request.user?.id ?? null);
      if (error.retryAfterSeconds !== undefined) reply.header('Retry-After', String(Math.ceil(error.retryAfterSeconds)));
      return says(reply, error.message)
        .code(error.status)
        .send({ [error.key]: error.message, ...error.more });
    }
    const status = 'statusCode' in error ? (error.statusCode ?? 500) : 500;
    if (error instanceof SyntaxError || error.code === 'FST_ERR_CTP_INVALID_JSON_BODY')
      return reply.code(400).send({ detail: `JSON parse error - ${error.message}`, error: 'The body is not JSON.' });
    if (status === 413) return says(reply, tooLarge).code(413).send({ error: tooLarge });
    if (status === 415) return reply.code(415).send(saying(415, 'The body must be application/json.'));
    if (status < 500) return reply.code(status).send(saying(status, error.message));
    const trouble = passingTrouble(error);
    if (trouble) {
      request.log.warn({ err: error }, `the database cannot be used (${trouble})`);
      if (trouble === 'locked') meter.databaseBusy.inc();
      reply.header('Retry-After', trouble === 'full' ? '60' : '5');
      return says(reply, unwritten[trouble])
        .code(trouble === 'full' ? 507 : 503)
        .send({ error: unwritten[trouble] });
    }
    if (isDamage(error)) {
      request.log.error({ err: error }, 'the database is damaged');
      troubles.damage ??= error.message;
      return says(reply, damaged).code(500).send({ error: damaged });
    }
    if (isDangling(error)) {
      request.log.info({ err: error }, 'about something that was deleted meanwhile');
      return says(reply, deletedMeanwhile).code(404).send({ error: deletedMeanwhile });
    }
    request.log.error({ err: error, route: request.routeOptions.url }, 'request failed');
    const fault = `Something went wrong on our side; the log says what, under ${request.id}.`;
    return says(reply, fault).code(500).send({ error: fault });
  });
}

/** For what is no address at all, such as one with half a percent sign: there no route and no hook is run. */
export function answerNonsense(error: FastifyError, _request: FastifyRequest, reply: FastifyReply) {
  const isTooLong = error.code === 'FST_ERR_MAX_PARAM_LENGTH';
  return reply
    .code(isTooLong ? 404 : 400)
    .headers(bareHeaders)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify({ error: isTooLong ? 'path not found' : 'This is not an address.' }));
}
