import type { ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Events } from '../../context/events.ts';

// Longer than a search may take, and short enough for what else has to end (maxStopMs in server/main.ts).
const maxFinishMs = 3_000;

/**
 * Finishes the running requests before the server closes; Fastify answers new ones with 503, and cuts what is left afterwards.
 * Event streams end at once, so that browsers connect to another server. Files are cut: players request the rest.
 */
export function finishRequests(server: FastifyInstance, events: Events) {
  const running = new Set<ServerResponse>();
  let onEnd = () => {};
  server.server.on('request', (_request, response) => {
    running.add(response);
    response.once('close', () => {
      running.delete(response);
      onEnd();
    });
  });
  server.addHook('preClose', async () => {
    server.server.close(); // no new connections
    events.close();
    const finished = Promise.withResolvers<void>();
    onEnd = () => running.size <= server.streams.active && finished.resolve();
    onEnd();
    await Promise.race([finished.promise, wait(maxFinishMs, undefined, { ref: false })]);
  });
}
