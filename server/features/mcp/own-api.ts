import type { FastifyRequest } from 'fastify';

/** An error response of the API, for the assistant. */
export class ToolError extends Error {}

/** Calls the API as the caller of a request, with the same rights. */
export type OwnApi = ReturnType<typeof ownApiOf>;

const skippedHeaders = ['content-length', 'content-type', 'transfer-encoding', 'accept', 'accept-encoding', 'range'];

/**
 * Returns a function that calls the API in this process as the caller of a request: roles, scopes and validation apply. Empty query
 * values are left out. The response is parsed unless it is not JSON.
 * @throws ToolError with the message of an error response
 */
export function ownApiOf(request: FastifyRequest) {
  const headers = Object.fromEntries(Object.entries(request.headers).filter(([name]) => !skippedHeaders.includes(name)));
  const authorization = request.headers.authorization?.replace(/^bearer\b/i, 'Token');
  return async function call<T>(
    method: 'GET' | 'POST',
    path: string,
    { query = {}, body }: { query?: Record<string, string | number | undefined>; body?: object } = {},
  ): Promise<T> {
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
    if (response.statusCode < 300) return reply as T;
    const { error, detail } = (isJson ? reply : {}) as { error?: string; detail?: string };
    throw new ToolError(error ?? detail ?? `The archive responded with status ${response.statusCode}.`);
  };
}
