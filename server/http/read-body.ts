import type { FastifyInstance } from 'fastify';
import { Misfit } from './parse.ts';
import { Problem } from './problem.ts';

// Deeper than anything that the contract knows by far.
const deepest = 20;
const mostHeaders = 100;

// A body of a megabyte takes no longer, however bad the line; one that does holds a connection for nothing.
const longestMs = 30_000;
const graceMs = 5_000;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The body is a file: it is handed on as the stream that it comes in. */
    takesBytes?: boolean;
  }
}

/** How deep the lists and objects of a JSON text lie in each other. Looks at each character once. */
export function depthOf(json: string): number {
  let [depth, most, isText] = [0, 0, false];
  for (let at = 0; at < json.length; at++) {
    const letter = json.charCodeAt(at);
    if (isText) {
      if (letter === 0x5c) at++;
      else if (letter === 0x22) isText = false;
    } else if (letter === 0x22) isText = true;
    else if (letter === 0x5b || letter === 0x7b) most = Math.max(most, ++depth);
    else if (letter === 0x5d || letter === 0x7d) depth--;
  }
  return most;
}

// An escaped NUL; a backslash that is itself escaped does not begin one. PostgreSQL keeps no text that has it.
const nul = /(?<!\\)(?:\\\\)*\\u0000/;

const notJson = () => new Problem(415, 'The body must be application/json.', { key: 'detail' });

/**
 * Bodies are JSON, at most so deep, without NUL and without keys that would change what every object is; and files, as streams,
 * where a call says so. Slow ones are ended.
 */
export function readBodies(app: FastifyInstance) {
  const read = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    const text = body as string;
    if (text === '') done(null, undefined);
    else if (depthOf(text) > deepest) done(new Misfit({}, `The body is nested deeper than ${deepest} levels.`));
    else if (nul.test(text)) done(new Misfit({}, 'The body has a NUL character in a text.'));
    else read(request, text, done);
  });
  app.addContentTypeParser(['application/zip', 'application/octet-stream'], (request, payload, done) => {
    if (request.routeOptions.config.takesBytes) done(null, payload);
    else if (request.is404) done(null, undefined);
    else done(notJson());
  });
  // Some programs send a form without anything in it where a call takes no body.
  app.addContentTypeParser('*', (request, _, done) => {
    if (request.headers['content-length'] === '0' || request.is404) done(null, undefined);
    else done(notJson());
  });
  // Node's own limit would be for uploads as well.
  app.addHook('onRequest', async (request) => {
    if (['GET', 'HEAD', 'OPTIONS'].includes(request.method) || request.routeOptions.config.takesBytes) return;
    const timer = setTimeout(() => {
      if (!request.raw.complete) request.raw.destroy();
    }, longestMs).unref();
    request.raw.once('close', () => clearTimeout(timer));
  });
  // Who was answered already, because nobody let them in or nothing is there, may read that, and then no more of theirs is taken.
  app.addHook('onResponse', async ({ raw }) => {
    if (raw.complete) return;
    const timer = setTimeout(() => raw.destroy(), graceMs).unref();
    raw.once('close', () => clearTimeout(timer));
  });
  app.addHook('onRequest', async ({ raw }) => {
    if (raw.rawHeaders.length / 2 > mostHeaders) throw new Problem(431, `More than ${mostHeaders} headers.`);
  });
}
