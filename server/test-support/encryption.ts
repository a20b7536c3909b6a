import { createCipheriv, randomBytes } from 'node:crypto';
import { keysOf, seal } from '../platform/security/encryption.ts';

/** Encrypts a value like earlier versions: without a purpose, and without a prefix in the first version. */
export function sealWithoutPurpose(key: Buffer, text: string, { hasPrefix = true } = {}): string {
  const name = seal(keysOf(key), 'oidc-flow', '').split('.')[1];
  const prefix = hasPrefix ? `aes-256-gcm.${name}.` : '';
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  if (hasPrefix) cipher.setAAD(Buffer.from(prefix));
  const body = Buffer.concat([cipher.update(text), cipher.final()]);
  return `${prefix}${Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')}`;
}
