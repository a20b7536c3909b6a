import { message } from '#contract/messages.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { formTypes, parseForm } from './form-body.ts';
import { ValidationError } from './validate.ts';
import { badRequest, HttpError } from './http-error.ts';

// Deeper than any input of the contract.
const maxDepth = 20;
const maxHeaders = 100;

// A body of 1 MB takes less time on any connection.
const bodyTimeoutMs = 30_000;
const graceMs = 5_000;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The body is a file and passed as a stream. */
    takesBytes?: boolean;
  }
}

/** Returns the nesting depth of a JSON text in one pass. */
export function depthOf(json: string): number {
  let [depth, maxDepthSeen, isText] = [0, 0, false];
  for (let at = 0; at < json.length; at++) {
    const letter = json.charCodeAt(at);
    if (isText) {
      if (letter === 0x5c) at++;
      else if (letter === 0x22) isText = false;
    } else if (letter === 0x22) isText = true;
    else if (letter === 0x5b || letter === 0x7b) maxDepthSeen = Math.max(maxDepthSeen, ++depth);
    else if (letter === 0x5d || letter === 0x7d) depth--;
  }
  return maxDepthSeen;
}

// An escaped NUL, not preceded by an escaped backslash. PostgreSQL texts cannot contain it.
const nul = /(?<!\\)(?:\\\\)*\\u0000/;

export const unsupported = message('error.unsupported-body');
const notJson = () => new HttpError(415, unsupported, { key: 'detail' });

/**
 * Parses forms and JSON with limited depth, without NUL and without keys such as `__proto__`; passes files as streams if the
 * endpoint allows it. Slow requests are ended.
 */
export function registerBodyParsers(server: FastifyInstance) {
  const read = server.getDefaultJsonParser('error', 'error');
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    const text = body as string;
    if (text === '') done(null, undefined);
    else if (depthOf(text) > maxDepth) done(new ValidationError({}, message('error.too-deep', { levels: maxDepth })));
    else if (nul.test(text)) done(new ValidationError({}, message('error.nul')));
    else read(request, text, done);
  });
  server.addContentTypeParser(['application/zip', 'application/octet-stream'], (request, payload, done) => {
    if (request.routeOptions.config.takesBytes) done(null, payload);
    else if (request.is404) done(null, undefined);
    else done(notJson());
  });
  server.addContentTypeParser(formTypes, { parseAs: 'buffer' }, async (request: FastifyRequest, body: string | Buffer) => {
    if (body.length === 0 || request.is404) return undefined;
    if (request.routeOptions.config.takesBytes) throw notJson();
    const form = await parseForm(request.headers, Buffer.from(body));
    if (form.fields.some((field) => field.join('').includes('\0'))) throw new ValidationError({}, message('error.nul'));
    return form;
  });
  server.addContentTypeParser('*', (request, _, done) => {
    if (request.headers['content-length'] === '0' || request.is404) done(null, undefined);
    else done(notJson());
  });
  // Node's own timeout would also apply to uploads.
  server.addHook('onRequest', async (request) => {
    if (['GET', 'HEAD', 'OPTIONS'].includes(request.method) || request.routeOptions.config.takesBytes) return;
    const timer = setTimeout(() => {
      if (!request.raw.complete) request.raw.destroy();
    }, bodyTimeoutMs).unref();
    request.raw.once('close', () => clearTimeout(timer));
  });
  // After an early response, such as 403 or 404, the remaining body is read for a short time and then the connection is closed.
  server.addHook('onResponse', async ({ raw }) => {
    if (raw.complete) return;
    const timer = setTimeout(() => raw.destroy(), graceMs).unref();
    raw.once('close', () => clearTimeout(timer));
  });
  server.addHook('onRequest', async ({ raw: { rawHeaders } }) => {
    if (rawHeaders.length / 2 > maxHeaders) throw new HttpError(431, message('error.too-many-headers', { most: maxHeaders }));
    // Node uses the first of two Host headers, a proxy possibly the other (RFC 9112, section 3.2).
    if (rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host').length > 1)
      throw badRequest('error.several-hosts');
  });
}
