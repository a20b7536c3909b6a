import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';

/** Current and former keys. They may change at runtime, because a CLI command can rotate the key. */
export interface Keys {
  /** Encrypts and signs. 32 bytes. */
  readonly present: Buffer;
  /** The current key, then former keys that existing values may need. */
  readonly all: readonly Buffer[];
}

/** Creates fixed keys, the current one first. */
export const keysOf = (present: Buffer, ...former: Buffer[]): Keys => ({ present, all: [present, ...former] });

/**
 * Purpose of an encrypted value. It is part of the authenticated data, so a value never decrypts for another purpose: encrypted
 * text that staff can choose and read in a backup must not be accepted as a credential.
 */
export type Purpose =
  | 'oidc-flow'
  | 'notify-url'
  | `link.${string}`
  | `media-server.${number}.${string}`
  | `migrate.${string}`
  | `secret.${string}`
  | `token.${number}`;

/** Purpose of the tokens of a media server: they open only for the address that they were entered for. */
export const mediaServerPurpose = ({ number, address }: { number: number; address: string }): Purpose =>
  `media-server.${number}.${address}`;

interface Algorithm {
  seal(key: Buffer, text: string, associated: string): Buffer;
  unseal(key: Buffer, sealed: Buffer, associated: string): string;
  /** Whether the purpose is part of the associated data. */
  bindsPurpose: boolean;
}

// A random nonce, the tag, then the ciphertext.
const aes256gcm = {
  seal(key: Buffer, text: string, associated: string) {
    const nonce = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(associated));
    const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), body]);
  },
  unseal(key: Buffer, sealed: Buffer, associated: string) {
    const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12), { authTagLength: 16 })
      .setAAD(Buffer.from(associated))
      .setAuthTag(sealed.subarray(12, 28));
    return Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()]).toString('utf8');
  },
};

/** Algorithms by the name in the prefix of the value. */
const algorithms: Record<string, Algorithm> = {
  'aes-256-gcm-purpose': { ...aes256gcm, bindsPurpose: true },
  // Of earlier versions: the associated data is only the prefix, or empty for a value without a prefix.
  'aes-256-gcm': { ...aes256gcm, bindsPurpose: false },
};
const currentAlgorithm = 'aes-256-gcm-purpose';
const algorithmWithoutPrefix = 'aes-256-gcm';

/** Returns an identifier of a key that reveals nothing about it. */
const nameOf = (key: Buffer) => createHmac('sha256', key).update('reelkeep sealed').digest('hex').slice(0, 8);
const prefixOf = (key: Buffer) => `${currentAlgorithm}.${nameOf(key)}.`;

/** Encrypts a text: `<algorithm>.<name of the key>.<base64url>`. */
export function seal({ present }: Keys, purpose: Purpose, text: string): string {
  const prefix = prefixOf(present);
  return `${prefix}${algorithms[currentAlgorithm]!.seal(present, text, prefix + purpose).toString('base64url')}`;
}

/**
 * Decrypts a value for this purpose. `orWithoutPurpose` also decrypts values of earlier versions, to encrypt them again: only for
 * rows of the database, never for data of a request.
 * @throws if the purpose or the key differs or the value was changed
 */
export function unseal({ all }: Keys, purpose: Purpose, sealed: string, { orWithoutPurpose = false } = {}): string {
  const [, prefix, algorithm = algorithmWithoutPrefix, name, body = ''] =
    /^(([\w-]+)\.([0-9a-f]{8})\.)?([\w-]*)$/.exec(sealed) ?? [];
  const implementation = Object.hasOwn(algorithms, algorithm) ? algorithms[algorithm] : undefined;
  if (!implementation) throw new Error(`What is kept was sealed in a way that this version does not know (${algorithm}).`);
  if (!implementation.bindsPurpose && !orWithoutPurpose)
    throw new Error('What is kept was sealed by an earlier version, without a purpose.');
  for (const key of prefix === undefined ? all : all.filter((one) => nameOf(one) === name)) {
    try {
      return implementation.unseal(
        key,
        Buffer.from(body, 'base64url'),
        `${prefix ?? ''}${implementation.bindsPurpose ? purpose : ''}`,
      );
    } catch {
      // another key or purpose, or changed
    }
  }
  throw new Error('What is kept was sealed with another key or for another purpose, or changed.');
}

/** Names a key without telling it: the first 16 hexadecimal digits of an HMAC. */
export const fingerprintOf = (key: Buffer) =>
  createHmac('sha256', key).update('reelkeep key fingerprint').digest('hex').slice(0, 16);

/** Returns whether a value was encrypted with the current algorithm and key. */
export const isSealedWithPresentKey = ({ present }: Keys, sealed: string): boolean => sealed.startsWith(prefixOf(present));

/** Hash of a notification URL for lookups. Keyed, because URLs contain secrets and could be guessed. */
export const hashOfUrl = (key: Buffer, url: string) => createHmac('sha256', key).update(`notify ${url}`).digest('hex');
