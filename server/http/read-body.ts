import type { FastifyInstance } from 'fastify';
import { Misfit } from './parse.ts';
import { Problem } from './problem.ts';

// Deeper than anything that the contract knows by far.
const deepest = 20;
const mostHeaders = 100;

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

/** Bodies are JSON, at most so deep, without NUL and without keys that would change what every object is. */
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
  app.addHook('onRequest', async ({ raw }) => {
    if (raw.rawHeaders.length / 2 > mostHeaders) throw new Problem(431, `More than ${mostHeaders} headers.`);
  });
}
