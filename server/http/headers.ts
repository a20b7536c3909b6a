import type { IncomingMessage, ServerResponse } from 'node:http';
import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';
import helmet from 'helmet';
import type { Config } from '../config.ts';
import { isSigned } from './links.ts';

const policy = {
  'default-src': ["'none'"],
  'script-src': ["'self'"],
  'style-src': ["'self'"],
  // The player places its parts by style attributes.
  'style-src-attr': ["'unsafe-inline'"],
  'img-src': ["'self'", 'data:', 'blob:'],
  'media-src': ["'self'", 'blob:'],
  'connect-src': ["'self'"],
  'font-src': ["'self'"],
  'worker-src': ["'self'", 'blob:'],
  'manifest-src': ["'self'"],
  // Not 'none': the page says below which path it lives in a <base> of its own.
  'base-uri': ["'self'"],
  'form-action': ["'self'"],
  'frame-ancestors': ["'none'"],
  'object-src': ["'none'"],
  'require-trusted-types-for': ["'script'"],
};

// What goes with an answer to a request that reached no route of ours: an address that is none, a header without end.
export const bareHeaders = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
  'Referrer-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
};

const extensions = /^(moz|chrome)-extension:\/\//;
const yearSeconds = 31_536_000;

/** The policy of a page that may load Google's sender, which finds televisions. */
export const policyWithSender = (policy: string) =>
  policy.replace("script-src 'self'", "script-src 'self' https://www.gstatic.com");

const protect = helmet({
  contentSecurityPolicy: { useDefaults: false, directives: policy },
  strictTransportSecurity: false,
  frameguard: { action: 'deny' },
  referrerPolicy: { policy: 'same-origin' },
  crossOriginEmbedderPolicy: false,
});

/**
 * What Helmet sets, the same for every answer. Fastify's plugin makes Helmet anew for each request, all of which then outlives V8's young
 * generation (bench/README.md).
 */
function protecting(): Record<string, string> {
  const set: Record<string, string> = {};
  const answer = { setHeader: (name: string, value: string) => void (set[name] = value), removeHeader: () => {} };
  protect({} as IncomingMessage, answer as unknown as ServerResponse, () => {});
  return set;
}

/** Sets what every answer carries, and says which origins may read answers. */
export async function sendHeaders(app: FastifyInstance, config: Config, startedAt: number) {
  const always = {
    ...protecting(),
    'Permissions-Policy': bareHeaders['Permissions-Policy'],
    'X-Start-Timestamp': String(startedAt),
  };
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(always);
    reply.header('X-Request-Id', request.id);
    if (config.hsts && request.protocol === 'https') reply.header('Strict-Transport-Security', `max-age=${yearSeconds}`);
    if (request.url.startsWith('/api/')) {
      reply.header('Cache-Control', 'no-store');
      reply.header('Vary', 'Accept, Origin, Cookie, Authorization');
    }
  });
  // After the above: it answers itself what browsers ask beforehand.
  await app.register(cors, {
    delegator: (request, done) => {
      const common = {
        exposedHeaders: ['X-Start-Timestamp', 'X-Request-Id'],
        maxAge: 86_400,
        optionsSuccessStatus: 200,
      };
      // A link that carries its own leave is for players that live elsewhere: it needs no cookie, so everybody may read it.
      if (isSigned(request.url ?? ''))
        return done(null, {
          ...common,
          origin: '*',
          credentials: false,
          allowedHeaders: ['range'],
          methods: ['GET', 'HEAD', 'OPTIONS'],
        });
      done(null, {
        ...common,
        origin: config.anyOrigin ? true : [extensions],
        credentials: true,
        allowedHeaders: ['authorization', 'content-type', 'accept', 'x-csrftoken', 'x-requested-with', 'mode'],
        methods: ['DELETE', 'GET', 'OPTIONS', 'PATCH', 'POST', 'PUT'],
      });
    },
  });
}
