import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AppContext } from '../../platform/context/app-context.ts';
import { authenticate } from '../../platform/http/auth/authenticate.ts';
import { isSigned, ownerOf } from '../../platform/http/auth/signed-urls.ts';

/** Options of a route that sends files to users: those of a session or a token, or the owner of a signed address. */
export const guardFiles = (app: AppContext, scope?: 'notes') => ({
  onRequest: async (request: FastifyRequest, reply: FastifyReply) => {
    const owner = isSigned(request.raw) ? await ownerOf(app, request.raw, request.url) : null;
    if (owner !== null) {
      reply.header('Cross-Origin-Resource-Policy', 'cross-origin');
      request.user = {
        id: owner.accountId,
        name: '',
        isStaff: owner.isStaff,
        pageSize: 0,
        tokenHash: owner.tokenHash,
        scopes: null,
      };
      return;
    }
    // SearXNG puts the token into image URLs of its pages.
    const token = new URL(request.url, 'http://archive').searchParams.get('auth');
    if (token) request.headers.authorization ??= `Token ${token}`;
    request.user = await authenticate(app, { may: 'user', ...(scope && { scope }) }, request, reply);
    if (token && request.user?.tokenHash) reply.header('Cross-Origin-Resource-Policy', 'cross-origin');
  },
  compress: false as const,
  config: { may: 'user' as const, lasts: true as const },
});
