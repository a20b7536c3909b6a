import type { IncomingMessage, ServerResponse } from 'node:http';
import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';
import helmet from 'helmet';
import type { AppContext } from '../../context/app-context.ts';
import { isTrustedOrigin } from '../auth/trusted-origins.ts';
import { isSigned } from '../auth/signed-urls.ts';

const policy = {
  'default-src': ["'none'"],
  'script-src': ["'self'"],
  'style-src': ["'self'"],
  // The player positions its elements with style attributes.
  'style-src-attr': ["'unsafe-inline'"],
  'img-src': ["'self'", 'data:', 'blob:'],
  'media-src': ["'self'", 'blob:'],
  'connect-src': ["'self'"],
  'font-src': ["'self'"],
  'worker-src': ["'self'", 'blob:'],
  'manifest-src': ["'self'"],
  // Not 'none', because the page has a <base> element with its path.
  'base-uri': ["'self'"],
  'form-action': ["'self'"],
  'frame-ancestors': ["'none'"],
  'object-src': ["'none'"],
  'require-trusted-types-for': ["'script'"],
  // For the URL of the service worker (web/shell/register-service-worker.ts).
  'trusted-types': ['reelkeep-worker'],
};

// Headers of responses without a route: malformed URLs and headers.
export const basicHeaders = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
  'Referrer-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
};

// Feeds of podcast apps and files of share links, which contain a secret (secret-address.ts).
const isSecretAddress = /^\/(podcast|shared)\//;
const yearSeconds = 31_536_000;

// Scripts loaded by https://www.gstatic.com/cv/js/sender/v1/cast_sender.js: the framework, and on Android
// /eureka/clank/<version>/cast_sender.js.
const senderFolders = ['/cv/js/sender/', '/cast/sdk/libs/sender/', '/eureka/clank/'];
const senderSources = senderFolders.map((path) => `https://www.gstatic.com${path}`).join(' ');

/** Returns the policy of a page with these inline scripts, given by their hashes. */
export const policyWithScripts = (policy: string, hashes: string[]) =>
  policy.replace("script-src 'self'", ["script-src 'self'", ...hashes].join(' '));

/** Returns the policy of a page that loads Google's Cast sender. */
export const policyWithSender = (policy: string) =>
  policy
    .replace("script-src 'self'", `script-src 'self' ${senderSources}`)
    // The sender assigns script URLs as plain text; a policy named "default" checks them (web/player/state/google-cast.ts).
    .replace('trusted-types reelkeep-worker', 'trusted-types reelkeep-worker default');

/**
 * Headers of Helmet, computed once. Its Fastify plugin creates Helmet for each request, and these objects survive V8's young
 * generation (bench/README.md).
 */
function helmetHeaders(mediaOrigins: string[]): Record<string, string> {
  const directives = { ...policy, 'media-src': [...policy['media-src'], ...mediaOrigins] };
  const protect = helmet({
    contentSecurityPolicy: { useDefaults: false, directives },
    strictTransportSecurity: false,
    frameguard: { action: 'deny' },
    referrerPolicy: { policy: 'same-origin' },
    crossOriginEmbedderPolicy: false,
  });
  const set: Record<string, string> = {};
  const answer = { setHeader: (name: string, value: string) => void (set[name] = value), removeHeader: () => {} };
  protect({} as IncomingMessage, answer as unknown as ServerResponse, () => {});
  return set;
}

/** Registers headers of all responses, and CORS. */
export async function registerSecurityHeaders(
  server: FastifyInstance,
  { config, files }: Pick<AppContext, 'config' | 'files'>,
  startedAt: number,
) {
  // The origin of a bucket depends on its region and on where its name is in the URL, so that of a link is taken.
  const link = await files.link('any', { type: 'video/mp4' });
  const always = {
    ...helmetHeaders(link === null ? [] : [new URL(link).origin]),
    'Permissions-Policy': basicHeaders['Permissions-Policy'],
    'X-Start-Timestamp': String(startedAt),
  };
  server.addHook('onRequest', async (request, reply) => {
    reply.headers(always);
    reply.header('X-Request-Id', request.id);
    if (config.hsts && request.protocol === 'https') reply.header('Strict-Transport-Security', `max-age=${yearSeconds}`);
    if (request.url.startsWith('/api/')) {
      reply.header('Cache-Control', 'no-store');
      reply.header('Vary', 'Accept, Origin, Cookie, Authorization');
    }
  });
  // After the hook above, because it answers preflight requests.
  await server.register(cors, {
    delegator: (request, done) => {
      const common = {
        exposedHeaders: ['X-Start-Timestamp', 'X-Request-Id'],
        maxAge: 86_400,
        optionsSuccessStatus: 200,
        // Other OPTIONS requests are answered by describeCalls.
        preflight: request.headers['access-control-request-method'] !== undefined,
      };
      // Signed URLs are for players on other origins and need no cookie, so every origin may read them.
      if (isSigned(request.raw) || isSecretAddress.test(request.url))
        return done(null, {
          ...common,
          origin: '*',
          credentials: false,
          allowedHeaders: ['range'],
          methods: ['GET', 'HEAD', 'OPTIONS'],
        });
      const { origin = '' } = request.headers;
      const mayUseCookies = isTrustedOrigin(config, origin);
      // If any origin may call, it may not use cookies.
      const isAny = config.corsOrigins.includes('*') && !mayUseCookies;
      done(null, {
        ...common,
        origin: isAny ? '*' : mayUseCookies && origin,
        credentials: !isAny,
        allowedHeaders: ['authorization', 'content-type', 'accept', 'x-csrftoken', 'x-requested-with', 'mode'],
        methods: ['DELETE', 'GET', 'OPTIONS', 'PATCH', 'POST', 'PUT'],
      });
    },
  });
}
