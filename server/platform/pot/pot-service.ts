import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { message, type Message } from '#contract/messages.ts';
import { isSamePassword } from '../egress/pinned-lookup.ts';
import { messagesOf, MessageError } from '../messages/message-error.ts';
import { renderMessages } from '../messages/render.ts';
import { parseJson, type TokenRequest, type TokenSource } from './token-source.ts';

/** Between yt-dlp and the source of PO tokens: the HTTP protocol of the plugin bgutil-ytdlp-pot-provider, on loopback. */
export interface PotService {
  /** With random credentials. */
  url: string;
  close(): Promise<void>;
}

export interface PotServiceOptions {
  source: TokenSource;
  /** Version of the plugin. */
  version: string;
  /** Called with the reason of a failure. It contains no tokens and no visitor data. */
  onFailure(why: Message[]): void;
  /** Time of a request in milliseconds. Default: 18 s, because the plugin waits 20 s. */
  timeMs?: number;
  /** Epoch milliseconds. */
  now?: () => number;
}

const user = 'reelkeep';
const maxRequest = 2_000_000;
// yt-dlp requests a token for each of its clients. They do not all wait for a source that hangs.
const rememberedMs = 60_000;

/** Starts the service on a free port. */
export async function openPotService({
  source,
  version,
  onFailure,
  timeMs = 18_000,
  now = Date.now,
}: PotServiceOptions): Promise<PotService> {
  const password = randomBytes(24).toString('hex');
  const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  const ending = new AbortController();
  let hanging: { until: number; error: unknown } | null = null;

  /** Requests a token from the source. A failure that took long is repeated for a minute without asking again. */
  async function request(tokenRequest: TokenRequest): Promise<string> {
    if (hanging && now() < hanging.until) throw hanging.error;
    const startedAt = now();
    const limit = AbortSignal.timeout(timeMs);
    const tooLate = once(limit, 'abort').then(() => Promise.reject(new MessageError(message('pot.program-time'))));
    try {
      const found = source.request(tokenRequest, AbortSignal.any([limit, ending.signal]));
      return (await Promise.race([found, tooLate])).token;
    } catch (error) {
      if (now() - startedAt > timeMs / 4) hanging = { until: now() + rememberedMs, error };
      throw error;
    }
  }

  /** Returns a token, or the reason of a failure: with another status than 200, yt-dlp would not show it. */
  async function tokenOf(incoming: IncomingMessage): Promise<object> {
    try {
      return { poToken: await request(readTokenRequest(await readBody(incoming))) };
    } catch (error) {
      const why = messagesOf(error);
      onFailure(why);
      return { error: renderMessages(why) };
    }
  }

  const server = createServer(async (request, response) => {
    const send = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (!isSamePassword(request.headers.authorization ?? '', authorization)) return send(401, { error: 'unauthorized' });
    const route = `${request.method} ${request.url}`;
    if (route === 'GET /ping') return send(200, { version });
    if (route === 'POST /get_pot') return send(200, await tokenOf(request));
    return send(404, { error: 'not found' });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${user}:${password}@127.0.0.1:${port}`,
    async close() {
      ending.abort();
      server.close();
      server.closeAllConnections();
      await source.close();
    },
  };
}

const invalid = () => new MessageError(message('pot.invalid-request'));

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.byteLength;
    if (size > maxRequest) throw invalid();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Reads a request of the plugin. Its `proxy` is ignored: it is that of yt-dlp, with a password. */
function readTokenRequest(text: string): TokenRequest {
  const found = parseJson(text);
  if (typeof found !== 'object' || found === null) throw invalid();
  const { content_binding: binding, challenge, innertube_context: context } = found as Record<string, unknown>;
  if (typeof binding !== 'string' || binding === '') throw invalid();
  const asObject = (value: unknown) => (typeof value === 'object' && value !== null ? value : undefined);
  return { binding, context: asObject(context), challenge: asObject(challenge) };
}
