import { t } from '@lingui/core/macro';
import type { Api } from '#contract/api.ts';
import type { Reply, Sent } from '#contract/endpoint.ts';
import type { Message, MessageId } from '#contract/messages.ts';
import { messageText, sentenceCase } from '#web/i18n/message-text.ts';

/** An error response of the server. Status 0: the server could not be reached. */
export class ApiError extends Error {
  readonly status: number;
  /** The parsed response body. */
  readonly body: unknown;
  constructor(status: number, message: string, body?: unknown) {
    super(message);
    this.status = status;
    this.body = body;
  }
}

const messagesOf = (body: unknown) => (body as { messages?: Message[] } | null | undefined)?.messages;

const loggedOutIds: MessageId[] = ['error.session', 'error.invalid-token', 'error.no-token'];

/** Whether the error means that the session is missing or expired. */
export const isLoggedOut = (error: unknown) =>
  error instanceof ApiError && (messagesOf(error.body)?.some(({ id }) => loggedOutIds.includes(id)) ?? false);

/** Whether the server rejected this field, for example `downloads.format`. */
export const isErrorAbout = (error: Error, field: string) =>
  error instanceof ApiError &&
  field.split('.').reduce<unknown>((body, key) => (body as Record<string, unknown> | null | undefined)?.[key], error.body) !==
    undefined;

const cookie = (name: string) =>
  document.cookie
    .split('; ')
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1) ?? '';

/** CSRF header for requests that change data. */
export const csrfHeader = () => ({ 'X-CSRFToken': cookie('csrftoken') });

/** Resolves a path against the base path of the app. */
export const addressOf = (path: string) => new URL(path.replace(/^\//, ''), document.baseURI).href;

type Query = Record<string, string | number | boolean | null | undefined>;

/** Builds the URL of a call from path parameters and query. */
export function callAddress(path: string, params: Record<string, string> = {}, query: Query = {}): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const entries = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== '');
  const search = new URLSearchParams(entries.map(([key, value]) => [key, String(value)])).toString();
  return addressOf(filled) + (search ? `?${search}` : '');
}

function messageFromBody(status: number, body: unknown): string {
  if (typeof body === 'object' && body !== null) {
    const { error, detail, message } = body as Record<string, unknown>;
    for (const text of [error, detail, message]) if (typeof text === 'string') return text;
    const [field, first] = Object.entries(body)[0] ?? [];
    const text = Array.isArray(first) ? first[0] : first;
    if (typeof text === 'string') return `${field}: ${text}`;
  }
  return status >= 500 ? t`Server error. See the server log for details.` : t`The server returned status ${status}.`;
}

/** Sends a request. @throws {ApiError} for error responses and when the server cannot be reached. */
export async function sendRequest(address: string, init: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(address, init);
  } catch (error) {
    if (init.signal?.aborted) throw error;
    // Queries are retried; changes are not repeated.
    const isRetried = (init.method ?? 'GET') === 'GET';
    throw new ApiError(0, isRetried ? t`Can’t reach the server. Retrying…` : t`Can’t reach the server.`);
  }
  await refuseErrors(response);
  return response;
}

/** @throws {ApiError} for error responses */
export async function refuseErrors(response: Response): Promise<void> {
  if (response.ok) return;
  const body: unknown = await response.json().catch(() => null);
  const message = messageText(messagesOf(body), messageFromBody(response.status, body));
  throw new ApiError(response.status, sentenceCase(message), body);
}

// Identifies this page until it is reloaded.
const pageName = crypto.getRandomValues(new Uint32Array(2)).join('-');

interface CallOptions {
  signal?: AbortSignal;
  /** The user's confirmation of a sensitive action. */
  confirm?: string;
  /** Name of the search field; a newer call from the same field replaces a queued one. */
  typedIn?: string;
  /** Whether the request continues when the page is left. */
  keepalive?: boolean;
}

// In characters. Browsers reject requests of over 64 KiB that continue after their page is left.
const maxKeepaliveBody = 20_000;

/** Runs for each response of the API before the caller gets it, and may change it. */
export const responseHook: { run?: (response: unknown) => Promise<void> } = {};

/** Calls an API endpoint. @throws {ApiError} */
export async function call<K extends keyof Api>(
  name: K,
  { signal, confirm, typedIn, keepalive, ...sent }: Sent<Api[K]> & CallOptions,
): Promise<Reply<Api[K]>> {
  const [method, path] = name.split(' ') as [string, string];
  const { params, query, body } = sent as { params?: Record<string, string>; query?: Query; body?: unknown };
  const json = body === undefined ? undefined : JSON.stringify(body);
  const response = await sendRequest(callAddress(path, params, query), {
    method,
    ...(keepalive && (json?.length ?? 0) < maxKeepaliveBody && { keepalive }),
    ...(signal && { signal }),
    headers: {
      accept: 'application/json',
      ...(method !== 'GET' && csrfHeader()),
      ...(confirm && { 'X-Reelkeep-Confirm': encodeURIComponent(confirm) }),
      ...(typedIn && { 'X-Reelkeep-Window': `${pageName}-${typedIn}` }),
      ...(json !== undefined && { 'content-type': 'application/json' }),
    },
    ...(json !== undefined && { body: json }),
  });
  const reply: unknown = response.status === 204 ? undefined : await response.json().catch(() => null);
  await responseHook.run?.(reply);
  return reply as Reply<Api[K]>;
}
