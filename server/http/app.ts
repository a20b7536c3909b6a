import compress from '@fastify/compress';
import cookie from '@fastify/cookie';
import cors from '@fastify/cors';
import helmet from '@fastify/helmet';
import Fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import type { Archive } from '../archive.ts';
import { readBodies } from './body.ts';
import { eventStream } from './events.ts';
import { serveFiles } from './files.ts';
import { passingTrouble } from '../db/db.ts';
import { admit, refuseChanges } from './guard.ts';
import { Misfit, parse, queryOf } from './parse.ts';
import { Problem } from './problem.ts';
import type { Route, User } from './route.ts';
import { serveWeb } from './web.ts';

declare module 'fastify' {
  interface FastifyInstance {
    basePath: string;
  }
  interface FastifyRequest {
    user: User | null;
  }
}

const megabyte = 1024 * 1024;

const policy = {
  'default-src': ["'none'"],
  'script-src': ["'self'"],
  // One style element, known by its SHA-256: the turning of the player's own waiting sign (Video.js 10.0.0-rc.2).
  'style-src': ["'self'", "'sha256-20mtW7QL/m+GnGSlicaFajrhxQFmju52t2iGt9eIJ9A='"],
  // The player places its parts by style attributes.
  'style-src-attr': ["'unsafe-inline'"],
  'img-src': ["'self'", 'data:', 'blob:'],
  'media-src': ["'self'", 'blob:'],
  'connect-src': ["'self'"],
  'font-src': ["'self'"],
  'worker-src': ["'self'", 'blob:'],
  'manifest-src': ["'self'"],
  'base-uri': ["'self'"],
  'form-action': ["'self'"],
  'frame-ancestors': ["'none'"],
  'object-src': ["'none'"],
  'require-trusted-types-for': ["'script'"],
};

/** Options of `buildApp` that differ between the program and its tests. */
interface Around {
  /** The built web app; without it only the API answers. */
  webFolder?: string;
  /** When this start began, epoch seconds; the web client reloads itself when it changes. */
  startedAt: number;
  /** Replies are checked against the contract: in tests and development. */
  checkReplies?: boolean;
}

/** The whole HTTP side of the archive: every route of the contract, the files, the events and the web app. */
export async function buildApp(archive: Archive, routes: Route[], around: Around): Promise<FastifyInstance> {
  const { config } = archive;
  const app = Fastify({
    loggerInstance: archive.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: megabyte,
    requestTimeout: 0, // an upload may take hours; body.ts ends other slow ones
    http: { headersTimeout: 30_000 },
    trustProxy: config.trustedProxies.length > 0 ? config.trustedProxies : false,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 300 },
    rewriteUrl: ({ url = '/' }) => withoutBase(url, config.basePath),
    forceCloseConnections: true,
  });
  app.decorate('basePath', config.basePath);
  app.decorateRequest('user', null);

  await app.register(cookie);
  await app.register(helmet, {
    contentSecurityPolicy: { useDefaults: false, directives: policy },
    strictTransportSecurity: false,
    frameguard: { action: 'deny' },
    referrerPolicy: { policy: 'same-origin' },
    crossOriginEmbedderPolicy: false,
  });
  await app.register(cors, {
    origin: config.anyOrigin ? true : [/^(moz|chrome)-extension:\/\//],
    credentials: true,
    allowedHeaders: ['authorization', 'content-type', 'accept', 'x-csrftoken', 'x-requested-with', 'mode'],
    exposedHeaders: ['X-Start-Timestamp'],
    methods: ['DELETE', 'GET', 'OPTIONS', 'PATCH', 'POST', 'PUT'],
    maxAge: 86_400,
  });
  await app.register(compress, { threshold: 2048, encodings: ['gzip'] });

  readBodies(app);
  app.addHook('onRequest', async (request, reply) => {
    reply.header('X-Start-Timestamp', String(around.startedAt));
    if (request.url.startsWith('/api/')) reply.header('Cache-Control', 'no-store');
  });
  answerErrors(app);

  for (const { method, path, call, handle } of routes) {
    app.route({
      method,
      url: path,
      config: { takesBytes: call.bytes === 'in' },
      ...(call.bytes === 'out' && { compress: false }),
      onRequest: async (request, reply) => {
        request.user = await admit(archive, call.may, request, reply);
        refuseChanges(archive, request);
      },
      handler: async (request, reply) => {
        const url = new URL(request.url, 'http://archive');
        const received = {
          params: call.params && parse(call.params, request.params),
          query: call.query && parse(call.query, queryOf(url), call.strict),
          body: call.body && parse(call.body, request.body),
        };
        const answer = await handle({ ...received, user: request.user as User, url, request, reply } as never, archive);
        if (call.bytes === 'out') return reply;
        if (!call.reply) return reply.code(204).send();
        if (around.checkReplies) call.reply.parse(answer);
        return reply.type('application/json; charset=utf-8').send(JSON.stringify(answer));
      },
    });
  }
  eventStream(app, archive);
  serveFiles(app, archive);
  await serveWeb(app, around.webFolder);
  return app;
}

const withoutBase = (url: string, base: string) =>
  base && (url === base || url.startsWith(`${base}/`) || url.startsWith(`${base}?`))
    ? url.slice(base.length).replace(/^(?!\/)/, '/')
    : url;

const saying = (status: number, sentence: string) => ({
  [[401, 403, 405, 415, 429].includes(status) ? 'detail' : 'error']: sentence,
});

const unwritten = {
  locked: 'The database is busy with something else. Try again in a moment.',
  full: 'The disk of the data folder is full, so nothing can be kept. Make room; what is there can be watched meanwhile.',
};

// The only place where an error becomes an answer.
function answerErrors(app: FastifyInstance) {
  const answer = (error: FastifyError | Problem, request: FastifyRequest, reply: FastifyReply) => {
    if (error instanceof Misfit) return reply.code(400).send(error.body);
    if (error instanceof Problem) {
      if (error.retryAfterSeconds !== undefined) reply.header('Retry-After', String(Math.ceil(error.retryAfterSeconds)));
      return reply.code(error.status).send({ [error.key]: error.message, ...error.more });
    }
    const status = 'statusCode' in error ? (error.statusCode ?? 500) : 500;
    if (error instanceof SyntaxError || error.code === 'FST_ERR_CTP_INVALID_JSON_BODY')
      return reply.code(400).send({ detail: `JSON parse error - ${error.message}`, error: 'The body is not JSON.' });
    if (status === 413) return reply.code(413).send({ error: 'The body is larger than 1 MB.' });
    if (status === 415) return reply.code(415).send(saying(415, 'The body must be application/json.'));
    if (status < 500) return reply.code(status).send(saying(status, error.message));
    const trouble = passingTrouble(error);
    if (trouble) {
      request.log.warn({ err: error }, 'the database cannot be written');
      reply.header('Retry-After', trouble === 'locked' ? '5' : '60');
      return reply.code(trouble === 'locked' ? 503 : 507).send({ error: unwritten[trouble] });
    }
    request.log.error({ err: error, url: request.url.split('?')[0] }, 'request failed');
    return reply.code(500).send({ error: 'Something went wrong on our side; the log says what.' });
  };
  app.setErrorHandler(answer);
}
