import { message, type Message } from '#contract/messages.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { MessageError } from '../../platform/messages/message-error.ts';
import { asConnectionError } from '../../platform/egress/direct/errors.ts';
import { withTransport, type Transport, type TransportResponse } from '../../platform/egress/direct/transport.ts';

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
  /** The response has no body, or one that is not parsed. */
  ignoresBody?: boolean;
}

/** Connection to one media server. */
export interface Connection {
  /** Sends a request and returns the parsed JSON of the response; undefined without a body. @throws MediaServerError */
  ask(request: ServerRequest): Promise<unknown>;
}

const timeMs = 30_000;
const maxBytes = 20_000_000;

function asServerError(error: unknown, host: string, kind: Kind): MediaServerError {
  const [found] = asConnectionError(error, host).messages;
  // The port is a part of what was entered.
  const why = found!.params && 'host' in found!.params ? { ...found!, params: { ...found!.params, host } } : found!;
  if (why.id === 'notify.certificate') return new MediaServerError(message('media-server.certificate', { host }), 'unavailable');
  if (why.id === 'connection.blocked')
    return new MediaServerError(message('media-server.blocked', { address: why.params!['address'] as string }), 'unavailable');
  const id = kind === 'kodi' ? 'media-server.kodi-unreachable' : 'media-server.unreachable';
  return new MediaServerError(message(id, { why: [why] }), 'unavailable');
}

function statusError(server: string, { status, headers }: TransportResponse, kind: Kind): MediaServerError {
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

  const ask = async (
    { method = 'GET', path, query = {}, headers, body, ignoresBody }: ServerRequest,
    transport: Transport,
  ): Promise<unknown> => {
    const url = new URL(base.href + path.replace(/^\//, ''));
    // Spaces as %20: not all servers read + as a space.
    const pairs = Object.entries(query).map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
    if (pairs.length > 0) url.search = pairs.join('&');
    const sent = { accept: 'application/json', ...(body && { 'content-type': 'application/json' }), ...headers };
    const response = await transport
      .ask({ url: url.href, method, headers: sent, ...(body && { body: JSON.stringify(body) }) })
      .catch((error: unknown) => {
        signal?.throwIfAborted();
        throw asServerError(error, server, kind);
      });
    if (response.status < 200 || response.status > 299) throw statusError(server, response, kind);
    if (!response.isWhole)
      throw new MediaServerError(message('media-server.too-large', { server, megabytes: maxBytes / 1_000_000 }), 'unavailable');
    if (ignoresBody || response.text.trim() === '') return undefined;
    try {
      return JSON.parse(response.text) as unknown;
    } catch {
      throw invalidResponse(server, kind);
    }
  };
  return withTransport(config, (transport) => work({ ask: (request) => ask(request, transport) }), { maxBytes, timeMs, signal });
}

/** Error for a response that the server of this kind would not send. */
export const invalidResponse = (server: string, kind: Kind) =>
  new MediaServerError(message('media-server.invalid-response', { server, kind: kindNames[kind] }), 'unavailable');
