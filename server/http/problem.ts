/**
 * A request that cannot be served, with the sentence the person reads. Thrown where it is found out,
 * turned into an answer in one place (http/app.ts). Anything else that is thrown is our fault: 500, logged.
 */
export class Problem extends Error {
  readonly status: number;
  /** Where clients look for the sentence: our own errors say `error`, those of authentication `detail`. */
  readonly key: 'error' | 'detail';
  readonly retryAfterSeconds: number | undefined;
  /** What some client reads beside the sentence. */
  readonly more: Record<string, unknown>;
  constructor(
    status: number,
    message: string,
    {
      key = 'error',
      retryAfterSeconds,
      more = {},
    }: { key?: 'error' | 'detail'; retryAfterSeconds?: number; more?: Record<string, unknown> } = {},
  ) {
    super(message);
    this.status = status;
    this.key = key;
    this.retryAfterSeconds = retryAfterSeconds;
    this.more = more;
  }
}

export const notFound = (what: string) => new Problem(404, `${what} not found`);
export const refused = (why: string) => new Problem(400, why);
export const forbidden = (why: string) => new Problem(403, why, { key: 'detail' });
export const tooMany = (why: string, retryAfterSeconds: number) => new Problem(429, why, { key: 'detail', retryAfterSeconds });

/** Said to whoever has proved who they are, and to nobody else. */
export const switchedOff = 'This account is switched off. Ask whoever runs this archive.';
