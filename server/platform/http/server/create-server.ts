import { message } from '#contract/messages.ts';
import { Readable } from 'node:stream';
import compress from '@fastify/compress';
import cookie from '@fastify/cookie';
import Fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type HTTPMethods,
} from 'fastify';
import type { Call } from '#contract/endpoint.ts';
import type { AppContext } from '../../context/app-context.ts';
import type { Config } from '../../config/config.ts';
import { isWithin } from '../../config/ip-networks.ts';
import { notePlayback } from '../playback.ts';
import { registerSwaggerUi } from '../openapi/swagger-ui.ts';
import { Form, formToObject } from '../form-body.ts';
import { finishRequests } from './finish-requests.ts';
import { registerErrorHandler, replyToMalformedRequest } from './error-handler.ts';
import { registerEventStream } from '../live-updates/broadcaster.ts';
import { limitRequests } from '../rate-limit.ts';
import { authenticate, rejectChangesDuringMaintenance } from '../auth/authenticate.ts';
import { registerSecurityHeaders } from './security-headers.ts';
import { createUrlSigner, withoutSignature, withSignedUrls } from '../auth/signed-urls.ts';
import { registerMetrics } from './metrics-endpoint.ts';
import { ValidationError, validate, queryOf } from '../validate.ts';
import { notFound, HttpError } from '../http-error.ts';
import { registerBodyParsers } from '../body-parsers.ts';
import { logRequests, requestIds, onResponseWritten } from './request-log.ts';
import type { Route, User } from '../route.ts';
import { createStreamLimits, type StreamLimits } from '../files/stream-limits.ts';
import { serializeResponse } from '../raw-json.ts';
import { registerWebApp } from './static-app.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** All routes in the order of registration, for tests and for `Allow` headers. */
    allRoutes: { method: string; url: string; may: Call['may'] | undefined; bySession: boolean; bearer: boolean }[];
    streams: StreamLimits;
  }
  interface FastifyRequest {
    user: User | null;
    /** Base path of the browser: the configured one, or that of a trusted proxy. */
    basePath: string;
  }
  interface FastifyContextConfig {
    /** The response lasts until the client closes it. */
    isLongLived?: true;
    may?: Call['may'];
    bySession?: boolean;
    bearer?: boolean;
    /** The route only rejects methods. */
    rejectsMethod?: true;
    /** Errors also have a `message` field. */
    alsoAsMessage?: true;
  }
}

const noSchemas = () => () => {
  throw new Error('Routes have no JSON schema; see contract/.');
};

const megabyte = 1024 * 1024;
// Responses in several parts are joined up to this size; large new buffers trigger garbage collections.
const maxJoinedBytes = megabyte / 8;

/** Options that differ between the server and its tests. */
export interface ServerOptions {
  /** Routes outside the contract. */
  plainRoutes: ((server: FastifyInstance, app: AppContext) => void)[];
  /** Folder of the built web app; without it only the API is served. */
  webFolder?: string;
  /** Start time, epoch seconds; the web app reloads when it changes. */
  startedAt: number;
  /** Validates responses against the contract, in tests and development. */
  checkReplies?: boolean;
}

