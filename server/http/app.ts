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
import type { Call } from '#contract/call.ts';
import type { Archive } from '../archive.ts';
import type { Config } from '../config.ts';
import { within } from '../networks.ts';
import { serveDocs } from './docs.ts';
import { answerErrors, answerNonsense } from './errors.ts';
import { eventStream } from './events.ts';
import { stemFloods } from './flood-gate.ts';
import { serveFiles } from './files.ts';
import { admit, refuseChanges } from './guard.ts';
import { sendHeaders } from './headers.ts';
import { linkSigner, withSignedLinks } from './links.ts';
import { serveMetrics } from './metrics.ts';
import { Misfit, parse, queryOf } from './parse.ts';
import { notFound, Problem } from './problem.ts';
import { readBodies } from './read-body.ts';
import { logRequests, requestIds, whenWritten } from './request-log.ts';
import type { Route, User } from './route.ts';
import { openStreams, type Streams } from './streams.ts';
import { answerPieces } from './written.ts';
import { serveWeb } from './web.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Every route there is, in the order of their making: for tests, and to know what a path can do. */
    everyRoute: { method: string; url: string; may: Call['may'] | undefined; bySession: boolean }[];
    streams: Streams;
  }
  interface FastifyRequest {
    user: User | null;
    /** Below which path the browser sees us: as configured, or as the trusted proxy of this request says. */
    basePath: string;
  }
  interface FastifyContextConfig {
    /** Its answers go on for as long as somebody takes them. */
    lasts?: true;
    may?: Call['may'];
    bySession?: boolean;
    /** Only says that a path cannot do this. */
    isRefusal?: true;
    /** What is wrong is told as `message` too. */
    alsoAsMessage?: true;
  }
}

const megabyte = 1024 * 1024;
// An answer of more pieces than one is put together up to this; large new pieces of memory make V8 collect garbage.
const mostInOnePiece = megabyte / 8;

/** Options of `buildApp` that differ between the program and its tests. */
export interface Around {
  /** The built web app; without it only the API answers. */
  webFolder?: string;
  /** When this start began, epoch seconds; the web client reloads itself when it changes. */
  startedAt: number;
  /** Replies are checked against the contract: in tests and development. */
  checkReplies?: boolean;
}

/** The whole HTTP side of the archive: every route of the contract, the files, the events and the web app. */
export async function buildApp(archive: Archive, routes: Route[], around: Around): Promise<FastifyInstance> {
  const { config, meter } = archive;
  const isTrusted = within(config.trustedProxies);
  const basePathOf = basePaths(config, isTrusted);
  const log = archive.log as FastifyBaseLogger;
  const app = Fastify({
    loggerInstance: log,
    childLoggerFactory: whenWritten(log),
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request' }),
    bodyLimit: megabyte,
    requestTimeout: 0, // an upload may take hours; read-body.ts ends other slow ones
    // Who sends a header byte by byte is let go after this, looked at every two seconds.
    http: { headersTimeout: 15_000, connectionsCheckingInterval: 2_000, maxHeaderSize: 16 * 1024 },
    trustProxy: (address) => isTrusted(address),
    genReqId: requestIds(isTrusted),
    requestIdHeader: false,
    frameworkErrors: answerNonsense as never,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 300 },
    rewriteUrl: (raw) => withoutBase(raw.url ?? '/', [basePathOf(raw), config.basePath]),
    forceCloseConnections: true,
  });
  app.decorate('everyRoute', []);
  app.decorate('streams', openStreams(meter));
  app.addHook('onClose', async () => app.streams.close());
  app.decorateRequest('user', null);
  app.decorateRequest('basePath', '');
  app.addHook('onRequest', async (request) => {
    request.basePath = basePathOf(request.raw);
  });
  app.addHook('onRoute', ({ method, url, config: about }) => {
    if (about?.isRefusal) return;
    for (const one of [method].flat())
      app.everyRoute.push({ method: one, url, may: about?.may, bySession: about?.bySession ?? false });
  });

  await app.register(cookie);
  await sendHeaders(app, config, around.startedAt);
  await app.register(compress, { threshold: 2048, encodings: ['gzip'] });
  stemFloods(app);
  readBodies(app);
  logRequests(app, meter);
  answerErrors(app, archive);

  for (const route of routes) serveCall(app, archive, route, around.checkReplies ?? false);
  eventStream(app, archive);
  serveFiles(app, archive);
  serveDocs(app, archive);
  serveMetrics(app, archive);
  await serveWeb(app, archive, around.webFolder);
  refuseOtherMethods(app, archive);
  return app;
}

