import { t } from '@lingui/core/macro';
import type { Api } from '#contract/api.ts';
import type { Reply, Sent } from '#contract/call.ts';
import { saidInHeader, told } from './told.ts';

/** The server's "no", with the sentence it gave. Status 0: it could not be reached. */
export class ApiError extends Error {
  readonly status: number;
  /** What more the body says. */
  readonly body: unknown;
  /** As the server said it, whatever language the message is in. */
  readonly sentence: string;
  constructor(status: number, sentence: string, { message = sentence, body }: { message?: string; body?: unknown } = {}) {
    super(message);
    this.status = status;
    this.sentence = sentence;
    this.body = body;
  }
}

/** Nobody is logged in, or not any more. */
export const isLoggedOut = (error: unknown) =>
  error instanceof ApiError && error.status === 403 && /credentials|token/i.test(error.sentence);

/** Whether it is that field, as the contract calls it, which the server did not take. */
export const isAbout = (error: Error, field: string) =>
  error instanceof ApiError && typeof error.body === 'object' && error.body !== null && field in error.body;

const cookie = (name: string) =>
  document.cookie
    .split('; ')
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1) ?? '';

/** What a page of ours must send along to change anything. */
export const csrfHeader = () => ({ 'X-CSRFToken': cookie('csrftoken') });

/** An address of ours, wherever the server lives below its host. */
export const addressOf = (path: string) => new URL(path.replace(/^\//, ''), document.baseURI).href;

type Query = Record<string, string | number | boolean | null | undefined>;

/** The address of a call, with its parameters filled in. */
export function callAddress(path: string, params: Record<string, string> = {}, query: Query = {}): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const words = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== '');
  const search = new URLSearchParams(words.map(([key, value]) => [key, String(value)])).toString();
  return addressOf(filled) + (search ? `?${search}` : '');
}

function sentenceOf(status: number, body: unknown): string {
  if (typeof body === 'object' && body !== null) {
    const { error, detail, message } = body as Record<string, unknown>;
    for (const said of [error, detail, message]) if (typeof said === 'string') return said;
    const [field, first] = Object.entries(body)[0] ?? [];
    const said = Array.isArray(first) ? first[0] : first;
    if (typeof said === 'string') return `${field}: ${said}`;
  }
  return status >= 500 ? t`Something went wrong on the server; its log says what.` : t`The server answered ${status}.`;
}

/** Asks the server for something. Throws ApiError when it says no, or cannot be reached. */
export async function ask(address: string, how: RequestInit): Promise<Response> {
  let answer: Response;
  try {
    answer = await fetch(address, how);
  } catch (error) {
    if (how.signal?.aborted) throw error;
    // Questions are asked again; what changes something is not said twice.
    const isAskedAgain = (how.method ?? 'GET') === 'GET';
    throw new ApiError(
      0,
      isAskedAgain ? t`The server cannot be reached. It is tried again by itself.` : t`The server cannot be reached.`,
    );
  }
  if (answer.ok) return answer;
  const body: unknown = await answer.json().catch(() => null);
  const sentence = sentenceOf(answer.status, body);
  throw new ApiError(answer.status, sentence, {
    message: told(sentence, saidInHeader(answer.headers.get('Reelkeep-Said'))),
    body,
  });
}

// A name for this page, until it is loaded again; two tabs are two pages.
const pageName = crypto.getRandomValues(new Uint32Array(2)).join('-');

/**
 * Makes a call of the API. `confirm`: what is typed before very much is deleted. `typedIn`: the field of this page in which
 * somebody types what is asked for; a newer call from there takes the place of one that waits. Throws ApiError.
 */
export async function call<K extends keyof Api>(
  name: K,
  { signal, confirm, typedIn, ...sent }: Sent<Api[K]> & { signal?: AbortSignal; confirm?: string; typedIn?: string },
): Promise<Reply<Api[K]>> {
  const [method, path] = name.split(' ') as [string, string];
  const { params, query, body } = sent as { params?: Record<string, string>; query?: Query; body?: unknown };
  const answer = await ask(callAddress(path, params, query), {
    method,
    ...(signal && { signal }),
    headers: {
      accept: 'application/json',
      ...(method !== 'GET' && csrfHeader()),
      ...(confirm && { 'X-Reelkeep-Confirm': encodeURIComponent(confirm) }),
      ...(typedIn && { 'X-Reelkeep-Window': `${pageName}-${typedIn}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return (answer.status === 204 ? undefined : await answer.json().catch(() => null)) as Reply<Api[K]>;
}
