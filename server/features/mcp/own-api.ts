import type { FastifyRequest } from 'fastify';
import type { Api } from '#contract/api.ts';
import type { Reply, Sent } from '#contract/endpoint.ts';

/** An error response of the API, for the assistant. */
export class ToolError extends Error {}

/** Calls the API as the caller of a request, with the same rights. */
export type OwnApi = ReturnType<typeof ownApiOf>;

const skippedHeaders = ['content-length', 'content-type', 'transfer-encoding', 'accept', 'accept-encoding', 'range'];

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
type Query = Record<string, string | number | boolean | undefined>;

/**
 * Returns functions that call the API in this process as the caller of a request: roles, scopes and validation apply. Empty query
 * values are left out.
 * @throws ToolError with the message of an error response
 */
export function ownApiOf(request: FastifyRequest) {
  const headers = Object.fromEntries(Object.entries(request.headers).filter(([name]) => !skippedHeaders.includes(name)));
  const authorization = request.headers.authorization?.replace(/^bearer\b/i, 'Token');

  async function send(method: Method, path: string, query: Query = {}, body?: object): Promise<unknown> {
    // An id of dots leads to another endpoint.
    if (new URL(path, 'http://own').pathname !== path) throw new ToolError('There is nothing with this id.');
    const response = await request.server.inject({
      method,
      url: path,
      query: Object.fromEntries(
        Object.entries(query).flatMap(([key, value]) => (value === undefined ? [] : [[key, String(value)]])),
      ),
      headers: { ...headers, ...(authorization && { authorization }) },
      remoteAddress: request.socket.remoteAddress ?? '127.0.0.1',
      ...(body && { payload: body }),
    });
    const isJson = String(response.headers['content-type']).startsWith('application/json');
    const reply: unknown = isJson ? response.json() : response.body;
    if (response.statusCode < 300) return reply;
    const { error, detail } = (isJson ? reply : {}) as { error?: string; detail?: string };
    throw new ToolError(error ?? detail ?? `The archive responded with status ${response.statusCode}.`);
  }

  return {
    /** Calls an endpoint. */
    async call<K extends keyof Api>(name: K, sent: Sent<Api[K]>): Promise<Reply<Api[K]>> {
      const { params = {}, query, body } = sent as { params?: Record<string, string>; query?: Query; body?: object };
      const [method, pattern] = name.split(' ') as [Method, string];
      const path = pattern.replace(/:(\w+)/g, (_, param: string) => encodeURIComponent(params[param]!));
      return (await send(method, path, query, body)) as Reply<Api[K]>;
    },
    /** Returns the text of a file. */
    readFile: async (path: string) => String(await send('GET', path)),
  };
}