function serveCall(app: FastifyInstance, archive: Archive, { method, path, call, handle }: Route, checksReply: boolean) {
  app.route({
    method,
    url: path,
    config: {
      may: call.may,
      bySession: call.bySession ?? false,
      takesBytes: call.bytes === 'in',
      ...(call.alsoAsMessage && { alsoAsMessage: true }),
    },
    ...(call.bytes === 'out' && { compress: false }),
    onRequest: async (request, reply) => {
      request.user = await admit(archive, call.may, request, reply, call.bySession);
      refuseChanges(archive, request);
    },
    handler: async (request, reply) => {
      const url = new URL(request.url, 'http://archive');
      const received = {
        params: call.params && paramsOf(call.params, request.params),
        query: call.query && parse(call.query, queryOf(url), call.strict),
        body: call.body && parse(call.body, request.body ?? {}),
      };
      const answer = await handle({ ...received, user: request.user as User, url, request, reply } as never, archive);
      if (reply.sent || call.bytes === 'out') return reply; // to another address, or a file
      if (!call.reply) return reply.code(204).send();
      // Who comes with a token hands links on to players that have none.
      const { user } = request;
      const said = user?.tokenHash
        ? withSignedLinks(answer, await linkSigner(archive, { accountId: user.id, tokenHash: user.tokenHash }))
        : answer;
      const text = answerPieces(said);
      if (checksReply) call.reply.parse(JSON.parse(typeof text === 'string' ? text : String(Buffer.concat(text))));
      reply.type('application/json; charset=utf-8');
      if (typeof text === 'string') return reply.send(text);
      const size = bytesIn(text);
      if (size <= mostInOnePiece) return reply.send(Buffer.concat(text, size));
      return reply.header('Content-Length', size).send(Readable.from(text, { objectMode: false }));
    },
  });
}

const bytesIn = (pieces: Uint8Array[]) => pieces.reduce((sum, { byteLength }) => sum + byteLength, 0);

/** What cannot be an id names nothing: 404, as of any other id that is not there. */
function paramsOf(schema: NonNullable<Call['params']>, params: unknown) {
  if (Object.values(params as Record<string, string>).some((text) => text.includes('\0'))) throw notFound('path');
  try {
    return parse(schema, params);
  } catch (problem) {
    throw problem instanceof Misfit ? notFound('path') : problem;
  }
}

/** Answers 405 for what a path cannot do, to whoever may know of the path. */
function refuseOtherMethods(app: FastifyInstance, archive: Archive) {
  const known = Map.groupBy(
    app.everyRoute.filter(({ url }) => /^\/(api|youtube|media|cache)\//.test(url)),
    ({ url }) => url,
  );
  for (const [url, routes] of known) {
    const can = routes.map(({ method }) => method);
    const others = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((method) => !can.includes(method)) as HTTPMethods[];
    const isOpen = routes.some(({ may }) => may === 'anyone');
    app.route({
      method: others,
      url,
      exposeHeadRoute: false,
      config: { isRefusal: true },
      onRequest: async (request, reply) => {
        await admit(archive, isOpen ? 'anyone' : 'user', request, reply);
        reply.header('Allow', [...can, 'OPTIONS'].join(', '));
        throw new Problem(405, `Method "${request.method}" not allowed.`, { key: 'detail' });
      },
      handler: (_request: FastifyRequest, reply: FastifyReply) => reply.send(),
    });
  }
}

/** Reads below which path a request came: what a trusted proxy says in X-Forwarded-Prefix goes before the configuration. */
const basePaths =
  (config: Config, isTrusted: (address: string | undefined) => boolean) =>
  ({ headers, socket }: FastifyRequest['raw']): string => {
    const said = headers['x-forwarded-prefix'];
    if (typeof said !== 'string' || !/^(\/[\w-][\w.-]{0,49}){0,8}\/?$/.test(said) || !isTrusted(socket.remoteAddress))
      return config.basePath;
    return said.replace(/\/$/, '');
  };

// Of an address that ends with a slash some clients make `//api/…`; proxies before the original made one of them.
const oneSlash = (url: string) => url.replace(/^\/+/, '/');

/** It does not matter whether a proxy passes the path on or takes it away. */
function withoutBase(url: string, bases: string[]): string {
  const whole = oneSlash(url);
  const base = bases.find((one) => one && (whole === one || whole.startsWith(`${one}/`) || whole.startsWith(`${one}?`)));
  return base ? oneSlash(`/${whole.slice(base.length)}`) : whole;
}
