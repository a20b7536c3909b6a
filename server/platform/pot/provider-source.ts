import { message } from '#contract/messages.ts';
import { MessageError } from '../messages/message-error.ts';
import { safeDecodeUri } from '../lib/safe-decode-uri.ts';
import { parseJson, readToken, type TokenRequest, type TokenSource } from './token-source.ts';

export interface ProviderSourceOptions {
  /** Address of the provider, with credentials if it needs them. */
  url: string;
  /** Proxy that the provider uses, or null. Never the forward proxy of this server: the provider may not reach it. */
  proxyUrl: string | null;
  /** Version of the plugin; a provider needs the same major version. */
  version: string;
  timeMs?: number;
  now?: () => number;
}

// Less than pot-service.ts waits.
const defaultTimeMs = 15_000;
const maxResponse = 100_000;
const majorOf = (version: string) => version.split('.', 1)[0];

/** Requests PO tokens from a bgutil-ytdlp-pot-provider that the user runs, and checks what it returns. */
export function createProviderSource({
  url,
  proxyUrl,
  version,
  timeMs = defaultTimeMs,
  now = Date.now,
}: ProviderSourceOptions): TokenSource {
  // Providers return the token of a binding again until it expires.
  const firstSeen = new Map<string, number>();

  async function call(path: string, signal: AbortSignal, body?: object): Promise<Record<string, unknown>> {
    const { fetch } = await import('undici'); // loaded with the first outgoing request, as in egress/fetch.ts
    const { username, password, origin, pathname } = new URL(url);
    const credentials = Buffer.from(`${safeDecodeUri(username)}:${safeDecodeUri(password)}`).toString('base64');
    const headers = { 'content-type': 'application/json', ...(username && { authorization: `Basic ${credentials}` }) };
    const request = { headers, redirect: 'error' as const, signal };
    const response = await fetch(`${origin}${pathname.replace(/\/$/, '')}${path}`, {
      ...request,
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    });
    const text = await boundedText(response.body);
    const reply: unknown = text === null ? null : parseJson(text);
    if (typeof reply !== 'object' || reply === null) throw new MessageError(message('pot.not-a-provider'));
    return reply as Record<string, unknown>;
  }

  async function checkVersion(signal: AbortSignal) {
    const { version: found } = await call('/ping', signal);
    if (typeof found !== 'string') throw new MessageError(message('pot.not-a-provider'));
    if (majorOf(found) !== majorOf(version))
      throw new MessageError(message('pot.other-version', { version: found.slice(0, 20), needed: version }));
  }

  function ageOf(token: string): number {
    const seenAt = firstSeen.get(token) ?? now();
    firstSeen.delete(token);
    firstSeen.set(token, seenAt);
    if (firstSeen.size > 100) firstSeen.delete(firstSeen.keys().next().value!);
    return seenAt;
  }

  async function request({ binding, context, challenge }: TokenRequest, signal: AbortSignal) {
    await checkVersion(signal);
    const reply = await call('/get_pot', signal, {
      bypass_cache: false,
      challenge: challenge ?? null,
      content_binding: binding,
      disable_tls_verification: false,
      proxy: proxyUrl,
      innertube_context: context ?? null,
      source_address: null,
    });
    // The text of the error may contain visitor data or the proxy.
    if (reply['error']) throw new MessageError(message('pot.provider-failed'));
    const token = readToken(reply['poToken']);
    if (!token) throw new MessageError(message('pot.not-a-provider'));
    return { token, createdAt: ageOf(token) };
  }

  return {
    async request(tokenRequest, signal) {
      const limit = AbortSignal.timeout(timeMs);
      return request(tokenRequest, AbortSignal.any([signal, limit])).catch((error: Error) => {
        if (error instanceof MessageError) throw error;
        if (limit.aborted) throw new MessageError(message('pot.slow', { seconds: Math.round(timeMs / 1000) }));
        const { code } = (error.cause ?? error) as NodeJS.ErrnoException;
        throw new MessageError(message('pot.unreachable', { reason: code ?? error.message }));
      });
    },
    close: async () => firstSeen.clear(),
  };
}

/** Reads a body, or returns null if it is too large. */
async function boundedText(body: AsyncIterable<Uint8Array> | null): Promise<string | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > maxResponse) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
