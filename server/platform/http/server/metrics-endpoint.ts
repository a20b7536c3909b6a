import type { FastifyInstance } from 'fastify';
import type { AppContext } from '../../context/app-context.ts';
import { authenticate } from '../auth/authenticate.ts';
import { sameSecret } from '../auth/session.ts';

/** `GET /metrics` in the Prometheus format, for staff and requests with the configured token. */
export function registerMetrics(server: FastifyInstance, app: AppContext) {
  const { metrics, config } = app;
  server.get(
    '/metrics',
    {
      config: { may: 'staff' },
      onRequest: async (request, reply) => {
        const [, given] = /^bearer\s+(\S+)$/i.exec(request.headers.authorization ?? '') ?? [];
        if (given && config.metricsToken && sameSecret(given, config.metricsToken)) return;
        request.user = await authenticate(app, { may: 'staff' }, request, reply);
      },
    },
    async (_request, reply) => {
      metrics.streamsActive.set(server.streams.active);
      metrics.eventClients.set(app.events.count());
      await metrics.collect();
      return reply
        .header('Cache-Control', 'no-store')
        .type(metrics.registry.contentType)
        .send(await metrics.registry.metrics());
    },
  );
}
