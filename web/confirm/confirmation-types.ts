import type { Confirmation } from '#contract/user.ts';
import { ApiError } from '#web/api/call.ts';

/** A call, repeated with the confirmation once the user has given it. */
export type Attempt<T> = (confirm?: { confirm: string }) => Promise<T>;

export interface ConfirmationRequest {
  attempt: Attempt<unknown>;
  done(result: unknown): void;
  fail(error: Error): void;
  cancel(): void;
}

/** How the user re-authenticates. */
export interface ReauthMethod {
  by: 'password' | 'login';
}

const requirementsOf = (error: unknown) =>
  error instanceof ApiError && error.status === 400
    ? (error.body as { confirm?: Confirmation; prove?: ReauthMethod } | null)
    : null;

/** Returns the deletion that an error asks to confirm; null for other errors. */
export const requiredConfirmation = (error: unknown) => requirementsOf(error)?.confirm ?? null;

/** Returns how an error asks the user to re-authenticate; null for other errors. */
export const requiredReauth = (error: unknown) => requirementsOf(error)?.prove ?? null;