/** Creates the HTTP server: all routes of the contract, files, events and the web app. */
export async function createServer(app: AppContext, routes: Route[], options: ServerOptions): Promise<FastifyInstance> {
  const { config, metrics } = app;
  const isTrusted = isWithin(config.trustedProxies);
  const basePathOf = basePaths(config, isTrusted);
  const log = app.log as FastifyBaseLogger;
  const server = Fastify({
    loggerInstance: log,
    childLoggerFactory: onResponseWritten(log),
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request' }),
    bodyLimit: megabyte,
    requestTimeout: 0, // uploads may take hours; body-parsers.ts ends other slow requests
    // Ends connections that send their header slowly; checked every two seconds.
    http: { headersTimeout: 15_000, connectionsCheckingInterval: 2_000, maxHeaderSize: 16 * 1024 },
    trustProxy: (address) => isTrusted(address),
    genReqId: requestIds(isTrusted),
    requestIdHeader: false,
    frameworkErrors: replyToMalformedRequest as never,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 300 },
    rewriteUrl: (raw) => withoutSignature(raw, withoutBase(raw.url ?? '/', [basePathOf(raw), config.basePath])),
    forceCloseConnections: true,
    // Requests are validated against contract/ instead, so the libraries for this are not loaded.
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
  });
  server.decorate('allRoutes', []);
  server.decorate(
    'streams',
    createStreamLimits(metrics, undefined, () => notePlayback(app)),
  );
  server.addHook('onClose', async () => server.streams.close());
  finishRequests(server, app.events);
  server.decorateRequest('user', null);
  server.decorateRequest('basePath', '');
  server.addHook('onRequest', async (request, reply) => {
    request.basePath = basePathOf(request.raw);
    if (request.method !== 'TRACE') return;
    reply.header('Allow', 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS');
    throw new HttpError(405, message('error.method', { method: 'TRACE' }), { key: 'detail' });
  });
  server.addHook('onRoute', ({ method, url, config: about }) => {
    if (about?.rejectsMethod) return;
    for (const one of [method].flat())
      server.allRoutes.push({
        method: one,
        url,
        may: about?.may,
        bySession: about?.bySession ?? false,
        bearer: about?.bearer ?? false,
      });
  });

  await server.register(cookie);
  await registerSecurityHeaders(server, app, options.startedAt);
  await server.register(compress, { threshold: 2048, encodings: ['gzip'] });
  limitRequests(server);
  registerBodyParsers(server);
  logRequests(server, metrics);
  registerErrorHandler(server, app);

  for (const route of routes) serveCall(server, app, route, options.checkReplies ?? false);
  registerEventStream(server, app);
  for (const register of options.plainRoutes) register(server, app);
  registerSwaggerUi(server, app);
  registerMetrics(server, app);
  await registerWebApp(server, app, options.webFolder);
  describeCalls(server, app, routes);
  refuseOtherMethods(server, app);
  return server;
}

function serveCall(server: FastifyInstance, app: AppContext, { method, path, call, handle }: Route, checksReply: boolean) {
  server.route({
    method,
    url: path,
    config: {
      may: call.may,
      bySession: call.bySession ?? false,
      bearer: call.bearer ?? false,
      takesBytes: call.bytes === 'in',
      ...(call.alsoAsMessage && { alsoAsMessage: true }),
    },
    ...(call.bytes === 'out' && !isText(call.type) && { compress: false }),
    onRequest: async (request, reply) => {
      request.user = await authenticate(app, call, request, reply);
      await rejectChangesDuringMaintenance(app, request);
    },
    handler: async (request, reply) => {
      const url = new URL(request.url, 'http://archive');
      const received = {
        params: call.params && paramsOf(call.params, request.params),
        query: call.query && validate(call.query, queryOf(url), call.strict),
        body: call.body && validate(call.body, bodyOf(request.body, call.body)),
      };
      const result = await handle({ ...received, user: request.user as User, url, request, reply } as never, app);
      if (reply.sent || call.bytes === 'out' || call.protocol) return reply; // redirect or file
      if (!call.reply) return reply.code(204).send();
      // Clients with a token pass URLs to players without credentials.
      const { user } = request;
      const signed = user?.tokenHash
        ? withSignedUrls(result, await createUrlSigner(app, { accountId: user.id, tokenHash: user.tokenHash }))
        : result;
      const text = serializeResponse(signed);
      if (checksReply) call.reply.parse(JSON.parse(typeof text === 'string' ? text : String(Buffer.concat(text))));
      reply.type('application/json; charset=utf-8');
      if (typeof text === 'string') return reply.send(text);
      const size = bytesIn(text);
      if (size <= maxJoinedBytes) return reply.send(Buffer.concat(text, size));
      return reply.header('Content-Length', size).send(Readable.from(text, { objectMode: false }));
    },
  });
}

const isText = (type = '') => /^text\/|[+/](xml|json)$/.test(type);

const bodyOf = (body: unknown, schema: NonNullable<Call['body']>) =>
  body instanceof Form ? formToObject(body, schema) : body === undefined ? {} : body;

