import type { Confirmation } from '#contract/user.ts';
import { ApiError } from '#web/api/call.ts';

/** What is tried, with what was typed once somebody was asked. */
export type Attempt<T> = (confirm?: { confirm: string }) => Promise<T>;

/** Somebody is asked before it is tried again. */
export interface Asked {
  attempt: Attempt<unknown>;
  done(result: unknown): void;
  fail(error: Error): void;
  cancel(): void;
}

/** How somebody proves who they are: by their password, or by logging in again. */
export interface Proof {
  by: 'password' | 'login';
}

const wanted = (error: unknown) =>
  error instanceof ApiError && error.status === 400 ? (error.body as { confirm?: Confirmation; prove?: Proof } | null) : null;

/** What a refusal says has to be confirmed; null when it is another one. */
export const deletionWanted = (error: unknown) => wanted(error)?.confirm ?? null;

/** How a refusal says one has to prove who one is; null when it is another one. */
export const proofWanted = (error: unknown) => wanted(error)?.prove ?? null;
