import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AppContext } from '../../platform/context/app-context.ts';
import { guardFiles } from '../files/guard.ts';

/** Route of videos that are converted while they are watched; everything else is loaded with the first request. */
export function registerHls(server: FastifyInstance, app: AppContext) {
  server.get('/hls/:id/:stamp/:name', guardFiles(app), async (request: FastifyRequest, reply: FastifyReply) => {
    const { sendHls } = await import('./send-hls.ts');
    return sendHls(app, { request, reply }, request.params as { id: string; stamp: string; name: string });
  });
}
