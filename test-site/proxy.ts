/** An HTTP proxy on loopback that answers all requests with `handle`, without internet. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { SiteRequest } from './answer.ts';
import { makeCertificate } from './certificate.ts';

export interface Proxy {
  port: number;
  /** PEM certificate of every https host. */
  certificate: string;
  close(): Promise<void>;
}

/** Request bodies are a few kilobytes; larger ones end the connection. */
const BODY_LIMIT_BYTES = 2_000_000;

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > BODY_LIMIT_BYTES) throw new RangeError('the body of the request is too large');
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

/** `https` inside a tunnel, where the request line has only a path; plain proxy requests have the full URL. */
async function toSiteRequest(request: IncomingMessage, scheme: 'http' | 'https'): Promise<SiteRequest> {
  const path = request.url ?? '/';
  const url = new URL(/^https?:\/\//.test(path) ? path : `${scheme}://${request.headers.host ?? 'localhost'}${path}`);
  return {
    method: request.method ?? 'GET',
    host: url.hostname.toLowerCase(),
    url,
    headers: request.headers,
    body: await readBody(request),
  };
}

/** Listens on 127.0.0.1, on `port` or a free one. Every host name exists; TLS in tunnels is terminated here. */
export async function startProxy(
  handle: (request: SiteRequest, response: ServerResponse) => Promise<void>,
  port = 0,
): Promise<Proxy> {
  const handleRequest = (scheme: 'http' | 'https') => async (request: IncomingMessage, response: ServerResponse) => {
    try {
      await handle(await toSiteRequest(request, scheme), response);
    } catch (error) {
      if (response.headersSent || response.destroyed) return void response.destroy();
      response.writeHead(500, { 'content-type': 'text/plain' }).end(`the test site failed: ${String(error)}`);
    }
  };
  const sockets = new Set<Duplex>();
  const plain = createServer(handleRequest('http'));
  const certificate = await makeCertificate();
  const secure = createTlsServer(certificate, handleRequest('https'));
  secure.on('tlsClientError', (_error, socket) => socket.destroy());
  plain.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => socket.destroy());
  });
  plain.on('connect', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
    if (head.length > 0) socket.unshift(head);
    (request.url?.endsWith(':80') ? plain : secure).emit('connection', socket);
  });
  await new Promise<void>((resolve, reject) => plain.once('error', reject).listen(port, '127.0.0.1', resolve));
  return {
    port: (plain.address() as AddressInfo).port,
    certificate: certificate.cert,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => plain.close(resolve));
    },
  };
}
