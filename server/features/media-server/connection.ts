import type { Dispatcher } from 'undici';
import { message, type Message } from '#contract/messages.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { MessageError } from '../../platform/messages/message-error.ts';
import { asDeliveryError } from '../notify/errors.ts';
import { createNetworkPolicy } from '../notify/network-policy.ts';
import { createAgent } from '../notify/transport.ts';

/** Why a request failed. `other`: of this request only, such as an item that no longer exists. */
type Failure = 'token' | 'unavailable' | 'other';

/** A request to a media server failed. */
export class MediaServerError extends MessageError {
  readonly failure: Failure;
  readonly status: number | null;
  constructor(why: Message | Message[], failure: Failure, status: number | null = null) {
    super(why);
    this.failure = failure;
    this.status = status;
  }
}

/** Names of products; not translated. */
export const kindNames = { jellyfin: 'Jellyfin', emby: 'Emby', plex: 'Plex', kodi: 'Kodi' } as const;
export type Kind = keyof typeof kindNames;

export interface ServerRequest {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path below the address, encoded. */
  path: string;
  query?: Record<string, string | number | boolean>;
  headers?: Record<string, string>;
  body?: object;
  /** The response has no body, or one that is not read. */
  ignoresBody?: boolean;
}

/** Connection to one media server. */
export interface Connection {
  /** Sends a request and returns the parsed JSON of the response; undefined without a body. @throws MediaServerError */
  ask(request: ServerRequest): Promise<unknown>;
}

const timeMs = 30_000;
const maxBytes = 20_000_000;

async function readBody(body: Dispatcher.ResponseData['body'], server: string): Promise<string> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of body as AsyncIterable<Buffer>) {
    pieces.push(piece);
    length += piece.length;
    // Leaving the loop destroys the stream.
    if (length > maxBytes)
      throw new MediaServerError(message('media-server.too-large', { server, megabytes: maxBytes / 1_000_000 }), 'unavailable');
  }
  return Buffer.concat(pieces).toString('utf8');
}

function asServerError(error: unknown, host: string, kind: Kind): MediaServerError {
  if (error instanceof MediaServerError) return error;
  const [why] = asDeliveryError(error, host).messages;
  if (why!.id === 'notify.certificate') return new MediaServerError(message('media-server.certificate', { host }), 'unavailable');
  if (why!.id === 'notify.blocked')
    return new MediaServerError(message('media-server.blocked', { address: why!.params!['address'] as string }), 'unavailable');
  const id = kind === 'kodi' ? 'media-server.kodi-unreachable' : 'media-server.unreachable';
  return new MediaServerError(message(id, { why: [why!] }), 'unavailable');
}

function statusError(server: string, response: Dispatcher.ResponseData, kind: Kind): MediaServerError {
  const { statusCode: status, headers } = response;
  if (status === 401) {
    // Kodi asks for the password at every address, so it is found out here.
    if (kind !== 'kodi' && /realm="Kodi"/.test(String(headers['www-authenticate'])))
      return new MediaServerError(
        message('media-server.other-kind', { found: kindNames.kodi, kind: kindNames[kind] }),
        'unavailable',
      );
    const id = kind === 'kodi' ? 'media-server.password' : 'media-server.token';
    return new MediaServerError(message(id, { server }), 'token', status);
  }
  if (status === 403) return new MediaServerError(message('media-server.forbidden', { server }), 'other', status);
  if (status === 404) return new MediaServerError(message('media-server.not-found', { server }), 'other', status);
  if (status >= 300 && status < 400) {
    const location = String(headers['location'] ?? '').slice(0, 200);
    return new MediaServerError(message('media-server.redirect', { server, location }), 'unavailable', status);
  }
  const why = message('media-server.status', { server, status });
  return new MediaServerError(why, status >= 500 || status === 429 ? 'unavailable' : 'other', status);
}

/**
 * Runs `work` with a connection to a server. An address that staff entered is the permission to connect to exactly this host and
 * port, as for notification services: also in the local network, but not on this machine. Redirects are not followed.
 */
export async function withConnection<T>(
  { config }: Pick<AppContext, 'config'>,
  { address, kind, signal }: { address: string; kind: Kind; signal?: AbortSignal | undefined },
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  const base = new URL(address.endsWith('/') ? address : `${address}/`);
  const server = base.host;
  const reach = createNetworkPolicy(config);
  let agent: Dispatcher | undefined;

  async function ask({ method = 'GET', path, query = {}, headers, body, ignoresBody }: ServerRequest): Promise<unknown> {
    const { request } = await import('undici'); // imported on demand, as in egress/fetch.ts
    const url = new URL(base.href + path.replace(/^\//, ''));
    // Spaces as %20: not all servers read + as a space.
    const pairs = Object.entries(query).map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
    if (pairs.length > 0) url.search = pairs.join('&');
    let text: string;
    try {
      agent ??= await createAgent(config, reach, base.hostname);
      const limit = AbortSignal.timeout(timeMs);
      const response = await request(url, {
        method,
        headers: {
          'user-agent': 'Reelkeep',
          accept: 'application/json',
          ...(body && { 'content-type': 'application/json' }),
          ...headers,
        },
        body: body ? JSON.stringify(body) : null,
        dispatcher: agent,
        signal: signal ? AbortSignal.any([signal, limit]) : limit,
      });
      if (response.statusCode < 200 || response.statusCode > 299) {
        await response.body.dump();
        throw statusError(server, response, kind);
      }
      text = await readBody(response.body, server);
    } catch (error) {
      signal?.throwIfAborted();
      throw asServerError(error, server, kind);
    }
    if (ignoresBody || text.trim() === '') return undefined;
    try {
      return JSON.parse(text) as unknown;
    } catch {
      throw invalidResponse(server, kind);
    }
  }

  try {
    return await work({ ask });
  } finally {
    await agent?.destroy();
  }
}

/** Error for a response that the server of this kind would not send. */
export const invalidResponse = (server: string, kind: Kind) =>
  new MediaServerError(message('media-server.invalid-response', { server, kind: kindNames[kind] }), 'unavailable');
