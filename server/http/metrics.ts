import type { FastifyInstance } from 'fastify';
import type { Archive } from '../archive.ts';
import { admit } from './guard.ts';
import { sameSecret } from './session.ts';

/** `GET /metrics`: the counters in the form of Prometheus, for staff and for whoever has the token of the configuration. */
export function serveMetrics(app: FastifyInstance, archive: Archive) {
  const { meter, config } = archive;
  app.get(
    '/metrics',
    {
      config: { may: 'staff' },
      onRequest: async (request, reply) => {
        const [, given] = /^bearer\s+(\S+)$/i.exec(request.headers.authorization ?? '') ?? [];
        if (given && config.metricsToken && sameSecret(given, config.metricsToken)) return;
        request.user = await admit(archive, 'staff', request, reply);
      },
    },
    async (_request, reply) => {
      meter.streamsActive.set(app.streams.active);
      meter.eventClients.set(archive.events.count());
      await meter.look();
      return reply
        .header('Cache-Control', 'no-store')
        .type(meter.registry.contentType)
        .send(await meter.registry.metrics());
    },
  );
}
