import { randomBytes } from 'node:crypto';
import type { AppContext } from '../../platform/context/app-context.ts';
import { forbidden } from '../../platform/http/http-error.ts';
import type { User } from '../../platform/http/route.ts';
import { tokenHashOf } from '../../platform/http/auth/session.ts';
import { seal, unseal } from '../../platform/security/encryption.ts';
import { addToken, deleteToken, findToken } from './account/store.ts';

/**
 * Returns the caller's API token, 40 hexadecimal digits, created on first use. Clients show it again in their settings, so it is
 * stored encrypted with the key file, in addition to the hash that requests are checked against.
 */
export async function tokenOf(app: AppContext, accountId: number): Promise<string> {
  const { db, keys, now } = app;
  const stored = await findToken(db, accountId);
  if (stored) return unseal(keys, `token.${accountId}`, stored.sealed);
  const token = randomBytes(20).toString('hex');
  await addToken(db, {
    accountId,
    tokenHash: tokenHashOf(token),
    sealed: seal(keys, `token.${accountId}`, token),
    createdAt: now(),
  });
  return tokenOf(app, accountId);
}

/** Revokes the caller's API token; the next request for it creates a new one. */
export async function dropApiToken({ db, events }: AppContext, accountId: number): Promise<void> {
  await deleteToken(db, accountId);
  events.dismiss(accountId);
}

/** Rejects other tokens of the user: a token that can expire must not give access to the permanent one. */
export async function refuseOtherTokens({ db }: AppContext, { id, tokenHash }: Pick<User, 'id' | 'tokenHash'>): Promise<void> {
  if (tokenHash !== null && (await findToken(db, id))?.tokenHash !== tokenHash) throw forbidden('error.other-token');
}
