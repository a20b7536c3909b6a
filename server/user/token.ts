import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Archive } from '../archive.ts';
import { tokenHashOf } from '../http/session.ts';
import { addToken, dropToken, findToken } from './store.ts';

function seal(key: Buffer, text: string): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url');
}

function unseal(key: Buffer, sealed: string): string {
  const bytes = Buffer.from(sealed, 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12)).setAuthTag(bytes.subarray(12, 28));
  return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8');
}

/**
 * The caller's API token, 40 hexadecimal digits, made at the first asking. The API lets people read it again (clients
 * show it in their settings), so it is kept sealed with the key file beside the hash that requests are checked against.
 */
export async function tokenOf(archive: Archive, accountId: number): Promise<string> {
  const { db, key, now } = archive;
  const kept = await findToken(db, accountId);
  if (kept) return unseal(key, kept.sealed);
  const token = randomBytes(20).toString('hex');
  await addToken(db, { accountId, tokenHash: tokenHashOf(token), sealed: seal(key, token), createdAt: now() });
  return tokenOf(archive, accountId);
}

/** Makes the caller's API token worthless at once; the next asking makes a new one. */
export async function dropApiToken({ db }: Archive, accountId: number): Promise<void> {
  await dropToken(db, accountId);
}