const bytesIn = (pieces: Uint8Array[]) => pieces.reduce((sum, { byteLength }) => sum + byteLength, 0);

/** An invalid id is reported as 404, like an unknown one. */
function paramsOf(schema: NonNullable<Call['params']>, params: unknown) {
  if (Object.values(params as Record<string, string>).some((text) => text.includes('\0'))) throw notFound('error.path');
  try {
    return validate(schema, params);
  } catch (problem) {
    throw problem instanceof ValidationError ? notFound('error.path') : problem;
  }
}

const parsed = ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'];

/** Answers OPTIONS like Django REST framework, for users who may call one of the methods. */
function describeCalls(server: FastifyInstance, app: AppContext, routes: Route[]) {
  for (const [url, some] of Map.groupBy(routes, ({ path }) => path)) {
    const may = (['anyone', 'user', 'staff'] as const).find((role) => some.some(({ call }) => call.may === role)) ?? 'staff';
    server.route({
      method: 'OPTIONS',
      url,
      config: { rejectsMethod: true },
      onRequest: async (request, reply) => {
        await authenticate(app, { may }, request, reply);
      },
      handler: (_request, reply) =>
        reply
          .header('Allow', [...some.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : method)), 'OPTIONS'].join(', '))
          .send({
            name: url.replace(/^\/(api\/)?/, '').replaceAll(/:(\w+)/g, '{$1}'),
            description: some.map(({ method, call }) => `${method}: ${call.does}`).join('\n'),
            renders: ['application/json'],
            parses: parsed,
          }),
    });
  }
}

/** Answers 405 for unsupported methods, for users who may call one of the others. */
function refuseOtherMethods(server: FastifyInstance, app: AppContext) {
  const known = Map.groupBy(
    server.allRoutes.filter(({ url }) => /^\/(api|youtube|media|cache|mcp)\//.test(url)),
    ({ url }) => url,
  );
  for (const [url, routes] of known) {
    const can = routes.map(({ method }) => method);
    const others = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((method) => !can.includes(method)) as HTTPMethods[];
    const isOpen = routes.some(({ may }) => may === 'anyone');
    const hasBearer = routes.some(({ bearer }) => bearer);
    server.route({
      method: others,
      url,
      exposeHeadRoute: others.includes('GET'),
      config: { rejectsMethod: true },
      onRequest: async (request, reply) => {
        await authenticate(app, { may: isOpen ? 'anyone' : 'user', bearer: hasBearer }, request, reply);
        reply.header('Allow', [...can, 'OPTIONS'].join(', '));
        throw new HttpError(405, message('error.method', { method: request.method }), { key: 'detail' });
      },
      handler: (_request: FastifyRequest, reply: FastifyReply) => reply.send(),
    });
  }
}

/** Returns the base path of a request: X-Forwarded-Prefix of a trusted proxy, else the configured one. */
const basePaths =
  (config: Config, isTrusted: (address: string | undefined) => boolean) =>
  ({ headers, socket }: FastifyRequest['raw']): string => {
    const signed = headers['x-forwarded-prefix'];
    if (typeof signed !== 'string' || !/^(\/[\w-][\w.-]{0,49}){0,8}\/?$/.test(signed) || !isTrusted(socket.remoteAddress))
      return config.basePath;
    return signed.replace(/\/$/, '');
  };

// Some clients send `//api/…` when the configured address ends with a slash, which TubeArchivist's proxy accepts. A target in
// absolute form (RFC 9112) is reduced to its path, so that all code sees the same path.
const oneSlash = (url: string) => url.replace(/^https?:\/\/[^/?#]*/i, '').replace(/^\/*/, '/');

/** Removes the base path, whether or not the proxy has removed it. */
function withoutBase(url: string, bases: string[]): string {
  const fullPath = oneSlash(url);
  const base = bases.find((one) => one && (fullPath === one || fullPath.startsWith(`${one}/`) || fullPath.startsWith(`${one}?`)));
  return base ? oneSlash(`/${fullPath.slice(base.length)}`) : fullPath;
}
