import { once } from 'node:events';
import { createServer, request as send, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

/** What happens to requests: half of them are answered with 500, all wait for `slowMs`, or answers are cut off. */
export type S3Fault = 'error' | 'slow' | 'cut';

const internalError = '<?xml version="1.0"?><Error><Code>InternalError</Code><Message>We try again.</Message></Error>';

/** Forwards requests to an S3 server, with faults while `fault` is set. */
export async function startS3Relay(endpoint: string) {
  const { hostname, port } = new URL(endpoint);
  const state: { fault: S3Fault | null; slowMs: number; counts: Record<S3Fault, number> } = {
    fault: null,
    slowMs: 4_000,
    counts: { error: 0, slow: 0, cut: 0 },
  };

  async function answer(request: IncomingMessage, response: ServerResponse) {
    const { fault } = state;
    const isRefused = fault === 'error' && Math.random() < 0.5;
    if (fault && (fault !== 'error' || isRefused)) state.counts[fault]++;
    if (isRefused) {
      request.resume();
      await once(request, 'end');
      response.writeHead(500, { 'content-type': 'application/xml' }).end(internalError);
      return;
    }
    if (fault === 'slow') await wait(state.slowMs);
    if (request.socket.destroyed) return;
    const { method, url: path, headers } = request;
    const upstream = send({ hostname, port, method, path, headers });
    request.pipe(upstream);
    response.on('close', () => upstream.destroy());
    const [reply] = (await once(upstream, 'response')) as [IncomingMessage];
    if (fault === 'cut' && Math.random() < 0.5) return void response.destroy(); // the request may have been carried out
    response.writeHead(reply.statusCode!, reply.headers);
    reply.pipe(response);
    if (fault === 'cut') reply.once('data', () => response.destroy());
  }
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    state,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
