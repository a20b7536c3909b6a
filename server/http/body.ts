import type { FastifyInstance } from 'fastify';
import { Problem } from './problem.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The body is a file: it is handed on as the stream that it comes in. */
    takesBytes?: boolean;
  }
}

// A body of a megabyte takes no longer, however bad the line; one that does holds a connection for nothing.
const longestMs = 30_000;

/** What bodies are taken: JSON everywhere, and files as streams where a call says so. Slow ones are ended. */
export function readBodies(app: FastifyInstance) {
  const read = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined);
    else read(request, body as string, done);
  });
  app.addContentTypeParser(['application/zip', 'application/octet-stream'], (request, payload, done) => {
    if (request.routeOptions.config.takesBytes) done(null, payload);
    else done(new Problem(415, 'The body must be application/json.', { key: 'detail' }));
  });
  // Node's own limit would be for uploads as well.
  app.addHook('onRequest', async (request) => {
    if (['GET', 'HEAD', 'OPTIONS'].includes(request.method) || request.routeOptions.config.takesBytes) return;
    const timer = setTimeout(() => {
      if (!request.raw.complete) request.raw.destroy();
    }, longestMs).unref();
    request.raw.once('close', () => clearTimeout(timer));
  });
}
