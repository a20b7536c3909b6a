import { readFile } from 'node:fs/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AppContext } from '../../context/app-context.ts';
import { authenticate } from '../auth/authenticate.ts';

// Swagger UI, served from this origin under a policy as strict as that of the app, except for trusted types, which it does not
// support. It shows only the own document.
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "style-src-attr 'unsafe-inline'", // positions its elements with style attributes
  "img-src 'self' data:",
  "connect-src 'self'",
  "font-src 'self'",
  "base-uri 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "object-src 'none'",
].join('; ');

const page = (basePath: string) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <base href="${basePath}/api/docs/" />
    <title>Reelkeep API</title>
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <link rel="icon" href="../../favicon.svg" type="image/svg+xml" />
    <link rel="stylesheet" href="swagger-ui.css" />
  </head>
  <body>
    <div id="docs"></div>
    <noscript>This page needs JavaScript. The same content is in docs/api.md, and as JSON in api/schema/.</noscript>
    <script src="swagger-ui-bundle.js"></script>
    <script src="start.js"></script>
  </body>
</html>
`;

// Adds the CSRF token, so that requests can be tried. Without a validator URL it makes no external requests.
const start = `
const cookie = (name) => document.cookie.split('; ').find((pair) => pair.startsWith(name + '='))?.slice(name.length + 1) ?? '';
SwaggerUIBundle({
  url: new URL('../schema/', document.baseURI).href,
  dom_id: '#docs',
  validatorUrl: null,
  docExpansion: 'none',
  tryItOutEnabled: true,
  requestInterceptor(request) {
    if (request.method !== 'GET') request.headers['X-CSRFToken'] = cookie('csrftoken');
    return request;
  },
});
`;

const types = { '.js': 'text/javascript; charset=utf-8', '.css': 'text/css; charset=utf-8' };

/** `GET /api/schema/` and `/api/docs/`: the API description, for authenticated users. */
export function registerSwaggerUi(server: FastifyInstance, app: AppContext) {
  const guarded = {
    config: { may: 'user' as const },
    onRequest: async (request: FastifyRequest, reply: FastifyReply) =>
      void (request.user = await authenticate(app, { may: 'user' }, request, reply)),
  };
  server.get('/api/schema/', guarded, async (request, reply) => {
    const { openapi } = await import('./openapi.ts');
    return reply.type('application/json; charset=utf-8').send(JSON.stringify(openapi(request.basePath)));
  });
  server.get('/api/docs/', guarded, (request, reply) =>
    reply.type('text/html; charset=utf-8').header('Content-Security-Policy', policy).send(page(request.basePath)),
  );
  server.get('/api/docs/start.js', guarded, (_request, reply) => reply.type(types['.js']).send(start));
  for (const [name, ending] of [
    ['swagger-ui-bundle.js', '.js'],
    ['swagger-ui.css', '.css'],
  ] as const)
    server.get(`/api/docs/${name}`, guarded, async (_request, reply) =>
      reply.type(types[ending]).send(await readFile(new URL(import.meta.resolve(`swagger-ui-dist/${name}`)))),
    );
}
