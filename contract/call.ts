import type { z } from 'zod';

/** Who may make a call: everybody, whoever is logged in, or staff (`is_staff` or `is_superuser`). */
export type May = 'anyone' | 'user' | 'staff';

/** One call of the API: who may make it, what it does, what goes in and what comes out. */
export interface Call {
  readonly may: May;
  /** From a browser that somebody logged in with alone: no API token may, whoever has it. */
  readonly bySession?: true;
  /** It makes or changes what lets people in: the caller has logged in within minutes, or sends their password in `X-Reelkeep-Confirm`. */
  readonly proven?: true;
  readonly does: string;
  /** Unknown query parameters are refused instead of ignored. */
  readonly strict?: true;
  /** It may delete very much, and then needs the header `X-Reelkeep-Confirm`. */
  readonly confirmed?: true;
  /** Our own pages name the window in which somebody types, in the header `X-Reelkeep-Window`; a newer call takes an older one's place. */
  readonly windowed?: true;
  /** What is wrong is told as `message` too, where older clients look for it. */
  readonly alsoAsMessage?: true;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** For browsers that are on their way: the answer is 302. */
  readonly redirects?: true;
  /** The body that comes in, or the answer, is a file and no JSON. A handler reads or sends it itself, as a stream. */
  readonly bytes?: 'in' | 'out';
  /** Absent: the answer is 204 without a body. */
  readonly reply?: z.ZodType;
  /** What a refusal (400) may look like beside an object with `error`. */
  readonly refusal?: z.ZodType;
}

/** How long the name of a window may be; a longer one is as none. */
export const longestWindow = 64;

/** A feature's calls, keyed by method and path as they stand on the wire. */
export type Contract = Record<`${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}/`, Call>;

type OutputOf<T> = T extends z.ZodType ? z.output<T> : undefined;
type InputOf<T> = T extends z.ZodType ? z.input<T> : undefined;

/** What a handler receives: everything parsed, defaults filled in. */
export interface Received<C extends Call> {
  params: OutputOf<C['params']>;
  query: OutputOf<C['query']>;
  body: OutputOf<C['body']>;
}

/** What a handler answers. */
export type Answer<C extends Call> = C['reply'] extends z.ZodType ? z.input<C['reply']> : void;

/** What a caller sends: keys with defaults may be left out. */
export type Sent<C extends Call> = (C['params'] extends z.ZodType ? { params: InputOf<C['params']> } : { params?: undefined }) &
  (C['query'] extends z.ZodType ? { query?: InputOf<C['query']> } : { query?: undefined }) &
  (C['body'] extends z.ZodType ? { body: InputOf<C['body']> } : { body?: undefined });

/** What a caller gets back. */
export type Reply<C extends Call> = C['reply'] extends z.ZodType ? z.output<C['reply']> : undefined;
