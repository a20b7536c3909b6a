import { randomBytes } from 'node:crypto';
import type { Archive } from '../archive.ts';
import { forbidden } from '../http/problem.ts';
import type { User } from '../http/route.ts';
import { tokenHashOf } from '../http/session.ts';
import { seal, unseal } from '../seal.ts';
import { addToken, dropToken, findToken } from './store.ts';

/**
 * The caller's API token, 40 hexadecimal digits, made at the first asking. The API lets people read it again (clients
 * show it in their settings), so it is kept sealed with the key file beside the hash that requests are checked against.
 */
export async function tokenOf(archive: Archive, accountId: number): Promise<string> {
  const { db, keys, now } = archive;
  const kept = await findToken(db, accountId);
  if (kept) return unseal(keys, kept.sealed);
  const token = randomBytes(20).toString('hex');
  await addToken(db, { accountId, tokenHash: tokenHashOf(token), sealed: seal(keys, token), createdAt: now() });
  return tokenOf(archive, accountId);
}

/** Makes the caller's API token worthless at once; the next asking makes a new one. */
export async function dropApiToken({ db, events }: Archive, accountId: number): Promise<void> {
  await dropToken(db, accountId);
  events.dismiss(accountId);
}

/** This token is for who logged in, or comes with it; another of theirs, which may end, must not lead to one that does not. */
export async function refuseOtherTokens({ db }: Archive, { id, tokenHash }: Pick<User, 'id' | 'tokenHash'>): Promise<void> {
  if (tokenHash !== null && (await findToken(db, id))?.tokenHash !== tokenHash)
    throw forbidden('You do not have permission to perform this action with this token.');
}
