import type { Api } from './api.ts';

export type * from './api.ts';

/** An error response. `message` is for people; `body` has the ids of `messages`. */
export class ReelkeepError extends Error {
  readonly status: number;
  readonly body: unknown;
  constructor(status: number, message: string, body: unknown) {
    super(message);
    this.status = status;
    this.body = body;
  }
}

interface Options {
  /** Address of the archive, with its base path: `https://archive.example`. */
  url: string;
  /** API token: Settings → Apps and API tokens. */
  token: string;
  /** Replaces `fetch`, for example to use a proxy. */
  fetch?: typeof globalThis.fetch;
}

interface Sent {
  params?: Record<string, string | number>;
  query?: Record<string, unknown>;
  body?: unknown;
}

// Nothing has to be sent if all parts are optional.
type Arguments<S> = Record<never, never> extends S ? [sent?: S & { signal?: AbortSignal }] : [sent: S & { signal?: AbortSignal }];

const messageOf = (body: unknown): string | undefined => {
  const { error, detail } = (body ?? {}) as { error?: unknown; detail?: unknown };
  return [error, detail].find((one) => typeof one === 'string');
};

/** Creates a client: `call('GET /api/video/{id}/', { params: { id } })`. */
export function createClient({ url, token, fetch = globalThis.fetch }: Options) {
  return {
    /** Sends one call. @throws ReelkeepError for an error response */
    async call<K extends keyof Api>(name: K, ...[sent]: Arguments<Api[K]['sent']>): Promise<Api[K]['reply']> {
      const { params = {}, query = {}, body, signal } = (sent ?? {}) as Sent & { signal?: AbortSignal };
      const [method, template] = (name as string).split(' ') as [string, string];
      const path = template.replace(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(String(params[key])));
      const entries = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
      const search = new URLSearchParams(entries.map(([key, value]) => [key, String(value)])).toString();
      const response = await fetch(`${url.replace(/\/+$/, '')}${path}${search && `?${search}`}`, {
        method,
        headers: {
          authorization: `Token ${token}`,
          accept: 'application/json',
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        ...(signal && { signal }),
      });
      const isJson = response.headers.get('content-type')?.startsWith('application/json');
      const reply: unknown = isJson ? await response.json() : undefined;
      if (!response.ok) throw new ReelkeepError(response.status, messageOf(reply) ?? `Status ${response.status}`, reply);
      return reply as Api[K]['reply'];
    },
  };
}
