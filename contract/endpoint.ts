import type { z } from 'zod';

/** Required role: none, any logged-in user, or staff (`is_staff` or `is_superuser`). */
export type May = 'anyone' | 'user' | 'staff';

/**
 * What a named API token may do: read; save watch states; add to the queue; read and write notes, private tags and clips; everything else that its user may
 * do.
 */
export const scopes = ['read', 'watch', 'download', 'notes', 'staff'] as const;
export type Scope = (typeof scopes)[number];

/** Returns the scope that a named API token needs for an endpoint. */
export const scopeOf = (method: string, { may, scope }: Pick<Call, 'may' | 'scope'>): Scope =>
  scope ?? (may !== 'staff' && ['GET', 'HEAD', 'OPTIONS'].includes(method) ? 'read' : 'staff');

/** One endpoint: required role, description, input and output. */
export interface Call {
  readonly may: May;
  /** Requires a browser session; API tokens are rejected. */
  readonly bySession?: true;
  /** Scope that a named API token needs. Default: `read` to read what is not only for staff, otherwise `staff`. */
  readonly scope?: Scope;
  /** Also accepts an API token as `Authorization: Bearer`. */
  readonly bearer?: boolean;
  /** Requires a login within the last ten minutes, or the password in `X-Reelkeep-Confirm`. */
  readonly proven?: true;
  /** Summary in OpenAPI and docs/api.md: an imperative phrase without a period. */
  readonly does: string;
  /** Rejects unknown query parameters instead of ignoring them. */
  readonly strict?: true;
  /** Large deletions require the header `X-Reelkeep-Confirm`. */
  readonly confirmed?: true;
  /** Queued requests with the same `X-Reelkeep-Window` header are replaced by newer ones. */
  readonly windowed?: true;
  /** When the request is refused with 409. */
  readonly conflict?: string;
  /** Errors are also sent as `message`, for older clients. */
  readonly alsoAsMessage?: true;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** Responds with 302, for browser navigation. */
  readonly redirects?: true;
  /** The request body (`in`) or the response (`out`) is a file. The handler streams it. */
  readonly bytes?: 'in' | 'out';
  /** The handler sends the messages of another protocol: JSON, or 202 without a body. */
  readonly protocol?: true;
  /** Content type of a file in the response, if it is always the same. Text is compressed. */
  readonly type?: string;
  /** Requires a secret in the path instead of a login: 403 for an invalid one, 410 for one that is no longer valid. */
  readonly secret?: true;
  /** Absent: the response is 204 without a body. */
  readonly reply?: z.ZodType;
  /** Alternative body of a 400 response, next to an object with `error`. */
  readonly refusal?: z.ZodType;
}

/** Maximum length of `X-Reelkeep-Window`. A longer value is ignored. */
export const longestWindow = 64;

/** The endpoints of a feature, keyed by method and path. */
export type Contract = Record<`${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}/`, Call>;

type OutputOf<T> = T extends z.ZodType ? z.output<T> : undefined;
type InputOf<T> = T extends z.ZodType ? z.input<T> : undefined;

/** Input of a handler: parsed, with defaults. */
export interface Received<C extends Call> {
  params: OutputOf<C['params']>;
  query: OutputOf<C['query']>;
  body: OutputOf<C['body']>;
}

/** Return value of a handler. */
export type Answer<C extends Call> = C['reply'] extends z.ZodType ? z.input<C['reply']> : void;

/** Input of a client: keys with defaults are optional. */
export type Sent<C extends Call> = (C['params'] extends z.ZodType ? { params: InputOf<C['params']> } : { params?: undefined }) &
  (C['query'] extends z.ZodType ? { query?: InputOf<C['query']> } : { query?: undefined }) &
  (C['body'] extends z.ZodType ? { body: InputOf<C['body']> } : { body?: undefined });

/** Output for a client. */
export type Reply<C extends Call> = C['reply'] extends z.ZodType ? z.output<C['reply']> : undefined;
